/* SPDX-License-Identifier: MIT
 *
 * resp_call.h - one command of a Redis client while it runs.
 *
 * resp_commands.def lists the commands; resp_dispatch.c checks number of
 * arguments, login, transactions and subscriptions, and calls the handler,
 * resp_run_NAME(). A handler gives exactly one reply through call->out,
 * whatever the arguments are. The exceptions: those that subscribe give one for
 * each channel.
 *
 * A handler that answers with a value reserves room first (resp_have_room());
 * for other replies RESP_REPLY_RESERVE bytes are there. Everything is owned by
 * the connection's thread.
 */
#ifndef MEMOIZER_SERVICE_RESP_CALL_H
#define MEMOIZER_SERVICE_RESP_CALL_H

#include "service/resp_client.h"
#include "service/service.h"
#include "wire/resp_reply.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What clients parse to know which commands they may use. */
#define RESP_REDIS_VERSION "7.2.4"

/* What a command is, a bit each. */
enum resp_flag {
    RESP_READ = 1 << 0,     /* reads keys */
    RESP_WRITE = 1 << 1,    /* may change keys */
    RESP_FAST = 1 << 2,     /* costs the same whatever is stored */
    RESP_ADMIN = 1 << 3,    /* tells of the server, or changes it */
    RESP_NO_AUTH = 1 << 4,  /* is served before login */
    RESP_NO_QUEUE = 1 << 5, /* runs at once inside MULTI as well */
    RESP_NO_MULTI = 1 << 6, /* is refused inside MULTI */
    RESP_PUBSUB = 1 << 7,   /* is served to a RESP2 client that subscribes */
    RESP_WHOLE = 1 << 8,    /* looks at whole databases, not only at its keys */
};

struct resp_call;
typedef void resp_handler(struct resp_call *call);

/* The handlers, resp_run_GET() and so on: each gives its command's reply. */
#define RESP_COMMAND(name, arity, flags, first, last, step)                    \
    resp_handler resp_run_##name;
#include "service/resp_commands.def"
#undef RESP_COMMAND

/* A row of resp_commands.def. */
struct resp_row {
    const char *name; /* upper case */
    resp_handler *run;
    int arity;      /* words with the name; -n: n or more */
    unsigned flags; /* enum resp_flag */
    int first_key;  /* index of the first key, 0: none */
    int last_key;   /* of the last; -1: the last word */
    int key_step;   /* from one key to the next */
};

/* The row of a name in any case, or NULL. */
const struct resp_row *resp_find_row(struct slice name);

/* All rows, for COMMAND. */
const struct resp_row *resp_rows(size_t *count);

/* The place of a row among all, for counting. */
unsigned resp_row_index(const struct resp_row *row);

struct resp_call {
    struct session *session;    /* lent */
    struct resp_client *client; /* lent */
    const struct resp_row *row; /* const */
    const struct slice *args;   /* lent: count of them, the name first */
    size_t count;               /* as row->arity wants it */
    struct resp_out out;
    struct outbox *muted; /* where replies would go, while CLIENT REPLY has them
                             dropped; or NULL */
    struct store_hold *hold; /* inside EXEC: what it holds; or NULL */
    bool in_exec;            /* its reply is an item of that of EXEC */
};

/* The key of an argument, in the selected database and under the hold. */
struct store_key resp_key(const struct resp_call *call, size_t arg);

/* Whether an argument is this word, in any case. */
bool resp_is(const struct resp_call *call, size_t arg, const char *word);

/* An argument as an integer, as Redis reads it: an optional minus and digits
 * without leading zeros. False after an error reply. */
bool resp_integer(struct resp_call *call, size_t arg, int64_t *n);

/* Room for len bytes and one lent value beside the reserve. False after an
 * error reply. */
bool resp_have_room(struct resp_call *call, size_t len);

/* Between the parts of a long reply: sends what waits, if it is much and
 * nobody waits for a hold of ours, and has room for len more. False: the reply
 * cannot be ended, and the connection is over. */
bool resp_have_item_room(struct resp_call *call, size_t len);

/* Replies are given again, this one first. */
void resp_unmute(struct resp_call *call);

/* The usual refusals. */
void resp_syntax_error(struct resp_call *call);
void resp_wrong_arity(struct resp_call *call);
void resp_not_integer(struct resp_call *call);
void resp_invalid_expire(struct resp_call *call);
/* What the store refused: out of memory, too large. */
void resp_refuse(struct resp_call *call, enum mz_err err);

/* ... and answers that Redis has for "no such sub-command". */
void resp_unknown_subcommand(struct resp_call *call);

#endif
