/* SPDX-License-Identifier: MIT
 *
 * clock.h - time as something that is handed in.
 *
 * Code that needs the time gets a `const struct clock *`, so that a test can
 * turn it. Monotonic times say when a key dies while the server runs, wall
 * times are for people and for the disk; they are never compared.
 */
#ifndef MEMOIZER_BASE_CLOCK_H
#define MEMOIZER_BASE_CLOCK_H

#include <stdint.h>

struct clock {
    int64_t (*mono_us)(void *ctx); /* us since some fixed moment, never back */
    int64_t (*wall_ms)(void *ctx); /* ms since 1970-01-01 UTC; for the
                                      disk to come */
    void *ctx;                     /* handed to both */
};

/* The machine's clocks. Static, usable from any thread. */
const struct clock *clock_system(void);

/* For deadlines that must not come early: a time that was cut to the
 * millisecond before a lifetime is added makes it up to one shorter. */
static inline int64_t
clock_mono_us(const struct clock *clock)
{
    return clock->mono_us(clock->ctx);
}

static inline int64_t
clock_mono_ms(const struct clock *clock)
{
    return clock_mono_us(clock) / 1000;
}

static inline int64_t
clock_wall_ms(const struct clock *clock)
{
    return clock->wall_ms(clock->ctx);
}

/* Microseconds since 1970, to the millisecond. */
static inline int64_t
clock_wall_us(const struct clock *clock)
{
    return clock_wall_ms(clock) * 1000;
}

/* Nanoseconds of the machine's monotonic clock, for measuring. */
int64_t clock_mono_ns(void);

#endif
