/* SPDX-License-Identifier: MIT
 *
 * script_limits_test.c - the scripts of rate limiters, reply by reply as Redis
 * gives them for the same texts.
 */
#include "script_fixture.h"

#include "script_samples.h"
#include "suite.h"

#define NIL_ARG                                                                \
    "-ERR Lua redis lib command arguments must be strings or integers\r\n"
#define NO_ARGS                                                                \
    "-ERR Wrong number of args calling Redis command from script\r\n"
#define NOT_INTEGER "-ERR value is not an integer or out of range\r\n"
#define OVERFLOW    "-ERR increment or decrement would overflow\r\n"
#define LARGEST     "9223372036854775807"
#define OK          "+OK\r\n"
#define NIL         "$-1\r\n"

static struct resp_fixture f;

static void
begin(void)
{
    resp_fixture_init(&f);
}

static void
end(void)
{
    resp_fixture_fini(&f);
}

#define EVAL(want, text, ...)   expect(&f, want, "EVAL", text, __VA_ARGS__)
#define CALL(want, script, ...) expect(&f, want, "EVALSHA", script, __VA_ARGS__)

START_TEST(limit)
{
    EVAL("*2\r\n:1\r\n:5000\r\n", LIMIT_6, "1", "a", "5000");
    fake_clock_advance(&f.clock, 1000);
    EVAL("*2\r\n:2\r\n:4000\r\n", LIMIT_6, "1", "a", "x");
    fake_clock_advance(&f.clock, 4000);
    EVAL("*2\r\n:1\r\n:1000\r\n", LIMIT_6, "1", "a", " 1e3 ");
    fake_clock_advance(&f.clock, 1000);
    EVAL(NIL_ARG, LIMIT_6, "1", "a", "x");
    EVAL(NIL_ARG, LIMIT_6, "1", "a");
    EVAL(NOT_INTEGER, LIMIT_6, "1", "a", "1.5");
    EVAL("-ERR invalid expire time in 'set' command\r\n", LIMIT_6, "1", "a",
         "0");
    expect(&f, ":0\r\n", "EXISTS", "a");
}
END_TEST

/* One that does not expire begins anew, whatever it was. */
START_TEST(limit_of_a_key_for_ever)
{
    expect(&f, OK, "SET", "a", "text");
    EVAL("*2\r\n:1\r\n:5000\r\n", LIMIT_6, "1", "a", "5000");
    expect(&f, OK, "SET", "a", "text", "PX", "5000");
    EVAL(NOT_INTEGER, LIMIT_6, "1", "a", "5000");
    expect(&f, OK, "SET", "a", LARGEST, "PX", "5000");
    EVAL(OVERFLOW, LIMIT_6, "1", "a", "5000");
    expect(&f, "$19\r\n" LARGEST "\r\n", "GET", "a");
}
END_TEST

START_TEST(limit_reset)
{
    EVAL("*2\r\n:1\r\n:5000\r\n", LIMIT_4_2, "1", "a", "0", "5000");
    fake_clock_advance(&f.clock, 1000);
    EVAL("*2\r\n:2\r\n:4000\r\n", LIMIT_4_2, "1", "a", "0", "5000");
    EVAL("*2\r\n:3\r\n:5000\r\n", LIMIT_4_2, "1", "a", "1", "5000");
    expect(&f, ":5000\r\n", "PTTL", "a");
    EVAL(NIL_ARG, LIMIT_4_2, "1", "a", "1");
    expect(&f, "$1\r\n3\r\n", "GET", "a");
    EVAL("*2\r\n:4\r\n:-5\r\n", LIMIT_4_2, "1", "a", "1", "-5");
    expect(&f, ":0\r\n", "EXISTS", "a");
}
END_TEST

START_TEST(limit_as_it_was)
{
    EVAL("*2\r\n:1\r\n:5000\r\n", LIMIT_3, "1", "a", "0", "5000");
    fake_clock_advance(&f.clock, 1000);
    EVAL("*2\r\n:2\r\n:4000\r\n", LIMIT_3, "1", "a", "0", "5000");
    EVAL("*2\r\n:3\r\n:5000\r\n", LIMIT_3, "1", "a", "1", "5000");
    expect(&f, ":1\r\n", "PERSIST", "a");
    EVAL("*2\r\n:4\r\n:6000\r\n", LIMIT_3, "1", "a", "0", "6000");
    expect(&f, OK, "SET", "a", "text");
    EVAL(NOT_INTEGER, LIMIT_3, "1", "a", "0", "5000");
}
END_TEST

START_TEST(hits)
{
    EVAL("*2\r\n$-1\r\n:-2\r\n", LIMIT_GET, "1", "a");
    expect(&f, OK, "SET", "a", "7");
    EVAL("*2\r\n$1\r\n7\r\n:-1\r\n", LIMIT_GET, "1", "a");
    expect(&f, ":1\r\n", "PEXPIRE", "a", "900");
    EVAL("*2\r\n$1\r\n7\r\n:900\r\n", LIMIT_GET, "1", "a");
    EVAL(NIL_ARG, LIMIT_GET, "0");
}
END_TEST

/* A large value is lent to the reply. */
START_TEST(hits_of_a_large_value)
{
    static char large[REPLY_LEND_MIN + 1];
    struct slice reply;

    memset(large, 'v', sizeof large - 1);
    expect(&f, OK, "SET", "a", large);
    reply = resp_say(&f, "EVAL", LIMIT_GET, "1", "a", NULL);
    ck_assert_uint_eq(reply.len,
                      strlen("*2\r\n$16384\r\n\r\n:-1\r\n") + sizeof large - 1);
}
END_TEST

START_TEST(flexible)
{
    EVAL("*2\r\n:2\r\n:10000\r\n", FLEXIBLE, "1", "a", "2", "10");
    fake_clock_advance(&f.clock, 4000);
    EVAL("*2\r\n:5\r\n:6000\r\n", FLEXIBLE, "1", "a", "3", "10");
    EVAL("*2\r\n:4\r\n:6000\r\n", FLEXIBLE, "1", "a", "-1", "10", "x");
    expect(&f, ":1\r\n", "PERSIST", "a");
    EVAL("*2\r\n:5\r\n:10000\r\n", FLEXIBLE, "1", "a", "1", "10");
    expect(&f, ":10000\r\n", "PTTL", "a");
}
END_TEST

/* What is refused has changed nothing. */
START_TEST(flexible_refusals)
{
    EVAL(NIL_ARG, FLEXIBLE, "1", "a", "2");
    EVAL(NOT_INTEGER, FLEXIBLE, "1", "a", "x", "10");
    EVAL(NOT_INTEGER, FLEXIBLE, "1", "a", "1", "1.5");
    EVAL("-ERR invalid expire time in 'set' command\r\n", FLEXIBLE, "1", "a",
         "1", "0");
    expect(&f, ":0\r\n", "EXISTS", "a");
    expect(&f, OK, "SET", "a", LARGEST);
    EVAL(OVERFLOW, FLEXIBLE, "1", "a", "1", "10");
    expect(&f, OK, "SET", "a", "text");
    EVAL(NOT_INTEGER, FLEXIBLE, "1", "a", "1", "10");
    expect(&f, ":-1\r\n", "PTTL", "a");
}
END_TEST

START_TEST(count)
{
    const char *present = script_show(&f, DJANGO_INCR);
    const char *any = script_show(&f, DJANGO_INCR_ANY);

    CALL(NIL, present, "1", "a", "2");
    CALL(NIL, present, "1", "a");
    CALL(":2\r\n", any, "1", "a", "2");
    CALL(":5\r\n", present, "1", "a", "3");
    expect(&f, ":1\r\n", "PEXPIRE", "a", "900");
    CALL(":4\r\n", present, "1", "a", "-1");
    expect(&f, ":900\r\n", "PTTL", "a");
    CALL(NOT_INTEGER, present, "1", "a", "x");
    CALL(NIL_ARG, any, "1", "a");
    CALL(OVERFLOW, any, "1", "a", LARGEST);
}
END_TEST

START_TEST(slots)
{
    const char *take = script_show(&f, LARAVEL_SLOT);
    const char *taken = script_show(&f, LARAVEL_SLOTS);

    CALL("$3\r\njo1\r\n", take, "2", "jo1", "jo2", "jo", "5", "me");
    CALL("$3\r\njo2\r\n", take, "2", "jo1", "jo2", "jo", "9", "you");
    CALL(NIL, take, "2", "jo1", "jo2", "jo", "5", "we");
    CALL(NIL, take, "2", "jo1", "jo2");
    CALL(":2\r\n", taken, "3", "jo1", "jo2", "jo3");
    expect(&f, ":9000\r\n", "PTTL", "jo2");
    expect(&f, "$3\r\nyou\r\n", "GET", "jo2");
    fake_clock_advance(&f.clock, 5000);
    CALL(NIL_ARG, take, "2", "jo1", "jo2", "jo", "5");
    CALL(NOT_INTEGER, take, "2", "jo1", "jo2", "jo", "x", "me");
    CALL(":1\r\n", taken, "2", "jo1", "jo2");
    CALL(NO_ARGS, take, "0", "jo", "5", "me");
    CALL(NO_ARGS, taken, "0");
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, limit);
    tcase_add_test(tc, limit_of_a_key_for_ever);
    tcase_add_test(tc, limit_reset);
    tcase_add_test(tc, limit_as_it_was);
    tcase_add_test(tc, hits);
    tcase_add_test(tc, hits_of_a_large_value);
    tcase_add_test(tc, flexible);
    tcase_add_test(tc, flexible_refusals);
    tcase_add_test(tc, count);
    tcase_add_test(tc, slots);
}

TEST_MAIN("script_limits", fill)
