/* SPDX-License-Identifier: MIT
 *
 * resp_subcommand.c - see resp_subcommand.h.
 */
#include "service/resp_subcommand.h"

#include <stdio.h>
#include <string.h>

/* "+" and CR LF of a line of HELP. */
#define LINE_EXTRA 3

static bool
fits_arity(const struct resp_subcommand *sub, size_t count)
{
    return sub->arity >= 0 ? count == (size_t)sub->arity
                           : count >= (size_t)-sub->arity;
}

void
resp_run_subcommand(struct resp_call *call, const struct resp_subcommand *table,
                    size_t count)
{
    size_t i = 0;
    char name[64];

    while (i < count && !resp_is(call, 1, table[i].name))
        i++;
    if (i == count) {
        counter_add(call->session->counters, COUNTER_REFUSED, 1);
        resp_unknown_subcommand(call);
        return;
    }
    resp_client_show_subcommand(call->client, table[i].name);
    if (fits_arity(&table[i], call->count)) {
        table[i].run(call);
        return;
    }
    snprintf(name, sizeof name, "%s", call->row->name);
    for (char *p = name; *p != '\0'; p++)
        *p = (char)(*p | 0x20);
    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_printf_error(&call->out,
                      "ERR wrong number of arguments for '%s|%s' command", name,
                      table[i].name);
}

void
resp_put_help(struct resp_call *call, const char *const *lines, size_t count)
{
    static const char behind_name[] =
        " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:";
    char first[128];
    size_t len = 0;

    for (size_t i = 0; i < count; i++)
        len += strlen(lines[i]) + LINE_EXTRA;
    if (!resp_have_room(call, len))
        return;
    snprintf(first, sizeof first, "%s%s", call->row->name, behind_name);
    resp_begin_array(&call->out, count + 3);
    resp_put_status(&call->out, first);
    for (size_t i = 0; i < count; i++)
        resp_put_status(&call->out, lines[i]);
    resp_put_status(&call->out, "HELP");
    resp_put_status(&call->out, "    Prints this help.");
}
