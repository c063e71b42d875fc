/* SPDX-License-Identifier: MIT
 *
 * system_traffic.c - clients that come and go in every ungraceful way, and
 * many at once. Afterwards the server has as many threads and descriptors as
 * at its start.
 */
#include "rng.h"
#include "serving.h"
#include "suite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MEMOIZER_SANITIZED
#define ROUNDS 200
#else
#define ROUNDS 1000
#endif

static struct serving server;
static size_t descriptors_at_start;

static void
set_up(void)
{
    serving_start(&server, NULL);
    descriptors_at_start = process_descriptors(&server.process);
}

static void
tear_down(void)
{
    serving_await_descriptors(&server, descriptors_at_start);
    serving_alive(&server);
    serving_stop(&server);
}

/* A set of len bytes of value for key "big". */
static void
set_big(size_t len)
{
    struct buf request = {0};
    struct client c;

    buf_put_string(&request, "{\"s\":\"set\",\"p\":{\"k\":\"big\",\"v\":\"");
    for (size_t i = 0; i < len; i++)
        buf_put_char(&request, (char)('a' + i % 26));
    buf_put_string(&request, "\"}}\n");
    ck_assert(!request.failed);
    client_connect(&c, server.port);
    client_send(&c, request.data, request.len);
    client_expect(&c, "ok");
    client_close(&c);
    buf_fini(&request);
}

static const char get_big[] = "{\"s\":\"get\",\"p\":{\"k\":\"big\"}}\n";

/* Answers meet a closed socket: SIGPIPE must not end the server. */
START_TEST(clients_that_leave_before_their_answers)
{
    set_big(100000);
    for (int i = 0; i < ROUNDS; i++) {
        struct client c;

        client_connect(&c, server.port);
        for (int n = 0; n < 5; n++)
            client_send_text(&c, get_big);
        if (i % 2 == 0)
            client_close(&c);
        else
            client_reset(&c);
    }
}
END_TEST

START_TEST(resets_at_random_offsets)
{
    static const char session[] =
        "{\"s\":\"set\",\"p\":{\"k\":\"r\",\"v\":[1,2,3]},\"i\":1}\n"
        "{\"s\":\"get\",\"p\":{\"k\":\"r\"}}\nnonsense\r\n\r\n"
        "{\"s\":\"set\",\"p\":{\"k\":\"\\u0072\",\"v\":\"\\ud83d\\ude00\"}}\n";
    struct rng rng = {rng_test_seed()};

    for (int i = 0; i < ROUNDS; i++) {
        struct client c;

        client_connect(&c, server.port);
        client_send(&c, session, (size_t)rng_below(&rng, sizeof session));
        if (rng_below(&rng, 2) == 0)
            client_reset(&c);
        else
            client_close(&c);
    }
}
END_TEST

/* Large values are lent, not copied, and may be replaced while they are sent:
 * every answer is one whole value. */
START_TEST(large_values_are_sent_whole)
{
    enum {
        ANSWERS = 50
    };
    static const size_t lens[] = {300000, 20000, 16382, 100};
    struct client reader;

    set_big(lens[0]);
    client_connect(&reader, server.port);
    for (int i = 0; i < ANSWERS; i++)
        client_send_text(&reader, get_big);
    for (size_t i = 1; i < sizeof lens / sizeof lens[0]; i++)
        set_big(lens[i]);
    for (int i = 0; i < ANSWERS; i++) {
        struct slice line;
        bool known = false;

        ck_assert(client_line(&reader, &line));
        for (size_t n = 0; n < sizeof lens / sizeof lens[0]; n++)
            known = known || line.len == lens[n] + 2;
        ck_assert(known && line.data[0] == '"');
        for (size_t at = 1; at + 1 < line.len; at++)
            if (line.data[at] != (char)('a' + (at - 1) % 26))
                ck_abort_msg("answer %d is wrong at byte %zu", i, at);
    }
    client_close(&reader);
}
END_TEST

/* One of several clients at once, each with keys of its own. */
struct worker {
    pthread_t thread;
    size_t number;
};

static void *
work(void *arg)
{
    enum {
        BATCHES = 30,
        BATCH = 20
    };
    const struct worker *worker = arg;
    struct buf requests = {0};
    struct client c;

    client_connect(&c, server.port);
    for (size_t batch = 0; batch < BATCHES; batch++) {
        requests.len = 0;
        for (size_t i = 0; i < BATCH; i++)
            buf_printf(&requests,
                       "{\"s\":\"set\",\"p\":{\"k\":\"w%zu-%zu\",\"v\":%zu}}\n"
                       "{\"s\":\"get\",\"p\":{\"k\":\"w%zu-%zu\"}}\n",
                       worker->number, i, batch * 1000 + i, worker->number, i);
        client_send(&c, requests.data, requests.len);
        for (size_t i = 0; i < BATCH; i++) {
            char value[32];

            snprintf(value, sizeof value, "%zu", batch * 1000 + i);
            client_expect(&c, "ok");
            client_expect(&c, value);
        }
    }
    client_close(&c);
    buf_fini(&requests);
    return NULL;
}

START_TEST(many_clients_at_once)
{
    enum {
        WORKERS = 32
    };
    struct worker workers[WORKERS];

    for (size_t i = 0; i < WORKERS; i++) {
        workers[i].number = i;
        ck_assert_int_eq(
            pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < WORKERS; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, clients_that_leave_before_their_answers);
    tcase_add_test(tc, resets_at_random_offsets);
    tcase_add_test(tc, large_values_are_sent_whole);
    tcase_add_test(tc, many_clients_at_once);
}

TEST_MAIN("system_traffic", fill)
