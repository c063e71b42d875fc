/* SPDX-License-Identifier: MIT
 *
 * resp_time.c - see resp_time.h.
 */
#include "service/resp_time.h"

/* The clocks are read one after the other, and the wall clock to the ms. Two
 * measurements that differ by more have the setting of a clock between them. */
#define CLOCK_SET_MIN_US 5000

/* A thread that was put aside between the clocks tries again. */
#define MEASURE_TRIES   3
#define MEASURE_SPAN_US 1000

/* ---- two clocks ---- */

/* Wall clock minus monotonic clock. */
static int64_t
measure(const struct clock *clock)
{
    int64_t wall_us, before_us, after_us;
    int tries = MEASURE_TRIES;

    do {
        before_us = clock_mono_us(clock);
        wall_us = clock_wall_us(clock);
        after_us = clock_mono_us(clock);
    } while (after_us - before_us > MEASURE_SPAN_US && --tries > 0);
    return wall_us - before_us;
}

static int64_t
wall_ahead_us(struct service *service)
{
    const int64_t measured = measure(service->clock);
    const int64_t kept =
        atomic_load_explicit(&service->wall_ahead_us, memory_order_relaxed);

    if (measured - kept <= CLOCK_SET_MIN_US &&
        kept - measured <= CLOCK_SET_MIN_US)
        return kept;
    atomic_store_explicit(&service->wall_ahead_us, measured,
                          memory_order_relaxed);
    return measured;
}

/* ---- sums that stay within what can be told ---- */

static int64_t
add(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return b > 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

static int64_t
us_of_ms(int64_t ms)
{
    int64_t us;

    if (__builtin_mul_overflow(ms, 1000, &us))
        return ms > 0 ? INT64_MAX : INT64_MIN;
    return us;
}

static int64_t
as_deadline(int64_t mono_us)
{
    if (mono_us < 1)
        return 1;
    return mono_us < STORE_NEVER ? mono_us : STORE_NEVER - 1;
}

/* ---- arguments ---- */

static bool
is_moment(enum resp_time unit)
{
    return unit == RESP_TIME_EXAT || unit == RESP_TIME_PXAT;
}

static bool
is_seconds(enum resp_time unit)
{
    return unit == RESP_TIME_EX || unit == RESP_TIME_EXAT;
}

/* What n is as milliseconds. False when it, or the moment that it means, does
 * not fit into 64 bits. */
static bool
to_ms(const struct resp_call *call, int64_t n, enum resp_time unit, int64_t *ms)
{
    const int64_t now_ms = clock_wall_ms(call->session->service->clock);
    int64_t moment_ms;

    *ms = n;
    if (is_seconds(unit) && __builtin_mul_overflow(n, 1000, ms))
        return false;
    return is_moment(unit) || !__builtin_add_overflow(*ms, now_ms, &moment_ms);
}

static int64_t
deadline_of(const struct resp_call *call, int64_t ms, enum resp_time unit)
{
    struct service *service = call->session->service;

    if (is_moment(unit))
        return as_deadline(add(us_of_ms(ms), -wall_ahead_us(service)));
    return as_deadline(add(clock_mono_us(service->clock), us_of_ms(ms)));
}

/* An argument of at least `min` as a deadline. */
static bool
parse(struct resp_call *call, size_t arg, enum resp_time unit, int64_t min,
      int64_t *deadline_mono_us)
{
    int64_t n, ms;

    if (!resp_integer(call, arg, &n))
        return false;
    if (n < min || !to_ms(call, n, unit, &ms)) {
        resp_invalid_expire(call);
        return false;
    }
    *deadline_mono_us = deadline_of(call, ms, unit);
    return true;
}

bool
resp_time_of_write(struct resp_call *call, size_t arg, enum resp_time unit,
                   int64_t *deadline_mono_us)
{
    return parse(call, arg, unit, 1, deadline_mono_us);
}

bool
resp_time_of_expire(struct resp_call *call, size_t arg, enum resp_time unit,
                    int64_t *deadline_mono_us)
{
    return parse(call, arg, unit, INT64_MIN, deadline_mono_us);
}

int64_t
resp_time_wall_ms(struct service *service, int64_t deadline_mono_us)
{
    return add(add(deadline_mono_us, wall_ahead_us(service)), 500) / 1000;
}
