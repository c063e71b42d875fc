/* SPDX-License-Identifier: MIT
 *
 * system_stop.c - the ordered stop, and signals that are no reason to stop.
 */
#include "serving.h"
#include "suite.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#ifdef MEMOIZER_SANITIZED
#define BUSY_CLIENTS 200
#define STOP_MS      8000
#else
#define BUSY_CLIENTS 1000
#define STOP_MS      1000
#endif
/* So many that a look at all of them takes ten milliseconds and more. */
#define SLOW_KEYS 50000
#define PIPELINE  8

static const char ping[] = "{\"s\":\"ping\"}\n";
static const char pong[] = "\"pong\"\n";

static int64_t
now_ms(void)
{
    return clock_mono_ms(clock_system());
}

/* Many clients that each keep PIPELINE requests under way, in one thread. */
struct herd {
    struct client client[BUSY_CLIENTS];
    struct pollfd poll[BUSY_CLIENTS];
    size_t received[BUSY_CLIENTS]; /* bytes of answers */
    char requests[PIPELINE * (sizeof ping - 1)];
    uint16_t port;
    _Atomic size_t answers; /* of all together */
    size_t open;
    size_t torn; /* connections that ended within an answer */
};

/* Takes what client i has been sent; answers must be whole "pong"s. */
static void
graze(struct herd *herd, size_t i)
{
    const size_t whole = sizeof pong - 1;
    struct client *c = &herd->client[i];
    char bytes[4096];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);

    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0) {
        herd->torn += herd->received[i] % whole != 0;
        herd->poll[i].fd = -1;
        herd->open--;
        client_close(c);
        return;
    }
    for (ssize_t at = 0; at < n; at++) {
        size_t place = (herd->received[i] + (size_t)at) % whole;

        if (bytes[at] != pong[place])
            ck_abort_msg("an answer is torn");
    }
    atomic_fetch_add(&herd->answers, (herd->received[i] + (size_t)n) / whole -
                                         herd->received[i] / whole);
    herd->received[i] += (size_t)n;
    (void)client_send_some(c, ping, sizeof ping - 1);
}

static void
herd_connect(struct herd *herd, uint16_t port)
{
    memset(herd, 0, sizeof *herd);
    for (size_t i = 0; i < PIPELINE; i++)
        memcpy(herd->requests + i * (sizeof ping - 1), ping, sizeof ping - 1);
    for (size_t i = 0; i < BUSY_CLIENTS; i++) {
        client_connect(&herd->client[i], port);
        client_send(&herd->client[i], herd->requests, sizeof herd->requests);
        herd->poll[i] =
            (struct pollfd){.fd = herd->client[i].fd, .events = POLLIN};
    }
    herd->open = BUSY_CLIENTS;
}

/* One round over all clients that have something. */
static void
herd_graze(struct herd *herd)
{
    ck_assert_int_gt(poll(herd->poll, BUSY_CLIENTS, CLIENT_DEADLINE_MS), 0);
    for (size_t i = 0; i < BUSY_CLIENTS; i++) {
        if (herd->poll[i].fd >= 0 && herd->poll[i].revents != 0)
            graze(herd, i);
    }
}

START_TEST(busy_clients_do_not_hold_up_the_stop)
{
    struct herd *herd = malloc(sizeof *herd);
    struct serving s;
    int64_t begin_ms;

    ck_assert_ptr_nonnull(herd);
    serving_start(&s, NULL);
    herd_connect(herd, s.port);
    while (atomic_load(&herd->answers) < 4 * BUSY_CLIENTS)
        herd_graze(herd);
    begin_ms = now_ms();
    process_signal(&s.process, SIGTERM);
    while (herd->open > 0)
        herd_graze(herd);
    ck_assert_int_eq(process_wait(&s.process, STOP_MS), 0);
    ck_assert_int_le(now_ms() - begin_ms, STOP_MS);
    ck_assert_uint_eq(herd->torn, 0);
    process_fini(&s.process);
    free(herd);
}
END_TEST

/* Idle clients, those in the middle of a request, and those that wait in
 * poll() without a buffer, are told by the end of the connection. */
START_TEST(idle_clients_are_let_go)
{
    struct serving s;
    struct client idle, halfway;

    serving_start(&s, NULL);
    client_connect(&idle, s.port);
    client_ask(&idle, "{\"s\":\"ping\"}", "\"pong\"");
    client_connect(&halfway, s.port);
    client_send_text(&halfway, "{\"s\":\"ping\"}\n{\"s\":\"reset\"}");
    client_expect(&halfway, "\"pong\"");
    process_stop(&s.process);
    /* They were woken, and did not hold the stop up until its limit. */
    ck_assert(!process_said(&s.process, "cutting off"));
    process_fini(&s.process);
    client_expect_end(&idle);
    client_expect_end(&halfway);
    client_close(&idle);
    client_close(&halfway);
}
END_TEST

/* A peer that does not read is cut when the time for the stop is over. */
START_TEST(stop_does_not_wait_for_a_client_that_does_not_read)
{
    struct serving s;
    struct client c;
    struct buf set = {0};
    int64_t begin_ms;

    serving_start(&s, NULL);
    client_connect(&c, s.port);
    buf_put_string(&set, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":\"");
    for (int i = 0; i < 10000; i++)
        buf_put_char(&set, 'x');
    buf_put_string(&set, "\"}}\n");
    client_send(&c, set.data, set.len);
    client_expect(&c, "ok");
    /* Until the server does not read any more: its answers are stuck. */
    for (int64_t quiet_ms = now_ms(); now_ms() - quiet_ms < 200;) {
        static const char get[] = "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}\n";

        if (client_send_some(&c, get, sizeof get - 1) > 0)
            quiet_ms = now_ms();
    }
    begin_ms = now_ms();
    process_stop(&s.process);
    ck_assert_int_le(now_ms() - begin_ms, SERVING_SANITIZED ? 8000 : 1500);
    process_fini(&s.process);
    buf_fini(&set);
    client_close(&c);
}
END_TEST

/* Every request takes a look at all the keys, and their answers are short. */
static void
send_slow_batch(struct client *c, size_t requests)
{
    static const char count[] =
        "{\"s\":\"count\",\"p\":{\"prefix\":\"nobody\"}}\n";
    struct buf batch = {0};

    for (int i = 0; i < SLOW_KEYS; i++)
        buf_printf(&batch, "{\"s\":\"set\",\"p\":{\"k\":\"%d\",\"v\":1}}\n", i);
    client_send(c, batch.data, batch.len);
    for (int i = 0; i < SLOW_KEYS; i++)
        client_expect(c, "ok");
    batch.len = 0;
    for (size_t i = 0; i < requests; i++)
        buf_put_string(&batch, count);
    client_send(c, batch.data, batch.len);
    buf_fini(&batch);
}

/* Requests that were read are served, but not for ever. */
START_TEST(stop_does_not_wait_for_a_long_batch)
{
    struct serving s;
    struct client c;
    int64_t begin_ms;

    serving_start(&s, NULL);
    client_connect(&c, s.port);
    send_slow_batch(&c, 1500);
    begin_ms = now_ms();
    process_stop(&s.process);
    ck_assert_int_le(now_ms() - begin_ms, SERVING_SANITIZED ? 8000 : 1500);
    process_fini(&s.process);
    client_close(&c);
}
END_TEST

/* ... nor for a client that has gone and holds what others wait for. */
START_TEST(a_reset_ends_a_long_batch_of_a_holder)
{
    struct serving s;
    struct client holder, other;
    struct slice token;

    serving_start(&s, NULL);
    client_connect(&holder, s.port);
    client_connect(&other, s.port);
    client_send_text(&holder,
                     "{\"s\":\"lock\",\"p\":{\"k\":\"a\",\"ttl\":3600}}\n");
    ck_assert(client_line(&holder, &token));
    send_slow_batch(&holder, 1500);
    client_reset(&holder);
    client_send_text(&other, "{\"s\":\"lock\",\"p\":{\"k\":\"a\",\"ttl\":3600,"
                             "\"wait\":5}}\n");
    ck_assert(client_line(&other, &token));
    ck_assert(!slice_is(token, "null"));
    client_close(&other);
    serving_stop(&s);
}
END_TEST

START_TEST(interrupt_stops_as_well)
{
    struct serving s;

    serving_start(&s, NULL);
    process_signal(&s.process, SIGINT);
    ck_assert_int_eq(process_wait(&s.process, PROCESS_DEADLINE_MS), 0);
    process_fini(&s.process);
}
END_TEST

/* Asks until it is told to stop. */
struct asker {
    uint16_t port;
    _Atomic size_t rounds;
    _Atomic bool stop;
};

static void *
ask_on(void *arg)
{
    struct asker *asker = arg;
    struct client c;

    client_connect(&c, asker->port);
    for (size_t i = 0; !atomic_load(&asker->stop); i++) {
        char set[80], answer[16];

        snprintf(set, sizeof set,
                 "{\"s\":\"set\",\"p\":{\"k\":\"s\",\"v\":%zu}}", i);
        snprintf(answer, sizeof answer, "%zu", i);
        client_ask(&c, set, "ok");
        client_ask(&c, "{\"s\":\"get\",\"p\":{\"k\":\"s\"}}", answer);
        atomic_fetch_add(&asker->rounds, 1);
    }
    client_close(&c);
    return NULL;
}

START_TEST(signals_during_traffic_do_no_harm)
{
    static const int signals[] = {SIGHUP,  SIGWINCH, SIGUSR1, SIGPIPE,
                                  SIGSTOP, SIGCONT,  SIGCHLD, SIGURG};
    struct asker asker = {0};
    struct serving s;
    pthread_t thread;

    serving_start(&s, NULL);
    asker.port = s.port;
    ck_assert_int_eq(pthread_create(&thread, NULL, ask_on, &asker), 0);
    for (size_t i = 0; i < 1000; i++) {
        /* One round at least lies between two signals, unless it is stopped. */
        size_t seen = atomic_load(&asker.rounds);
        int number = signals[i % (sizeof signals / sizeof signals[0])];

        process_signal(&s.process, number);
        while (number != SIGSTOP && atomic_load(&asker.rounds) == seen)
            sched_yield();
    }
    atomic_store(&asker.stop, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(process_said(&s.process, "SIGHUP"));
    serving_alive(&s);
    serving_stop(&s);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, busy_clients_do_not_hold_up_the_stop);
    tcase_add_test(tc, idle_clients_are_let_go);
    tcase_add_test(tc, stop_does_not_wait_for_a_client_that_does_not_read);
    tcase_add_test(tc, stop_does_not_wait_for_a_long_batch);
    tcase_add_test(tc, a_reset_ends_a_long_batch_of_a_holder);
    tcase_add_test(tc, interrupt_stops_as_well);
    tcase_add_test(tc, signals_during_traffic_do_no_harm);
}

TEST_MAIN("system_stop", fill)
