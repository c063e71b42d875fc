/* SPDX-License-Identifier: MIT
 *
 * resp_strings.c - commands of the Redis protocol on whole values.
 */
#include "service/resp_call.h"
#include "service/resp_set_options.h"
#include "service/resp_time.h"
#include "service/resp_value.h"

#include "base/mem.h"
#include "base/must.h"
#include "store/store_hold.h"

static struct store *
store_of(const struct resp_call *call)
{
    return call->session->service->store;
}

/* ---- reading ---- */

void
resp_run_GET(struct resp_call *call)
{
    struct resp_show show = {call, false};

    if (!resp_have_room(call, REPLY_VALUE_RESERVE))
        return;
    (void)store_get(store_of(call), resp_key(call, 1), resp_show, &show);
    resp_end_show(&show);
}

/* The reply may be larger than memory: it is sent while it is made. */
void
resp_run_MGET(struct resp_call *call)
{
    resp_begin_array(&call->out, call->count - 1);
    for (size_t i = 1; i < call->count; i++) {
        struct resp_show show = {call, false};

        if (!resp_have_item_room(call, REPLY_VALUE_RESERVE))
            return;
        (void)store_get(store_of(call), resp_key(call, i), resp_show, &show);
        resp_end_show(&show);
    }
}

void
resp_run_GETDEL(struct resp_call *call)
{
    static const struct store_if always = {STORE_ALWAYS, 0};
    struct resp_show show = {call, false};
    uint64_t version;
    bool removed;

    if (!resp_have_room(call, REPLY_VALUE_RESERVE))
        return;
    must(store_take(store_of(call), resp_key(call, 1), always, resp_show, &show,
                    &removed, &version) == MZ_OK);
    resp_end_show(&show);
}

/* As in Redis, a time that will not do matters only when the key is there. */
static bool
read_getex_time(struct resp_call *call, const struct resp_set_options *options,
                int64_t *deadline_mono_us)
{
    const struct outbox_mark mark = outbox_here(call->out.out);

    if (resp_time_of_write(call, options->time_arg, options->unit,
                           deadline_mono_us))
        return true;
    if (!store_get(store_of(call), resp_key(call, 1), resp_look, NULL)) {
        outbox_take_back(call->out.out, mark);
        resp_put_null(&call->out);
    }
    return false;
}

void
resp_run_GETEX(struct resp_call *call)
{
    struct resp_set_options options;
    struct resp_show show = {call, false};
    struct store_expire expire = {
        .deadline_mono_us = STORE_NEVER,
        .when = STORE_EXPIRE_IF_ANY,
        .before = resp_show,
        .before_ctx = &show,
    };

    if (!resp_set_options_of_getex(call, 2, &options))
        return;
    if (options.given == 0) {
        resp_run_GET(call);
        return;
    }
    if (options.time_arg != 0) {
        expire.when = STORE_EXPIRE_ALWAYS;
        if (!read_getex_time(call, &options, &expire.deadline_mono_us))
            return;
    }
    if (!resp_have_room(call, REPLY_VALUE_RESERVE))
        return;
    (void)store_expire(store_of(call), resp_key(call, 1), &expire);
    resp_end_show(&show);
}

/* ---- writing ---- */

/* A write of the value of an argument, for ever and whatever is there. */
static struct store_write
write_of(const struct resp_call *call, size_t key_arg, size_t value_arg)
{
    const struct store_write write = {
        .key = resp_key(call, key_arg),
        .value = call->args[value_arg],
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
    };

    return write;
}

/* Whether it is the key that stands against a write, not the server. */
static bool
is_condition(enum mz_err err)
{
    return err == MZ_EXISTS || err == MZ_MISSING || err == MZ_STALE;
}

/* Writes, and replies OK, or null when the condition does not hold. */
static void
set(struct resp_call *call, const struct store_write *write)
{
    uint64_t version;
    enum mz_err err = store_set(store_of(call), write, &version);

    if (err == MZ_OK)
        resp_put_ok(&call->out);
    else if (is_condition(err))
        resp_put_null(&call->out);
    else
        resp_refuse(call, err);
}

/* Writes, and replies with what was there before. */
static void
set_and_show(struct resp_call *call, struct store_write *write)
{
    struct resp_show show = {call, false};
    struct outbox_mark mark;
    uint64_t version;
    enum mz_err err;

    if (!resp_have_room(call, REPLY_VALUE_RESERVE))
        return;
    mark = outbox_here(call->out.out);
    write->before = resp_show;
    write->before_ctx = &show;
    err = store_set(store_of(call), write, &version);
    if (err == MZ_OK || is_condition(err)) {
        resp_end_show(&show);
    } else {
        outbox_take_back(call->out.out, mark);
        resp_refuse(call, err);
    }
}

static struct store_if
condition_of(const struct resp_call *call,
             const struct resp_set_options *options)
{
    struct store_if only_if = {STORE_ALWAYS, 0};

    if (options->given & RESP_SET_NX)
        only_if.condition = STORE_IF_ABSENT;
    if (options->given & RESP_SET_XX)
        only_if.condition = STORE_IF_PRESENT;
    if (options->given & RESP_SET_IFEQ) {
        only_if.condition = STORE_IF_VALUE;
        only_if.value = call->args[options->ifeq_arg];
    }
    return only_if;
}

void
resp_run_SET(struct resp_call *call)
{
    struct store_write write = write_of(call, 1, 2);
    struct resp_set_options options;

    if (!resp_set_options_of_set(call, 3, &options))
        return;
    if (options.time_arg != 0 &&
        !resp_time_of_write(call, options.time_arg, options.unit,
                            &write.deadline_mono_us))
        return;
    if (!resp_value_fits(call, 2))
        return;
    if (options.given & RESP_SET_KEEPTTL)
        write.ttl_ms = STORE_KEEP_TTL;
    write.only_if = condition_of(call, &options);
    if (options.given & RESP_SET_GET)
        set_and_show(call, &write);
    else
        set(call, &write);
}

static void
set_for(struct resp_call *call, enum resp_time unit)
{
    struct store_write write = write_of(call, 1, 3);

    if (resp_time_of_write(call, 2, unit, &write.deadline_mono_us) &&
        resp_value_fits(call, 3))
        set(call, &write);
}

void
resp_run_SETEX(struct resp_call *call)
{
    set_for(call, RESP_TIME_EX);
}

void
resp_run_PSETEX(struct resp_call *call)
{
    set_for(call, RESP_TIME_PX);
}

void
resp_run_SETNX(struct resp_call *call)
{
    struct store_write write = write_of(call, 1, 2);
    uint64_t version;
    enum mz_err err;

    if (!resp_value_fits(call, 2))
        return;
    write.only_if.condition = STORE_IF_ABSENT;
    err = store_set(store_of(call), &write, &version);
    if (err == MZ_OK || err == MZ_EXISTS)
        resp_put_integer(&call->out, err == MZ_OK);
    else
        resp_refuse(call, err);
}

void
resp_run_GETSET(struct resp_call *call)
{
    struct store_write write = write_of(call, 1, 2);

    if (resp_value_fits(call, 2))
        set_and_show(call, &write);
}

/* DELEX key [IFEQ value] */
void
resp_run_DELEX(struct resp_call *call)
{
    struct store_if only_if = {STORE_ALWAYS, 0};
    uint64_t version;
    enum mz_err err;
    bool removed;

    if (call->count != 2 && call->count != 4) {
        resp_wrong_arity(call);
        return;
    }
    if (call->count == 4) {
        if (!resp_is(call, 2, "IFEQ")) {
            resp_syntax_error(call);
            return;
        }
        only_if.condition = STORE_IF_VALUE;
        only_if.value = call->args[3];
    }
    err = store_del(store_of(call), resp_key(call, 1), only_if, &removed,
                    &version);
    must(err == MZ_OK || is_condition(err));
    resp_put_integer(&call->out, removed);
}

/* ---- several keys in one step ---- */

/* Keys and values in turn, from the first argument to the last. */
static bool
are_pairs(struct resp_call *call)
{
    if (call->count % 2 == 0) {
        resp_wrong_arity(call);
        return false;
    }
    for (size_t i = 2; i < call->count; i += 2) {
        if (!resp_value_fits(call, i))
            return false;
    }
    return true;
}

/* Reserves the keys of all pairs. */
static enum mz_err
hold_pairs(const struct resp_call *call, struct store_hold **hold)
{
    const size_t count = call->count / 2;
    struct store_key *keys = mem_alloc_zeroed(count, sizeof *keys);
    enum mz_err err;

    if (keys == NULL)
        return MZ_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        keys[i] = resp_key(call, 1 + 2 * i);
    err = store_hold_begin(store_of(call), keys, count, hold);
    mem_free(keys);
    return err;
}

static bool
are_absent(const struct resp_call *call, struct store_hold *hold)
{
    for (size_t i = 1; i < call->count; i += 2) {
        struct store_key key = resp_key(call, i);

        key.hold = hold;
        if (store_get(store_of(call), key, resp_look, NULL))
            return false;
    }
    return true;
}

static enum mz_err
set_pairs(const struct resp_call *call, struct store_hold *hold)
{
    enum mz_err err = MZ_OK;

    for (size_t i = 1; i < call->count && err == MZ_OK; i += 2) {
        struct store_write write = write_of(call, i, i + 1);
        uint64_t version;

        write.key.hold = hold;
        err = store_set(store_of(call), &write, &version);
    }
    return err;
}

/* Writes all pairs in one step, under the hold of a transaction or one of its
 * own. *done: they were written, since there was no key that must not be. */
static enum mz_err
set_together(struct resp_call *call, bool only_if_absent, bool *done)
{
    struct store_hold *own = NULL, *hold = call->hold;
    enum mz_err err = MZ_OK;

    if (hold == NULL) {
        err = hold_pairs(call, &own);
        hold = own;
    }
    *done = err == MZ_OK && (!only_if_absent || are_absent(call, hold));
    if (*done)
        err = set_pairs(call, hold);
    store_hold_end(own);
    return err;
}

void
resp_run_MSET(struct resp_call *call)
{
    enum mz_err err;
    bool done;

    if (!are_pairs(call))
        return;
    /* One pair is one step as it is. */
    err = call->count == 3 ? set_pairs(call, call->hold)
                           : set_together(call, false, &done);
    if (err == MZ_OK)
        resp_put_ok(&call->out);
    else
        resp_refuse(call, err);
}

void
resp_run_MSETNX(struct resp_call *call)
{
    enum mz_err err;
    bool done;

    if (!are_pairs(call))
        return;
    err = set_together(call, true, &done);
    if (err == MZ_OK)
        resp_put_integer(&call->out, done);
    else
        resp_refuse(call, err);
}
