/* SPDX-License-Identifier: MIT
 *
 * system_memory.c - a server within the test, so that its allocations can be
 * made to fail. The client that is concerned is told, whatever the size that
 * is not to be had; nobody else notices, and when there is memory again all is
 * as before.
 */
#include "chaos.h"
#include "client.h"
#include "suite.h"

#include "net/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PING "{\"s\":\"ping\"}"
#define PONG "\"pong\""

static struct stats stats;
static struct service service;
static struct server *server;
static struct client bystander;
/* Outlives the moments at which threads of the server look at it. */
static struct chaos chaos;

static void
set_up(void)
{
    static const char *const bind[] = {"127.0.0.1"};
    static const struct log log = {STDERR_FILENO, LOG_WARNING};
    static const struct server_options options = {
        .bind = bind,
        .bind_count = 1,
        .max_clients = 100,
        .request_timeout_ms = 10000,
        .write_timeout_ms = 10000,
    };
    struct buf why = {0};

    stats_init(&stats);
    service = (struct service){
        .stats = &stats,
        .clock = clock_system(),
        .max_value = 1 << 20,
        .max_request = 2 << 20,
    };
    ck_assert_int_eq(store_new(NULL, &service.store), MZ_OK);
    ck_assert_int_eq(leases_new(clock_system(), 1, &service.leases), MZ_OK);
    ck_assert_int_eq(server_start(&options, &service, &log, &server, &why),
                     MZ_OK);
    buf_fini(&why);
    client_connect(&bystander, server_port(server));
    client_ask(&bystander, PING, PONG);
}

static void
tear_down(void)
{
    client_ask(&bystander, PING, PONG);
    client_close(&bystander);
    server_stop(server, 5000);
    leases_free(service.leases);
    store_free(service.store);
    stats_fini(&stats);
}

/* A request of a new client that is to be refused: one line, then the end. */
static void
refused(const char *request, const char *start)
{
    struct client c;

    client_connect(&c, server_port(server));
    client_send_text(&c, request);
    client_expect_start(&c, start);
    client_expect_end(&c);
    client_close(&c);
}

START_TEST(no_memory_for_a_connection)
{
    chaos_limit(&chaos, 512);
    refused("", "-ERR max number of clients reached");
    client_ask(&bystander, PING, PONG);
    ck_assert(chaos_end(&chaos));
}
END_TEST

START_TEST(no_memory_for_the_receive_buffer)
{
    chaos_limit(&chaos, 32 << 10);
    refused(PING "\n", "error no_memory ");
    client_ask(&bystander, PING, PONG);
    ck_assert(chaos_end(&chaos));
}
END_TEST

/* The large buffer for answers is only a help: a small one does. */
START_TEST(no_memory_for_large_answer_buffer)
{
    struct client c;

    chaos_limit(&chaos, 65 << 10);
    client_connect(&c, server_port(server));
    client_ask(&c, PING, PONG);
    ck_assert(chaos_end(&chaos));
    client_close(&c);
}
END_TEST

START_TEST(no_memory_for_a_large_request)
{
    struct buf request = {0};
    struct client c;

    for (int i = 0; i < 300000; i++)
        buf_put_char(&request, ' ');
    buf_put_string(&request, PING "\n");
    request.data[0] = '{'; /* begun */
    chaos_limit(&chaos, 150 << 10);
    client_connect(&c, server_port(server));
    (void)client_send_some(&c, request.data, request.len);
    client_expect_start(&c, "error no_memory ");
    client_expect_end(&c);
    client_close(&c);
    client_ask(&bystander, PING, PONG);
    ck_assert(chaos_end(&chaos));
    buf_fini(&request);
}
END_TEST

/* The nth allocation fails, whichever it is: the client gets whole lines, and
 * the next one is served. */
START_TEST(each_allocation_fails_once)
{
    bool struck = true;

    for (size_t nth = 1; struck; nth++) {
        struct client c;
        struct slice line;

        chaos_begin(&chaos, nth);
        client_connect(&c, server_port(server));
        (void)client_send_some(
            &c, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":1}}\n" PING "\n",
            strlen("{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":1}}\n" PING "\n"));
        if (client_line(&c, &line))
            (void)client_line(&c, &line);
        struck = chaos_end(&chaos);
        client_close(&c);
        client_connect(&c, server_port(server));
        client_ask(&c, PING, PONG);
        client_close(&c);
        ck_assert_uint_lt(nth, 1000);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, no_memory_for_a_connection);
    tcase_add_test(tc, no_memory_for_the_receive_buffer);
    tcase_add_test(tc, no_memory_for_large_answer_buffer);
    tcase_add_test(tc, no_memory_for_a_large_request);
    tcase_add_test(tc, each_allocation_fails_once);
}

TEST_MAIN("system_memory", fill)
