/* SPDX-License-Identifier: MIT
 *
 * bench_keys.c - see bench_keys.h.
 */
#include "bench/bench_keys.h"

#include "base/mem.h"

#include <string.h>

/* splitmix64. */
static uint64_t
next(struct bench_keys *keys)
{
    uint64_t z = (keys->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t
below(struct bench_keys *keys, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)next(keys) * n) >> 64);
}

/* 32 random digits, of which two say that this is a random UUID. */
static void
make(struct bench_keys *keys, char *out)
{
    static const char digits[] = "0123456789abcdef";
    static const char pattern[] = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx";
    uint64_t bits = 0;
    unsigned left = 0;

    for (size_t i = 0; i < BENCH_KEY_LEN; i++) {
        if (left == 0) {
            bits = next(keys);
            left = 16;
        }
        if (pattern[i] != 'x' && pattern[i] != 'v') {
            out[i] = pattern[i];
            continue;
        }
        out[i] = digits[pattern[i] == 'x' ? bits & 15 : 8 + (bits & 3)];
        bits >>= 4;
        left--;
    }
}

enum mz_err
bench_keys_init(struct bench_keys *keys, uint64_t count, uint64_t seed)
{
    size_t len;

    *keys = (struct bench_keys){.count = count, .state = seed};
    if (count == 0)
        return MZ_OK;
    if (__builtin_mul_overflow(count, BENCH_KEY_LEN, &len))
        return MZ_NO_MEMORY;
    keys->bytes = mem_alloc_array(len);
    if (keys->bytes == NULL)
        return MZ_NO_MEMORY;
    for (uint64_t i = 0; i < count; i++)
        make(keys, keys->bytes + i * BENCH_KEY_LEN);
    return MZ_OK;
}

void
bench_keys_fini(struct bench_keys *keys)
{
    mem_free_array(keys->bytes, (size_t)keys->count * BENCH_KEY_LEN);
    keys->bytes = NULL;
    keys->count = 0;
}

void
bench_keys_shuffle(struct bench_keys *keys)
{
    for (uint64_t i = keys->count; i > 1; i--) {
        char *a = keys->bytes + (i - 1) * BENCH_KEY_LEN;
        char *b = keys->bytes + below(keys, i) * BENCH_KEY_LEN;
        char held[BENCH_KEY_LEN];

        memcpy(held, a, sizeof(held));
        memmove(a, b, sizeof(held));
        memcpy(b, held, sizeof(held));
    }
}
