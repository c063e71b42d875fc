/* SPDX-License-Identifier: MIT
 *
 * script_limits.c - the scripts of rate limiters: counters whose deadline is
 * the end of a window of time, and slots that are free or taken. See
 * scripts.def for who sends them.
 */
#include "service/script_run.h"

#include "base/num.h"
#include "service/resp_value.h"

#include <string.h>

/* ---- counters ---- */

/* A key that counts, as it is and as it is to be. */
struct tally {
    bool found, is_integer;
    int64_t n;
    int64_t ttl_ms; /* as PTTL has it: -1: for ever, -2: missing */
    int64_t deadline_mono_us;
};

/* A store_reader. JSON has -0, Redis has not. */
static void
note_tally(void *ctx, const struct store_view *view)
{
    struct tally *tally = ctx;

    tally->found = true;
    tally->is_integer =
        num_parse_i64(view->value, &tally->n) == MZ_OK &&
        (tally->n != 0 || view->value.len == 1 || view->kind == VALUE_JSON);
    tally->ttl_ms = view->ttl_left_ms == STORE_NEVER ? -1 : view->ttl_left_ms;
    tally->deadline_mono_us = view->deadline_mono_us;
}

static void
read_tally(const struct script_run *run, struct tally *tally)
{
    *tally = (struct tally){
        .is_integer = true,
        .ttl_ms = -2,
        .deadline_mono_us = STORE_NEVER,
    };
    (void)store_get(run->call.session->service->store, script_key(run, 1),
                    note_tally, tally);
}

/* Adds, for a script that calls INCR or INCRBY. False after an error reply. */
static bool
count(struct script_run *run, struct tally *tally, int64_t by)
{
    if (!script_may_write(run))
        return false;
    if (!tally->is_integer) {
        script_refuse(run, "ERR value is not an integer or out of range");
        return false;
    }
    if (__builtin_add_overflow(tally->n, by, &tally->n)) {
        script_refuse(run, "ERR increment or decrement would overflow");
        return false;
    }
    return true;
}

/* False after an error reply. */
static bool
write_tally(struct script_run *run, const struct tally *tally)
{
    char text[NUM_I64_SIZE];
    size_t len = num_format_i64(text, tally->n);

    return script_put(run, 1, slice_of(text, len), VALUE_JSON,
                      tally->deadline_mono_us);
}

static void
put_pair(struct script_run *run, int64_t first, int64_t second)
{
    resp_begin_array(&run->call.out, 2);
    resp_put_integer(&run->call.out, first);
    resp_put_integer(&run->call.out, second);
}

static void
write_and_tell(struct script_run *run, const struct tally *tally)
{
    if (write_tally(run, tally))
        put_pair(run, tally->n, tally->ttl_ms);
}

/* ---- rate-limit-redis ---- */

/* Argument n: milliseconds, as a number of Lua. Sets deadline and ttl_ms.
 * False after an error reply. */
static bool
open_window(struct script_run *run, size_t n, bool by_set, struct tally *tally)
{
    char text[SCRIPT_NUMBER_SIZE];
    struct slice time;
    double window_ms;

    if (!script_number(script_arg(run, n), &window_ms))
        /* nil, which no command takes */
        return script_need_args(run, SIZE_MAX);
    if (!script_may_write(run))
        return false;
    time = script_number_text(text, window_ms);
    if (by_set ? !script_time_of_write(run, "SET", time, RESP_TIME_PX,
                                       &tally->deadline_mono_us)
               : !script_time_of_expire(run, "PEXPIRE", time, RESP_TIME_PX,
                                        &tally->deadline_mono_us))
        return false;
    tally->ttl_ms = (int64_t)window_ms;
    return true;
}

/* Argument n: how long a window is. A key that does not expire begins anew. */
static void
limit(struct script_run *run, size_t n, bool resets)
{
    struct tally tally;

    read_tally(run, &tally);
    if (tally.ttl_ms <= 0) {
        tally.n = 1;
        if (open_window(run, n, true, &tally))
            write_and_tell(run, &tally);
        return;
    }
    if (count(run, &tally, 1) &&
        (!resets || open_window(run, n, false, &tally)))
        write_and_tell(run, &tally);
}

/* Argument 1: the window. */
void
script_run_limit(struct script_run *run)
{
    if (!script_begin(run))
        return;
    limit(run, 1, false);
    script_end(run);
}

/* Argument 1: whether each hit begins a new window; 2: the window. */
void
script_run_limit_reset(struct script_run *run)
{
    if (!script_begin(run))
        return;
    limit(run, 2, slice_is(script_arg(run, 1), "1"));
    script_end(run);
}

/* The same arguments; a key that does not expire goes on counting. */
void
script_run_limit_reset_old(struct script_run *run)
{
    struct tally tally;

    if (!script_begin(run))
        return;
    read_tally(run, &tally);
    if (count(run, &tally, 1) &&
        ((tally.ttl_ms > 0 && !slice_is(script_arg(run, 1), "1")) ||
         open_window(run, 2, false, &tally)))
        write_and_tell(run, &tally);
    script_end(run);
}

/* A store_reader: the reply. */
static void
put_hits(void *ctx, const struct store_view *view)
{
    struct script_run *run = ctx;

    resp_begin_array(&run->call.out, 2);
    resp_put_part(&run->call, view, view->value);
    resp_put_integer(&run->call.out,
                     view->ttl_left_ms == STORE_NEVER ? -1 : view->ttl_left_ms);
}

void
script_run_limit_get(struct script_run *run)
{
    bool found;

    if (!resp_have_room(&run->call, REPLY_VALUE_RESERVE))
        return;
    found = store_get(run->call.session->service->store, script_key(run, 1),
                      put_hits, run);
    resp_count_read(&run->call, found);
    if (found)
        return;
    resp_begin_array(&run->call.out, 2);
    resp_put_null(&run->call.out);
    resp_put_integer(&run->call.out, -2);
}

/* ---- rate-limiter-flexible ---- */

/* Argument 1: points; 2: seconds. */
static void
consume(struct script_run *run)
{
    int64_t deadline_mono_us, points, seconds;
    struct tally tally;

    if (!script_need_args(run, 2) || !script_may_write(run) ||
        !script_time_of_write(run, "SET", script_arg(run, 2), RESP_TIME_EX,
                              &deadline_mono_us) ||
        !script_integer(run, script_arg(run, 2), &seconds) ||
        !script_integer(run, script_arg(run, 1), &points))
        return;
    read_tally(run, &tally);
    if (!count(run, &tally, points))
        return;
    if (tally.ttl_ms < 0) { /* missing, or it does not expire */
        tally.deadline_mono_us = deadline_mono_us;
        tally.ttl_ms = seconds * 1000;
    }
    write_and_tell(run, &tally);
}

void
script_run_consume(struct script_run *run)
{
    if (!script_begin(run))
        return;
    consume(run);
    script_end(run);
}

/* ---- django-redis ---- */

/* Argument 1: what to add. */
static void
add(struct script_run *run, bool creates)
{
    struct tally tally;
    int64_t by;

    read_tally(run, &tally);
    if (!tally.found && !creates) {
        resp_put_null(&run->call.out);
        return;
    }
    if (script_need_args(run, 1) && script_may_write(run) &&
        script_integer(run, script_arg(run, 1), &by) &&
        count(run, &tally, by) && write_tally(run, &tally))
        resp_put_integer(&run->call.out, tally.n);
}

void
script_run_count_present(struct script_run *run)
{
    if (!script_begin(run))
        return;
    add(run, false);
    script_end(run);
}

void
script_run_count(struct script_run *run)
{
    if (!script_begin(run))
        return;
    add(run, true);
    script_end(run);
}

/* ---- slots ---- */

/* A free key, 0: there is none. */
static size_t
free_slot(const struct script_run *run)
{
    for (size_t n = 1; n <= run->key_count; n++) {
        if (!script_exists(run, n))
            return n;
    }
    return 0;
}

/* Argument 1: the name of all slots, which the reply puts in front of the place
 * of the one that was taken; 2: seconds; 3: a value. */
static void
take_slot(struct script_run *run, struct buf *name)
{
    const size_t n = free_slot(run);
    int64_t deadline_mono_us;

    if (n == 0) {
        resp_put_null(&run->call.out);
        return;
    }
    buf_printf(name, "%zu", n);
    if (script_need_args(run, 3) && script_may_write(run) &&
        script_time_of_write(run, "SET", script_arg(run, 2), RESP_TIME_EX,
                             &deadline_mono_us) &&
        script_put(run, n, script_arg(run, 3), VALUE_BYTES, deadline_mono_us))
        resp_put_bulk(&run->call.out, buf_slice(name));
}

void
script_run_take_slot(struct script_run *run)
{
    const struct slice prefix = script_arg(run, 1);
    struct buf name = {0};

    buf_put_slice(&name, prefix);
    if (buf_reserve(&name, NUM_I64_SIZE) != MZ_OK || name.failed) {
        resp_refuse(&run->call, MZ_NO_MEMORY);
    } else if (resp_have_room(&run->call, prefix.len) && script_begin(run)) {
        take_slot(run, &name);
        script_end(run);
    }
    buf_fini(&name);
}

void
script_run_taken_slots(struct script_run *run)
{
    int64_t taken = 0;

    if (!script_begin(run))
        return;
    for (size_t n = 1; n <= run->key_count; n++)
        taken += script_exists(run, n);
    script_end(run);
    resp_put_integer(&run->call.out, taken);
}
