/* SPDX-License-Identifier: MIT
 *
 * bench_service_test.c - every row is measured, and leaves the sessions as it
 * found them.
 */
#include "bench/bench_service.h"

#include "base/mem.h"
#include "chaos.h"
#include "suite.h"

#include <string.h>

static uint64_t
keys_of(enum bench_row row)
{
    return row == BENCH_MGET ? BENCH_MGET_KEYS : 1;
}

/* Takes a turn of which it is known how many sessions it asks for. */
static void
check_turn(struct bench_service *bench, const struct bench_turn *turn,
           struct latency *latency, uint64_t sessions)
{
    const uint64_t requests = sessions / keys_of(turn->row);
    struct bench_time time;

    ck_assert_int_eq(bench_service_take_turn(bench, turn, latency, &time),
                     MZ_OK);
    ck_assert_uint_eq(time.requests, requests);
    ck_assert_int_gt(time.took_ns, 0);
    if (latency == NULL)
        return;
    ck_assert_uint_eq(latency->count, requests);
    ck_assert_uint_gt(latency->max_ns, 0);
    /* Whoever is slowest needs at least as long as its longest request. */
    ck_assert_uint_ge((uint64_t)time.took_ns, latency->max_ns);
}

static void
check_row(struct bench_service *bench, enum bench_row row, unsigned threads)
{
    /* A stretch of 600 or 500 keys, twice. */
    const struct bench_turn turn = {row, threads, 1200};
    struct latency *latency = mem_alloc_zeroed(1, sizeof(*latency));

    ck_assert_ptr_nonnull(latency);
    for (int i = 0; i < 3; i++)
        check_turn(bench, &turn, NULL, 1200);
    check_turn(bench, &turn, latency, 1200);
    mem_free(latency);
}

START_TEST(measures_every_row)
{
    struct bench_service *bench;

    ck_assert_int_eq(bench_service_new(1000, &bench), MZ_OK);
    ck_assert_uint_eq(bench_service_count_whole(bench), 1000);
    for (int row = 0; row < BENCH_ROWS; row++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            check_row(bench, (enum bench_row)row, threads);
            ck_assert_uint_eq(bench_service_count_whole(bench), 1000);
        }
    }
    bench_service_free(bench);
}
END_TEST

/* One mget for each thread, and passes in pairs. */
START_TEST(manages_with_few_keys)
{
    const uint64_t wanted[] = {1, 100, 199, 200, 201, 1000};
    const uint64_t done[] = {200, 200, 200, 200, 200, 1000};
    struct bench_service *bench;

    ck_assert_int_eq(bench_service_new(2 * BENCH_MGET_KEYS, &bench), MZ_OK);
    for (int row = 0; row < BENCH_ROWS; row++) {
        for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
            const struct bench_turn turn = {(enum bench_row)row, 2, wanted[i]};

            check_turn(bench, &turn, NULL, done[i]);
        }
    }
    ck_assert_uint_eq(bench_service_count_whole(bench), 2 * BENCH_MGET_KEYS);
    bench_service_free(bench);
}
END_TEST

START_TEST(names_every_row)
{
    for (int row = 0; row < BENCH_ROWS; row++) {
        const char *name = bench_row_name((enum bench_row)row);

        ck_assert_uint_gt(strlen(bench_row_title((enum bench_row)row)), 0);
        ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz_"),
                          strlen(name));
        for (int other = 0; other < row; other++)
            ck_assert_str_ne(name, bench_row_name((enum bench_row)other));
    }
}
END_TEST

START_TEST(unwinds_a_filling_without_memory)
{
    size_t refused = 0;
    bool struck = true;

    for (size_t nth = 1; struck; nth++) {
        struct bench_service *bench = NULL;
        struct chaos chaos;
        enum mz_err err;

        chaos_begin(&chaos, nth);
        err = bench_service_new(BENCH_MGET_KEYS, &bench);
        struck = chaos_end(&chaos);
        /* Not every allocation is needed: a table may grow later. */
        ck_assert(err == MZ_OK || (struck && err == MZ_NO_MEMORY));
        ck_assert((bench == NULL) == (err != MZ_OK));
        refused += err == MZ_NO_MEMORY;
        bench_service_free(bench);
    }
    ck_assert_uint_gt(refused, 2 * BENCH_MGET_KEYS); /* sessions, counters */
}
END_TEST

/* False when the nth allocation is never reached. */
static bool
strike_turn(enum bench_row row, size_t nth)
{
    const struct bench_turn turn = {row, 1, 1};
    struct bench_service *bench;
    struct bench_time time;
    struct chaos chaos;
    enum mz_err err;
    bool struck;

    ck_assert_int_eq(bench_service_new(BENCH_MGET_KEYS, &bench), MZ_OK);
    chaos_begin(&chaos, nth);
    err = bench_service_take_turn(bench, &turn, NULL, &time);
    struck = chaos_end(&chaos);
    if (struck)
        ck_assert_int_eq(err, MZ_NO_MEMORY);
    else
        ck_assert_int_eq(err, MZ_OK);
    bench_service_free(bench);
    return struck;
}

/* The first allocations one by one, then here and there. */
START_TEST(unwinds_a_turn_without_memory)
{
    for (int row = 0; row < BENCH_ROWS; row++) {
        size_t nth = 1;

        while (strike_turn((enum bench_row)row, nth))
            nth += nth < 12 ? 1 : 17;
        ck_assert_uint_gt(nth, 1);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, measures_every_row);
    tcase_add_test(tc, manages_with_few_keys);
    tcase_add_test(tc, names_every_row);
    tcase_add_test(tc, unwinds_a_filling_without_memory);
    tcase_add_test(tc, unwinds_a_turn_without_memory);
}

TEST_MAIN("bench_service", fill)
