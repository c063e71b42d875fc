/* SPDX-License-Identifier: MIT
 *
 * script_steps_test.c - scripts are steps: of many clients that want the same
 * locks, each lock has one owner at a time, and no hit is lost.
 */
#include "script_fixture.h"

#include "script_samples.h"
#include "suite.h"

#include "base/must.h"
#include "base/thread.h"
#include "wire/resp_reply.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 6
#define ROUNDS  1200
#define LOCKS   3
#define STACK   ((size_t)256 << 10)

static struct resp_fixture f;
static _Atomic unsigned ready;
static _Atomic int owners[LOCKS]; /* who is in: 0 or 1 */

/* A connection of its own. */
struct worker {
    pthread_t thread;
    unsigned id;
    struct counters counters;
    struct session session;
    struct resp_client *client;
    struct outbox out;
    unsigned won;
};

/* The integer of a reply, -1 for another one. No error. */
static int64_t
run(struct worker *w, const struct slice *words, size_t count)
{
    const struct resp_command command = {words, count};
    struct iovec vector = {0};
    const char *reply;
    int64_t n = -1;

    must(outbox_reserve(&w->out, RESP_REPLY_RESERVE) == MZ_OK);
    resp_run(&w->session, w->client, &command, &w->out);
    must(outbox_vectors(&w->out, &vector, 1) == 1);
    reply = vector.iov_base;
    must(reply[0] != '-');
    if (reply[0] == ':')
        n = strtoll(reply + 1, NULL, 10);
    outbox_sent(&w->out, outbox_pending(&w->out));
    return n;
}

#define RUN(w, ...)                                                            \
    run(w, (const struct slice[]){__VA_ARGS__},                                \
        sizeof((const struct slice[]){__VA_ARGS__}) / sizeof(struct slice))
#define W(text) SLICE_LITERAL(text)

static const char *const lock_names[LOCKS] = {"lock0", "lock1", "lock2"};

static void
enter(unsigned lock)
{
    must(atomic_fetch_add(&owners[lock], 1) == 0);
}

static void
leave(unsigned lock)
{
    must(atomic_fetch_sub(&owners[lock], 1) == 1);
}

static void
play_round(struct worker *w, unsigned round)
{
    const unsigned one = round % LOCKS, two = (round + 1 + w->id % 2) % LOCKS;
    const struct slice a = slice_of_string(lock_names[one]);
    const struct slice b = slice_of_string(lock_names[two]);
    char text[24];
    const int len = snprintf(text, sizeof text, "%u", w->id * ROUNDS + round);
    const struct slice own = slice_of(text, (size_t)len);

    RUN(w, W("EVAL"), W(LIMIT_6), W("1"), W("hits"), W("1000000"));
    RUN(w, W("EVAL"), W(FLEXIBLE), W("1"), W("points"), W("2"), W("1000"));
    /* Of somebody else's, or of nobody's. */
    must(RUN(w, W("EVAL"), W(PHPREDIS_RELEASE), W("1"), a, own) == 0);
    if (RUN(w, W("EVAL"), W(REDLOCK_ACQUIRE), W("2"), a, b, own,
            W("1000000")) != 2)
        return;
    w->won++;
    enter(one);
    enter(two);
    must(RUN(w, W("EVAL"), W(REDLOCK_EXTEND), W("2"), b, a, own,
             W("1000000")) == 2);
    leave(two);
    leave(one);
    if (round % 2 == 0) {
        must(RUN(w, W("EVAL"), W(REDLOCK_RELEASE), W("2"), a, b, own) == 2);
    } else {
        must(RUN(w, W("EVAL"), W(PHPREDIS_RELEASE), W("1"), b, own) == 1);
        must(RUN(w, W("EVAL"), W(REDIS_PY_RELEASE), W("1"), a, own) == 1);
    }
}

static void *
work(void *arg)
{
    struct worker *w = arg;

    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < THREADS)
        sched_yield();
    for (unsigned i = 0; i < ROUNDS; i++)
        play_round(w, i);
    return NULL;
}

static void
begin_worker(struct worker *w, unsigned id)
{
    *w = (struct worker){.id = id};
    stats_attach(&f.stats, &w->counters);
    w->session =
        (struct session){.service = &f.service, .counters = &w->counters};
    must(resp_client_new(&f.service, &w->client) == MZ_OK);
    outbox_init(&w->out);
    must(thread_start(&w->thread, STACK, work, w));
}

static void
end_worker(struct worker *w)
{
    must(pthread_join(w->thread, NULL) == 0);
    outbox_fini(&w->out);
    resp_client_free(w->client);
    lease_holder_end(f.service.leases, &w->session.holder);
    stats_detach(&f.stats, &w->counters);
}

START_TEST(one_owner)
{
    static struct worker workers[THREADS];
    char want[64];
    unsigned won = 0;

    resp_fixture_init(&f);
    atomic_store(&ready, 0);
    for (unsigned i = 0; i < THREADS; i++)
        begin_worker(&workers[i], i);
    for (unsigned i = 0; i < THREADS; i++) {
        end_worker(&workers[i]);
        won += workers[i].won;
    }
    ck_assert_uint_gt(won, 0);
    expect(&f, ":0\r\n", "EXISTS", "lock0", "lock1", "lock2");
    snprintf(want, sizeof want, "$4\r\n%u\r\n", THREADS * ROUNDS);
    expect(&f, want, "GET", "hits");
    snprintf(want, sizeof want, "$5\r\n%u\r\n", 2 * THREADS * ROUNDS);
    expect(&f, want, "GET", "points");
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, one_owner);
}

TEST_MAIN("script_steps", fill)
