/* SPDX-License-Identifier: MIT
 *
 * system_start.c - how the program starts, says where it listens, and refuses
 * to start.
 */
#include "serving.h"
#include "suite.h"

#include "base/clock.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Runs the program to its end and wants this status. */
static void
run(struct process *p, const char *const *words, int status)
{
    process_start(p, MEMOIZER_PROGRAM, words, NULL);
    ck_assert_int_eq(process_wait(p, PROCESS_DEADLINE_MS), status);
}

static bool
holds(const struct buf *text, const char *what)
{
    return text->len > 0 &&
           memmem(text->data, text->len, what, strlen(what)) != NULL;
}

static size_t
lines(const struct buf *text)
{
    size_t count = 0;

    for (size_t i = 0; i < text->len; i++)
        count += text->data[i] == '\n';
    return count;
}

static bool
have_ipv6_loopback(void)
{
    struct sockaddr_in6 address = {
        .sin6_family = AF_INET6,
        .sin6_addr = IN6ADDR_LOOPBACK_INIT,
    };
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool have =
        fd >= 0 && bind(fd, (const void *)&address, sizeof address) == 0;

    if (fd >= 0)
        close(fd);
    return have;
}

START_TEST(ready_line_names_version_and_real_port)
{
    static const char start[] =
        "memoizer " MEMOIZER_VERSION " listening on 127.0.0.1:";
    struct serving s;

    serving_start(&s, NULL);
    ck_assert_uint_gt(s.port, 0);
    ck_assert_uint_eq(lines(&s.process.out), 1);
    ck_assert_mem_eq(s.process.out.data, start, strlen(start));
    serving_alive(&s);
    serving_stop(&s);
}
END_TEST

START_TEST(localhost_is_both_loopbacks_on_one_port)
{
    const char *const words[] = {"--port", "0", NULL};
    size_t expected = have_ipv6_loopback() ? 2 : 1;
    struct process p;

    process_start(&p, MEMOIZER_PROGRAM, words, NULL);
    process_await_ready(&p, expected);
    for (size_t i = 0; i < expected; i++) {
        char address[PROCESS_ADDRESS_SIZE], wanted[PROCESS_ADDRESS_SIZE];
        struct client c;

        snprintf(wanted, sizeof wanted, "%s:%u", i == 0 ? "127.0.0.1" : "[::1]",
                 (unsigned)process_port(&p));
        ck_assert(process_address(&p, i, address));
        ck_assert_str_eq(address, wanted);
        client_connect_to(&c, address);
        client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
        client_close(&c);
    }
    process_stop(&p);
    process_fini(&p);
}
END_TEST

START_TEST(several_addresses_share_the_port_and_doubles_are_skipped)
{
    const char *const words[] = {"--port",    "0",         "--bind",
                                 "127.0.0.1", "--bind",    "127.0.0.2",
                                 "--bind",    "127.0.0.1", NULL};
    char first[PROCESS_ADDRESS_SIZE], second[PROCESS_ADDRESS_SIZE];
    struct process p;
    struct client c;

    process_start(&p, MEMOIZER_PROGRAM, words, NULL);
    process_await_ready(&p, 2);
    ck_assert(process_address(&p, 0, first));
    ck_assert(process_address(&p, 1, second));
    ck_assert_str_eq(strchr(first, ':'), strchr(second, ':'));
    client_connect_to(&c, second);
    client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
    client_close(&c);
    process_stop(&p);
    ck_assert_uint_eq(lines(&p.out), 2);
    process_fini(&p);
}
END_TEST

/* Where the host has no IPv6, localhost is but the address that is there. */
START_TEST(a_name_may_add_nothing_new)
{
    const char *const words[] = {"--port", "0",         "--bind", "127.0.0.1",
                                 "--bind", "localhost", NULL};
    struct process p;

    process_start(&p, MEMOIZER_PROGRAM, words, NULL);
    process_await_ready(&p, have_ipv6_loopback() ? 2 : 1);
    process_stop(&p);
    process_fini(&p);
}
END_TEST

START_TEST(all_ipv4_and_all_ipv6_go_together)
{
    const char *const words[] = {"--port", "0",  "--bind", "0.0.0.0",
                                 "--bind", "::", NULL};
    struct process p;

    if (!have_ipv6_loopback()) {
        printf("SKIPPED: this host has no IPv6\n");
        return;
    }
    process_start(&p, MEMOIZER_PROGRAM, words, NULL);
    process_await_ready(&p, 2);
    process_stop(&p);
    process_fini(&p);
}
END_TEST

/* One line on stderr, status 1, and these words in it. */
static void
refuses(const char *const *words, const char *const *wanted)
{
    struct process p;

    run(&p, words, 1);
    ck_assert_uint_eq(lines(&p.err), 1);
    ck_assert_uint_eq(p.out.len, 0);
    ck_assert_mem_eq(p.err.data, "memoizer: ", strlen("memoizer: "));
    for (size_t i = 0; wanted[i] != NULL; i++) {
        if (!holds(&p.err, wanted[i]))
            ck_abort_msg("\"%s\" is missing in: %.*s", wanted[i],
                         (int)p.err.len, p.err.data);
    }
    process_fini(&p);
}

START_TEST(second_server_on_the_port_is_refused)
{
    char port[16], address[32];
    const char *const words[] = {"--bind", "127.0.0.1", "--port", port, NULL};
    const char *const wanted[] = {"--port", "--bind", address,
                                  "Address already in use", NULL};
    struct serving s;
    int64_t begin_ms;

    serving_start(&s, NULL);
    snprintf(port, sizeof port, "%u", (unsigned)s.port);
    snprintf(address, sizeof address, "127.0.0.1:%u", (unsigned)s.port);
    begin_ms = clock_mono_ms(clock_system());
    refuses(words, wanted);
    ck_assert_int_lt(clock_mono_ms(clock_system()) - begin_ms,
                     SERVING_SANITIZED ? 10000 : 1000);
    serving_alive(&s);
    serving_stop(&s);
}
END_TEST

START_TEST(port_is_free_again_after_a_stop)
{
    struct serving s;
    struct client c;
    char port[16];
    const char *const words[] = {"--port", port, NULL};

    serving_start(&s, NULL);
    snprintf(port, sizeof port, "%u", (unsigned)s.port);
    for (int i = 0; i < 5; i++) {
        /* The server ends first, which leaves its address in TIME_WAIT. */
        client_connect(&c, s.port);
        client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
        serving_stop(&s);
        client_close(&c);
        serving_start(&s, words);
    }
    serving_stop(&s);
}
END_TEST

START_TEST(addresses_that_are_not_ours_are_refused)
{
    const char *const foreign[] = {"--port", "0", "--bind", "192.0.2.1", NULL};
    const char *const foreign_why[] = {"--bind 192.0.2.1", "192.0.2.1:0",
                                       "Cannot assign", NULL};
    const char *const unknown[] = {"--port", "0", "--bind", "nowhere.invalid",
                                   NULL};
    const char *const unknown_why[] = {"--bind nowhere.invalid", "resolve",
                                       NULL};

    refuses(foreign, foreign_why);
    refuses(unknown, unknown_why);
}
END_TEST

START_TEST(bad_options_are_refused)
{
    const char *const unknown[] = {"--nonsense", NULL};
    const char *const unknown_why[] = {"nonsense", NULL};
    const char *const port[] = {"--port", "65536", NULL};
    const char *const port_why[] = {"port", NULL};
    const char *const check[] = {"--check-config", "--maxclients", "none",
                                 NULL};
    const char *const check_why[] = {"maxclients", NULL};

    refuses(unknown, unknown_why);
    refuses(port, port_why);
    refuses(check, check_why);
}
END_TEST

START_TEST(help_version_and_check_end_well)
{
    const char *const help[] = {"--help", NULL};
    const char *const version[] = {"--version", NULL};
    const char *const check[] = {"--check-config", "--port", "0", NULL};
    struct process p;

    run(&p, help, 0);
    ck_assert(holds(&p.out, "--maxclients"));
    ck_assert_uint_eq(p.err.len, 0);
    process_fini(&p);
    run(&p, version, 0);
    ck_assert(holds(&p.out, MEMOIZER_VERSION));
    ck_assert_uint_eq(lines(&p.out), 1);
    process_fini(&p);
    run(&p, check, 0);
    ck_assert_uint_eq(p.err.len, 0);
    process_fini(&p);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, ready_line_names_version_and_real_port);
    tcase_add_test(tc, localhost_is_both_loopbacks_on_one_port);
    tcase_add_test(tc,
                   several_addresses_share_the_port_and_doubles_are_skipped);
    tcase_add_test(tc, a_name_may_add_nothing_new);
    tcase_add_test(tc, all_ipv4_and_all_ipv6_go_together);
    tcase_add_test(tc, second_server_on_the_port_is_refused);
    tcase_add_test(tc, port_is_free_again_after_a_stop);
    tcase_add_test(tc, addresses_that_are_not_ours_are_refused);
    tcase_add_test(tc, bad_options_are_refused);
    tcase_add_test(tc, help_version_and_check_end_well);
}

TEST_MAIN("system_start", fill)
