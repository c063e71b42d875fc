/* SPDX-License-Identifier: MIT
 *
 * hammer_value.c - see hammer_value.h.
 */
#include "hammer_value.h"

#include "base/hash.h"
#include "base/must.h"
#include "rng.h"

#include <string.h>

struct stamp {
    uint64_t nonce, sum;
};

_Static_assert(sizeof(struct stamp) == HAMMER_VALUE_MIN, "the smallest value");

static uint64_t
sum_of(size_t len, struct store_key key, uint64_t nonce)
{
    return hash_bytes(key.key, nonce) + len * STORE_DBS + key.db;
}

void
hammer_value_make(char *out, size_t len, struct store_key key, uint64_t nonce)
{
    const struct stamp stamp = {nonce, sum_of(len, key, nonce)};
    struct rng rng = {nonce};

    must(len >= sizeof(stamp));
    memcpy(out, &stamp, sizeof(stamp));
    for (size_t at = sizeof(stamp); at < len; at += sizeof(uint64_t)) {
        const uint64_t word = rng_next(&rng);
        const size_t left = len - at;

        memcpy(out + at, &word, left < sizeof(word) ? left : sizeof(word));
    }
}

bool
hammer_value_fits(struct slice value, struct store_key key)
{
    struct stamp stamp;
    struct rng rng;

    if (value.len < sizeof(stamp))
        return false;
    memcpy(&stamp, value.data, sizeof(stamp));
    if (stamp.sum != sum_of(value.len, key, stamp.nonce))
        return false;
    rng.state = stamp.nonce;
    for (size_t at = sizeof(stamp); at < value.len; at += sizeof(uint64_t)) {
        const uint64_t word = rng_next(&rng);
        const size_t left = value.len - at;

        if (memcmp(value.data + at, &word,
                   left < sizeof(word) ? left : sizeof(word)) != 0)
            return false;
    }
    return true;
}
