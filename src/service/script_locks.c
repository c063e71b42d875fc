/* SPDX-License-Identifier: MIT
 *
 * script_locks.c - the scripts of locks: keys whose value is a secret of the
 * owner. See scripts.def for who sends them.
 *
 * Where a script compares, compares again in the write, and something happened
 * in between, it is as if it had come later.
 */
#include "service/script_run.h"

#include "base/must.h"

static void
put_integer(struct script_run *run, int64_t n)
{
    resp_put_integer(&run->call.out, n);
}

/* ---- one key ---- */

void
script_run_release(struct script_run *run)
{
    struct store_if is_mine = {STORE_IF_VALUE, 0, script_arg(run, 1)};
    bool removed = false;
    uint64_t version;

    if (script_owns(run, 1, 1)) {
        if (!script_may_write(run))
            return;
        (void)!store_del(run->call.session->service->store, script_key(run, 1),
                         is_mine, &removed, &version);
    }
    put_integer(run, removed);
}

/* Gives the key another deadline if argument 1 is its value, and replies with
 * whether it was. */
static void
expire_mine(struct script_run *run, int64_t deadline_mono_us)
{
    const struct store_expire expire = {
        .deadline_mono_us = deadline_mono_us,
        .only_if = {STORE_IF_VALUE, 0, script_arg(run, 1)},
    };
    enum store_expired done = store_expire(run->call.session->service->store,
                                           script_key(run, 1), &expire);

    put_integer(run, done == STORE_EXPIRE_SET || done == STORE_EXPIRE_DELETED);
}

/* Argument 2 is a time. */
static void
renew(struct script_run *run, const char *command, enum resp_time unit)
{
    int64_t deadline_mono_us;

    if (!script_owns(run, 1, 1))
        put_integer(run, 0);
    else if (script_need_args(run, 2) && script_may_write(run) &&
             script_time_of_expire(run, command, script_arg(run, 2), unit,
                                   &deadline_mono_us))
        expire_mine(run, deadline_mono_us);
}

void
script_run_renew_ms(struct script_run *run)
{
    renew(run, "PEXPIRE", RESP_TIME_PX);
}

void
script_run_renew_seconds(struct script_run *run)
{
    renew(run, "EXPIRE", RESP_TIME_EX);
}

/* Argument 2: seconds; none or less: for ever. */
void
script_run_renew_or_persist(struct script_run *run)
{
    double seconds;

    if (!script_owns(run, 1, 1))
        put_integer(run, 0);
    else if (!script_number(script_arg(run, 2), &seconds))
        script_refuse(run, "ERR attempt to compare number with nil");
    else if (seconds > 0)
        renew(run, "EXPIRE", RESP_TIME_EX);
    else if (script_may_write(run))
        expire_mine(run, STORE_NEVER);
}

/* A store_reader. */
static void
note_ttl(void *ctx, const struct store_view *view)
{
    *(int64_t *)ctx = view->ttl_left_ms == STORE_NEVER ? -1 : view->ttl_left_ms;
}

/* As PTTL has it. */
static int64_t
ttl_ms_of(const struct script_run *run, size_t n)
{
    int64_t ttl_ms = -2;

    (void)store_get(run->call.session->service->store, script_key(run, n),
                    note_ttl, &ttl_ms);
    return ttl_ms;
}

/* Argument 2: milliseconds, to be added to what is left unless argument 3 is
 * something else than 0. */
static void
extend_held(struct script_run *run)
{
    const int64_t left_ms = ttl_ms_of(run, 1);
    struct slice time = script_arg(run, 2);
    char text[SCRIPT_NUMBER_SIZE];
    int64_t deadline_mono_us;
    double more_ms;

    if (!script_owns(run, 1, 1) || left_ms < 0) {
        put_integer(run, 0);
        return;
    }
    if (!script_need_args(run, 2))
        return;
    if (slice_is(script_arg(run, 3), "0")) {
        if (!script_number(time, &more_ms)) {
            script_refuse(run, "ERR attempt to perform arithmetic on field '?' "
                               "(a string value)");
            return;
        }
        time = script_number_text(text, more_ms + (double)left_ms);
    }
    if (!script_may_write(run) ||
        !script_time_of_expire(run, "PEXPIRE", time, RESP_TIME_PX,
                               &deadline_mono_us))
        return;
    expire_mine(run, deadline_mono_us);
}

void
script_run_extend(struct script_run *run)
{
    if (!script_begin(run))
        return;
    extend_held(run);
    script_end(run);
}

/* Argument 1: a value; 2: seconds. */
void
script_run_add(struct script_run *run)
{
    struct store_write write = {
        .key = script_key(run, 1),
        .value = script_arg(run, 1),
        .kind = VALUE_BYTES,
        .only_if = {STORE_IF_ABSENT},
    };
    uint64_t version;
    enum mz_err err;

    if (script_exists(run, 1)) {
        resp_put_null(&run->call.out);
        return;
    }
    if (!script_need_args(run, 2) || !script_may_write(run) ||
        !script_time_of_write(run, "SETEX", script_arg(run, 2), RESP_TIME_EX,
                              &write.deadline_mono_us))
        return;
    if (!script_value_fits(run, write.value))
        return;
    err = store_set(run->call.session->service->store, &write, &version);
    if (err == MZ_OK)
        resp_put_ok(&run->call.out);
    else if (err == MZ_EXISTS)
        resp_put_null(&run->call.out);
    else
        resp_refuse(&run->call, err);
}

/* ---- many keys: all of them or none ---- */

/* Runs what is to run under a hold. */
static void
hold(struct script_run *run, script_function *function)
{
    if (!script_begin(run))
        return;
    function(run);
    script_end(run);
}

static bool
any_exists(const struct script_run *run)
{
    for (size_t n = 1; n <= run->key_count; n++) {
        if (script_exists(run, n))
            return true;
    }
    return false;
}

static void
del_all(struct script_run *run)
{
    for (size_t n = 1; n <= run->key_count; n++)
        script_del(run, n);
}

/* Gives all keys argument 1 for their value. False after an error reply; keys
 * that were not there before are not there then. */
static bool
put_all(struct script_run *run, int64_t deadline_mono_us, bool were_absent)
{
    for (size_t n = 1; n <= run->key_count; n++) {
        if (script_put(run, n, script_arg(run, 1), VALUE_BYTES,
                       deadline_mono_us))
            continue;
        if (were_absent)
            del_all(run);
        return false;
    }
    return true;
}

static void
expire_all(struct script_run *run, int64_t deadline_mono_us)
{
    const struct store_expire expire = {.deadline_mono_us = deadline_mono_us};

    for (size_t n = 1; n <= run->key_count; n++)
        (void)store_expire(run->call.session->service->store,
                           script_key(run, n), &expire);
}

/* Removes each key that has argument 1 for its value, and counts them. */
static void
release_each(struct script_run *run)
{
    int64_t count = 0;

    for (size_t n = 1; n <= run->key_count; n++) {
        if (!script_owns(run, n, 1))
            continue;
        /* The script calls DEL by pcall(): an error of it is no error. */
        if (!run->reads_only)
            script_del(run, n);
        count++;
    }
    put_integer(run, count);
}

void
script_run_release_each(struct script_run *run)
{
    hold(run, release_each);
}

static void
acquire_all(struct script_run *run)
{
    int64_t deadline_mono_us;

    if (run->key_count > 0) {
        if (any_exists(run)) {
            put_integer(run, 0);
            return;
        }
        if (!script_need_args(run, 2) || !script_may_write(run) ||
            !script_time_of_write(run, "SET", script_arg(run, 2), RESP_TIME_PX,
                                  &deadline_mono_us) ||
            !put_all(run, deadline_mono_us, true))
            return;
    }
    put_integer(run, (int64_t)run->key_count);
}

void
script_run_acquire_all(struct script_run *run)
{
    hold(run, acquire_all);
}

static void
extend_all(struct script_run *run)
{
    int64_t deadline_mono_us;

    if (run->key_count > 0) {
        if (!script_owns_all(run, 1)) {
            put_integer(run, 0);
            return;
        }
        if (!script_need_args(run, 2) || !script_may_write(run) ||
            !script_time_of_write(run, "SET", script_arg(run, 2), RESP_TIME_PX,
                                  &deadline_mono_us) ||
            !put_all(run, deadline_mono_us, false))
            return;
    }
    put_integer(run, (int64_t)run->key_count);
}

void
script_run_extend_all(struct script_run *run)
{
    hold(run, extend_all);
}

static void
release_all(struct script_run *run)
{
    if (!script_owns_all(run, 1)) {
        resp_put_null(&run->call.out);
    } else if (script_may_write(run)) {
        del_all(run);
        resp_put_ok(&run->call.out);
    }
}

void
script_run_release_all(struct script_run *run)
{
    hold(run, release_all);
}

static void
renew_all(struct script_run *run)
{
    int64_t deadline_mono_us;

    if (!script_owns_all(run, 1)) {
        resp_put_null(&run->call.out);
    } else if (script_need_args(run, 2) && script_may_write(run) &&
               script_time_of_expire(run, "PEXPIRE", script_arg(run, 2),
                                     RESP_TIME_PX, &deadline_mono_us)) {
        expire_all(run, deadline_mono_us);
        resp_put_ok(&run->call.out);
    }
}

void
script_run_renew_all(struct script_run *run)
{
    hold(run, renew_all);
}

/* The shortest time that a key has left, 0 when none expires. */
static void
ttl_all(struct script_run *run)
{
    int64_t least_ms = 0;

    if (!script_owns_all(run, 1)) {
        resp_put_null(&run->call.out);
        return;
    }
    for (size_t n = 1; n <= run->key_count; n++) {
        int64_t ttl_ms = ttl_ms_of(run, n);

        if (ttl_ms > 0 && (least_ms == 0 || ttl_ms < least_ms))
            least_ms = ttl_ms;
    }
    put_integer(run, least_ms);
}

void
script_run_ttl_all(struct script_run *run)
{
    hold(run, ttl_all);
}

/* ---- locks of an owner who may come again ---- */

/* The beginning of a value that says who it belongs to. */
struct token {
    struct slice text; /* what it is to be, if the value is long enough */
    size_t len;        /* 0: the whole value counts, as GETRANGE 0 -1 */
    bool is_it;
};

/* A store_reader. */
static void
compare_token(void *ctx, const struct store_view *view)
{
    struct token *token = ctx;
    struct slice own = view->value;

    if (token->len > 0 && own.len > token->len)
        own.len = token->len;
    token->is_it = slice_equal(own, token->text);
}

/* Whether every key begins with the owner's token. What a missing key has is
 * the empty string. */
static bool
may_override(const struct script_run *run, size_t token_len)
{
    struct token token = {.text = script_arg(run, 1), .len = token_len};

    if (token.text.len > token_len)
        token.text.len = token_len;
    for (size_t n = 1; n <= run->key_count; n++) {
        token.is_it = token.text.len == 0;
        (void)store_get(run->call.session->service->store, script_key(run, n),
                        compare_token, &token);
        if (!token.is_it)
            return false;
    }
    return true;
}

/* Argument 2: length of the token. False after an error reply. */
static bool
read_token_len(struct script_run *run, size_t *token_len)
{
    char text[SCRIPT_NUMBER_SIZE];
    int64_t last; /* as the script gives it to GETRANGE */
    double len;

    if (!script_number(script_arg(run, 2), &len)) {
        script_refuse(run, "ERR attempt to perform arithmetic on local "
                           "'offset' (a nil value)");
        return false;
    }
    if (!script_integer(run, script_number_text(text, len - 1), &last))
        return false;
    *token_len = last < 0 ? 0 : (size_t)last + 1;
    return true;
}

/* Argument 1: token and what the owner adds to it; 3: milliseconds. */
static void
obtain_all(struct script_run *run)
{
    const bool taken = any_exists(run);
    int64_t deadline_mono_us;
    size_t token_len;

    if (!script_has_arg(run, 1)) {
        script_refuse(run, "ERR Wrong number of args calling Redis command "
                           "from script");
        return;
    }
    if (!script_may_write(run))
        return;
    if (taken) {
        if (!read_token_len(run, &token_len))
            return;
        if (!may_override(run, token_len)) {
            resp_put_null(&run->call.out);
            return;
        }
    }
    if (script_need_args(run, 3) &&
        script_time_of_expire(run, "PEXPIRE", script_arg(run, 3), RESP_TIME_PX,
                              &deadline_mono_us) &&
        put_all(run, deadline_mono_us, !taken))
        resp_put_ok(&run->call.out);
}

void
script_run_obtain_all(struct script_run *run)
{
    hold(run, obtain_all);
}
