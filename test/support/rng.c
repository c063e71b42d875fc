/* SPDX-License-Identifier: MIT
 *
 * rng.c - see rng.h.
 */
#include "rng.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t
rng_test_seed(void)
{
    const char *text = getenv("MEMOIZER_TEST_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : hash_random_seed();

    printf("MEMOIZER_TEST_SEED=%" PRIu64 "\n", seed);
    fflush(stdout); /* a test that aborts must not take it along */
    return seed;
}
