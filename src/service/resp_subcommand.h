/* SPDX-License-Identifier: MIT
 *
 * resp_subcommand.h - commands whose second word says what they do: CLIENT ID,
 * CONFIG GET.
 *
 * Each has a table of its sub-commands with what they take; HELP is one of
 * them.
 */
#ifndef MEMOIZER_SERVICE_RESP_SUBCOMMAND_H
#define MEMOIZER_SERVICE_RESP_SUBCOMMAND_H

#include "service/resp_call.h"

#include <stddef.h>

struct resp_subcommand {
    const char *name; /* lower case */
    int arity;        /* words with both names; -n: n or more */
    resp_handler *run;
};

/* Runs the sub-command that the second word names, or refuses: the command has
 * no such one, or it takes another number of words. */
void resp_run_subcommand(struct resp_call *call,
                         const struct resp_subcommand *table, size_t count);

#define RESP_RUN_SUBCOMMAND(call, table)                                       \
    resp_run_subcommand(call, table, sizeof(table) / sizeof *(table))

/* What HELP says: a line each, between those that all have in common. */
void resp_put_help(struct resp_call *call, const char *const *lines,
                   size_t count);

#define RESP_PUT_HELP(call, lines)                                             \
    resp_put_help(call, lines, sizeof(lines) / sizeof *(lines))

#endif
