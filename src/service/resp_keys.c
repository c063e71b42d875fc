/* SPDX-License-Identifier: MIT
 *
 * resp_keys.c - commands of the Redis protocol on keys, whatever their value.
 */
#include "service/resp_call.h"

#include "base/must.h"
#include "service/resp_glob.h"
#include "store/store_hold.h"

#include <string.h>

void
resp_run_DEL(struct resp_call *call)
{
    static const struct store_if always = {STORE_ALWAYS, 0};
    int64_t count = 0;

    for (size_t i = 1; i < call->count; i++) {
        bool removed;
        uint64_t version;

        must(store_del(call->session->service->store, resp_key(call, i), always,
                       &removed, &version) == MZ_OK);
        count += removed;
    }
    resp_put_integer(&call->out, count);
}

void
resp_run_UNLINK(struct resp_call *call)
{
    resp_run_DEL(call);
}

static void
look(void *ctx, const struct store_view *view)
{
    (void)ctx;
    (void)view;
}

/* A key that is named twice counts twice. */
void
resp_run_EXISTS(struct resp_call *call)
{
    int64_t count = 0;

    for (size_t i = 1; i < call->count; i++)
        count += store_get(call->session->service->store, resp_key(call, i),
                           look, NULL);
    resp_put_integer(&call->out, count);
}

void
resp_run_TOUCH(struct resp_call *call)
{
    resp_run_EXISTS(call);
}

void
resp_run_TYPE(struct resp_call *call)
{
    bool found =
        store_get(call->session->service->store, resp_key(call, 1), look, NULL);

    resp_put_status(&call->out, found ? "string" : "none");
}

void
resp_run_DBSIZE(struct resp_call *call)
{
    struct store_totals totals;

    store_totals(call->session->service->store, call->session->db, &totals);
    resp_put_integer(&call->out, (int64_t)totals.keys);
}

/* ---- names by pattern ---- */

/* Which keys SCAN and KEYS are after. */
struct wanted {
    struct slice pattern;
    bool any;     /* MATCH was not given */
    bool no_keys; /* TYPE names a type that no key has */
};

/* Keys are listed as two bytes of length, low byte first, and the bytes: see
 * store_scan(). */
static struct slice
listed_key(const struct buf *keys, size_t at)
{
    const unsigned char *head = (const unsigned char *)keys->data + at;

    return slice_of(keys->data + at + 2, (size_t)(head[0] | head[1] << 8));
}

/* Drops the keys behind `from` that do not fit, and returns how many do. */
static size_t
keep_wanted(struct buf *keys, size_t from, const struct wanted *wanted)
{
    size_t read = from, write = from, count = 0;

    while (read < keys->len) {
        struct slice key = listed_key(keys, read);
        size_t len = key.len + 2;

        if (!wanted->no_keys &&
            (wanted->any || resp_glob_match(wanted->pattern, key))) {
            memmove(keys->data + write, keys->data + read, len);
            write += len;
            count++;
        }
        read += len;
    }
    keys->len = write;
    return count;
}

/* The keys as an array. False: the connection is over. */
static bool
put_keys(struct resp_call *call, const struct buf *keys, size_t count)
{
    resp_begin_array(&call->out, count);
    for (size_t at = 0; at < keys->len;) {
        struct slice key = listed_key(keys, at);

        if (!resp_have_item_room(call, key.len))
            return false;
        resp_put_bulk(&call->out, key);
        at += key.len + 2;
    }
    return true;
}

/* What to ask the store for: keys that cannot fit need not be named. */
static struct store_scan
scan_for(const struct resp_call *call, const struct wanted *wanted,
         size_t key_max)
{
    return (struct store_scan){
        .db = call->session->db,
        .prefix = resp_glob_prefix(wanted->pattern),
        .key_max = key_max,
    };
}

/* How many keys they are is told first, so their names are collected, a page
 * at a time and without a lock in between. */
void
resp_run_KEYS(struct resp_call *call)
{
    const struct wanted wanted = {.pattern = call->args[1]};
    const struct store_scan scan = scan_for(call, &wanted, STORE_SCAN_KEY_MAX);
    struct buf keys = {0};
    uint64_t cursor = 0;
    size_t count = 0;

    do {
        size_t from = keys.len;
        enum mz_err err =
            store_scan(call->session->service->store, &scan, &cursor, &keys);

        if (err != MZ_OK) {
            buf_fini(&keys);
            resp_refuse(call, err);
            return;
        }
        count += keep_wanted(&keys, from, &wanted);
    } while (cursor != 0);
    (void)put_keys(call, &keys, count);
    buf_fini(&keys);
}

/* A cursor as Redis reads it: no digits are 0. False after an error reply. */
static bool
take_cursor(struct resp_call *call, uint64_t *cursor)
{
    struct slice word = call->args[1];

    *cursor = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] < '0' || word.data[i] > '9' ||
            *cursor >= STORE_CURSOR_END) {
            resp_put_error(&call->out, "ERR invalid cursor");
            return false;
        }
        *cursor = *cursor * 10 + (uint64_t)(word.data[i] - '0');
    }
    return true;
}

/* MATCH, COUNT and TYPE. False after an error reply. */
static bool
take_scan_options(struct resp_call *call, struct wanted *wanted, size_t *count)
{
    for (size_t i = 2; i < call->count; i += 2) {
        if (i + 1 == call->count) {
            resp_syntax_error(call);
            return false;
        }
        if (resp_is(call, i, "match")) {
            wanted->pattern = call->args[i + 1];
            wanted->any = false;
        } else if (resp_is(call, i, "type")) {
            wanted->no_keys = !resp_is(call, i + 1, "string");
        } else if (resp_is(call, i, "count")) {
            int64_t n;

            if (!resp_integer(call, i + 1, &n))
                return false;
            if (n < 1) {
                resp_syntax_error(call);
                return false;
            }
            *count = n < STORE_SCAN_KEY_MAX ? (size_t)n : STORE_SCAN_KEY_MAX;
        } else {
            resp_syntax_error(call);
            return false;
        }
    }
    return true;
}

void
resp_run_SCAN(struct resp_call *call)
{
    struct wanted wanted = {.any = true};
    struct store_scan scan;
    struct buf keys = {0};
    uint64_t cursor;
    size_t count = 10;
    enum mz_err err;

    if (!take_cursor(call, &cursor) ||
        !take_scan_options(call, &wanted, &count))
        return;
    scan = scan_for(call, &wanted, count);
    err = store_scan(call->session->service->store, &scan, &cursor, &keys);
    if (err == MZ_OK) {
        count = keep_wanted(&keys, 0, &wanted);
        resp_begin_array(&call->out, 2);
        resp_put_bulk_u64(&call->out, cursor);
        (void)put_keys(call, &keys, count);
    } else if (err == MZ_BAD_REQUEST) {
        resp_put_error(&call->out, "ERR invalid cursor");
    } else {
        resp_refuse(call, err);
    }
    buf_fini(&keys);
}

static void
put_key(void *ctx, const struct store_view *view)
{
    struct resp_call *call = ctx;

    resp_put_bulk(&call->out, view->key);
}

void
resp_run_RANDOMKEY(struct resp_call *call)
{
    if (!resp_have_room(call, ENTRY_KEY_MAX))
        return;
    if (!store_random(call->session->service->store, call->session->db, put_key,
                      call))
        resp_put_null(&call->out);
}

/* ---- other names ---- */

static enum mz_err
give_name(struct resp_call *call, bool only_if_absent)
{
    uint64_t version;

    return store_rename(call->session->service->store, resp_key(call, 1),
                        resp_key(call, 2), only_if_absent, &version);
}

static void
refuse_rename(struct resp_call *call, enum mz_err err)
{
    if (err == MZ_MISSING)
        resp_put_error(&call->out, "ERR no such key");
    else
        resp_refuse(call, err);
}

void
resp_run_RENAME(struct resp_call *call)
{
    enum mz_err err = give_name(call, false);

    if (err == MZ_OK)
        resp_put_ok(&call->out);
    else
        refuse_rename(call, err);
}

void
resp_run_RENAMENX(struct resp_call *call)
{
    enum mz_err err = give_name(call, true);

    if (err == MZ_OK || err == MZ_EXISTS)
        resp_put_integer(&call->out, err == MZ_OK);
    else
        refuse_rename(call, err);
}

/* ---- whole databases ---- */

/* ASYNC and SYNC are the same here: values are freed a slice at a time, and
 * outside of locks. False after an error reply. */
static bool
takes_flush_mode(struct resp_call *call)
{
    if (call->count == 1 || (call->count == 2 && (resp_is(call, 1, "async") ||
                                                  resp_is(call, 1, "sync"))))
        return true;
    resp_syntax_error(call);
    return false;
}

void
resp_run_FLUSHDB(struct resp_call *call)
{
    if (!takes_flush_mode(call))
        return;
    store_reset(call->session->service->store, call->session->db);
    resp_put_ok(&call->out);
}

void
resp_run_FLUSHALL(struct resp_call *call)
{
    if (!takes_flush_mode(call))
        return;
    for (uint8_t db = 0; db < STORE_DBS; db++)
        store_reset(call->session->service->store, db);
    resp_put_ok(&call->out);
}
