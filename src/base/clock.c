/* SPDX-License-Identifier: MIT
 *
 * clock.c - the machine's clocks.
 */
#include "base/clock.h"

#include "base/must.h"

#include <time.h>

static struct timespec
now(clockid_t id)
{
    struct timespec t;

    must(clock_gettime(id, &t) == 0);
    return t;
}

static int64_t
system_mono_us(void *ctx)
{
    struct timespec t = now(CLOCK_MONOTONIC);

    (void)ctx;
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t
system_wall_ms(void *ctx)
{
    struct timespec t = now(CLOCK_REALTIME);

    (void)ctx;
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

const struct clock *
clock_system(void)
{
    static const struct clock system = {system_mono_us, system_wall_ms, NULL};

    return &system;
}

int64_t
clock_mono_ns(void)
{
    struct timespec t = now(CLOCK_MONOTONIC);

    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
