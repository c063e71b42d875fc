/* SPDX-License-Identifier: MIT
 *
 * resp_server_test.c - commands about the server, and on what a key is like.
 */
#include "resp_fixture.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(times)
{
    struct resp_fixture f;
    int64_t wall_ms;
    char want[64];

    resp_fixture_init(&f);
    fake_clock_advance(&f.clock, 61001);
    wall_ms = clock_wall_ms(&f.clock.clock);
    resp_say(&f, "TIME", NULL);
    {
        int seconds_len, micros_len;
        long long seconds, micros;

        ck_assert_int_eq(sscanf(f.said.data, "*2\r\n$%d\r\n%lld\r\n$%d\r\n%lld",
                                &seconds_len, &seconds, &micros_len, &micros),
                         4);
        ck_assert_int_eq(seconds * 1000 + micros / 1000, wall_ms);
    }
    snprintf(want, sizeof want, ":%lld\r\n",
             (long long)(wall_ms - 61001) / 1000);
    expect(&f, want, "LASTSAVE");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(waits_for_nobody)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, ":0\r\n", "WAIT", "1", "1000000");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "WAIT", "x",
           "0");
    expect(&f, "-ERR timeout is not an integer or out of range\r\n", "WAIT",
           "0", "x");
    expect(&f, "-ERR timeout is negative\r\n", "WAIT", "0", "-1");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(objects)
{
    static const struct {
        const char *value, *encoding;
        const char *references;
    } cases[] = {
        {"1", "int", ":2147483647\r\n"},
        {"9999", "int", ":2147483647\r\n"},
        {"10000", "int", ":1\r\n"},
        {"-1", "int", ":1\r\n"},
        {"-0", "embstr", ":1\r\n"},
        {"01", "embstr", ":1\r\n"},
        {"9223372036854775807", "int", ":1\r\n"},
        {"9223372036854775808", "embstr", ":1\r\n"},
        {"", "embstr", ":1\r\n"},
        {"01234567890123456789012345678901234567890123", "embstr", ":1\r\n"},
        {"012345678901234567890123456789012345678901234", "raw", ":1\r\n"},
    };
    struct resp_fixture f;
    char want[64];

    resp_fixture_init(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(&f, "+OK\r\n", "SET", "k", cases[i].value);
        snprintf(want, sizeof want, "$%zu\r\n%s\r\n", strlen(cases[i].encoding),
                 cases[i].encoding);
        expect(&f, want, "OBJECT", "encoding", "k");
        expect(&f, cases[i].references, "OBJECT", "REFCOUNT", "k");
    }
    expect(&f, ":0\r\n", "OBJECT", "IDLETIME", "k");
    ck_assert(strncmp(resp_say(&f, "OBJECT", "FREQ", "k", NULL).data,
                      "-ERR An LFU maxmemory policy is not selected, ",
                      46) == 0);
    expect_both(&f, "$-1\r\n", "_\r\n", "OBJECT", "ENCODING", "x");
    expect_both(&f, "$-1\r\n", "_\r\n", "OBJECT", "FREQ", "x");
    expect_both(&f, "$-1\r\n", "_\r\n", "OBJECT", "IDLETIME", "x");
    expect_both(&f, "$-1\r\n", "_\r\n", "OBJECT", "REFCOUNT", "x");
    expect(&f, "-ERR unknown subcommand 'FOO'. Try OBJECT HELP.\r\n", "OBJECT",
           "FOO");
    expect(&f,
           "-ERR wrong number of arguments for 'object|encoding' command\r\n",
           "OBJECT", "ENCODING");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(memory_of_a_key)
{
    struct resp_fixture f;
    char value[10001];
    long small, large;

    resp_fixture_init(&f);
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    expect(&f, "+OK\r\n", "SET", "small", "1");
    expect(&f, "+OK\r\n", "SET", "large", value);
    small = atol(resp_say(&f, "MEMORY", "USAGE", "small", NULL).data + 1);
    large = atol(
        resp_say(&f, "memory", "usage", "large", "samples", "0", NULL).data +
        1);
    ck_assert_int_gt(small, 0);
    ck_assert_int_eq(large - small, 9999);
    expect_both(&f, "$-1\r\n", "_\r\n", "MEMORY", "USAGE", "x");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "MEMORY",
           "USAGE", "small", "SAMPLES", "x");
    expect(&f, "-ERR syntax error\r\n", "MEMORY", "USAGE", "small", "SAMPLES",
           "-1");
    expect(&f, "-ERR syntax error\r\n", "MEMORY", "USAGE", "small", "SAMPLES");
    expect(&f, "-ERR syntax error\r\n", "MEMORY", "USAGE", "small", "x", "1");
    expect(&f, "+OK\r\n", "MEMORY", "PURGE");
    ck_assert(resp_say(&f, "MEMORY", "DOCTOR", NULL).data[0] == '$');
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(nothing_recorded)
{
    static const char bad_count[] =
        "-ERR count should be greater than or equal to -1\r\n";
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, ":0\r\n", "SLOWLOG", "LEN");
    expect(&f, "*0\r\n", "SLOWLOG", "GET");
    expect(&f, "*0\r\n", "SLOWLOG", "GET", "-1");
    expect(&f, bad_count, "SLOWLOG", "GET", "-2");
    expect(&f, bad_count, "SLOWLOG", "GET", "x");
    expect(&f, "+OK\r\n", "SLOWLOG", "RESET");
    expect(&f, "*0\r\n", "LATENCY", "LATEST");
    expect(&f, "*0\r\n", "LATENCY", "HISTORY", "x");
    expect(&f, ":0\r\n", "LATENCY", "RESET", "a", "b");
    expect_both(&f, "*0\r\n", "%0\r\n", "LATENCY", "HISTOGRAM", "get");
    expect(&f, "-ERR No samples available for event 'x'\r\n", "LATENCY",
           "GRAPH", "x");
    expect(&f, "*0\r\n", "MODULE", "LIST");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(what_there_is_not)
{
    static const char no_cluster[] =
        "-ERR This instance has cluster support disabled\r\n";
    static const char *const unknown[] = {"SENTINEL", "REPLICAOF", "PSYNC",
                                          "MONITOR",  "DEBUG",     "SHUTDOWN",
                                          "SWAPDB",   "XADD"};
    struct resp_fixture f;
    char want[128];

    resp_fixture_init(&f);
    expect(&f, no_cluster, "CLUSTER", "INFO");
    expect(&f, no_cluster, "CLUSTER", "SLOTS");
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        snprintf(want, sizeof want,
                 "-ERR unknown command '%s', with args beginning with: 'a' "
                 "\r\n",
                 unknown[i]);
        expect(&f, want, unknown[i], "a");
    }
    ck_assert(resp_say(&f, "SAVE", NULL).data[0] == '-');
    ck_assert(resp_say(&f, "BGSAVE", "SCHEDULE", NULL).data[0] == '-');
    resp_fixture_fini(&f);
}
END_TEST

/* Each HELP is one array of as many lines as it says. */
START_TEST(help)
{
    static const char *const with_help[] = {"ACL",    "CLIENT",  "COMMAND",
                                            "CONFIG", "LATENCY", "MEMORY",
                                            "MODULE", "OBJECT",  "SLOWLOG"};
    struct resp_fixture f;

    resp_fixture_init(&f);
    for (size_t i = 0; i < sizeof with_help / sizeof *with_help; i++) {
        const char *at = resp_say(&f, with_help[i], "HELP", NULL).data;
        size_t lines = 0;
        char last[] = "+    Prints this help.\r\n";

        ck_assert(at[0] == '*');
        for (const char *p = at; (p = strstr(p, "\r\n+")) != NULL; p++)
            lines++;
        ck_assert_uint_eq(strtoul(at + 1, NULL, 10), lines);
        ck_assert_str_eq(at + strlen(at) - strlen(last), last);
    }
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, times);
    tcase_add_test(tc, waits_for_nobody);
    tcase_add_test(tc, objects);
    tcase_add_test(tc, memory_of_a_key);
    tcase_add_test(tc, nothing_recorded);
    tcase_add_test(tc, what_there_is_not);
    tcase_add_test(tc, help);
}

TEST_MAIN("resp_server", fill)
