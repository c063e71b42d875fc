/* SPDX-License-Identifier: MIT
 *
 * resp_steps_test.c - commands of the Redis protocol are steps, whoever else
 * writes the same keys meanwhile.
 */
#include "resp_fixture.h"

#include "suite.h"

#include "base/must.h"
#include "base/num.h"
#include "base/thread.h"
#include "store/store_hold.h"
#include "wire/resp_reply.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS  1500
#define STACK   ((size_t)256 << 10)

static struct resp_fixture f;
static _Atomic unsigned ready;

/* A connection of its own. */
struct worker {
    pthread_t thread;
    unsigned id;
    struct counters counters;
    struct session session;
    struct resp_client *client;
    struct outbox out;
    unsigned won; /* MSETNX that set */
};

/* Runs a command; the reply's first line is a number, which is returned. */
static int64_t
run(struct worker *w, const struct slice *words, size_t count)
{
    const struct resp_command command = {words, count};
    struct iovec vector = {0};
    long long n = 0;

    must(outbox_reserve(&w->out, RESP_REPLY_RESERVE) == MZ_OK);
    resp_run(&w->session, w->client, &command, &w->out);
    must(!outbox_failed(&w->out));
    must(outbox_vectors(&w->out, &vector, 1) == 1);
    must(((const char *)vector.iov_base)[0] != '-');
    if (((const char *)vector.iov_base)[0] == ':')
        n = strtoll((const char *)vector.iov_base + 1, NULL, 10);
    outbox_sent(&w->out, outbox_pending(&w->out));
    return n;
}

#define RUN(w, ...)                                                            \
    run(w, (const struct slice[]){__VA_ARGS__},                                \
        sizeof((const struct slice[]){__VA_ARGS__}) / sizeof(struct slice))
#define W(text) SLICE_LITERAL(text)

static void
note_version(void *ctx, const struct store_view *view)
{
    must(num_parse_i64(view->value, (int64_t *)ctx) == MZ_OK);
}

/* What MSET has written is there as a whole. */
static void
look_at_both(void)
{
    struct store_key keys[] = {{SLICE_LITERAL("left"), 0},
                               {SLICE_LITERAL("right"), 0}};
    int64_t left = -1, right = -2;
    struct store_hold *hold;

    must(store_hold_begin(f.store, keys, 2, &hold) == MZ_OK);
    keys[0].hold = keys[1].hold = hold;
    must(store_get(f.store, keys[0], note_version, &left));
    must(store_get(f.store, keys[1], note_version, &right));
    store_hold_end(hold);
    must(left == right);
}

static void
play_round(struct worker *w, unsigned round)
{
    char text[24];
    const int len = snprintf(text, sizeof text, "%u", w->id * ROUNDS + round);
    const struct slice own = slice_of(text, (size_t)len);

    RUN(w, W("MSET"), W("left"), own, W("other"), own, W("right"), own);
    look_at_both();
    RUN(w, W("INCR"), W("n"));
    RUN(w, W("DECRBY"), W("m"), W("3"));
    RUN(w, W("INCRBYFLOAT"), W("f"), W("0.5"));
    RUN(w, W("APPEND"), W("log"), W("xy"));
    RUN(w, W("SETRANGE"), W("log"), W("0"), W("ab"));
    w->won += RUN(w, W("MSETNX"), W("lock"), own, W("lock2"), own) == 1;
    /* Only its owner can take the lock away. */
    if (RUN(w, W("DELEX"), W("lock"), W("IFEQ"), own) == 1)
        must(RUN(w, W("DELEX"), W("lock2"), W("IFEQ"), own) == 1);
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

START_TEST(nothing_is_lost)
{
    static struct worker workers[THREADS];
    const unsigned total = THREADS * ROUNDS;
    char want[64];
    unsigned won = 0;

    resp_fixture_init(&f);
    atomic_store(&ready, 0);
    expect(&f, "+OK\r\n", "MSET", "left", "0", "right", "0");
    for (unsigned i = 0; i < THREADS; i++)
        begin_worker(&workers[i], i);
    for (unsigned i = 0; i < THREADS; i++) {
        end_worker(&workers[i]);
        won += workers[i].won;
    }
    snprintf(want, sizeof want, ":%u\r\n", total + 1);
    expect(&f, want, "INCR", "n");
    snprintf(want, sizeof want, ":-%u\r\n", 3 * total + 1);
    expect(&f, want, "DECR", "m");
    snprintf(want, sizeof want, "$4\r\n%u\r\n", total / 2);
    expect(&f, want, "GET", "f");
    snprintf(want, sizeof want, ":%u\r\n", 2 * total);
    expect(&f, want, "STRLEN", "log");
    expect(&f, "$4\r\nabxy\r\n", "GETRANGE", "log", "0", "3");
    expect(&f, ":0\r\n", "EXISTS", "lock", "lock2");
    ck_assert_uint_gt(won, 0);
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, nothing_is_lost);
}

TEST_MAIN("resp_steps", fill)
