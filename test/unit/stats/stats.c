/* SPDX-License-Identifier: MIT
 *
 * stats.c - counts are exact, whoever comes and goes while they are summed.
 */
#include "suite.h"

#include "stats/stats.h"

#include <pthread.h>
#include <string.h>

#define THREADS 4
#define LIVES   200 /* of a thread's counters */
#define ROUNDS  50  /* in a life */

static uint64_t
total(struct stats *stats, enum counter which)
{
    struct counters sum;

    stats_sum(stats, &sum);
    return sum.count[which];
}

START_TEST(sums_are_of_the_attached_and_the_gone)
{
    struct stats stats, other;
    struct counters a, b, sum;

    stats_init(&stats);
    stats_init(&other);
    memset(&a, 0xff, sizeof a); /* attaching zeroes */
    stats_attach(&stats, &a);
    stats_attach(&stats, &b);
    counter_add(&a, COUNTER_HITS, 2);
    counter_add(&b, COUNTER_HITS, 3);
    counter_add(&b, COUNTER_BYTES_SENT, UINT64_C(1) << 40);
    counter_add_verb(&a, STATS_VERBS_MAX - 1);
    ck_assert_uint_eq(total(&stats, COUNTER_HITS), 5);
    stats_detach(&stats, &a);
    ck_assert_uint_eq(total(&stats, COUNTER_HITS), 5);
    counter_add(&b, COUNTER_HITS, 1);
    stats_sum(&stats, &sum);
    ck_assert_uint_eq(sum.count[COUNTER_HITS], 6);
    ck_assert_uint_eq(sum.count[COUNTER_MISSES], 0);
    ck_assert_uint_eq(sum.count[COUNTER_BYTES_SENT], UINT64_C(1) << 40);
    ck_assert_uint_eq(sum.verbs[STATS_VERBS_MAX - 1], 1);
    ck_assert_uint_eq(sum.verbs[0], 0);
    ck_assert_uint_eq(total(&other, COUNTER_HITS), 0);
    stats_detach(&stats, &b);
    ck_assert_uint_eq(total(&stats, COUNTER_HITS), 6);
    stats_fini(&stats);
    stats_fini(&other);
}
END_TEST

/* First, middle and last of the list. */
START_TEST(counters_leave_in_any_order)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    for (size_t i = 0; i < 6; i++) {
        struct counters counters[3];
        struct stats stats;

        stats_init(&stats);
        for (size_t j = 0; j < 3; j++) {
            stats_attach(&stats, &counters[j]);
            counter_add(&counters[j], COUNTER_MISSES, 1);
        }
        for (size_t j = 0; j < 3; j++) {
            stats_detach(&stats, &counters[orders[i][j]]);
            ck_assert_uint_eq(total(&stats, COUNTER_MISSES), 3);
        }
        stats_fini(&stats);
    }
}
END_TEST

START_TEST(counters_have_names_of_their_own)
{
    for (int i = 0; i < COUNTER_COUNT; i++) {
        ck_assert_uint_gt(strlen(counter_name((enum counter)i)), 0);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(counter_name((enum counter)i),
                             counter_name((enum counter)j));
    }
    ck_assert_str_eq(counter_name(COUNTER_HITS), "hits");
}
END_TEST

static void *
live_and_count(void *arg)
{
    struct stats *stats = arg;

    for (int life = 0; life < LIVES; life++) {
        struct counters counters;

        stats_attach(stats, &counters);
        for (int i = 0; i < ROUNDS; i++) {
            counter_add(&counters, COUNTER_HITS, 1);
            counter_add_verb(&counters, 1);
        }
        stats_detach(stats, &counters);
    }
    return NULL;
}

/* Sums taken meanwhile never fall, the last one is exact. */
START_TEST(threads_come_and_go)
{
    const uint64_t all = (uint64_t)THREADS * LIVES * ROUNDS;
    pthread_t threads[THREADS];
    struct stats stats;
    struct counters sum;
    uint64_t last = 0;

    stats_init(&stats);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, live_and_count, &stats), 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t now = total(&stats, COUNTER_HITS);

        ck_assert_uint_ge(now, last);
        last = now;
    }
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    stats_sum(&stats, &sum);
    ck_assert_uint_eq(sum.count[COUNTER_HITS], all);
    ck_assert_uint_eq(sum.verbs[1], all);
    stats_fini(&stats);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, sums_are_of_the_attached_and_the_gone);
    tcase_add_test(tc, counters_leave_in_any_order);
    tcase_add_test(tc, counters_have_names_of_their_own);
    tcase_add_test(tc, threads_come_and_go);
}

TEST_MAIN("stats", fill)
