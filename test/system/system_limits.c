/* SPDX-License-Identifier: MIT
 *
 * system_limits.c - what happens when descriptors, threads, clients, time or
 * the patience with a peer run out: somebody is told, nobody else notices, and
 * it is over when the shortage is.
 */
#include "serving.h"
#include "suite.h"

#include "base/clock.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define PING "{\"s\":\"ping\"}"
#define PONG "\"pong\""
#define MIB  ((size_t)1 << 20)

static int64_t
now_ms(void)
{
    return clock_mono_ms(clock_system());
}

/* Changes the soft limit of the running server, returns the one before. */
static rlim_t
set_soft_limit(const struct serving *s, int resource, rlim_t soft)
{
    struct rlimit before, after;

    ck_assert_int_eq(
        prlimit(s->process.pid, (__rlimit_resource_t)resource, NULL, &before),
        0);
    after = (struct rlimit){soft, before.rlim_max};
    ck_assert_int_eq(
        prlimit(s->process.pid, (__rlimit_resource_t)resource, &after, NULL),
        0);
    return before.rlim_cur;
}

/* The client is served, or was turned away with one whole line. */
static bool
is_served(struct client *c)
{
    struct slice line;

    ck_assert(client_line(c, &line));
    if (slice_is(line, PONG))
        return true;
    if (!slice_is(line, "-ERR max number of clients reached\r") &&
        !slice_is(line, "error busy max number of clients reached"))
        ck_abort_msg("turned away with \"%.*s\"", (int)line.len, line.data);
    return false;
}

START_TEST(few_descriptors_serve_as_many_as_they_can)
{
    enum {
        CLIENTS = 200,
        LIMIT = 64,
        KEPT_FOR_FILES = 32,
        LISTENERS = 1
    };
    const struct process_options options = {.descriptors = LIMIT};
    struct client clients[CLIENTS];
    struct serving s;
    size_t served = 0, before;

    serving_start_with(&s, NULL, &options);
    process_await_stderr(&s.process, 0, "maxclients is lowered from 10000");
    before = process_descriptors(&s.process);
    for (size_t i = 0; i < CLIENTS; i++) {
        client_connect(&clients[i], s.port);
        (void)client_send_some(&clients[i], PING "\n", strlen(PING "\n"));
        if (is_served(&clients[i])) {
            ck_assert_uint_eq(served, i); /* first come, first served */
            served++;
        }
    }
    ck_assert_uint_eq(served, LIMIT - KEPT_FOR_FILES - LISTENERS);
    for (size_t i = 0; i < served; i++)
        client_ask(&clients[i], PING, PONG);
    for (size_t i = 0; i < CLIENTS; i++)
        client_close(&clients[i]);
    serving_await_descriptors(&s, before);
    serving_alive(&s);
    serving_stop(&s);
}
END_TEST

/* The table of descriptors is full: the accept thread waits without spinning,
 * tells it once a second, and goes on by itself. */
START_TEST(no_descriptor_to_accept_with)
{
    static const char told[] = "cannot accept clients for the moment: "
                               "Too many open files";
    struct serving s;
    struct client old, waiting;
    int64_t begin_ms, begin_cpu_ms, spent_ms, allowed_ms;
    rlim_t limit;
    size_t at;

    serving_start(&s, NULL);
    client_connect(&old, s.port);
    client_ask(&old, PING, PONG);
    limit = set_soft_limit(&s, RLIMIT_NOFILE, 3); /* below any it could get */
    client_connect(&waiting, s.port);
    client_send_text(&waiting, PING "\n");
    at = process_await_stderr(&s.process, 0, told);
    begin_ms = now_ms();
    begin_cpu_ms = process_cpu_ms(&s.process);
    (void)process_await_stderr(&s.process, at, told);
    spent_ms = process_cpu_ms(&s.process) - begin_cpu_ms;
    /* 2 % of a core, and the grain of the kernel's accounting. */
    allowed_ms = (now_ms() - begin_ms) / 50 + (SERVING_SANITIZED ? 200 : 20);
    ck_assert_int_le(spent_ms, allowed_ms);
    ck_assert_int_ge(now_ms() - begin_ms, 900);
    client_ask(&old, PING, PONG);
    (void)set_soft_limit(&s, RLIMIT_NOFILE, limit);
    client_expect(&waiting, PONG);
    client_close(&old);
    client_close(&waiting);
    serving_stop(&s);
}
END_TEST

/* The address space is full: there is room for a connection's few bytes, but
 * not for the stack of its thread. */
START_TEST(no_thread_for_a_client)
{
    enum {
        CLIENTS = 300
    };
    struct serving s;
    struct client old, c;
    size_t before;
    rlim_t limit;

    if (SERVING_SANITIZED) {
        printf("SKIPPED no_thread_for_a_client: a sanitizer's own memory "
               "does not survive a limit of the address space\n");
        return;
    }
    serving_start(&s, NULL);
    client_connect(&old, s.port);
    client_ask(&old, PING, PONG);
    before = process_descriptors(&s.process);
    limit = set_soft_limit(&s, RLIMIT_AS, 16 * MIB);
    for (int i = 0; i < CLIENTS; i++) {
        client_connect(&c, s.port);
        client_expect(&c, "-ERR max number of clients reached\r");
        client_expect_end(&c);
        client_close(&c);
    }
    process_await_stderr(&s.process, 0, "no memory or thread for one more");
    client_ask(&old, PING, PONG);
    (void)set_soft_limit(&s, RLIMIT_AS, limit);
    serving_await_descriptors(&s, before);
    serving_alive(&s);
    client_close(&old);
    serving_stop(&s);
}
END_TEST

/* The line is in the protocol that the client has begun to speak. */
START_TEST(too_many_clients)
{
    static const struct {
        const char *sent, *answer;
    } cases[] = {
        {"", "-ERR max number of clients reached\r"},
        {"*1\r\n", "-ERR max number of clients reached\r"},
        {"PING\r\n", "-ERR max number of clients reached\r"},
        {PING "\n", "error busy max number of clients reached"},
    };
    const char *const words[] = {"--maxclients", "2", NULL};
    struct client first, second, c;
    struct serving s;

    serving_start(&s, words);
    client_connect(&first, s.port);
    client_ask(&first, PING, PONG);
    client_connect(&second, s.port);
    client_ask(&second, PING, PONG);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* Stopped meanwhile, so that it finds the bytes with the client. */
        process_pause(&s.process);
        client_connect(&c, s.port);
        client_send_text(&c, cases[i].sent);
        process_signal(&s.process, SIGCONT);
        client_expect(&c, cases[i].answer);
        client_expect_end(&c);
        client_close(&c);
    }
    client_ask(&first, PING, PONG);
    client_send_text(&second, "{\"s\":\"quit\"}\n");
    client_expect(&second, "ok");
    client_expect_end(&second);
    client_close(&second);
    /* The place is free once the server's side has gone as well. */
    for (bool served = false; !served; client_close(&c)) {
        client_connect(&c, s.port);
        (void)client_send_some(&c, PING "\n", strlen(PING "\n"));
        served = is_served(&c);
    }
    client_close(&first);
    serving_stop(&s);
}
END_TEST

/* At once, and after the connection has given its buffers back. */
START_TEST(idle_clients_are_closed)
{
    static const char *const limits[] = {"200ms", "1200ms"};
    static const int64_t limits_ms[] = {200, 1200};

    for (size_t i = 0; i < 2; i++) {
        const char *const words[] = {"--timeout", limits[i], NULL};
        int64_t begin_ms;
        struct serving s;
        struct client c;

        serving_start(&s, words);
        client_connect(&c, s.port);
        client_ask(&c, PING, PONG);
        begin_ms = now_ms();
        client_expect_end(&c);
        ck_assert_int_ge(now_ms() - begin_ms, limits_ms[i] - 10);
        client_close(&c);
        serving_stop(&s);
    }
}
END_TEST

/* A connection that has given its buffers back serves on. */
START_TEST(parked_connection_wakes_up)
{
    const char *const words[] = {"--request-timeout", "1300ms", NULL};
    struct client parked, timer;
    struct serving s;

    serving_start(&s, words);
    client_connect(&parked, s.port);
    client_ask(&parked, PING, PONG);
    client_connect(&timer, s.port);
    client_send_text(&timer, "{");
    client_expect_start(&timer, "error timeout ");
    client_ask(&parked, PING, PONG);
    client_close(&timer);
    client_close(&parked);
    serving_stop(&s);
}
END_TEST

static const char get_value[] = "{\"s\":\"get\",\"p\":{\"k\":\"v\"}}\n";

/* Sets "v" to a string of len - 2 bytes. */
static void
set_value(const struct serving *s, size_t len)
{
    struct buf request = {0};
    struct client c;

    buf_put_string(&request, "{\"s\":\"set\",\"p\":{\"k\":\"v\",\"v\":\"");
    for (size_t i = 2; i < len; i++)
        buf_put_char(&request, 'x');
    buf_put_string(&request, "\"}}\n");
    ck_assert(!request.failed);
    client_connect(&c, s->port);
    client_send(&c, request.data, request.len);
    client_expect(&c, "ok");
    client_close(&c);
    buf_fini(&request);
}

/* It is cut, and until then it costs a bounded amount of memory and nobody
 * else's time. */
START_TEST(client_that_never_reads)
{
    const char *const words[] = {"--write-timeout", "300ms", NULL};
    int64_t give_up_ms = now_ms() + CLIENT_DEADLINE_MS;
    struct client greedy, other;
    struct serving s;
    struct buf requests = {0}; /* more than one receive takes */
    const size_t get_len = strlen(get_value);
    size_t before, peak = 0, sent = 0;
    bool cut = false;

    while (requests.len < 256 << 10)
        buf_put(&requests, get_value, get_len);
    serving_start(&s, words);
    set_value(&s, 10000);
    client_connect(&other, s.port);
    client_connect(&greedy, s.port);
    before = process_rss_bytes(&s.process);
    while (!cut && now_ms() < give_up_ms) {
        struct pollfd p = {.fd = greedy.fd, .events = POLLOUT};
        size_t rss;

        sent += client_send_some(&greedy, requests.data + sent % get_len,
                                 requests.len - sent % get_len);
        client_ask(&other, "{\"s\":\"size\"}", "1");
        rss = process_rss_bytes(&s.process);
        peak = rss > peak ? rss : peak;
        cut = poll(&p, 1, 0) > 0 && (p.revents & (POLLERR | POLLHUP)) != 0;
    }
    ck_assert(cut);
    ck_assert_uint_le(peak - before, (SERVING_SANITIZED ? 64 : 12) * MIB);
    buf_fini(&requests);
    client_close(&greedy);
    client_close(&other);
    serving_stop(&s);
}
END_TEST

/* A beat of time that the server gives: its request time-out. */
static void
await_beat(const struct serving *s)
{
    struct client c;

    client_connect(&c, s->port);
    client_send_text(&c, "{");
    client_expect_start(&c, "error timeout ");
    client_close(&c);
}

/* It reads a little in each write time-out, so it is never cut, and in the end
 * it has every answer whole. */
START_TEST(client_that_reads_slowly)
{
    enum {
        ANSWERS = 40,
        BEATS = 10,
        PIECE = 128 << 10
    };
    const char *const words[] = {"--write-timeout", "400ms",
                                 "--request-timeout", "100ms", NULL};
    const size_t value = MIB, all = ANSWERS * (value + 1);
    char *piece = malloc(PIECE);
    struct serving s;
    struct client c;
    size_t got = 0;

    ck_assert_ptr_nonnull(piece);
    serving_start(&s, words);
    set_value(&s, value);
    client_connect(&c, s.port);
    for (int i = 0; i < ANSWERS; i++)
        client_send_text(&c, get_value);
    while (got < all) {
        size_t wanted_len = all - got < PIECE ? all - got : PIECE;
        ssize_t n = recv(c.fd, piece, wanted_len, MSG_WAITALL);

        ck_assert_int_gt(n, 0);
        for (size_t i = 0; i < (size_t)n; i++) {
            size_t place = (got + i) % (value + 1);
            char wanted = place == value                     ? '\n'
                          : place == 0 || place == value - 1 ? '"'
                                                             : 'x';

            if (piece[i] != wanted)
                ck_abort_msg("byte %zu is wrong", got + i);
        }
        got += (size_t)n;
        if (got < BEATS * (size_t)PIECE)
            await_beat(&s);
    }
    client_end_input(&c);
    client_expect_end(&c);
    client_close(&c);
    free(piece);
    serving_stop(&s);
}
END_TEST

/* A line without an end: no more than the longest line is kept, and that is
 * given back. */
START_TEST(endless_line_costs_bounded_memory)
{
    const size_t max_request = 8 * MIB + (64 << 10);
    char *piece = malloc(MIB);
    struct serving s;
    struct client c;
    size_t before, peak = 0;

    ck_assert_ptr_nonnull(piece);
    memset(piece, 'a', MIB);
    serving_start(&s, NULL);
    client_connect(&c, s.port);
    client_ask(&c, PING, PONG);
    before = process_rss_bytes(&s.process);
    client_send_text(&c, "{\"s\":\"set\",\"p\":{\"k\":\"b\",\"v\":\"");
    for (int i = 0; i < 40; i++) {
        size_t rss;

        client_send(&c, piece, MIB);
        rss = process_rss_bytes(&s.process);
        peak = rss > peak ? rss : peak;
    }
    client_expect_start(&c, "error too_large ");
    client_send_text(&c, "\"}}\n" PING "\n");
    client_expect(&c, PONG);
    /* Sanitizers keep what was freed for a while. */
    if (!SERVING_SANITIZED) {
        ck_assert_uint_ge(peak - before, max_request / 2); /* it is measured */
        ck_assert_uint_le(peak - before, max_request + MIB);
        ck_assert_uint_le(process_rss_bytes(&s.process), before + MIB);
    }
    client_close(&c);
    free(piece);
    serving_stop(&s);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, few_descriptors_serve_as_many_as_they_can);
    tcase_add_test(tc, no_descriptor_to_accept_with);
    tcase_add_test(tc, no_thread_for_a_client);
    tcase_add_test(tc, too_many_clients);
    tcase_add_test(tc, idle_clients_are_closed);
    tcase_add_test(tc, parked_connection_wakes_up);
    tcase_add_test(tc, client_that_never_reads);
    tcase_add_test(tc, client_that_reads_slowly);
    tcase_add_test(tc, endless_line_costs_bounded_memory);
}

TEST_MAIN("system_limits", fill)
