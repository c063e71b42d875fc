/* SPDX-License-Identifier: MIT
 *
 * bench_keys.h - keys made before the clock runs: UUIDs in one array, read
 * front to back as a server reads its requests.
 *
 * Owned by one thread while they are made and shuffled; lent to any number
 * after that.
 */
#ifndef MEMOIZER_BENCH_BENCH_KEYS_H
#define MEMOIZER_BENCH_BENCH_KEYS_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

#define BENCH_KEY_LEN 36

struct bench_keys {
    char *bytes;    /* owned: count * BENCH_KEY_LEN */
    uint64_t count; /* const */
    uint64_t state; /* owner: of the random numbers */
};

/* count keys that look like "f81d4fae-7dec-41d0-a765-00a0c91e6bf6", the same
 * ones for the same seed. count may be 0. */
enum mz_err bench_keys_init(struct bench_keys *keys, uint64_t count,
                            uint64_t seed) MZ_CHECK;
void bench_keys_fini(struct bench_keys *keys);

/* Puts them into another order. */
void bench_keys_shuffle(struct bench_keys *keys);

/* i < count. */
static inline struct slice
bench_keys_at(const struct bench_keys *keys, uint64_t i)
{
    return slice_of(keys->bytes + i * BENCH_KEY_LEN, BENCH_KEY_LEN);
}

#endif
