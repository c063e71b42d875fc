/* SPDX-License-Identifier: MIT
 *
 * hangup_test.c - clients that go, over real connections.
 *
 * A call that must come is waited for; one that must not come is given every
 * occasion: fence() returns when the watching thread has seen to all that had
 * happened before. Other threads than the test's own use must(), since Check
 * can fail a test only from there.
 */
#include "base/mem.h"
#include "base/must.h"
#include "chaos.h"
#include "net/hangup.h"
#include "rng.h"
#include "session/leases.h"
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define HOUR_MS INT64_C(3600000)
/* A thread that spins uses more than this of that wait, even if it shares its
 * core with several others. */
#define IDLE_MS      400
#define CPU_MAX_NS   INT64_C(40000000)
#define FAR_FD       700
#define RACE_THREADS 4
#define RACE_SOCKETS 50 /* of each thread */
#define RACE_ROUNDS  300

/* A connection: ours, and the one of the client. */
struct pair {
    int fd, client;
};

/* Rung by the watching thread. */
struct bell {
    _Atomic int rung;
    sem_t sem;
};

struct stand {
    struct hangup *hangup;
    struct pair pair;
    struct bell bell;
};

/* ---- connections ---- */

static int
listen_somewhere(struct sockaddr_in *address)
{
    socklen_t len = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *address = (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    must(fd >= 0 && bind(fd, (const void *)address, sizeof *address) == 0);
    must(listen(fd, 1) == 0);
    must(getsockname(fd, (void *)address, &len) == 0);
    return fd;
}

static void
pair_open(struct pair *pair)
{
    struct sockaddr_in address;
    int listening = listen_somewhere(&address);

    pair->client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(pair->client >= 0);
    must(connect(pair->client, (const void *)&address, sizeof address) == 0);
    pair->fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    must(pair->fd >= 0);
    must(close(listening) == 0);
}

static void
close_one(int *fd)
{
    if (*fd >= 0)
        must(close(*fd) == 0);
    *fd = -1;
}

static void
pair_close(struct pair *pair)
{
    close_one(&pair->fd);
    close_one(&pair->client);
}

static void
client_reset(struct pair *pair)
{
    const struct linger now = {1, 0};

    must(setsockopt(pair->client, SOL_SOCKET, SO_LINGER, &now, sizeof now) ==
         0);
    close_one(&pair->client);
}

/* Waits until our side has the poll event. */
static void
await_event(const struct pair *pair, short event)
{
    struct pollfd p = {.fd = pair->fd, .events = event};

    do
        must(poll(&p, 1, -1) == 1);
    while ((p.revents & event) == 0);
}

static void
client_send(const struct pair *pair, const char *text)
{
    size_t len = strlen(text);

    must(send(pair->client, text, len, MSG_NOSIGNAL) == (ssize_t)len);
    await_event(pair, POLLIN);
}

static void
client_end_input(const struct pair *pair)
{
    must(shutdown(pair->client, SHUT_WR) == 0);
    await_event(pair, POLLRDHUP);
}

/* ---- bells ---- */

static void
bell_init(struct bell *bell)
{
    bell->rung = 0;
    must(sem_init(&bell->sem, 0, 0) == 0);
}

static void
bell_fini(struct bell *bell)
{
    must(sem_destroy(&bell->sem) == 0);
}

static void
ring(void *ctx)
{
    struct bell *bell = ctx;

    bell->rung++;
    must(sem_post(&bell->sem) == 0);
}

static void
bell_await(struct bell *bell)
{
    while (sem_wait(&bell->sem) != 0)
        must(errno == EINTR);
}

static void
watch(struct stand *s)
{
    ck_assert_int_eq(
        hangup_watch(s->hangup, s->pair.fd, HANGUP_END, ring, &s->bell), MZ_OK);
}

/* Events are told in the order in which they happened. Twice, as what the
 * thread asks the kernel again because of the first comes after it. */
static void
fence(struct stand *s)
{
    for (int i = 0; i < 2; i++) {
        struct pair pair;
        struct bell bell;

        pair_open(&pair);
        bell_init(&bell);
        must(hangup_watch(s->hangup, pair.fd, HANGUP_END, ring, &bell) ==
             MZ_OK);
        close_one(&pair.client);
        bell_await(&bell);
        hangup_forget(s->hangup, pair.fd);
        bell_fini(&bell);
        pair_close(&pair);
    }
}

static void
expect_rung(struct stand *s, int times)
{
    fence(s);
    ck_assert_int_eq(s->bell.rung, times);
}

static void
stand_init(struct stand *s)
{
    ck_assert_int_eq(hangup_start(&s->hangup), MZ_OK);
    pair_open(&s->pair);
    bell_init(&s->bell);
}

static void
stand_fini(struct stand *s)
{
    hangup_forget(s->hangup, s->pair.fd);
    hangup_stop(s->hangup);
    pair_close(&s->pair);
    bell_fini(&s->bell);
}

static int64_t
process_cpu_ns(void)
{
    struct timespec t;

    must(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Nobody in this process does anything. */
static void
expect_idle(void)
{
    int64_t before_ns = process_cpu_ns();

    ck_assert_int_eq(poll(NULL, 0, IDLE_MS), 0);
    ck_assert_int_le(process_cpu_ns() - before_ns, CPU_MAX_NS);
}

/* ---- clients that go ---- */

START_TEST(a_client_that_closes_is_told_once)
{
    struct stand s;

    stand_init(&s);
    watch(&s);
    expect_rung(&s, 0);
    close_one(&s.pair.client);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    expect_idle();
    hangup_forget(s.hangup, s.pair.fd);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

START_TEST(a_client_that_had_gone_before_is_told_at_once)
{
    struct stand s;

    stand_init(&s);
    close_one(&s.pair.client);
    await_event(&s.pair, POLLRDHUP);
    watch(&s);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

/* And its owner still learns that it was one. */
START_TEST(a_reset_is_told)
{
    struct stand s;
    char byte;

    stand_init(&s);
    watch(&s);
    client_reset(&s.pair);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    ck_assert_int_eq(recv(s.pair.fd, &byte, 1, MSG_DONTWAIT), -1);
    ck_assert_int_eq(errno, ECONNRESET);
    stand_fini(&s);
}
END_TEST

START_TEST(a_reset_is_told_in_spite_of_unread_bytes)
{
    struct stand s;

    stand_init(&s);
    client_send(&s.pair, "more");
    watch(&s);
    expect_rung(&s, 0);
    client_reset(&s.pair);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

START_TEST(our_own_end_of_input_is_told)
{
    struct stand s;

    stand_init(&s);
    watch(&s);
    ck_assert_int_eq(shutdown(s.pair.fd, SHUT_RD), 0);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

/* ---- clients that are still there ---- */

START_TEST(a_client_that_sends_more_is_there)
{
    struct stand s;

    stand_init(&s);
    watch(&s);
    client_send(&s.pair, "more");
    expect_rung(&s, 0);
    expect_idle();
    stand_fini(&s);
}
END_TEST

/* It has sent more requests and waits for all answers; until it is reset. */
START_TEST(unread_bytes_before_the_end_keep_a_client)
{
    struct stand s;

    stand_init(&s);
    watch(&s);
    client_send(&s.pair, "more");
    client_end_input(&s.pair);
    expect_rung(&s, 0);
    expect_idle();
    client_reset(&s.pair);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

/* Blanks are no request, unless they hide one. */
START_TEST(unread_blanks_before_the_end_do_not_keep_a_client)
{
    static const char *const blanks[] = {"\n", "\r\n", " ", "\t", "\n\n \r\n"};
    struct stand s;

    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        stand_init(&s);
        watch(&s);
        client_send(&s.pair, blanks[i]);
        client_end_input(&s.pair);
        bell_await(&s.bell);
        expect_rung(&s, 1);
        stand_fini(&s);
    }
    stand_init(&s);
    watch(&s);
    client_send(&s.pair, "\n\n{");
    client_end_input(&s.pair);
    expect_rung(&s, 0);
    stand_fini(&s);
}
END_TEST

/* The owner has requests in hand already: their answers are wanted. */
START_TEST(only_a_reset_counts_when_that_is_asked)
{
    struct stand s;

    stand_init(&s);
    ck_assert_int_eq(
        hangup_watch(s.hangup, s.pair.fd, HANGUP_RESET, ring, &s.bell), MZ_OK);
    client_end_input(&s.pair);
    expect_rung(&s, 0);
    expect_idle();
    client_reset(&s.pair);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

START_TEST(the_next_watch_looks_anew)
{
    struct stand s;
    char bytes[4];

    stand_init(&s);
    client_send(&s.pair, "more");
    client_end_input(&s.pair);
    watch(&s);
    expect_rung(&s, 0);
    hangup_forget(s.hangup, s.pair.fd);
    ck_assert_int_eq(recv(s.pair.fd, bytes, sizeof bytes, 0), 4);
    expect_rung(&s, 0);
    watch(&s);
    bell_await(&s.bell);
    expect_rung(&s, 1);
    stand_fini(&s);
}
END_TEST

/* ---- forgetting ---- */

START_TEST(what_is_forgotten_is_not_told)
{
    struct stand s;

    stand_init(&s);
    watch(&s);
    hangup_forget(s.hangup, s.pair.fd);
    close_one(&s.pair.client);
    await_event(&s.pair, POLLRDHUP);
    expect_rung(&s, 0);
    stand_fini(&s);
}
END_TEST

START_TEST(forgetting_what_is_not_watched_is_harmless)
{
    struct stand s;

    stand_init(&s);
    hangup_forget(s.hangup, s.pair.fd);
    hangup_forget(s.hangup, 0);
    hangup_forget(s.hangup, 1 << 30);
    watch(&s);
    hangup_forget(s.hangup, s.pair.fd);
    hangup_forget(s.hangup, s.pair.fd);
    hangup_forget(s.hangup, FAR_FD);
    expect_rung(&s, 0);
    stand_fini(&s);
}
END_TEST

START_TEST(a_number_can_be_watched_again)
{
    struct stand s;
    struct pair other;
    struct bell old_bell;
    int number;

    stand_init(&s);
    bell_init(&old_bell);
    number = s.pair.fd;
    for (int told = 0; told < 2; told++) {
        ck_assert_int_eq(
            hangup_watch(s.hangup, number, HANGUP_END, ring, &old_bell), MZ_OK);
        if (told)
            close_one(&s.pair.client);
        fence(&s);
        hangup_forget(s.hangup, number);
        pair_open(&other);
        ck_assert_int_eq(dup3(other.fd, number, O_CLOEXEC), number);
        close_one(&other.fd);
        close_one(&s.pair.client);
        s.pair = (struct pair){number, other.client};
        watch(&s);
        expect_rung(&s, told);
        ck_assert_int_eq(old_bell.rung, told);
        close_one(&s.pair.client);
        bell_await(&s.bell);
        expect_rung(&s, told + 1);
        hangup_forget(s.hangup, number);

        pair_open(&other);
        ck_assert_int_eq(dup3(other.fd, number, O_CLOEXEC), number);
        close_one(&other.fd);
        s.pair.client = other.client;
    }
    bell_fini(&old_bell);
    stand_fini(&s);
}
END_TEST

/* Numbers beyond the first table, and what was watched before it grew. */
START_TEST(high_numbers_are_watched)
{
    struct stand s;
    struct pair far;
    struct bell far_bell;
    int fd;

    stand_init(&s);
    bell_init(&far_bell);
    watch(&s);
    pair_open(&far);
    fd = fcntl(far.fd, F_DUPFD_CLOEXEC, FAR_FD);
    ck_assert_int_ge(fd, FAR_FD);
    close_one(&far.fd);
    far.fd = fd;
    ck_assert_int_eq(hangup_watch(s.hangup, fd, HANGUP_END, ring, &far_bell),
                     MZ_OK);
    close_one(&far.client);
    bell_await(&far_bell);
    expect_rung(&s, 0);
    close_one(&s.pair.client);
    bell_await(&s.bell);
    hangup_forget(s.hangup, fd);
    ck_assert_int_eq(far_bell.rung, 1);
    pair_close(&far);
    bell_fini(&far_bell);
    stand_fini(&s);
}
END_TEST

/* ---- start and stop ---- */

START_TEST(stops_with_watches_left)
{
    struct stand s;
    struct pair gone;
    struct bell bell;

    stand_init(&s);
    pair_open(&gone);
    bell_init(&bell);
    ck_assert_int_eq(hangup_watch(s.hangup, gone.fd, HANGUP_END, ring, &bell),
                     MZ_OK);
    close_one(&gone.client);
    bell_await(&bell);
    watch(&s);
    hangup_stop(s.hangup);
    client_send(&s.pair, "x"); /* the sockets are their owner's */
    ck_assert_int_eq(s.bell.rung, 0);
    ck_assert_int_eq(bell.rung, 1);
    pair_close(&gone);
    bell_fini(&bell);
    pair_close(&s.pair);
    bell_fini(&s.bell);
    hangup_stop(NULL);
}
END_TEST

START_TEST(two_of_them_know_nothing_of_each_other)
{
    struct stand a, b;

    stand_init(&a);
    stand_init(&b);
    watch(&a);
    watch(&b);
    close_one(&b.pair.client);
    bell_await(&b.bell);
    expect_rung(&a, 0);
    expect_rung(&b, 1);
    stand_fini(&b);
    close_one(&a.pair.client);
    bell_await(&a.bell);
    stand_fini(&a);
}
END_TEST

START_TEST(unwinds_without_memory)
{
    struct hangup *none = NULL;
    struct chaos chaos;
    struct stand s;

    chaos_begin(&chaos, 1);
    ck_assert_int_eq(hangup_start(&none), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_null(none);

    stand_init(&s);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(
        hangup_watch(s.hangup, s.pair.fd, HANGUP_END, ring, &s.bell),
        MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    hangup_forget(s.hangup, s.pair.fd);
    watch(&s);
    close_one(&s.pair.client);
    bell_await(&s.bell);
    stand_fini(&s);
}
END_TEST

START_TEST(unwinds_without_descriptors)
{
    struct hangup *none = NULL;
    struct rlimit before, few;
    int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);

    ck_assert_int_ge(lowest, 0);
    ck_assert_int_eq(close(lowest), 0);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (unsigned left = 0; left < 2; left++) {
        few = before;
        few.rlim_cur = (rlim_t)lowest + left;
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
        ck_assert_int_eq(hangup_start(&none), MZ_NO_MEMORY);
        ck_assert_ptr_null(none);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
        ck_assert_int_eq(open("/dev/null", O_RDONLY | O_CLOEXEC), lowest);
        ck_assert_int_eq(close(lowest), 0);
    }
}
END_TEST

/* ---- what it is for ---- */

struct waiter_in_line {
    struct leases *leases;
    struct lease_holder holder;
    int64_t token;
};

static const struct lease_ask for_an_hour = {
    {SLICE_LITERAL("k"), 0}, HOUR_MS, HOUR_MS};

static void *
stand_in_line(void *arg)
{
    struct waiter_in_line *w = arg;

    must(lease_take(w->leases, &w->holder, &for_an_hour, &w->token) == MZ_OK);
    return NULL;
}

static void
abandon(void *ctx)
{
    struct waiter_in_line *w = ctx;

    lease_abandon(w->leases, &w->holder);
}

START_TEST(a_client_that_goes_leaves_the_line)
{
    struct waiter_in_line first = {0}, second = {.token = -1};
    struct leases_totals totals;
    pthread_t thread;
    struct stand s;

    stand_init(&s);
    ck_assert_int_eq(leases_new(clock_system(), 1, &first.leases), MZ_OK);
    second.leases = first.leases;
    (void)stand_in_line(&first);
    ck_assert_int_eq(first.token, 1);
    ck_assert_int_eq(
        hangup_watch(s.hangup, s.pair.fd, HANGUP_END, abandon, &second), MZ_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, stand_in_line, &second), 0);
    do {
        sched_yield();
        leases_totals(first.leases, &totals);
    } while (totals.waiters != 1);
    close_one(&s.pair.client);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(second.token, 0);
    hangup_forget(s.hangup, s.pair.fd);
    lease_holder_end(first.leases, &second.holder);
    lease_holder_end(first.leases, &first.holder);
    leases_free(first.leases);
    stand_fini(&s);
}
END_TEST

/* ---- all at once ---- */

/* A watch of the race, which is freed as soon as it is forgotten. */
struct racer {
    struct pair pair;
    _Atomic bool client_goes; /* from now on it may be told */
    _Atomic int told;
};

struct race {
    pthread_t thread;
    struct hangup *hangup;
    struct rng rng;
    struct racer *racers[RACE_SOCKETS];
    unsigned told; /* of all that were */
};

static void
note(void *ctx)
{
    struct racer *racer = ctx;

    must(racer->client_goes);
    must(++racer->told == 1);
}

static void
racer_goes(struct racer *racer)
{
    racer->client_goes = true;
    close_one(&racer->pair.client);
}

static struct racer *
racer_new(struct race *race)
{
    struct racer *racer = mem_alloc_zeroed(1, sizeof *racer);
    int fds[2];

    must(racer != NULL &&
         socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    racer->pair = (struct pair){fds[0], fds[1]};
    if (rng_below(&race->rng, 8) == 0)
        racer_goes(racer);
    must(hangup_watch(race->hangup, racer->pair.fd, HANGUP_END, note, racer) ==
         MZ_OK);
    return racer;
}

static void
racer_free(struct race *race, struct racer *racer)
{
    hangup_forget(race->hangup, racer->pair.fd);
    race->told += (unsigned)racer->told;
    pair_close(&racer->pair);
    mem_free(racer);
}

/* Each step ends one connection, or replaces it by a new one, which mostly
 * gets the number that has just been given back by somebody. */
static void *
run_race(void *arg)
{
    struct race *race = arg;

    for (size_t i = 0; i < RACE_SOCKETS; i++)
        race->racers[i] = racer_new(race);
    for (unsigned step = 0; step < RACE_ROUNDS * RACE_SOCKETS; step++) {
        struct racer **racer =
            &race->racers[rng_below(&race->rng, RACE_SOCKETS)];

        if (rng_below(&race->rng, 2) == 0) {
            racer_goes(*racer);
        } else {
            racer_free(race, *racer);
            *racer = racer_new(race);
        }
    }
    for (size_t i = 0; i < RACE_SOCKETS; i++)
        racer_free(race, race->racers[i]);
    return NULL;
}

START_TEST(watching_forgetting_and_going_at_once)
{
    static struct race races[RACE_THREADS];
    struct rng rng = {rng_test_seed()};
    struct hangup *hangup;
    unsigned told = 0;

    ck_assert_int_eq(hangup_start(&hangup), MZ_OK);
    for (size_t i = 0; i < RACE_THREADS; i++) {
        races[i] = (struct race){.hangup = hangup, .rng = {rng_next(&rng)}};
        ck_assert_int_eq(
            pthread_create(&races[i].thread, NULL, run_race, &races[i]), 0);
    }
    for (size_t i = 0; i < RACE_THREADS; i++) {
        ck_assert_int_eq(pthread_join(races[i].thread, NULL), 0);
        told += races[i].told;
    }
    ck_assert_uint_gt(told, 0);
    hangup_stop(hangup);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, a_client_that_closes_is_told_once);
    tcase_add_test(tc, a_client_that_had_gone_before_is_told_at_once);
    tcase_add_test(tc, a_reset_is_told);
    tcase_add_test(tc, a_reset_is_told_in_spite_of_unread_bytes);
    tcase_add_test(tc, our_own_end_of_input_is_told);
    tcase_add_test(tc, a_client_that_sends_more_is_there);
    tcase_add_test(tc, unread_bytes_before_the_end_keep_a_client);
    tcase_add_test(tc, unread_blanks_before_the_end_do_not_keep_a_client);
    tcase_add_test(tc, only_a_reset_counts_when_that_is_asked);
    tcase_add_test(tc, the_next_watch_looks_anew);
    tcase_add_test(tc, what_is_forgotten_is_not_told);
    tcase_add_test(tc, forgetting_what_is_not_watched_is_harmless);
    tcase_add_test(tc, a_number_can_be_watched_again);
    tcase_add_test(tc, high_numbers_are_watched);
    tcase_add_test(tc, stops_with_watches_left);
    tcase_add_test(tc, two_of_them_know_nothing_of_each_other);
    tcase_add_test(tc, unwinds_without_memory);
    tcase_add_test(tc, unwinds_without_descriptors);
    tcase_add_test(tc, a_client_that_goes_leaves_the_line);
    tcase_add_test(tc, watching_forgetting_and_going_at_once);
}

TEST_MAIN("hangup", fill)
