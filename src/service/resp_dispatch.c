/* SPDX-License-Identifier: MIT
 *
 * resp_dispatch.c - from words to a handler, and what all handlers share.
 */
#include "service/resp_call.h"

#include "base/must.h"
#include "base/num.h"
#include "service/resp_multi.h"
#include "service/resp_pubsub.h"

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
    struct store_key key = {call->args[arg], call->session->db, call->hold};

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
    if (call->hold != NULL) /* a client that does not read would stop others */
        host = NULL;
    if (call->muted != NULL) { /* nobody reads what waits there */
        outbox_take_back(out, (struct outbox_mark){0, 0});
        host = NULL;
    }
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

/* EXEC tells what a refusal of it means. */
static const char *
refusal_prefix(const struct resp_call *call)
{
    return call->row->run == resp_run_EXEC
               ? "EXECABORT Transaction discarded because of:"
               : "ERR";
}

void
resp_wrong_arity(struct resp_call *call)
{
    char lower[32];

    resp_printf_error(&call->out,
                      "%s wrong number of arguments for '%s' command",
                      refusal_prefix(call), lower_name(lower, call->row->name));
}

void
resp_invalid_expire(struct resp_call *call)
{
    char lower[32];

    resp_printf_error(&call->out, "ERR invalid expire time in '%s' command",
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

/* Whether the store takes the keys that the row knows of. */
static bool
fits_keys(const struct resp_row *row, const struct slice *args, size_t count)
{
    size_t end = row->last_key < 0 ? count - (size_t)-row->last_key + 1
                                   : (size_t)row->last_key + 1;

    if (row->first_key == 0)
        return true;
    for (size_t i = (size_t)row->first_key; i < end && i < count;
         i += (size_t)row->key_step) {
        if (args[i].len > ENTRY_KEY_MAX)
            return false;
    }
    return true;
}

static void
refuse_confined(struct resp_call *call)
{
    char lower[32];

    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_printf_error(&call->out,
                      "%s Can't execute '%s': only (P|S)SUBSCRIBE / "
                      "(P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
                      "this context",
                      refusal_prefix(call), lower_name(lower, call->row->name));
}

/* Whether the command may run, or be queued; false after an error reply. */
static bool
admit(struct resp_call *call)
{
    if (call->row == NULL) {
        refuse_unknown(call);
    } else if (!fits_arity(call->row, call->count)) {
        counter_add(call->session->counters, COUNTER_REFUSED, 1);
        resp_wrong_arity(call);
    } else if (!fits_keys(call->row, call->args, call->count)) {
        counter_add(call->session->counters, COUNTER_REFUSED, 1);
        resp_printf_error(&call->out, "ERR key is longer than %d bytes",
                          ENTRY_KEY_MAX);
    } else if (resp_client_is_confined(call->client) &&
               !(call->row->flags & RESP_PUBSUB)) {
        refuse_confined(call);
    } else if (resp_multi_is_open(call->client) &&
               call->row->flags & RESP_NO_MULTI) {
        counter_add(call->session->counters, COUNTER_REFUSED, 1);
        resp_put_error(&call->out,
                       "ERR Command not allowed inside a transaction");
    } else {
        return true;
    }
    return false;
}

static void
dispatch(struct resp_call *call)
{
    struct resp_client *client = call->client;

    if (!admit(call)) {
        if (call->row != NULL && call->row->run == resp_run_EXEC)
            resp_multi_forget(client);
        resp_multi_spoil(client);
    } else if (resp_multi_is_open(client) &&
               !(call->row->flags & RESP_NO_QUEUE)) {
        resp_multi_queue(call);
    } else {
        counter_add_verb(call->session->counters,
                         VERB_TOTAL + resp_row_index(call->row));
        call->row->run(call);
    }
}

/* Runs it with an outbox that nobody reads. */
static void
dispatch_muted(struct resp_call *call)
{
    struct outbox nowhere;

    if (call->client->replies == RESP_REPLIES_SKIP)
        call->client->replies = RESP_REPLIES_ON;
    outbox_init(&nowhere);
    call->muted = call->out.out;
    call->out.out = &nowhere;
    /* Without memory the reply is lost, as it is to be. */
    (void)!outbox_reserve(&nowhere, RESP_REPLY_RESERVE);
    dispatch(call);
    outbox_fini(&nowhere);
}

void
resp_unmute(struct resp_call *call)
{
    call->client->replies = RESP_REPLIES_ON;
    if (call->muted != NULL) {
        call->out.out = call->muted;
        call->muted = NULL;
    }
}

/* Tells those who look what this client does, */
static void
show_command(struct resp_client *client, const struct resp_row *row)
{
    struct resp_shown *shown = &client->shown;

    atomic_store_explicit(&shown->command, row != NULL ? row->name : NULL,
                          memory_order_relaxed);
    atomic_store_explicit(&shown->subcommand, NULL, memory_order_relaxed);
}

/* ... and what has come of it. */
static void
show_state(const struct session *session, struct resp_client *client)
{
    struct resp_shown *shown = &client->shown;

    atomic_store_explicit(&shown->db, session->db, memory_order_relaxed);
    atomic_store_explicit(&shown->proto, client->proto, memory_order_relaxed);
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

    show_command(client, call.row);
    if (client->replies == RESP_REPLIES_ON)
        dispatch(&call);
    else
        dispatch_muted(&call);
    show_state(session, client);
}

void
resp_refuse_request(struct session *session, struct resp_client *client,
                    const struct fault *fault, struct outbox *out)
{
    struct resp_out to = {out, client->proto};

    counter_add(session->counters, COUNTER_REFUSED, 1);
    if (client->replies != RESP_REPLIES_ON)
        return;
    resp_printf_error(&to, "ERR %s", fault->text);
}
