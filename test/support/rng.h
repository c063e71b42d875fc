/* SPDX-License-Identifier: MIT
 *
 * rng.h - random numbers that can be had again.
 */
#ifndef MEMOIZER_TEST_RNG_H
#define MEMOIZER_TEST_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

/* The seed of this run: MEMOIZER_TEST_SEED, or a random one; printed. */
uint64_t rng_test_seed(void);

/* splitmix64. */
static inline uint64_t
rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 <= result < n, n > 0. */
static inline uint64_t
rng_below(struct rng *rng, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)rng_next(rng) * n) >> 64);
}

#endif
