/* SPDX-License-Identifier: MIT
 *
 * resp_multi.c - see resp_multi.h.
 *
 * The queue is three buffers: a struct queued for each command, the length of
 * every word, and the bytes of all words one behind the other. EXEC makes
 * slices of them.
 */
#include "service/resp_multi.h"

#include "base/mem.h"
#include "base/num.h"
#include "store/store_hold.h"

#include <string.h>

struct queued {
    const struct resp_row *row;
    size_t count; /* words */
};

struct watched {
    uint64_t version; /* when it was watched; 0: it was missing */
    size_t len;       /* of its name */
    uint8_t db;
};

struct resp_multi {
    bool open;    /* between MULTI and EXEC */
    bool spoiled; /* EXEC refuses */
    struct buf commands;
    struct buf lengths;
    struct buf words;
    struct buf watches;
    struct buf names; /* of what is watched, one behind the other */
};

void
resp_multi_free(struct resp_multi *multi)
{
    if (multi == NULL)
        return;
    buf_fini(&multi->commands);
    buf_fini(&multi->lengths);
    buf_fini(&multi->words);
    buf_fini(&multi->watches);
    buf_fini(&multi->names);
    mem_free(multi);
}

bool
resp_multi_is_open(const struct resp_client *client)
{
    return client->multi != NULL && client->multi->open;
}

void
resp_multi_spoil(struct resp_client *client)
{
    if (resp_multi_is_open(client))
        client->multi->spoiled = true;
}

/* How many commands are queued, for CLIENT LIST; -1: no MULTI. */
static void
show_queued(struct resp_client *client, int32_t count)
{
    atomic_store_explicit(&client->shown.queued, count, memory_order_relaxed);
}

void
resp_multi_forget(struct resp_client *client)
{
    resp_multi_free(client->multi);
    client->multi = NULL;
    show_queued(client, -1);
}

/* Makes the client one to queue or watch with. False after an error reply. */
static bool
have_multi(struct resp_call *call)
{
    struct resp_client *client = call->client;

    if (client->multi == NULL)
        client->multi = mem_alloc_zeroed(1, sizeof *client->multi);
    if (client->multi != NULL)
        return true;
    resp_refuse(call, MZ_NO_MEMORY);
    return false;
}

/* What a client queues and what it watches are bounded by this, each. */
static size_t
bytes_max(const struct resp_call *call)
{
    return 2 * call->session->service->max_request;
}

/* ---- the queue ---- */

static enum mz_err
reserve_words(struct resp_multi *multi, const struct resp_call *call,
              size_t word_bytes)
{
    enum mz_err err = buf_reserve(&multi->commands, sizeof(struct queued));

    if (err == MZ_OK)
        err = buf_reserve(&multi->lengths, call->count * sizeof(size_t));
    if (err == MZ_OK)
        err = buf_reserve(&multi->words, word_bytes);
    return err;
}

static void
put_words(struct resp_multi *multi, const struct resp_call *call)
{
    const struct queued queued = {call->row, call->count};

    buf_put(&multi->commands, &queued, sizeof queued);
    for (size_t i = 0; i < call->count; i++) {
        buf_put(&multi->lengths, &call->args[i].len, sizeof(size_t));
        buf_put_slice(&multi->words, call->args[i]);
    }
}

void
resp_multi_queue(struct resp_call *call)
{
    struct resp_multi *multi = call->client->multi;
    size_t bytes = 0, all;

    /* No sum overflows: the words are in memory. */
    for (size_t i = 0; i < call->count; i++)
        bytes += call->args[i].len;
    all = multi->words.len + multi->lengths.len + multi->commands.len + bytes +
          call->count * sizeof(size_t) + sizeof(struct queued);
    if (all > bytes_max(call)) {
        resp_put_error(&call->out, "ERR transaction is too large");
        multi->spoiled = true;
    } else if (reserve_words(multi, call, bytes) != MZ_OK) {
        resp_refuse(call, MZ_NO_MEMORY);
        multi->spoiled = true;
    } else {
        put_words(multi, call);
        show_queued(call->client,
                    (int32_t)(multi->commands.len / sizeof(struct queued)));
        resp_put_status(&call->out, "QUEUED");
    }
}

void
resp_run_MULTI(struct resp_call *call)
{
    if (resp_multi_is_open(call->client)) {
        resp_put_error(&call->out, "ERR MULTI calls can not be nested");
    } else if (have_multi(call)) {
        call->client->multi->open = true;
        show_queued(call->client, 0);
        resp_put_ok(&call->out);
    }
}

void
resp_run_DISCARD(struct resp_call *call)
{
    if (!resp_multi_is_open(call->client)) {
        resp_put_error(&call->out, "ERR DISCARD without MULTI");
        return;
    }
    resp_multi_forget(call->client);
    resp_put_ok(&call->out);
}

/* ---- watching ---- */

/* A reader. */
static void
note_version(void *ctx, const struct store_view *view)
{
    *(uint64_t *)ctx = view->version;
}

/* 0: there is no such key. */
static uint64_t
version_of(struct store *store, struct store_key key)
{
    uint64_t version = 0;

    (void)store_get(store, key, note_version, &version);
    return version;
}

/* A key that is watched twice is compared twice; the first time decides, as it
 * is the earlier version. */
static enum mz_err
watch(struct resp_call *call, size_t arg)
{
    struct resp_multi *multi = call->client->multi;
    const struct store_key key = resp_key(call, arg);
    struct watched watched = {.len = key.key.len, .db = key.db};
    const size_t bytes = multi->watches.len + multi->names.len;
    enum mz_err err;

    if (bytes + sizeof watched + key.key.len > bytes_max(call))
        return MZ_TOO_LARGE;
    err = buf_reserve(&multi->watches, sizeof watched);
    if (err == MZ_OK)
        err = buf_reserve(&multi->names, key.key.len);
    if (err != MZ_OK)
        return err;
    watched.version = version_of(call->session->service->store, key);
    buf_put(&multi->watches, &watched, sizeof watched);
    buf_put_slice(&multi->names, key.key);
    return MZ_OK;
}

void
resp_run_WATCH(struct resp_call *call)
{
    enum mz_err err = MZ_OK;

    if (resp_multi_is_open(call->client)) {
        resp_put_error(&call->out, "ERR WATCH inside MULTI is not allowed");
        return;
    }
    if (!have_multi(call))
        return;
    for (size_t i = 1; i < call->count && err == MZ_OK; i++)
        err = watch(call, i);
    if (err == MZ_OK)
        resp_put_ok(&call->out);
    else if (err == MZ_TOO_LARGE)
        resp_put_error(&call->out, "ERR too many keys are watched");
    else
        resp_refuse(call, err);
}

/* Never with a queue that is open: UNWATCH is queued itself. */
void
resp_run_UNWATCH(struct resp_call *call)
{
    resp_multi_forget(call->client);
    resp_put_ok(&call->out);
}

/* ---- running ---- */

/* A transaction on its way through its queue. */
struct run {
    const struct resp_call *exec;
    struct resp_multi *multi;
    const struct queued *commands;
    size_t count;
    struct slice *args;     /* owned: the words of all commands in turn */
    struct store_key *keys; /* owned: room for all keys there can be */
    size_t key_count;       /* of the step that is being planned */
    struct store_hold *hold;
    enum mz_err err; /* of beginning the hold */
};

/* *keys are the words first to last of a command, every step-th of them. */
struct key_range {
    size_t first, last, step; /* first 0: none */
};

static struct key_range
keys_of(const struct resp_row *row, const struct slice *args, size_t count)
{
    struct key_range range = {(size_t)row->first_key, (size_t)row->last_key,
                              (size_t)row->key_step};
    int64_t n;

    if (row->last_key < 0)
        range.last = count - (size_t)-row->last_key;
    /* Scripts say how many keys they have. */
    if (strncmp(row->name, "EVAL", 4) == 0 && count > 3 &&
        num_parse_i64(args[2], &n) == MZ_OK && n > 0)
        range = (struct key_range){3, 3 + (size_t)n - 1, 1};
    if (range.last >= count)
        range.last = count - 1;
    return range;
}

/* Keys that are too long are refused by their command. */
static void
add_key(struct run *run, struct slice name, uint8_t db)
{
    if (name.len <= ENTRY_KEY_MAX)
        run->keys[run->key_count++] = (struct store_key){name, db};
}

static void
add_keys(struct run *run, const struct queued *command,
         const struct slice *args, uint8_t db)
{
    const struct key_range range = keys_of(command->row, args, command->count);

    for (size_t i = range.first; i > 0 && i <= range.last; i += range.step)
        add_key(run, args[i], db);
}

static const struct watched *
watches_of(const struct run *run, size_t *count)
{
    *count = run->multi->watches.len / sizeof(struct watched);
    return (const struct watched *)(const void *)run->multi->watches.data;
}

static void
add_watched(struct run *run)
{
    const char *name = run->multi->names.data;
    const struct watched *watches;
    size_t count;

    watches = watches_of(run, &count);
    for (size_t i = 0; i < count; i++) {
        add_key(run, slice_of(name, watches[i].len), watches[i].db);
        name += watches[i].len;
    }
}

/* The keys that the commands from `from` on will name, up to one that looks at
 * whole databases. Returns where that is. args: the words of `from`. */
static size_t
plan(struct run *run, size_t from, const struct slice *args)
{
    uint8_t db = run->exec->session->db;
    size_t i;

    for (i = from; i < run->count; i++) {
        const struct queued *command = &run->commands[i];
        int64_t selected;

        if (command->row->flags & RESP_WHOLE)
            break;
        if (command->row->run == resp_run_SELECT &&
            num_parse_i64(args[1], &selected) == MZ_OK && selected >= 0 &&
            selected < STORE_DBS)
            db = (uint8_t)selected;
        add_keys(run, command, args, db);
        args += command->count;
    }
    return i;
}

static void
begin_hold(struct run *run)
{
    run->err = MZ_OK;
    if (run->key_count > 0)
        run->err = store_hold_begin(run->exec->session->service->store,
                                    run->keys, run->key_count, &run->hold);
    run->key_count = 0;
}

static void
end_hold(struct run *run)
{
    store_hold_end(run->hold);
    run->hold = NULL;
}

/* Whether every watched key is as it was. */
static bool
is_unchanged(const struct run *run)
{
    const char *name = run->multi->names.data;
    const struct watched *watches;
    size_t count;

    watches = watches_of(run, &count);
    for (size_t i = 0; i < count; i++) {
        const struct store_key key = {
            .key = slice_of(name, watches[i].len),
            .db = watches[i].db,
            .hold = run->hold,
        };

        if (version_of(run->exec->session->service->store, key) !=
            watches[i].version)
            return false;
        name += watches[i].len;
    }
    return true;
}

/* Runs a command, whose first word is *args. A reply that finds no room ends
 * the connection, but not the transaction: the rest of it has to happen. */
static void
run_one(struct run *run, const struct queued *command, const struct slice *args)
{
    const struct resp_call *exec = run->exec;
    struct outbox *out = exec->out.out;
    struct resp_call call = {
        .session = exec->session,
        .client = exec->client,
        .row = command->row,
        .args = args,
        .count = command->count,
        .out = {out, exec->client->proto},
        .hold = run->hold,
        .in_exec = true,
    };

    if (outbox_reserve(out, RESP_REPLY_RESERVE) != MZ_OK)
        outbox_fail(out);
    if (run->err != MZ_OK) {
        resp_refuse(&call, run->err);
        return;
    }
    counter_add_verb(exec->session->counters,
                     VERB_TOTAL + resp_row_index(command->row));
    command->row->run(&call);
}

/* Runs the commands `from` to before `to`. Returns the words behind them. */
static const struct slice *
run_some(struct run *run, size_t from, size_t to, const struct slice *args)
{
    for (size_t i = from; i < to; i++) {
        run_one(run, &run->commands[i], args);
        args += run->commands[i].count;
    }
    return args;
}

/* The whole queue, a hold at a time. */
static void
run_all(struct run *run, struct resp_out *out)
{
    const struct slice *args = run->args;
    size_t i = 0, whole;

    add_watched(run);
    whole = plan(run, 0, args);
    begin_hold(run);
    if (run->err != MZ_OK) {
        resp_printf_error(out, "%s %s", err_resp_prefix(run->err),
                          err_text(run->err));
        return;
    }
    if (!is_unchanged(run)) {
        end_hold(run);
        resp_put_null_array(out);
        return;
    }
    resp_begin_array(out, run->count);
    for (;;) {
        args = run_some(run, i, whole, args);
        end_hold(run);
        if (whole == run->count)
            break;
        run->err = MZ_OK;
        args = run_some(run, whole, whole + 1, args);
        i = whole + 1;
        whole = plan(run, i, args);
        begin_hold(run);
    }
}

/* Makes slices of the words, and room for keys. */
static enum mz_err
begin_run(struct run *run)
{
    const struct resp_multi *multi = run->multi;
    const size_t words = multi->lengths.len / sizeof(size_t);
    const size_t *lengths = (const size_t *)(const void *)multi->lengths.data;
    const char *bytes = multi->words.data;
    size_t watches;

    (void)watches_of(run, &watches);
    run->commands = (const struct queued *)(const void *)multi->commands.data;
    run->count = multi->commands.len / sizeof(struct queued);
    run->args = mem_alloc_zeroed(words + 1, sizeof *run->args);
    run->keys = mem_alloc_zeroed(words + watches + 1, sizeof *run->keys);
    if (run->args == NULL || run->keys == NULL)
        return MZ_NO_MEMORY;
    for (size_t i = 0; i < words; i++) {
        run->args[i] = slice_of(bytes, lengths[i]);
        bytes += lengths[i];
    }
    return MZ_OK;
}

static void
execute(struct resp_call *call, struct resp_multi *multi)
{
    struct run run = {.exec = call, .multi = multi};

    if (begin_run(&run) == MZ_OK)
        run_all(&run, &call->out);
    else
        resp_refuse(call, MZ_NO_MEMORY);
    mem_free(run.args);
    mem_free(run.keys);
}

void
resp_run_EXEC(struct resp_call *call)
{
    struct resp_multi *multi = call->client->multi;

    if (!resp_multi_is_open(call->client)) {
        resp_put_error(&call->out, "ERR EXEC without MULTI");
        return;
    }
    /* What runs may watch and queue nothing, and find no queue. */
    call->client->multi = NULL;
    show_queued(call->client, -1);
    if (multi->spoiled)
        resp_put_error(&call->out, "EXECABORT Transaction discarded because "
                                   "of previous errors.");
    else
        execute(call, multi);
    resp_multi_free(multi);
}
