/* SPDX-License-Identifier: MIT
 *
 * gate_test.c - nobody goes before all are there.
 */
#include "bench/gate.h"

#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS  3
#define MEETINGS 2000

struct walker {
    struct gate *gate;
    _Atomic unsigned *steps; /* atomic: of all walkers together */
    bool let_go;
    unsigned early; /* meetings that ended before everybody was there */
    pthread_t thread;
};

static void *
walk(void *ctx)
{
    struct walker *walker = ctx;

    walker->let_go = gate_wait(walker->gate);
    for (unsigned i = 1; i <= MEETINGS && walker->let_go; i++) {
        atomic_fetch_add(walker->steps, 1);
        gate_meet(walker->gate, THREADS);
        walker->early += atomic_load(walker->steps) < i * THREADS;
        /* Nobody steps on before all have looked. */
        gate_meet(walker->gate, THREADS);
    }
    return NULL;
}

static void
run_walkers(struct walker *walkers, unsigned wanted)
{
    struct gate gate = {0};
    _Atomic unsigned steps = 0;

    for (unsigned i = 0; i < THREADS; i++) {
        walkers[i] = (struct walker){.gate = &gate, .steps = &steps};
        ck_assert_int_eq(
            pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]), 0);
    }
    gate_open(&gate, THREADS, wanted);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(walkers[i].thread, NULL), 0);
    ck_assert_uint_eq(atomic_load(&steps),
                      wanted == THREADS ? THREADS * MEETINGS : 0);
}

START_TEST(lets_all_go_and_meet)
{
    struct walker walkers[THREADS];

    run_walkers(walkers, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert(walkers[i].let_go);
        ck_assert_uint_eq(walkers[i].early, 0);
    }
}
END_TEST

START_TEST(sends_all_home_when_one_is_missing)
{
    struct walker walkers[THREADS];

    run_walkers(walkers, THREADS + 1);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert(!walkers[i].let_go);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, lets_all_go_and_meet);
    tcase_add_test(tc, sends_all_home_when_one_is_missing);
}

TEST_MAIN("gate", fill)
