/* SPDX-License-Identifier: MIT
 *
 * latency_test.c - the histogram against sorted times, and the keys.
 */
#include "bench/latency.h"

#include "base/mem.h"
#include "bench/bench_keys.h"
#include "rng.h"
#include "suite.h"

#include <string.h>

#define TIMES 20000

static int
by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* got is at least the true time, and at most 1/128 above. */
static void
check_close(uint64_t got, uint64_t truth)
{
    ck_assert_uint_ge(got, truth);
    ck_assert_uint_le(got - truth, truth >> LATENCY_STEP_BITS);
}

/* Times of all sizes, up to `bits` bits, in two halves that are merged. */
static void
compare(struct rng *rng, unsigned bits, size_t count)
{
    static const unsigned permilles[] = {1, 500, 990, 999, 1000};
    struct latency *halves = mem_alloc_zeroed(2, sizeof(*halves));
    uint64_t *times = mem_alloc_zeroed(count, sizeof(*times));

    ck_assert(halves != NULL && times != NULL);
    for (size_t i = 0; i < count; i++) {
        times[i] = rng_next(rng) >> (64 - bits + rng_below(rng, bits));
        latency_add(&halves[i % 2], times[i]);
    }
    latency_merge(&halves[0], &halves[1]);
    qsort(times, count, sizeof(*times), by_size);
    ck_assert_uint_eq(halves[0].count, count);
    ck_assert_uint_eq(halves[0].max_ns, times[count - 1]);
    for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
        const size_t rank = (count * permilles[i] + 999) / 1000;

        check_close(latency_permille_ns(&halves[0], permilles[i]),
                    times[rank - 1]);
    }
    mem_free(halves);
    mem_free(times);
}

START_TEST(tells_what_sorting_tells)
{
    struct rng rng = {rng_test_seed()};

    for (unsigned bits = 1; bits <= 64; bits++)
        compare(&rng, bits, 1 + rng_below(&rng, TIMES));
    compare(&rng, 20, 1);
    compare(&rng, 20, 10);
    compare(&rng, 20, 1000);
}
END_TEST

START_TEST(is_nothing_without_times)
{
    struct latency *latency = mem_alloc_zeroed(1, sizeof(*latency));

    ck_assert_ptr_nonnull(latency);
    ck_assert_uint_eq(latency_permille_ns(latency, 999), 0);
    latency_add(latency, 0);
    ck_assert_uint_eq(latency_permille_ns(latency, 1000), 0);
    latency_add(latency, UINT64_MAX);
    ck_assert_uint_eq(latency_permille_ns(latency, 1000), UINT64_MAX);
    mem_free(latency);
}
END_TEST

static bool
looks_like_a_uuid(struct slice key)
{
    for (size_t i = 0; i < key.len; i++) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (strchr(dash ? "-" : "0123456789abcdef", key.data[i]) == NULL)
            return false;
    }
    return key.len == 36 && key.data[14] == '4' &&
           strchr("89ab", key.data[19]) != NULL;
}

static int
by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, BENCH_KEY_LEN);
}

START_TEST(makes_different_keys)
{
    struct bench_keys keys, shuffled;

    ck_assert_int_eq(bench_keys_init(&keys, 5000, 1), MZ_OK);
    ck_assert_int_eq(bench_keys_init(&shuffled, 5000, 1), MZ_OK);
    ck_assert_mem_eq(keys.bytes, shuffled.bytes, 5000 * BENCH_KEY_LEN);
    bench_keys_shuffle(&shuffled);
    ck_assert_mem_ne(keys.bytes, shuffled.bytes, 5000 * BENCH_KEY_LEN);
    qsort(keys.bytes, 5000, BENCH_KEY_LEN, by_bytes);
    qsort(shuffled.bytes, 5000, BENCH_KEY_LEN, by_bytes);
    ck_assert_mem_eq(keys.bytes, shuffled.bytes, 5000 * BENCH_KEY_LEN);
    for (uint64_t i = 0; i < 5000; i++) {
        ck_assert(looks_like_a_uuid(bench_keys_at(&keys, i)));
        ck_assert(i == 0 || !slice_equal(bench_keys_at(&keys, i),
                                         bench_keys_at(&keys, i - 1)));
    }
    bench_keys_fini(&keys);
    bench_keys_fini(&shuffled);
    ck_assert_int_eq(bench_keys_init(&keys, UINT64_MAX / 2, 1), MZ_NO_MEMORY);
    bench_keys_fini(&keys);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, tells_what_sorting_tells);
    tcase_add_test(tc, is_nothing_without_times);
    tcase_add_test(tc, makes_different_keys);
}

TEST_MAIN("latency", fill)
