/* SPDX-License-Identifier: MIT
 *
 * resp_expire_test.c - how long keys live, and how it is told.
 *
 * The fixture's wall clock stands at 1,800,000,000 s.
 */
#include "resp_fixture.h"

#include "suite.h"

#include <stdio.h>

#define INVALID(name) "-ERR invalid expire time in '" name "' command\r\n"
#define NOT_INTEGER   "-ERR value is not an integer or out of range\r\n"

static struct resp_fixture f;

static void
begin(void)
{
    resp_fixture_init(&f);
    expect(&f, "+OK\r\n", "SET", "a", "v");
}

static void
end(void)
{
    resp_fixture_fini(&f);
}

START_TEST(time_is_given_and_told)
{
    expect(&f, ":-1\r\n", "TTL", "a");
    expect(&f, ":-1\r\n", "PTTL", "a");
    expect(&f, ":-1\r\n", "EXPIRETIME", "a");
    expect(&f, ":-1\r\n", "PEXPIRETIME", "a");
    expect(&f, ":1\r\n", "EXPIRE", "a", "100");
    expect(&f, ":100\r\n", "TTL", "a");
    expect(&f, ":100000\r\n", "PTTL", "a");
    expect(&f, ":1800000100\r\n", "EXPIRETIME", "a");
    expect(&f, ":1800000100000\r\n", "PEXPIRETIME", "a");
    expect(&f, ":1\r\n", "PEXPIRE", "a", "1500");
    expect(&f, ":1500\r\n", "PTTL", "a");
    expect(&f, ":1\r\n", "EXPIREAT", "a", "1800000007");
    expect(&f, ":7\r\n", "TTL", "a");
    expect(&f, ":1\r\n", "PEXPIREAT", "a", "1800000000001");
    expect(&f, ":1\r\n", "PTTL", "a");
    fake_clock_advance(&f.clock, 1);
    expect(&f, ":-2\r\n", "PTTL", "a");
}
END_TEST

START_TEST(missing_keys)
{
    static const char *const tell[] = {"TTL", "PTTL", "EXPIRETIME",
                                       "PEXPIRETIME"};
    static const char *const give[] = {"EXPIRE", "PEXPIRE", "EXPIREAT",
                                       "PEXPIREAT"};

    for (size_t i = 0; i < 4; i++) {
        expect(&f, ":-2\r\n", tell[i], "none");
        expect(&f, ":0\r\n", give[i], "none", "10");
        expect(&f, ":0\r\n", give[i], "none", "-10");
        expect(&f, NOT_INTEGER, give[i], "none", "x");
    }
    expect(&f, ":0\r\n", "PERSIST", "none");
}
END_TEST

/* To the nearest second, the half of one up. */
START_TEST(seconds_are_rounded)
{
    static const struct {
        const char *ms, *want, *want_moment;
    } cases[] = {{"1", ":0\r\n", ":1800000000\r\n"},
                 {"499", ":0\r\n", ":1800000000\r\n"},
                 {"500", ":1\r\n", ":1800000001\r\n"},
                 {"1499", ":1\r\n", ":1800000001\r\n"},
                 {"1500", ":2\r\n", ":1800000002\r\n"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(&f, ":1\r\n", "PEXPIRE", "a", cases[i].ms);
        expect(&f, cases[i].want, "TTL", "a");
        expect(&f, cases[i].want_moment, "EXPIRETIME", "a");
    }
}
END_TEST

START_TEST(time_that_is_over_deletes)
{
    static const struct {
        const char *command, *time;
    } cases[] = {{"EXPIRE", "0"},
                 {"EXPIRE", "-1"},
                 {"EXPIRE", "-9223372036854775"},
                 {"PEXPIRE", "0"},
                 {"PEXPIRE", "-9223372036854775808"},
                 {"EXPIREAT", "0"},
                 {"EXPIREAT", "-5"},
                 {"EXPIREAT", "1800000000"},
                 {"PEXPIREAT", "1799999999999"},
                 {"PEXPIREAT", "-9223372036854775808"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(&f, "+OK\r\n", "SET", "a", "v");
        expect(&f, ":1\r\n", cases[i].command, "a", cases[i].time);
        expect(&f, ":0\r\n", "EXISTS", "a");
    }
}
END_TEST

START_TEST(times_that_do_not_fit)
{
    expect(&f, INVALID("expire"), "EXPIRE", "a", "9223372036854776");
    expect(&f, INVALID("expire"), "EXPIRE", "a", "-9223372036854776");
    expect(&f, INVALID("expire"), "EXPIRE", "a", "9223372036854775");
    expect(&f, INVALID("pexpire"), "PEXPIRE", "a", "9223372036854775807");
    expect(&f, INVALID("expireat"), "EXPIREAT", "a", "9223372036854776");
    expect(&f, INVALID("expireat"), "EXPIREAT", "none", "9223372036854776");
    expect(&f, ":-1\r\n", "TTL", "a");
    /* These fit, but the store cannot tell them: it is as long as it can. */
    expect(&f, ":1\r\n", "PEXPIREAT", "a", "9223372036854775807");
    expect(&f, ":1\r\n", "EXISTS", "a");
    fake_clock_advance(&f.clock, INT64_C(1000) * 365 * 86400 * 1000);
    expect(&f, ":1\r\n", "EXISTS", "a");
    expect(&f, ":1\r\n", "PERSIST", "a");
}
END_TEST

START_TEST(persist)
{
    expect(&f, ":0\r\n", "PERSIST", "a");
    expect(&f, ":1\r\n", "EXPIRE", "a", "10");
    expect(&f, ":1\r\n", "PERSIST", "a");
    expect(&f, ":0\r\n", "PERSIST", "a");
    fake_clock_advance(&f.clock, 10000);
    expect(&f, "$1\r\nv\r\n", "GET", "a");
}
END_TEST

/* Options against what the key has: nothing, or 100 s. */
START_TEST(conditions)
{
    static const struct {
        const char *options[2];
        const char *time;
        const char *forever, *hundred; /* the reply for such a key */
    } cases[] = {{{"NX"}, "50", ":1\r\n", ":0\r\n"},
                 {{"XX"}, "50", ":0\r\n", ":1\r\n"},
                 {{"GT"}, "50", ":0\r\n", ":0\r\n"},
                 {{"GT"}, "100", ":0\r\n", ":0\r\n"},
                 {{"gt"}, "101", ":0\r\n", ":1\r\n"},
                 {{"LT"}, "50", ":1\r\n", ":1\r\n"},
                 {{"lt"}, "100", ":1\r\n", ":0\r\n"},
                 {{"LT"}, "101", ":1\r\n", ":0\r\n"},
                 {{"XX", "GT"}, "101", ":0\r\n", ":1\r\n"},
                 {{"XX", "GT"}, "99", ":0\r\n", ":0\r\n"},
                 {{"LT", "XX"}, "99", ":0\r\n", ":1\r\n"},
                 {{"XX", "LT"}, "101", ":0\r\n", ":0\r\n"},
                 {{"NX", "nx"}, "50", ":1\r\n", ":0\r\n"},
                 {{"GT"}, "-1", ":0\r\n", ":0\r\n"},
                 {{"LT"}, "-1", ":1\r\n", ":1\r\n"},
                 {{"NX"}, "-1", ":1\r\n", ":0\r\n"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *first = cases[i].options[0], *second = cases[i].options[1];

        expect(&f, "+OK\r\n", "SET", "a", "v");
        expect(&f, cases[i].forever, "EXPIRE", "a", cases[i].time, first,
               second);
        expect(&f, "+OK\r\n", "SET", "a", "v", "EX", "100");
        expect(&f, cases[i].hundred, "EXPIRE", "a", cases[i].time, first,
               second);
    }
}
END_TEST

START_TEST(options_that_are_wrong)
{
    static const char nx[] = "-ERR NX and XX, GT or LT options at the same "
                             "time are not compatible\r\n";

    expect(&f, nx, "EXPIRE", "a", "10", "NX", "XX");
    expect(&f, nx, "EXPIRE", "a", "10", "GT", "NX");
    expect(&f, nx, "EXPIRE", "a", "10", "LT", "NX", "GT");
    expect(&f, "-ERR GT and LT options at the same time are not compatible\r\n",
           "PEXPIREAT", "a", "10", "GT", "LT");
    expect(&f, "-ERR Unsupported option FOO\r\n", "EXPIRE", "a", "x", "FOO");
    expect(&f, "-ERR Unsupported option x  y\r\n", "EXPIRE", "a", "1", "nx",
           "x\r\ny");
    expect(&f, "-ERR wrong number of arguments for 'expire' command\r\n",
           "EXPIRE", "a");
    expect(&f, ":-1\r\n", "TTL", "a");
}
END_TEST

/* ---- moments of the wall clock ---- */

/* The monotonic clock goes on by us; the wall clock shows whole ms. */
static void
pass_us(int64_t us)
{
    int64_t before_ms = f.clock.mono_us / 1000;

    f.clock.mono_us += us;
    f.clock.wall_ms += f.clock.mono_us / 1000 - before_ms;
}

/* A moment comes back as it was given, to the millisecond, whenever it was
 * given and whenever it is asked for. */
START_TEST(moments_come_back)
{
    for (int i = 0; i < 3000; i++) {
        char moment[24], want[32];

        snprintf(moment, sizeof moment, "%lld",
                 (long long)f.clock.wall_ms + 5000 + i * 37);
        snprintf(want, sizeof want, ":%s\r\n", moment);
        expect(&f, "+OK\r\n", "SET", "a", "v", "PXAT", moment);
        expect(&f, want, "PEXPIRETIME", "a");
        /* The same moment is neither later nor earlier. */
        pass_us(333);
        expect(&f, ":0\r\n", "PEXPIREAT", "a", moment, "GT");
        expect(&f, ":0\r\n", "PEXPIREAT", "a", moment, "LT");
        expect(&f, want, "PEXPIRETIME", "a");
        pass_us(333 + i);
    }
}
END_TEST

/* A lifetime ends between two milliseconds of the wall clock: the nearer one
 * is told. */
START_TEST(moments_are_rounded)
{
    expect(&f, ":1\r\n", "PEXPIREAT", "a", "1800000001000");
    pass_us(600);
    expect(&f, "+OK\r\n", "SET", "a", "v", "PX", "5");
    expect(&f, ":1800000000006\r\n", "PEXPIRETIME", "a");
    expect(&f, ":5\r\n", "PTTL", "a");
    pass_us(1800);
    expect(&f, "+OK\r\n", "SET", "a", "v", "PX", "5");
    expect(&f, ":1800000000007\r\n", "PEXPIRETIME", "a");
}
END_TEST

/* Setting the wall clock changes no deadline, but what it is called. */
START_TEST(the_wall_clock_is_set)
{
    expect(&f, ":1\r\n", "PEXPIREAT", "a", "1800000010000");
    f.clock.wall_ms += 3600000;
    expect(&f, ":10000\r\n", "PTTL", "a");
    expect(&f, ":1800003610000\r\n", "PEXPIRETIME", "a");
    expect(&f, ":1\r\n", "PEXPIREAT", "a", "1800003605000");
    expect(&f, ":5000\r\n", "PTTL", "a");
    f.clock.wall_ms -= 7200000;
    expect(&f, ":5000\r\n", "PTTL", "a");
    expect(&f, ":1799996405000\r\n", "PEXPIRETIME", "a");
    expect(&f, ":1\r\n", "PEXPIREAT", "a", "1799996401000");
    expect(&f, ":1000\r\n", "PTTL", "a");
}
END_TEST

START_TEST(type_and_touch)
{
    expect(&f, "+string\r\n", "TYPE", "a");
    expect(&f, "+none\r\n", "TYPE", "none");
    expect(&f, ":2\r\n", "TOUCH", "a", "none", "a");
    expect(&f, ":1\r\n", "PEXPIRE", "a", "1");
    expect(&f, ":1\r\n", "TOUCH", "a");
    fake_clock_advance(&f.clock, 1);
    expect(&f, ":0\r\n", "TOUCH", "a");
    expect(&f, "+none\r\n", "TYPE", "a");
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, time_is_given_and_told);
    tcase_add_test(tc, missing_keys);
    tcase_add_test(tc, seconds_are_rounded);
    tcase_add_test(tc, time_that_is_over_deletes);
    tcase_add_test(tc, times_that_do_not_fit);
    tcase_add_test(tc, persist);
    tcase_add_test(tc, conditions);
    tcase_add_test(tc, options_that_are_wrong);
    tcase_add_test(tc, moments_come_back);
    tcase_add_test(tc, moments_are_rounded);
    tcase_add_test(tc, the_wall_clock_is_set);
    tcase_add_test(tc, type_and_touch);
}

TEST_MAIN("resp_expire", fill)
