/* SPDX-License-Identifier: MIT
 *
 * fake_clock.c - see fake_clock.h.
 */
#include "fake_clock.h"

static int64_t
fake_mono_us(void *ctx)
{
    return ((struct fake_clock *)ctx)->mono_us;
}

static int64_t
fake_wall_ms(void *ctx)
{
    return ((struct fake_clock *)ctx)->wall_ms;
}

void
fake_clock_init(struct fake_clock *fake)
{
    fake->clock = (struct clock){fake_mono_us, fake_wall_ms, fake};
    fake->mono_us = INT64_C(1000000000);
    fake->wall_ms = INT64_C(1800000000000);
}

void
fake_clock_advance(struct fake_clock *fake, int64_t ms)
{
    fake->mono_us += ms * 1000;
    fake->wall_ms += ms;
}
