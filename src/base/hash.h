/* SPDX-License-Identifier: MIT
 *
 * hash.h - the hash of a key.
 *
 * XXH3-64 with a secret 64-bit seed. Never XXH64 or XXH32 here: whole families
 * of their collisions hold under every seed, so a client could choose keys
 * that all meet in one place.
 */
#ifndef MEMOIZER_BASE_HASH_H
#define MEMOIZER_BASE_HASH_H

#include "base/slice.h"

#include <stdint.h>
#include <xxhash.h>

/* All 64 bits are usable. */
static inline uint64_t
hash_bytes(struct slice bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes.data, bytes.len, seed);
}

/* A fresh seed from the kernel's random numbers. */
uint64_t hash_random_seed(void);

#endif
