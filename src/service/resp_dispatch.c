/* SPDX-License-Identifier: MIT
 *
 * resp_dispatch.c - from words to a handler, and what all handlers share.
 */
#include "service/resp_call.h"

#include "base/must.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Of the words of an unknown command, so many bytes are told back. */
#define TOLD_MAX 128

/* ---- the table ---- */

#define F(flag) RESP_##flag
static const struct resp_row rows[] = {
#define RESP_COMMAND(name, arity, flags, first, last, step)                    \
    {#name, resp_run_##name, arity, flags, first, last, step},
#include "service/resp_commands.def"
#undef RESP_COMMAND
};
#undef F

#define ROW_COUNT (sizeof rows / sizeof *rows)

_Static_assert(VERB_TOTAL + ROW_COUNT <= STATS_VERBS_MAX,
               "no room to count every command");

/* Below 0 when the name comes before the row in the order of the table. */
static int
compare(struct slice name, const char *row_name)
{
    size_t row_len = strlen(row_name);
    size_t len = name.len < row_len ? name.len : row_len;
    int order = strncasecmp(name.data, row_name, len);

    if (order != 0)
        return order;
    return (name.len > row_len) - (name.len < row_len);
}

const struct resp_row *
resp_find_row(struct slice name)
{
    size_t low = 0, high = ROW_COUNT;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(name, rows[middle].name);

        if (order == 0)
            return &rows[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct resp_row *
resp_rows(size_t *count)
{
    *count = ROW_COUNT;
    return rows;
}

unsigned
resp_row_index(const struct resp_row *row)
{
    return (unsigned)(row - rows);
}

/* ---- arguments ---- */

struct store_key
resp_key(const struct resp_call *call, size_t arg)
{
    struct store_key key = {call->args[arg], call->session->db};

    return key;
}

bool
resp_is(const struct resp_call *call, size_t arg, const char *word)
{
    struct slice s = call->args[arg];

    return s.len == strlen(word) && strncasecmp(s.data, word, s.len) == 0;
}

bool
resp_integer(struct resp_call *call, size_t arg, int64_t *n)
{
    struct slice s = call->args[arg];

    /* JSON has -0, Redis has not. */
    if (num_parse_i64(s, n) == MZ_OK && !(*n == 0 && s.len > 1))
        return true;
    resp_not_integer(call);
    return false;
}

/* ---- room ---- */

bool
resp_have_room(struct resp_call *call, size_t len)
{
    if (outbox_reserve(call->out.out, len + RESP_REPLY_RESERVE) == MZ_OK)
        return true;
    resp_refuse(call, MZ_NO_MEMORY);
    return false;
}

bool
resp_have_item_room(struct resp_call *call, size_t len)
{
    const struct session_host *host = call->session->host;
    struct outbox *out = call->out.out;

    len += RESP_REPLY_RESERVE;
    if (host == NULL || host->send(host->ctx, false)) {
        if (outbox_reserve(out, len) == MZ_OK)
            return true;
        if (host != NULL && host->send(host->ctx, true) &&
            outbox_reserve(out, len) == MZ_OK)
            return true;
    }
    outbox_fail(out);
    return false;
}

/* ---- refusals ---- */

void
resp_syntax_error(struct resp_call *call)
{
    resp_put_error(&call->out, "ERR syntax error");
}

void
resp_not_integer(struct resp_call *call)
{
    resp_put_error(&call->out, "ERR value is not an integer or out of range");
}

/* The name of the command as clients match it: in lower case. */
static const char *
lower_name(char lower[32], const char *name)
{
    size_t i;

    for (i = 0; i < 31 && name[i] != '\0'; i++)
        lower[i] =
            (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
    lower[i] = '\0';
    return lower;
}

void
resp_wrong_arity(struct resp_call *call)
{
    char lower[32];

    resp_printf_error(&call->out,
                      "ERR wrong number of arguments for '%s' command",
                      lower_name(lower, call->row->name));
}

void
resp_unknown_subcommand(struct resp_call *call)
{
    struct slice word = call->args[1];
    int len = word.len < TOLD_MAX ? (int)word.len : TOLD_MAX;

    resp_printf_error(&call->out, "ERR unknown subcommand '%.*s'. Try %s HELP.",
                      len, word.data, call->row->name);
}

void
resp_refuse(struct resp_call *call, enum mz_err err)
{
    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_printf_error(&call->out, "%s %s", err_resp_prefix(err), err_text(err));
}

/* Clients and log filters match this text: the name, and the beginning of each
 * word until TOLD_MAX bytes of them are told. */
static void
refuse_unknown(struct resp_call *call)
{
    struct slice name = call->args[0];
    char words[TOLD_MAX * 2];
    size_t at = 0;

    for (size_t i = 1; i < call->count && at < TOLD_MAX; i++) {
        size_t left = TOLD_MAX - at;
        struct slice word = call->args[i];
        int len = (int)(word.len < left ? word.len : left);

        at += (size_t)snprintf(words + at, sizeof words - at, "'%.*s' ", len,
                               word.data);
    }
    words[at] = '\0';
    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_printf_error(&call->out,
                      "ERR unknown command '%.*s', with args beginning with: "
                      "%s",
                      (int)(name.len < TOLD_MAX ? name.len : TOLD_MAX),
                      name.data, words);
}

/* ---- running ---- */

static bool
fits_arity(const struct resp_row *row, size_t count)
{
    return row->arity >= 0 ? count == (size_t)row->arity
                           : count >= (size_t)-row->arity;
}

static void
dispatch(struct resp_call *call)
{
    if (call->row == NULL) {
        refuse_unknown(call);
    } else if (!fits_arity(call->row, call->count)) {
        counter_add(call->session->counters, COUNTER_REFUSED, 1);
        resp_wrong_arity(call);
    } else {
        counter_add_verb(call->session->counters,
                         VERB_TOTAL + resp_row_index(call->row));
        call->row->run(call);
    }
}

void
resp_run(struct session *session, struct resp_client *client,
         const struct resp_command *command, struct outbox *out)
{
    struct resp_call call = {
        .session = session,
        .client = client,
        .row = resp_find_row(command->args[0]),
        .args = command->args,
        .count = command->count,
        .out = {out, client->proto},
    };

    dispatch(&call);
}

void
resp_refuse_request(struct session *session, struct resp_client *client,
                    const struct fault *fault, struct outbox *out)
{
    struct resp_out to = {out, client->proto};

    counter_add(session->counters, COUNTER_REFUSED, 1);
    resp_printf_error(&to, "ERR %s", fault->text);
}
