/* SPDX-License-Identifier: MIT
 *
 * service.c - what each verb means.
 *
 * Each run_ function gives exactly one answer.
 */
#include "service/service.h"

#include "base/buf.h"
#include "base/must.h"
#include "service/compute.h"
#include "service/native_read.h"
#include "service/stats_json.h"

#include <inttypes.h>
#include <stdio.h>

_Static_assert(VERB_TOTAL <= STATS_VERBS_MAX, "no room to count every verb");
_Static_assert(COMMAND_KEY_MAX == ENTRY_KEY_MAX && COMMAND_DBS == STORE_DBS,
               "what the wire lets through fits into the store");
_Static_assert(COMMAND_TTL_NEVER == STORE_NEVER, "one notion of never");
_Static_assert(COMMAND_TTL_KEEP == STORE_KEEP_TTL, "one notion of keeping");
_Static_assert((int)COMMAND_ALWAYS == STORE_ALWAYS &&
                   (int)COMMAND_IF_ABSENT == STORE_IF_ABSENT &&
                   (int)COMMAND_IF_PRESENT == STORE_IF_PRESENT &&
                   (int)COMMAND_IF_VERSION == STORE_IF_VERSION,
               "conditions mean the same in wire and store");

/* What an envelope takes beside its id and its result. */
#define ENVELOPE_ROOM 64

static struct store_key
key_of(const struct session *session, struct slice key)
{
    struct store_key k = {key, session->db};

    return k;
}

static struct store_if
condition_of(const struct command *command)
{
    struct store_if only_if = {(enum store_condition)command->condition,
                               command->if_version};

    return only_if;
}

/* A request was refused: the version tells where a condition failed. */
static void
answer_refusal(struct session *session, struct reply *reply, enum mz_err err,
               uint64_t version)
{
    char text[64];

    counter_add(session->counters, COUNTER_REFUSED, 1);
    switch (err) {
    case MZ_EXISTS:
    case MZ_STALE:
        snprintf(text, sizeof text, "version is %" PRIu64, version);
        reply_error(reply, err, text, version);
        break;
    case MZ_MISSING:
        reply_error(reply, err, NULL, 0);
        break;
    default:
        reply_error(reply, err, NULL, REPLY_NO_VERSION);
        break;
    }
}

static void
run_GET(struct session *session, const struct command *command,
        struct reply *reply)
{
    bool found = false;
    enum mz_err err =
        outbox_reserve(reply->out, REPLY_VALUE_RESERVE + reply->id.len);

    if (err == MZ_OK)
        err = native_read(session, key_of(session, command->key),
                          command->get_touch_ms, reply, NATIVE_WHOLE, &found);
    if (err != MZ_OK) {
        answer_refusal(session, reply, err, 0);
        return;
    }
    counter_add(session->counters, found ? COUNTER_HITS : COUNTER_MISSES, 1);
    if (!found)
        reply_missing(reply);
}

static void
run_SET(struct session *session, const struct command *command,
        struct reply *reply)
{
    struct store_write write = {
        .key = key_of(session, command->key),
        .value = command->value,
        .kind = VALUE_JSON,
        .ttl_ms = command->ttl_ms,
        .only_if = condition_of(command),
    };
    uint64_t version;
    enum mz_err err = store_set(session->service->store, &write, &version);

    if (err == MZ_OK)
        reply_written(reply, version);
    else
        answer_refusal(session, reply, err, version);
}

static void
delete_many(struct session *session, struct key_list keys, struct reply *reply)
{
    static const struct store_if always = {STORE_ALWAYS, 0};
    int64_t count = 0;
    struct slice key;

    while (key_list_next(&keys, &key)) {
        bool removed;
        uint64_t version;

        must(store_del(session->service->store, key_of(session, key), always,
                       &removed, &version) == MZ_OK);
        count += removed;
    }
    reply_integer(reply, count);
}

static void
run_DEL(struct session *session, const struct command *command,
        struct reply *reply)
{
    bool removed;
    uint64_t version;
    enum mz_err err;

    if (command->many) {
        delete_many(session, command->keys, reply);
        return;
    }
    err = store_del(session->service->store, key_of(session, command->key),
                    condition_of(command), &removed, &version);
    if (err == MZ_OK)
        reply_integer(reply, removed);
    else
        answer_refusal(session, reply, err, version);
}

static void
note_ttl(void *ctx, const struct store_view *view)
{
    *(int64_t *)ctx = view->ttl_left_ms;
}

/* Milliseconds left, COMMAND_TTL_NEVER, or 0 for a missing key. */
static int64_t
ttl_left(struct session *session, struct slice key)
{
    int64_t ms = 0;

    (void)store_get(session->service->store, key_of(session, key), note_ttl,
                    &ms);
    return ms;
}

static void
run_HAS(struct session *session, const struct command *command,
        struct reply *reply)
{
    reply_boolean(reply, ttl_left(session, command->key) > 0);
}

static void
run_TTL(struct session *session, const struct command *command,
        struct reply *reply)
{
    reply_seconds(reply, ttl_left(session, command->key));
}

static void
run_TOUCH(struct session *session, const struct command *command,
          struct reply *reply)
{
    reply_boolean(reply,
                  store_touch(session->service->store,
                              key_of(session, command->key), command->ttl_ms));
}

static void
run_MERGE(struct session *session, const struct command *command,
          struct reply *reply)
{
    uint64_t version;
    enum mz_err err = compute_merge(session, command, &version);

    if (err == MZ_OK)
        reply_written(reply, version);
    else
        answer_refusal(session, reply, err, version);
}

static void
run_INCR(struct session *session, const struct command *command,
         struct reply *reply)
{
    int64_t n;
    uint64_t version;
    enum mz_err err = compute_incr(session, command, &n, &version);

    if (err == MZ_OK)
        reply_counted(reply, n, version);
    else
        answer_refusal(session, reply, err, version);
}

/* Room for one more item. An array can be larger than memory: it is sent
 * while it is made. */
static enum mz_err
make_item_room(struct session *session, struct reply *reply)
{
    const struct session_host *host = session->host;

    /* Who is not there any more gets no answer anyway. */
    if (host != NULL && !host->send(host->ctx, false))
        return MZ_NO_MEMORY;
    if (outbox_reserve(reply->out, REPLY_VALUE_RESERVE) == MZ_OK)
        return MZ_OK;
    if (host == NULL || !host->send(host->ctx, true))
        return MZ_NO_MEMORY;
    return outbox_reserve(reply->out, REPLY_VALUE_RESERVE);
}

/* Answers with the value of key, or null. */
static enum mz_err
answer_item(struct session *session, struct slice key, struct reply *reply)
{
    bool found = false;
    enum mz_err err = make_item_room(session, reply);

    if (err == MZ_OK)
        err = native_read(session, key_of(session, key), 0, reply, NATIVE_ITEM,
                          &found);
    if (err != MZ_OK)
        return err;
    counter_add(session->counters, found ? COUNTER_HITS : COUNTER_MISSES, 1);
    if (!found)
        reply_item_missing(reply);
    return MZ_OK;
}

static void
run_MGET(struct session *session, const struct command *command,
         struct reply *reply)
{
    struct key_list keys = command->keys;
    enum mz_err err = make_item_room(session, reply);
    const struct outbox_mark begun = outbox_here(reply->out);
    const uint64_t sent_before = outbox_sent_total(reply->out);
    struct slice key;

    if (err == MZ_OK)
        reply_begin_array(reply, keys.count);
    while (err == MZ_OK && key_list_next(&keys, &key))
        err = answer_item(session, key, reply);
    if (err == MZ_OK) {
        reply_end_array(reply);
    } else if (outbox_sent_total(reply->out) == sent_before) {
        outbox_take_back(reply->out, begun);
        answer_refusal(session, reply, err, 0);
    } else {
        /* What was sent cannot be taken back: the connection ends. */
        outbox_fail(reply->out);
    }
}

static void
run_SCAN(struct session *session, const struct command *command,
         struct reply *reply)
{
    const struct store_scan scan = {
        .db = session->db,
        .prefix = command->prefix,
        .key_max = command->page_count,
    };
    struct reply_page page = {.next = command->cursor};
    struct buf keys = {0};
    enum mz_err err =
        store_scan(session->service->store, &scan, &page.next, &keys);

    if (err == MZ_OK)
        err = outbox_reserve(reply->out,
                             REPLY_PAGE_RESERVE(keys.len) + reply->id.len);
    if (err == MZ_OK) {
        page.keys = key_list_over(buf_slice(&keys));
        reply_page(reply, &page);
    } else {
        answer_refusal(session, reply, err, 0);
    }
    buf_fini(&keys);
}

static void
run_COUNT(struct session *session, const struct command *command,
          struct reply *reply)
{
    reply_integer(reply, (int64_t)store_count(session->service->store,
                                              session->db, command->prefix));
}

static void
run_DROP(struct session *session, const struct command *command,
         struct reply *reply)
{
    reply_integer(reply, (int64_t)store_drop(session->service->store,
                                             session->db, command->prefix));
}

static struct lease_name
lease_of(const struct session *session, struct slice name)
{
    struct lease_name lease = {name, session->db};

    return lease;
}

/* Stands in line. Answers that wait must not wait for that as well, and a
 * client that goes is to leave the line. */
static enum mz_err
stand_in_line(struct session *session, const struct lease_ask *ask,
              int64_t *token)
{
    const struct session_host *host = session->host;
    enum mz_err err;

    if (host != NULL)
        host->sleep(host->ctx);
    err = lease_take(session->service->leases, &session->holder, ask, token);
    if (host != NULL)
        host->wake(host->ctx);
    return err;
}

static void
run_LOCK(struct session *session, const struct command *command,
         struct reply *reply)
{
    static const struct slice null = SLICE_LITERAL("null");
    struct lease_ask ask = {
        .name = lease_of(session, command->key),
        .ttl_ms = command->ttl_ms,
    };
    int64_t token;
    enum mz_err err =
        lease_take(session->service->leases, &session->holder, &ask, &token);

    if (err == MZ_OK && token == 0 && command->wait_ms > 0) {
        ask.wait_ms = command->wait_ms;
        err = stand_in_line(session, &ask, &token);
    }
    if (err != MZ_OK)
        answer_refusal(session, reply, err, 0);
    else if (token == 0)
        reply_json(reply, null);
    else
        reply_integer(reply, token);
}

static void
run_UNLOCK(struct session *session, const struct command *command,
           struct reply *reply)
{
    reply_boolean(reply,
                  lease_give(session->service->leases,
                             lease_of(session, command->key), command->token));
}

static void
run_SIZE(struct session *session, const struct command *command,
         struct reply *reply)
{
    struct store_totals totals;

    (void)command;
    store_totals(session->service->store, session->db, &totals);
    reply_integer(reply, (int64_t)totals.keys);
}

static void
run_RESET(struct session *session, const struct command *command,
          struct reply *reply)
{
    (void)command;
    store_reset(session->service->store, session->db);
    reply_ok(reply);
}

static void
run_SELECT(struct session *session, const struct command *command,
           struct reply *reply)
{
    session->db = command->db;
    reply_ok(reply);
}

static void
run_PING(struct session *session, const struct command *command,
         struct reply *reply)
{
    static const struct slice pong = SLICE_LITERAL("\"pong\"");

    (void)session;
    (void)command;
    reply_json(reply, pong);
}

/* Answers with the JSON that fill() writes, or that there is no memory. */
static void
answer_document(struct session *session, struct reply *reply,
                void (*fill)(const struct session *, struct buf *))
{
    struct buf json = {0};

    fill(session, &json);
    /* What is queued already must not be lost for want of room for this. */
    if (json.failed || outbox_reserve(reply->out, json.len + reply->id.len +
                                                      ENVELOPE_ROOM) != MZ_OK)
        answer_refusal(session, reply, MZ_NO_MEMORY, 0);
    else
        reply_json(reply, buf_slice(&json));
    buf_fini(&json);
}

static void
run_STATS(struct session *session, const struct command *command,
          struct reply *reply)
{
    (void)command;
    answer_document(session, reply, stats_json);
}

static void
hello_json(const struct session *session, struct buf *json)
{
    const struct service *service = session->service;

    buf_printf(json,
               "{\"server\":\"memoizer\",\"version\":\"%s\",\"protocol\":1,"
               "\"max_key\":%d,\"max_value\":%zu,\"max_request\":%zu,"
               "\"max_clients\":%zu,\"databases\":%d}",
               MEMOIZER_VERSION, ENTRY_KEY_MAX, service->max_value,
               service->max_request, service->max_clients, STORE_DBS);
}

static void
run_HELLO(struct session *session, const struct command *command,
          struct reply *reply)
{
    (void)command;
    answer_document(session, reply, hello_json);
}

static void
run_QUIT(struct session *session, const struct command *command,
         struct reply *reply)
{
    (void)command;
    session->quit = true;
    reply_ok(reply);
}

void
service_run(struct session *session, const struct command *command,
            struct reply *reply)
{
    typedef void run_fn(struct session *, const struct command *,
                        struct reply *);
    static run_fn *const run[VERB_TOTAL] = {
#define COMMAND(name, selector, required, optional, ignored) run_##name,
#include "wire/commands.def"
#undef COMMAND
    };

    must((unsigned)command->verb < VERB_TOTAL);
    counter_add_verb(session->counters, command->verb);
    reply->has_id = command->has_id;
    reply->id = command->id;
    run[command->verb](session, command, reply);
}

void
service_refuse(struct session *session, const struct fault *fault,
               struct reply *reply)
{
    counter_add(session->counters, COUNTER_REFUSED, 1);
    reply->has_id = fault->has_id;
    reply->id = fault->id;
    reply_error(reply, fault->err, fault->text, REPLY_NO_VERSION);
}
