/* SPDX-License-Identifier: MIT
 *
 * hash.c - seeds that nobody can guess.
 */
#include "base/hash.h"

#include "base/must.h"

#include <errno.h>
#include <sys/random.h>

uint64_t
hash_random_seed(void)
{
    uint64_t seed;
    ssize_t got;

    do
        got = getrandom(&seed, sizeof seed, 0);
    while (got < 0 && errno == EINTR);
    must(got == (ssize_t)sizeof seed);
    return seed;
}
