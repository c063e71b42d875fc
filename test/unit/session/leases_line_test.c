/* SPDX-License-Identifier: MIT
 *
 * leases_line_test.c - standing in line, on many threads.
 *
 * With a clock that is turned, waits are an hour long and end by what the test
 * does; a lost wake-up makes the test hang, and CTest ends it. Other threads
 * than the test's own use must(), since Check can fail a test only from there.
 * What the holder of a lease shares with the next one is not atomic, so that
 * the thread sanitizer judges the mutual exclusion as well.
 */
#include "base/must.h"
#include "fake_clock.h"
#include "rng.h"
#include "session/leases.h"
#include "suite.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#define HOUR_MS      INT64_C(3600000)
#define CLIENT_COUNT 50
#define ROUND_COUNT  200
#define CPU_MAX_NS   INT64_C(1000000)
#define STRESS_COUNT 8
/* Two takings, two waits and two endings read it 16 times. */
#define CLOCK_READS_MAX 20
#define STRESS_ROUNDS   150

static const struct lease_name the_name = {SLICE_LITERAL("k"), 0};

struct stand {
    struct fake_clock time;
    struct leases *leases;
    struct lease_holder holder; /* of the test's own thread */
};

/* A connection whose thread asks for one lease. */
struct client {
    pthread_t thread;
    struct leases *leases;
    struct lease_holder holder;
    struct lease_ask ask;
    int64_t token;
    _Atomic bool done;
};

static void
stand_init(struct stand *s, bool real_time)
{
    *s = (struct stand){0};
    fake_clock_init(&s->time);
    ck_assert_int_eq(
        leases_new(real_time ? clock_system() : &s->time.clock, 1, &s->leases),
        MZ_OK);
}

static void
stand_fini(struct stand *s)
{
    struct leases_totals totals;

    lease_holder_end(s->leases, &s->holder);
    leases_totals(s->leases, &totals);
    ck_assert_uint_eq(totals.waiters, 0);
    leases_free(s->leases);
}

static int64_t
take(struct leases *leases, struct lease_holder *holder, int64_t ttl_ms,
     int64_t wait_ms)
{
    struct lease_ask ask = {the_name, ttl_ms, wait_ms};
    int64_t token;

    must(lease_take(leases, holder, &ask, &token) == MZ_OK);
    return token;
}

static void
await_waiters(struct stand *s, size_t count)
{
    struct leases_totals totals;

    do {
        sched_yield();
        leases_totals(s->leases, &totals);
    } while (totals.waiters != count);
}

/* The same, when client may be out of patience before anybody sees it. */
static void
await_waiters_or(struct stand *s, size_t count, const struct client *client)
{
    struct leases_totals totals;
    bool done;

    do {
        sched_yield();
        done = client->done;
        leases_totals(s->leases, &totals);
    } while (totals.waiters + done != count);
}

static void *
ask_once(void *arg)
{
    struct client *client = arg;

    must(lease_take(client->leases, &client->holder, &client->ask,
                    &client->token) == MZ_OK);
    client->done = true;
    return NULL;
}

/* Starts a client that asks for the_name. */
static void
client_start(struct stand *s, struct client *client, int64_t ttl_ms,
             int64_t wait_ms)
{
    *client = (struct client){
        .leases = s->leases,
        .ask = {the_name, ttl_ms, wait_ms},
        .token = -1,
    };
    ck_assert_int_eq(pthread_create(&client->thread, NULL, ask_once, client),
                     0);
}

/* The same, and it stands in line as number `place` from 1 on. */
static void
client_queue(struct stand *s, struct client *client, int64_t ttl_ms,
             int64_t wait_ms, size_t place)
{
    client_start(s, client, ttl_ms, wait_ms);
    await_waiters(s, place);
}

/* The token that the client got. */
static int64_t
client_join(struct client *client)
{
    ck_assert_int_eq(pthread_join(client->thread, NULL), 0);
    ck_assert_int_ge(client->token, 0);
    return client->token;
}

static void
client_end(struct stand *s, struct client *client)
{
    lease_holder_end(s->leases, &client->holder);
}

/* ---- handing over ---- */

START_TEST(giving_serves_the_next)
{
    struct stand s;
    struct client b, c;
    int64_t token;

    stand_init(&s, false);
    token = take(s.leases, &s.holder, HOUR_MS, 0);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    client_queue(&s, &c, HOUR_MS, HOUR_MS, 2);
    ck_assert(lease_give(s.leases, the_name, token));
    ck_assert_int_eq(client_join(&b), token + 1);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), 0);
    ck_assert(!lease_give(s.leases, the_name, token));
    ck_assert(lease_give(s.leases, the_name, token + 1));
    ck_assert_int_eq(client_join(&c), token + 2);
    client_end(&s, &b);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), 0);
    client_end(&s, &c);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), token + 3);
    stand_fini(&s);
}
END_TEST

START_TEST(the_end_of_a_holder_serves_the_next)
{
    struct stand s;
    struct client b, c;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    client_queue(&s, &c, HOUR_MS, HOUR_MS, 2);
    lease_holder_end(s.leases, &s.holder);
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    ck_assert_int_eq(client_join(&c), 3);
    client_end(&s, &c);
    stand_fini(&s);
}
END_TEST

/* The ttl runs from the moment of being served. */
START_TEST(a_deadline_serves_the_next)
{
    struct stand s;
    struct client b, c;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, 1000, 0), 1);
    client_queue(&s, &b, 500, HOUR_MS, 1);
    client_queue(&s, &c, 500, HOUR_MS, 2);
    fake_clock_advance(&s.time, 999);
    leases_poke(s.leases);
    await_waiters(&s, 2);
    fake_clock_advance(&s.time, 1);
    leases_poke(s.leases);
    ck_assert_int_eq(client_join(&b), 2);
    fake_clock_advance(&s.time, 499);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), 0);
    await_waiters(&s, 1);
    fake_clock_advance(&s.time, 1);
    leases_poke(s.leases);
    ck_assert_int_eq(client_join(&c), 3);
    ck_assert(!lease_give(s.leases, the_name, 2));
    client_end(&s, &b); /* holds nothing any more */
    ck_assert(lease_give(s.leases, the_name, 3));
    client_end(&s, &c);
    stand_fini(&s);
}
END_TEST

/* The time of the lease is over, the first in line sleeps, and somebody else
 * comes by. */
START_TEST(nobody_gets_in_between)
{
    struct stand s;
    struct client b;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, 2 * HOUR_MS, 1);
    fake_clock_advance(&s.time, HOUR_MS);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), 0);
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    stand_fini(&s);
}
END_TEST

START_TEST(an_unlock_too_late_serves_the_next)
{
    struct stand s;
    struct client b;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, 2 * HOUR_MS, 1);
    fake_clock_advance(&s.time, HOUR_MS);
    ck_assert(!lease_give(s.leases, the_name, 1));
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    stand_fini(&s);
}
END_TEST

/* ---- patience ---- */

START_TEST(gives_up_at_its_deadline)
{
    struct stand s;
    struct client b, c, d;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, 2 * HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, 2 * HOUR_MS, 1);
    client_queue(&s, &c, HOUR_MS, HOUR_MS, 2);
    client_queue(&s, &d, HOUR_MS, 2 * HOUR_MS, 3);
    fake_clock_advance(&s.time, HOUR_MS - 1);
    leases_poke(s.leases);
    await_waiters(&s, 3);
    fake_clock_advance(&s.time, 1);
    leases_poke(s.leases);
    ck_assert_int_eq(client_join(&c), 0);
    await_waiters(&s, 2);
    ck_assert(lease_give(s.leases, the_name, 1));
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    ck_assert_int_eq(client_join(&d), 3);
    client_end(&s, &d);
    stand_fini(&s);
}
END_TEST

/* The lease ends at the very moment when the wait does. */
START_TEST(the_lease_wins_over_the_deadline)
{
    struct stand s;
    struct client b;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    fake_clock_advance(&s.time, HOUR_MS);
    leases_poke(s.leases);
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    stand_fini(&s);
}
END_TEST

/* Its wait is over, but it has not woken up to see it. */
START_TEST(whoever_is_in_line_is_served)
{
    struct stand s;
    struct client b;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, 3 * HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    fake_clock_advance(&s.time, 2 * HOUR_MS);
    ck_assert(lease_give(s.leases, the_name, 1));
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    stand_fini(&s);
}
END_TEST

/* Both deadlines are those of the microsecond: the lease is taken, and the wait
 * begins, at the end of a millisecond. */
START_TEST(deadlines_in_line_are_exact_to_the_microsecond)
{
    struct stand s;
    struct client b, c;

    stand_init(&s, false);
    s.time.mono_us += 999;
    ck_assert_int_eq(take(s.leases, &s.holder, 5, 0), 1);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    client_queue(&s, &c, HOUR_MS, 3, 2);
    s.time.mono_us += 2999;
    leases_poke(s.leases);
    await_waiters(&s, 2);
    s.time.mono_us += 1;
    leases_poke(s.leases);
    ck_assert_int_eq(client_join(&c), 0);
    s.time.mono_us += 1999;
    await_waiters(&s, 1);
    s.time.mono_us += 1;
    leases_poke(s.leases);
    ck_assert_int_eq(client_join(&b), 2);
    client_end(&s, &b);
    stand_fini(&s);
}
END_TEST

/* ---- clients that have gone ---- */

static void
expect_held_by(struct stand *s, struct client *client)
{
    ck_assert_int_eq(take(s->leases, &s->holder, 1, 0), 0);
    ck_assert(lease_give(s->leases, the_name, client->token));
}

START_TEST(abandoning_changes_nothing_for_the_others)
{
    static struct client clients[CLIENT_COUNT];
    const size_t gone = CLIENT_COUNT / 2;
    int64_t token = 1;
    struct stand s;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), token);
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        client_queue(&s, &clients[i], HOUR_MS, HOUR_MS, i + 1);
    lease_abandon(s.leases, &clients[gone].holder);
    /* At once: the lease has not moved. */
    ck_assert_int_eq(client_join(&clients[gone]), 0);
    await_waiters(&s, CLIENT_COUNT - 1);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), 0);
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        if (i == gone)
            continue;
        ck_assert(lease_give(s.leases, the_name, token++));
        ck_assert_int_eq(client_join(&clients[i]), token);
    }
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        client_end(&s, &clients[i]);
    ck_assert_int_gt(take(s.leases, &s.holder, 1, 0), token);
    stand_fini(&s);
}
END_TEST

START_TEST(both_ends_of_a_line_can_be_abandoned)
{
    struct stand s;
    struct client b, c, d, e;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    client_queue(&s, &c, HOUR_MS, HOUR_MS, 2);
    client_queue(&s, &d, HOUR_MS, HOUR_MS, 3);
    lease_abandon(s.leases, &d.holder);
    lease_abandon(s.leases, &b.holder);
    ck_assert_int_eq(client_join(&b), 0);
    ck_assert_int_eq(client_join(&d), 0);
    client_queue(&s, &e, HOUR_MS, HOUR_MS, 2);
    ck_assert(lease_give(s.leases, the_name, 1));
    ck_assert_int_eq(client_join(&c), 2);
    lease_abandon(s.leases, &e.holder); /* now the only one */
    ck_assert_int_eq(client_join(&e), 0);
    expect_held_by(&s, &c);
    ck_assert_int_eq(take(s.leases, &s.holder, 1, 0), 3);
    stand_fini(&s);
}
END_TEST

START_TEST(whoever_was_served_stays_served)
{
    struct stand s;
    struct client b;

    stand_init(&s, false);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    client_queue(&s, &b, HOUR_MS, HOUR_MS, 1);
    /* It may still be asleep when it is abandoned. */
    ck_assert(lease_give(s.leases, the_name, 1));
    lease_abandon(s.leases, &b.holder);
    ck_assert_int_eq(client_join(&b), 2);
    expect_held_by(&s, &b);
    client_end(&s, &b);
    stand_fini(&s);
}
END_TEST

/* Rounds in which one thread passes a lease on while another abandons who is
 * the first in line. */
struct race {
    struct leases *leases;
    struct client *first; /* of this round; NULL: there are no more */
    int64_t token;        /* under which the lease is held */
    pthread_barrier_t start, end;
};

static bool
race_begins(struct race *race)
{
    (void)pthread_barrier_wait(&race->start);
    return race->first != NULL;
}

static void *
abandon_the_first(void *arg)
{
    struct race *race = arg;

    while (race_begins(race)) {
        lease_abandon(race->leases, &race->first->holder);
        (void)pthread_barrier_wait(&race->end);
    }
    return NULL;
}

static void *
pass_on(void *arg)
{
    struct race *race = arg;

    while (race_begins(race)) {
        must(lease_give(race->leases, the_name, race->token));
        (void)pthread_barrier_wait(&race->end);
    }
    return NULL;
}

/* Either the first in line has the lease, and nobody else, or it has not, and
 * the next has it. True: it had it. */
static bool
race_once(struct stand *s, struct race *race)
{
    struct client b, c;
    bool served;

    race->token = take(s->leases, &s->holder, HOUR_MS, 0);
    ck_assert_int_gt(race->token, 0);
    client_queue(s, &b, HOUR_MS, HOUR_MS, 1);
    client_queue(s, &c, HOUR_MS, HOUR_MS, 2);
    race->first = &b;
    (void)pthread_barrier_wait(&race->start);
    (void)pthread_barrier_wait(&race->end);
    served = client_join(&b) != 0;
    if (served) {
        await_waiters(s, 1);
        expect_held_by(s, &b);
    }
    ck_assert_int_eq(client_join(&c), race->token + 1 + served);
    expect_held_by(s, &c);
    client_end(s, &b);
    client_end(s, &c);
    return served;
}

START_TEST(abandoning_races_with_passing_on)
{
    pthread_t threads[2];
    struct stand s;
    struct race race;
    int served = 0;

    stand_init(&s, true);
    race = (struct race){.leases = s.leases};
    ck_assert_int_eq(pthread_barrier_init(&race.start, NULL, 3), 0);
    ck_assert_int_eq(pthread_barrier_init(&race.end, NULL, 3), 0);
    ck_assert_int_eq(
        pthread_create(&threads[0], NULL, abandon_the_first, &race), 0);
    ck_assert_int_eq(pthread_create(&threads[1], NULL, pass_on, &race), 0);
    for (int round = 0; round < ROUND_COUNT; round++)
        served += race_once(&s, &race);
    printf("served in %d of %d races\n", served, ROUND_COUNT);
    race.first = NULL;
    (void)pthread_barrier_wait(&race.start);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(pthread_barrier_destroy(&race.start), 0);
    ck_assert_int_eq(pthread_barrier_destroy(&race.end), 0);
    stand_fini(&s);
}
END_TEST

/* ---- nobody but the clock, which is the machine's from here on ---- */

/* The three in a line, the first of which is to be served for a short time and
 * to give nothing back. The second has that much patience. */
static void
line_up_three(struct stand *s, struct client three[3], int64_t wait_ms)
{
    ck_assert_int_eq(take(s->leases, &s->holder, HOUR_MS, 0), 1);
    client_queue(s, &three[0], 200, HOUR_MS, 1);
    client_start(s, &three[1], 1, wait_ms);
    await_waiters_or(s, 2, &three[1]);
    client_start(s, &three[2], HOUR_MS, HOUR_MS);
    await_waiters_or(s, 3, &three[1]);
    ck_assert(lease_give(s->leases, the_name, 1));
}

/* The first was served, the second went without, unless the machine was so
 * slow that the lease ended before, and the third sees to the deadline. */
static void
expect_third(struct stand *s, struct client three[3])
{
    int64_t token = 2;

    ck_assert_int_eq(client_join(&three[0]), token++);
    if (client_join(&three[1]) != 0)
        ck_assert_int_eq(three[1].token, token++);
    ck_assert_int_eq(client_join(&three[2]), token);
    for (size_t i = 0; i < 3; i++)
        client_end(s, &three[i]);
}

START_TEST(the_new_first_watches_the_deadline)
{
    struct stand s;
    struct client three[3];

    stand_init(&s, true);
    line_up_three(&s, three, 20);
    expect_third(&s, three);
    stand_fini(&s);
}
END_TEST

START_TEST(the_next_after_an_abandoned_watches_the_deadline)
{
    struct stand s;
    struct client three[3];

    stand_init(&s, true);
    line_up_three(&s, three, HOUR_MS);
    lease_abandon(s.leases, &three[1].holder);
    expect_third(&s, three);
    stand_fini(&s);
}
END_TEST

/* The machine's clock, and how often it has been read. */
struct counting_clock {
    struct clock clock;
    _Atomic unsigned reads;
};

static int64_t
counted_mono_us(void *ctx)
{
    ((struct counting_clock *)ctx)->reads++;
    return clock_mono_us(clock_system());
}

static int64_t
counted_wall_ms(void *ctx)
{
    (void)ctx;
    return clock_wall_ms(clock_system());
}

/* The lease is never passed on too early, and the waiter does not spend the
 * last millisecond looking at the clock again and again. */
START_TEST(a_lease_is_held_for_no_less_than_its_time)
{
    struct counting_clock time = {
        .clock = {counted_mono_us, counted_wall_ms, &time}};
    struct leases *leases;
    struct lease_holder a = {0}, b = {0};

    ck_assert_int_eq(leases_new(&time.clock, 1, &leases), MZ_OK);
    for (int i = 0; i < 100; i++) {
        int64_t ttl_ms = 1 + i % 3;
        int64_t before_us = clock_mono_us(clock_system()), held_us;

        ck_assert_int_gt(take(leases, &a, ttl_ms, 0), 0);
        ck_assert_int_gt(take(leases, &b, HOUR_MS, HOUR_MS), 0);
        held_us = clock_mono_us(clock_system()) - before_us;
        ck_assert_int_ge(held_us, ttl_ms * 1000);
        lease_holder_end(leases, &b);

        /* And so with patience. */
        ck_assert_int_gt(take(leases, &a, HOUR_MS, 0), 0);
        before_us = clock_mono_us(clock_system());
        ck_assert_int_eq(take(leases, &b, 1, ttl_ms), 0);
        held_us = clock_mono_us(clock_system()) - before_us;
        ck_assert_int_ge(held_us, ttl_ms * 1000);
        lease_holder_end(leases, &a);
    }
    ck_assert_uint_le(time.reads, 100 * CLOCK_READS_MAX);
    leases_free(leases);
}
END_TEST

/* Five in line, each holds for a few ms and gives nothing back. */
START_TEST(a_line_moves_on_by_time_alone)
{
    struct stand s;
    struct client clients[5];

    stand_init(&s, true);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    for (size_t i = 0; i < 5; i++)
        client_queue(&s, &clients[i], 5, HOUR_MS, i + 1);
    ck_assert(lease_give(s.leases, the_name, 1));
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(client_join(&clients[i]), 2 + (int64_t)i);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, HOUR_MS), 7);
    for (size_t i = 0; i < 5; i++)
        client_end(&s, &clients[i]);
    stand_fini(&s);
}
END_TEST

START_TEST(stopping_wakes_all)
{
    struct stand s;
    struct client clients[CLIENT_COUNT];

    stand_init(&s, true);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        client_start(&s, &clients[i], HOUR_MS, HOUR_MS);
    await_waiters(&s, CLIENT_COUNT);
    leases_stop(s.leases);
    /* The lease may be gone before the waiters look up. */
    ck_assert(lease_give(s.leases, the_name, 1));
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        ck_assert_int_eq(client_join(&clients[i]), 0);
    stand_fini(&s);
}
END_TEST

static int64_t
cpu_ns(pthread_t thread)
{
    struct timespec t;
    clockid_t id;

    ck_assert_int_eq(pthread_getcpuclockid(thread, &id), 0);
    ck_assert_int_eq(clock_gettime(id, &t), 0);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A second, which is measured by waiting for a lease that does not come. */
START_TEST(waiting_costs_no_cpu_time)
{
    struct stand s;
    struct client clients[CLIENT_COUNT];
    int64_t before_ns[CLIENT_COUNT];

    stand_init(&s, true);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 0), 1);
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        client_queue(&s, &clients[i], HOUR_MS, HOUR_MS, i + 1);
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        before_ns[i] = cpu_ns(clients[i].thread);
    ck_assert_int_eq(take(s.leases, &s.holder, HOUR_MS, 1000), 0);
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        ck_assert_int_le(cpu_ns(clients[i].thread) - before_ns[i], CPU_MAX_NS);
    leases_stop(s.leases);
    for (size_t i = 0; i < CLIENT_COUNT; i++)
        ck_assert_int_eq(client_join(&clients[i]), 0);
    stand_fini(&s);
}
END_TEST

/* ---- order ---- */

/* What only the holder of the lease touches. */
struct shared {
    int64_t last_token;
    unsigned inside;
    unsigned served;     /* in this round */
    unsigned long total; /* in all rounds */
};

static void
enter(struct shared *shared, int64_t token)
{
    must(token > shared->last_token);
    shared->last_token = token;
    must(shared->inside++ == 0);
    shared->total++;
}

static void
leave(struct shared *shared)
{
    must(shared->inside-- == 1);
}

struct worker {
    pthread_t thread;
    struct stand *stand;
    struct shared *shared;
    struct lease_holder holder;
    sem_t go;
    unsigned place; /* in this round's line */
    unsigned number;
    struct worker *all; /* for those who abandon each other */
};

static void *
queue_when_told(void *arg)
{
    struct worker *w = arg;

    for (unsigned round = 0; round < ROUND_COUNT; round++) {
        int64_t token;

        while (sem_wait(&w->go) != 0)
            ;
        token = take(w->stand->leases, &w->holder, HOUR_MS, HOUR_MS);
        enter(w->shared, token);
        must(w->shared->served++ == w->place);
        leave(w->shared);
        if (round % 2 == 0)
            must(lease_give(w->stand->leases, the_name, token));
        else
            lease_holder_end(w->stand->leases, &w->holder);
    }
    return NULL;
}

static void
shuffle(unsigned order[CLIENT_COUNT], struct rng *rng)
{
    for (unsigned i = CLIENT_COUNT - 1; i > 0; i--) {
        unsigned j = (unsigned)rng_below(rng, i + 1);
        unsigned swapped = order[i];

        order[i] = order[j];
        order[j] = swapped;
    }
}

/* In each round the 50 join the line one after the other, in a random order,
 * and the test itself behind them. */
START_TEST(service_is_in_the_order_of_arrival)
{
    static struct worker workers[CLIENT_COUNT];
    struct rng rng = {rng_test_seed()};
    unsigned order[CLIENT_COUNT];
    struct shared shared = {0};
    struct stand s;
    int64_t token;

    stand_init(&s, true);
    token = take(s.leases, &s.holder, HOUR_MS, 0);
    for (unsigned i = 0; i < CLIENT_COUNT; i++) {
        workers[i] = (struct worker){.stand = &s, .shared = &shared};
        order[i] = i;
        ck_assert_int_eq(sem_init(&workers[i].go, 0, 0), 0);
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL,
                                        queue_when_told, &workers[i]),
                         0);
    }
    for (unsigned round = 0; round < ROUND_COUNT; round++) {
        shuffle(order, &rng);
        for (unsigned i = 0; i < CLIENT_COUNT; i++) {
            workers[order[i]].place = i;
            ck_assert_int_eq(sem_post(&workers[order[i]].go), 0);
            await_waiters(&s, i + 1);
        }
        shared.served = 0;
        ck_assert(lease_give(s.leases, the_name, token));
        token = take(s.leases, &s.holder, HOUR_MS, HOUR_MS);
        ck_assert_uint_eq(shared.served, CLIENT_COUNT);
        ck_assert_int_gt(token, shared.last_token);
    }
    for (unsigned i = 0; i < CLIENT_COUNT; i++) {
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
        ck_assert_int_eq(sem_destroy(&workers[i].go), 0);
    }
    ck_assert_uint_eq(shared.total, CLIENT_COUNT * ROUND_COUNT);
    stand_fini(&s);
}
END_TEST

static void *
take_and_give(void *arg)
{
    struct worker *w = arg;

    for (unsigned round = 0; round < ROUND_COUNT; round++) {
        int64_t token = take(w->stand->leases, &w->holder, HOUR_MS, HOUR_MS);

        enter(w->shared, token);
        leave(w->shared);
        if (round % 4 == 0)
            lease_holder_end(w->stand->leases, &w->holder);
        else
            must(lease_give(w->stand->leases, the_name, token));
    }
    return NULL;
}

START_TEST(there_are_never_two_holders)
{
    static struct worker workers[CLIENT_COUNT];
    struct shared shared = {0};
    struct stand s;

    stand_init(&s, true);
    for (unsigned i = 0; i < CLIENT_COUNT; i++) {
        workers[i] = (struct worker){.stand = &s, .shared = &shared};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, take_and_give,
                                        &workers[i]),
                         0);
    }
    for (unsigned i = 0; i < CLIENT_COUNT; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    ck_assert_uint_eq(shared.total, CLIENT_COUNT * ROUND_COUNT);
    stand_fini(&s);
}
END_TEST

/* Short leases on few names, half of them never given back, with little
 * patience: leases end in every way and are freed under whoever sleeps. */
static void *
come_and_go(void *arg)
{
    static const char names[] = "abc";
    struct worker *w = arg;
    struct rng rng = {w->number};

    for (unsigned round = 0; round < STRESS_ROUNDS; round++) {
        struct lease_ask ask = {
            {{&names[rng_below(&rng, 3)], 1}, 0},
            1 + (int64_t)rng_below(&rng, 2),
            (int64_t)rng_below(&rng, 4),
        };
        int64_t token;

        must(lease_take(w->stand->leases, &w->holder, &ask, &token) == MZ_OK);
        switch (rng_below(&rng, 8)) {
        case 0:
            lease_holder_end(w->stand->leases, &w->holder);
            break;
        case 1:
            leases_sweep(w->stand->leases);
            break;
        case 2:
            leases_poke(w->stand->leases);
            break;
        case 3:
        case 4:
            (void)lease_give(w->stand->leases, ask.name, token);
            break;
        case 5:
            lease_abandon(w->stand->leases,
                          &w->all[rng_below(&rng, STRESS_COUNT)].holder);
            break;
        default:
            break;
        }
    }
    lease_holder_end(w->stand->leases, &w->holder);
    return NULL;
}

START_TEST(leases_end_in_every_way_at_once)
{
    struct worker workers[STRESS_COUNT];
    struct leases_totals totals;
    struct stand s;

    stand_init(&s, true);
    for (unsigned i = 0; i < STRESS_COUNT; i++)
        workers[i] = (struct worker){.stand = &s, .number = i, .all = workers};
    for (unsigned i = 0; i < STRESS_COUNT; i++) {
        ck_assert_int_eq(
            pthread_create(&workers[i].thread, NULL, come_and_go, &workers[i]),
            0);
    }
    for (unsigned i = 0; i < STRESS_COUNT; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    leases_totals(s.leases, &totals);
    ck_assert_uint_eq(totals.held, 0);
    stand_fini(&s);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, giving_serves_the_next);
    tcase_add_test(tc, the_end_of_a_holder_serves_the_next);
    tcase_add_test(tc, a_deadline_serves_the_next);
    tcase_add_test(tc, nobody_gets_in_between);
    tcase_add_test(tc, an_unlock_too_late_serves_the_next);
    tcase_add_test(tc, gives_up_at_its_deadline);
    tcase_add_test(tc, the_lease_wins_over_the_deadline);
    tcase_add_test(tc, whoever_is_in_line_is_served);
    tcase_add_test(tc, deadlines_in_line_are_exact_to_the_microsecond);
    tcase_add_test(tc, abandoning_changes_nothing_for_the_others);
    tcase_add_test(tc, both_ends_of_a_line_can_be_abandoned);
    tcase_add_test(tc, whoever_was_served_stays_served);
    tcase_add_test(tc, abandoning_races_with_passing_on);
    tcase_add_test(tc, the_next_after_an_abandoned_watches_the_deadline);
    tcase_add_test(tc, a_lease_is_held_for_no_less_than_its_time);
    tcase_add_test(tc, the_new_first_watches_the_deadline);
    tcase_add_test(tc, a_line_moves_on_by_time_alone);
    tcase_add_test(tc, stopping_wakes_all);
    tcase_add_test(tc, waiting_costs_no_cpu_time);
    tcase_add_test(tc, service_is_in_the_order_of_arrival);
    tcase_add_test(tc, there_are_never_two_holders);
    tcase_add_test(tc, leases_end_in_every_way_at_once);
}

TEST_MAIN("leases_line", fill)
