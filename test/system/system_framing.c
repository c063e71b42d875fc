/* SPDX-License-Identifier: MIT
 *
 * system_framing.c - bytes that come in any pieces, the choice of protocol by
 * the first byte, and the ends of a connection.
 */
#include "serving.h"
#include "suite.h"

#include "base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOO_LATE "-ERR the request did not arrive whole in time\r"

static struct serving server;

static void
set_up(void)
{
    const char *const words[] = {
        "--request-timeout", "300ms", "--max-value", "64kb",
        "--max-request",     "128kb", NULL};

    serving_start(&server, words);
}

static void
tear_down(void)
{
    serving_alive(&server);
    serving_stop(&server);
}

START_TEST(byte_by_byte)
{
    static const char requests[] =
        "\r\n \t{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":[1, 2]}}\r\n"
        "\n\n{\"s\":\"get\",\"p\":{\"k\":\"a\"}}\n nonsense\n"
        "{\"s\":\"get\",\"p\":{\"k\":\"a\"},\"i\":7}\n";
    struct client c;

    client_connect(&c, server.port);
    for (size_t i = 0; i + 1 < sizeof requests; i++)
        client_send(&c, requests + i, 1);
    client_expect(&c, "ok");
    client_expect(&c, "[1, 2]");
    client_expect_start(&c, "error bad_json ");
    client_expect_start(&c, "{\"i\":7,\"r\":[1, 2],\"ver\":");
    client_close(&c);
}
END_TEST

START_TEST(ten_commands_in_one_segment)
{
    struct client c;
    char line[64];
    struct buf all = {0};

    for (int i = 0; i < 10; i++)
        buf_printf(&all,
                   "{\"s\":\"set\",\"p\":{\"k\":\"b\",\"v\":%d}}\n"
                   "{\"s\":\"get\",\"p\":{\"k\":\"b\"}}\n",
                   i);
    client_connect(&c, server.port);
    client_send(&c, all.data, all.len);
    for (int i = 0; i < 10; i++) {
        client_expect(&c, "ok");
        snprintf(line, sizeof line, "%d", i);
        client_expect(&c, line);
    }
    client_close(&c);
    buf_fini(&all);
}
END_TEST

START_TEST(long_pipeline_keeps_its_order)
{
    enum {
        PAIRS = 2000
    };
    struct client c;
    struct buf all = {0};

    for (int i = 0; i < PAIRS; i++)
        buf_printf(&all,
                   "{\"s\":\"set\",\"p\":{\"k\":\"c\",\"v\":%d}}\n"
                   "{\"s\":\"get\",\"p\":{\"k\":\"c\"}}\n",
                   i);
    client_connect(&c, server.port);
    client_send(&c, all.data, all.len);
    client_end_input(&c);
    for (int i = 0; i < PAIRS; i++) {
        char line[16];

        client_expect(&c, "ok");
        snprintf(line, sizeof line, "%d", i);
        client_expect(&c, line);
    }
    client_expect_end(&c);
    client_close(&c);
    buf_fini(&all);
}
END_TEST

/* n requests, the last without a LF, then the end of input: n answers. */
START_TEST(half_close_is_answered_in_full)
{
    for (int n = 1; n <= 40; n++) {
        struct client c;

        client_connect(&c, server.port);
        for (int i = 0; i < n; i++)
            client_send_text(&c, i + 1 < n ? "{\"s\":\"ping\"}\n"
                                           : "{\"s\":\"ping\"}");
        client_end_input(&c);
        for (int i = 0; i < n; i++)
            client_expect(&c, "\"pong\"");
        client_expect_end(&c);
        client_close(&c);
    }
}
END_TEST

START_TEST(half_a_request_at_the_end_is_no_request)
{
    struct client c;

    client_connect(&c, server.port);
    client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
    client_send_text(&c, "{\"s\":\"reset\"");
    client_end_input(&c);
    client_expect_start(&c, "error bad_json ");
    client_expect_end(&c);
    client_close(&c);
}
END_TEST

START_TEST(quit_is_answered_before_the_end)
{
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "{\"s\":\"ping\"}\n{\"s\":\"quit\"}\n"
                         "{\"s\":\"ping\"}\n");
    client_expect(&c, "\"pong\"");
    client_expect(&c, "ok");
    client_expect_end(&c);
    client_close(&c);
}
END_TEST

/* Sends first, in one piece or byte by byte; answer NULL: only the end. */
static void
first_bytes(const char *first, const char *answer)
{
    for (int bytewise = 0; bytewise < 2; bytewise++) {
        struct client c;

        client_connect(&c, server.port);
        if (!bytewise)
            client_send_text(&c, first);
        /* The server may close in the middle. */
        for (size_t i = 0; bytewise && first[i] != '\0'; i++)
            (void)client_send_some(&c, first + i, 1);
        if (answer != NULL)
            client_expect(&c, answer);
        if (bytewise)
            client_end_input(&c);
        else
            client_expect_end(&c);
        client_close(&c);
    }
}

START_TEST(first_byte_picks_the_protocol)
{
    struct client c;

    client_connect(&c, server.port);
    client_ask(&c, "{\"s\":\"set\",\"p\":{\"k\":\"d\",\"v\":1}}", "ok");
    first_bytes("\r\n*1\r\n$4\r\nQUIT\r\n", "+OK\r");
    first_bytes("QUIT\r\n", "+OK\r");
    first_bytes("*1\r\n+OK\r\n",
                "-ERR Protocol error: expected '$', got '+'\r");
    first_bytes("\x16\x03\x01\x02", NULL);
    first_bytes("POST / HTTP/1.1\r\nHost: x\r\n\r\n{\"s\":\"reset\"}\n", NULL);
    first_bytes("GET / HTTP/1.0\r\n\r\n", NULL);
    first_bytes("OPTIONS * HTTP/1.1\r\n\r\n", NULL);
    first_bytes("Host: x\r\n{\"s\":\"reset\"}\n", NULL);
    client_ask(&c, "{\"s\":\"get\",\"p\":{\"k\":\"d\"}}", "1");
    client_close(&c);
    client_connect(&c, server.port);
    client_send_text(&c, "[1]\n");
    client_expect_start(&c, "error bad_request ");
    client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
    client_close(&c);
}
END_TEST

START_TEST(http_behind_a_request_ends_the_connection)
{
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "{\"s\":\"set\",\"p\":{\"k\":\"e\",\"v\":1}}\n"
                         "POST / HTTP/1.1\r\n\r\n{\"s\":\"reset\"}\n");
    client_expect(&c, "ok");
    client_expect_end(&c);
    client_close(&c);
    client_connect(&c, server.port);
    client_ask(&c, "{\"s\":\"get\",\"p\":{\"k\":\"e\"}}", "1");
    client_close(&c);
}
END_TEST

/* A word without an end is told at the request time-out. */
START_TEST(first_line_that_does_not_end)
{
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "PIN");
    client_expect(&c, TOO_LATE);
    client_expect_end(&c);
    client_close(&c);
}
END_TEST

START_TEST(first_line_without_bounds)
{
    struct client c;
    char words[4096];

    memset(words, 'a', sizeof words);
    client_connect(&c, server.port);
    for (int i = 0; i < 32; i++)
        (void)client_send_some(&c, words, sizeof words);
    client_expect(&c, "-ERR Protocol error: too big inline request\r");
    client_close(&c);
}
END_TEST

static int64_t
now_ms(void)
{
    return clock_mono_ms(clock_system());
}

START_TEST(slow_request_is_cut_at_its_deadline)
{
    int64_t begin_ms = now_ms();
    struct client c;

    client_connect(&c, server.port);
    client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
    client_send_text(&c, "{\"s\":");
    client_expect_start(&c, "error timeout ");
    client_expect_end(&c);
    ck_assert_int_ge(now_ms() - begin_ms, 300);
    client_close(&c);
}
END_TEST

/* Sends piece for ever; the server ends it. */
static void
is_cut_while_sending(const char *piece, size_t len)
{
    int64_t give_up_ms = now_ms() + CLIENT_DEADLINE_MS;
    bool cut = false;
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "{\"s\":\"");
    while (!cut && now_ms() < give_up_ms) {
        struct pollfd p = {.fd = c.fd, .events = POLLOUT};

        (void)client_send_some(&c, piece, len);
        cut = poll(&p, 1, CLIENT_DEADLINE_MS) > 0 &&
              (p.revents & (POLLERR | POLLHUP)) != 0;
    }
    ck_assert(cut);
    client_close(&c);
}

/* The deadline counts from the first byte: bytes that keep coming do not put
 * it off, neither few nor so many that there is always something to read. */
START_TEST(sending_on_does_not_put_the_deadline_off)
{
    char *much = malloc(1 << 20);

    ck_assert_ptr_nonnull(much);
    memset(much, 'x', 1 << 20);
    is_cut_while_sending(much, 1);
    is_cut_while_sending(much, 1 << 20);
    free(much);
}
END_TEST

/* Each request has its own deadline: a client that always has half of the next
 * one under way goes on for longer than one request may take. */
START_TEST(each_request_has_its_own_deadline)
{
    int64_t end_ms = now_ms() + 700;
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "{\"s\":\"p");
    do {
        client_send_text(&c, "ing\"}\n{\"s\":\"p");
        client_expect(&c, "\"pong\"");
    } while (now_ms() < end_ms);
    client_close(&c);
}
END_TEST

/* Blanks are no request: they may take any time. */
START_TEST(blanks_have_no_deadline)
{
    struct client slow, blank;

    client_connect(&blank, server.port);
    client_send_text(&blank, "\r\n ");
    client_connect(&slow, server.port);
    client_send_text(&slow, "{");
    client_expect_start(&slow, "error timeout ");
    client_ask(&blank, "{\"s\":\"ping\"} ", "\"pong\"");
    client_send_text(&blank, " \t\r\n ");
    client_close(&slow);
    client_connect(&slow, server.port);
    client_send_text(&slow, "{");
    client_expect_start(&slow, "error timeout ");
    client_ask(&blank, "{\"s\":\"ping\"}", "\"pong\"");
    client_close(&slow);
    client_close(&blank);
}
END_TEST

static void
send_xs(struct client *c, size_t count)
{
    char *xs = malloc(count);

    ck_assert_ptr_nonnull(xs);
    memset(xs, 'x', count);
    client_send(c, xs, count);
    free(xs);
}

START_TEST(too_long_line_is_answered_once_and_skipped)
{
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "{\"s\":\"set\",\"p\":{\"k\":\"f\",\"v\":\"");
    send_xs(&c, 200000);
    client_expect_start(&c, "error too_large ");
    send_xs(&c, 1000000);
    client_send_text(&c, "\"}}\n{\"s\":\"ping\"}\n");
    client_expect(&c, "\"pong\"");
    client_close(&c);
}
END_TEST

START_TEST(too_long_line_without_end_is_cut_without_a_second_answer)
{
    struct client c;

    client_connect(&c, server.port);
    client_send_text(&c, "\"");
    send_xs(&c, 200000);
    client_expect_start(&c, "error too_large ");
    client_expect_end(&c);
    client_close(&c);
}
END_TEST

/* The bytes before the LF count: 128 KiB of them are a request, one more is
 * too long. */
START_TEST(longest_line)
{
    for (size_t more = 0; more <= 1; more++) {
        static const char ping[] = "{\"s\":\"ping\"}";
        size_t len = (128 << 10) + more;
        char *line = malloc(len + 1);
        struct client c;

        ck_assert_ptr_nonnull(line);
        memset(line, ' ', len);
        memcpy(line, ping, strlen(ping));
        line[len] = '\n';
        client_connect(&c, server.port);
        client_send(&c, line, len + 1);
        client_expect_start(&c, more == 0 ? "\"pong\"" : "error too_large ");
        client_ask(&c, ping, "\"pong\"");
        client_close(&c);
        free(line);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, byte_by_byte);
    tcase_add_test(tc, ten_commands_in_one_segment);
    tcase_add_test(tc, long_pipeline_keeps_its_order);
    tcase_add_test(tc, half_close_is_answered_in_full);
    tcase_add_test(tc, half_a_request_at_the_end_is_no_request);
    tcase_add_test(tc, quit_is_answered_before_the_end);
    tcase_add_test(tc, first_byte_picks_the_protocol);
    tcase_add_test(tc, http_behind_a_request_ends_the_connection);
    tcase_add_test(tc, first_line_that_does_not_end);
    tcase_add_test(tc, first_line_without_bounds);
    tcase_add_test(tc, slow_request_is_cut_at_its_deadline);
    tcase_add_test(tc, sending_on_does_not_put_the_deadline_off);
    tcase_add_test(tc, each_request_has_its_own_deadline);
    tcase_add_test(tc, blanks_have_no_deadline);
    tcase_add_test(tc, too_long_line_is_answered_once_and_skipped);
    tcase_add_test(tc,
                   too_long_line_without_end_is_cut_without_a_second_answer);
    tcase_add_test(tc, longest_line);
}

TEST_MAIN("system_framing", fill)
