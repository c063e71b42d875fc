/* SPDX-License-Identifier: MIT
 *
 * fake_clock.h - a clock that a test turns.
 */
#ifndef MEMOIZER_TEST_FAKE_CLOCK_H
#define MEMOIZER_TEST_FAKE_CLOCK_H

#include "base/clock.h"

#include <stdatomic.h>
#include <stdint.h>

struct fake_clock {
    struct clock clock; /* hand out &fake.clock */
    _Atomic int64_t mono_us, wall_ms;
};

/* Both clocks stand at some moment well above 0. */
void fake_clock_init(struct fake_clock *fake);

/* Time passes: both clocks go on by ms. Any thread. */
void fake_clock_advance(struct fake_clock *fake, int64_t ms);

#endif
