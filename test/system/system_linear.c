/* SPDX-License-Identifier: MIT
 *
 * system_linear.c - a running server is linearizable for each key, and a
 * judge says so that sees each of these bugs, put between the log and the
 * server (session_liar.h):
 *
 *   1. a conditional set that is done whatever its condition
 *   2. a merge that is a get, a computation and a set
 *   3. a get that comes from a cache, 5 or more operations old
 *   4. an incr that is sent again since its answer got lost
 *   5. a del that is reported as done, and undone
 *   6. a set that is reported as done, and lost
 *   7. a set without a ttl that lets the old one stand
 *   8. a has that does not see a key that is there
 *
 * 16 connections, each with one request under way, mix get, has, set, merge,
 * incr, del and touch, with every kind of condition and of ttl, on a few keys,
 * half of the requests on four of them: a million operations, fewer with
 * sanitizers.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/must.h"
#include "serving.h"
#include "session_liar.h"
#include "session_linear.h"
#include "suite.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#define CONNECTIONS 16
#define KEYS        64
#define HOT_KEYS    4

#if defined(MEMOIZER_SANITIZED)
#define OPERATIONS 6250 /* of each connection */
#else
#define OPERATIONS 62500
#endif
#define FAULTY_OPERATIONS 1000

static struct serving server;

static void
set_up(void)
{
    serving_start(&server, NULL);
}

static void
tear_down(void)
{
    serving_stop(&server);
}

/* ---- connections that log ---- */

struct run {
    enum session_lie lie;
    size_t operations; /* of each connection */
    uint64_t seed;
    pthread_barrier_t start;
};

/* Owned by its thread, but for *run. */
struct worker {
    struct run *run;
    struct session_op *log;
    uint64_t seen[KEYS]; /* the last version that an answer named */
    struct rng rng;
    uint16_t number;
    pthread_t thread;
};

static void
log_one(struct worker *w, struct liar *liar, struct session_op *op)
{
    const bool hot = rng_below(&w->rng, 2) == 0;

    op->thread = w->number;
    op->key = (uint32_t)rng_below(&w->rng, hot ? HOT_KEYS : KEYS);
    session_draw(&w->rng, w->seen[op->key], &op->request);
    op->call_ns = clock_mono_ns();
    op->answer = liar_ask(liar, op->key, &op->request);
    op->return_ns = clock_mono_ns();
    if (op->answer.version != 0)
        w->seen[op->key] = op->answer.version;
}

static void *
work(void *ctx)
{
    struct worker *w = ctx;
    struct liar liar;

    liar_init(&liar, w->run->lie, server.port, KEYS, rng_next(&w->rng));
    pthread_barrier_wait(&w->run->start);
    for (size_t i = 0; i < w->run->operations; i++)
        log_one(w, &liar, &w->log[i]);
    liar_fini(&liar);
    return NULL;
}

/* What the connections saw: CONNECTIONS * run->operations, the caller's to
 * mem_free. */
static struct session_op *
take_log(struct run *run)
{
    struct worker *workers = mem_alloc_zeroed(CONNECTIONS, sizeof(*workers));
    struct session_op *log =
        mem_alloc_zeroed(CONNECTIONS * run->operations, sizeof(*log));

    must(workers != NULL && log != NULL);
    must(pthread_barrier_init(&run->start, NULL, CONNECTIONS) == 0);
    for (uint16_t i = 0; i < CONNECTIONS; i++) {
        workers[i] = (struct worker){.run = run,
                                     .log = log + i * run->operations,
                                     .rng = {run->seed + i},
                                     .number = i};
        must(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (size_t i = 0; i < CONNECTIONS; i++)
        must(pthread_join(workers[i].thread, NULL) == 0);
    must(pthread_barrier_destroy(&run->start) == 0);
    mem_free(workers);
    return log;
}

/* ---- runs ---- */

/* The server forgets the keys, as a log begins without any; its versions go
 * on. */
static void
forget(void)
{
    struct client c;

    client_connect(&c, server.port);
    client_ask(&c, "{\"s\":\"reset\"}", "ok");
    client_close(&c);
}

/* A judge of another kind, who sees less but shares nothing with the first. */
static bool
second_opinion(const struct session_op *log, size_t count)
{
    struct linear_op *ops = mem_alloc_zeroed(count, sizeof(*ops));
    struct linear_verdict verdict;
    bool fine;

    must(ops != NULL);
    fine = linear_check(ops, session_project(log, count, ops), &verdict);
    linear_print(&verdict);
    mem_free(ops);
    return fine;
}

static int
ms_since(int64_t begin_ns)
{
    return (int)((clock_mono_ns() - begin_ns) / 1000000);
}

/* Runs and judges. The log is the caller's to mem_free. */
static struct session_op *
judge(struct run *run, struct session_verdict *verdict)
{
    const size_t count = CONNECTIONS * run->operations;
    int64_t begin_ns;
    struct session_op *log;

    forget();
    begin_ns = clock_mono_ns();
    log = take_log(run);
    printf("%s: %zu operations in %d ms, ", lie_text(run->lie), count,
           ms_since(begin_ns));
    begin_ns = clock_mono_ns();
    session_check(log, count, verdict);
    printf("judged in %d ms\n", ms_since(begin_ns));
    session_print(verdict);
    return log;
}

START_TEST(server_is_linearizable)
{
    const size_t count = (size_t)CONNECTIONS * OPERATIONS;
    struct run run = {.operations = OPERATIONS, .seed = rng_test_seed()};
    struct session_verdict verdict;
    struct session_op *log = judge(&run, &verdict);

    printf("%zu calls met another of their key, at most %zu possibilities\n",
           verdict.overlapping, verdict.possible);
    ck_assert_int_eq(verdict.fault, SESSION_FINE);
    ck_assert(second_opinion(log, count));
    ck_assert_msg(verdict.overlapping > count / 50, "they did not meet");
    mem_free(log);
}
END_TEST

START_TEST(each_bug_is_seen)
{
    const uint64_t seed = rng_test_seed();

    for (int lie = LIE_NONE + 1; lie < LIES; lie++) {
        struct run run = {.lie = (enum session_lie)lie,
                          .operations = FAULTY_OPERATIONS,
                          .seed = seed};
        struct session_verdict verdict;

        mem_free(judge(&run, &verdict));
        ck_assert_msg(verdict.fault == SESSION_NO_ORDER, "not seen: %s",
                      lie_text(run.lie));
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, server_is_linearizable);
    tcase_add_test(tc, each_bug_is_seen);
}

TEST_MAIN("system_linear", fill)
