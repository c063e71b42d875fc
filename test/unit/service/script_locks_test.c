/* SPDX-License-Identifier: MIT
 *
 * script_locks_test.c - the scripts of locks, reply by reply as Redis gives
 * them for the same texts.
 */
#include "script_fixture.h"

#include "script_samples.h"
#include "suite.h"

#define NIL_ARG                                                                \
    "-ERR Lua redis lib command arguments must be strings or integers\r\n"
#define NO_ARGS                                                                \
    "-ERR Wrong number of args calling Redis command from script\r\n"
#define NOT_INTEGER "-ERR value is not an integer or out of range\r\n"
#define OK          "+OK\r\n"
#define NIL         "$-1\r\n"
#define YES         ":1\r\n"
#define NO          ":0\r\n"

/* As the manual has it, in several ways. */
#define GUARD "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call("

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

START_TEST(release)
{
    static const char *const texts[] = {
        PHPREDIS_RELEASE,
        REDIS_PY_RELEASE,
        REDLOCK_RELEASE,
        GUARD "'del', KEYS[1]) end return 0",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        EVAL(NO, texts[i], "1", "a", "me");
        EVAL(NO, texts[i], "1", "a");
        expect(&f, OK, "SET", "a", "me", "PX", "50");
        EVAL(NO, texts[i], "1", "a", "you");
        EVAL(NO, texts[i], "1", "a", "");
        EVAL(NO, texts[i], "1", "a");
        EVAL(YES, texts[i], "1", "a", "me");
        expect(&f, OK, "SET", "a", "me", "PX", "50");
        fake_clock_advance(&f.clock, 50);
        EVAL(NO, texts[i], "1", "a", "me");
        expect(&f, OK, "SET", "a", "");
        EVAL(NO, texts[i], "1", "a");
        EVAL(YES, texts[i], "1", "a", "", "more");
    }
}
END_TEST

START_TEST(release_many)
{
    expect(&f, OK, "MSET", "a", "me", "b", "you", "c", "me");
    EVAL(":2\r\n", REDLOCK_RELEASE, "4", "a", "b", "c", "d", "me");
    EVAL(NO, REDLOCK_RELEASE, "0", "me");
    expect(&f, YES, "EXISTS", "a", "b", "c");
}
END_TEST

START_TEST(release_all_or_none)
{
    const char *script = script_show(&f, REDISLOCK_RELEASE);

    expect(&f, OK, "MSET", "a", "me", "b", "you");
    CALL(NIL, script, "2", "a", "b", "me");
    CALL(NIL, script, "2", "a", "b");
    CALL(NO_ARGS, script, "0");
    expect(&f, OK, "SET", "b", "me");
    CALL(OK, script, "3", "a", "b", "a", "me");
    expect(&f, NO, "EXISTS", "a", "b");
    CALL(NIL, script, "1", "a", "me");
}
END_TEST

START_TEST(renew)
{
    static const struct {
        const char *text;
        const char *time, *left;
    } rows[] = {
        {REDIS_PY_REACQUIRE, "7000", ":7000\r\n"},
        {GUARD "'pexpire', KEYS[1], ARGV[2]) else return 0 end", "7000",
         ":7000\r\n"},
        {GUARD "'PEXPIRE', KEYS[1], ARGV[2]) end return 0", "7000",
         ":7000\r\n"},
        {GUARD "'expire', KEYS[1], ARGV[2]) else return 0 end", "7",
         ":7000\r\n"},
        {GUARD "'expire', KEYS[1], ARGV[2]) end return 0", "7", ":7000\r\n"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EVAL(NO, rows[i].text, "1", "a", "me", "x");
        expect(&f, OK, "SET", "a", "me");
        EVAL(NO, rows[i].text, "1", "a", "you", "x");
        EVAL(NIL_ARG, rows[i].text, "1", "a", "me");
        EVAL(NOT_INTEGER, rows[i].text, "1", "a", "me", "1.5");
        expect(&f, ":-1\r\n", "PTTL", "a");
        EVAL(YES, rows[i].text, "1", "a", "me", rows[i].time);
        expect(&f, rows[i].left, "PTTL", "a");
        EVAL(YES, rows[i].text, "1", "a", "me", "0");
        expect(&f, NO, "EXISTS", "a");
    }
    expect(&f, OK, "SET", "a", "me");
    EVAL("-ERR invalid expire time in 'pexpire' command\r\n",
         REDIS_PY_REACQUIRE, "1", "a", "me", "9223372036854775807");
}
END_TEST

START_TEST(renew_or_persist)
{
    const char *script = script_show(&f, LARAVEL_REFRESH);

    CALL(NO, script, "1", "a", "me", "5");
    expect(&f, OK, "SET", "a", "me");
    CALL(NO, script, "1", "a", "you", "5");
    CALL(YES, script, "1", "a", "me", "5");
    expect(&f, ":5000\r\n", "PTTL", "a");
    CALL(YES, script, "1", "a", "me", "0");
    expect(&f, ":-1\r\n", "PTTL", "a");
    CALL(YES, script, "1", "a", "me", "-5");
    CALL(NOT_INTEGER, script, "1", "a", "me", "1.5");
    CALL("-ERR attempt to compare number with nil\r\n", script, "1", "a", "me",
         "x");
    CALL("-ERR attempt to compare number with nil\r\n", script, "1", "a", "me");
}
END_TEST

START_TEST(extend)
{
    EVAL(NO, REDIS_PY_EXTEND, "1", "a", "me", "500", "0");
    expect(&f, OK, "SET", "a", "me");
    EVAL(NO, REDIS_PY_EXTEND, "1", "a", "me", "500", "0");
    expect(&f, YES, "PEXPIRE", "a", "1000");
    EVAL(NO, REDIS_PY_EXTEND, "1", "a", "you", "500", "0");
    EVAL(YES, REDIS_PY_EXTEND, "1", "a", "me", "500", "0");
    expect(&f, ":1500\r\n", "PTTL", "a");
    EVAL(YES, REDIS_PY_EXTEND, "1", "a", "me", "500", "1");
    expect(&f, ":500\r\n", "PTTL", "a");
    EVAL(YES, REDIS_PY_EXTEND, "1", "a", "me", "400");
    expect(&f, ":400\r\n", "PTTL", "a");
    EVAL(NOT_INTEGER, REDIS_PY_EXTEND, "1", "a", "me", "1.5", "0");
    EVAL(NIL_ARG, REDIS_PY_EXTEND, "1", "a", "me");
    EVAL(YES, REDIS_PY_EXTEND, "1", "a", "me", "-400", "0");
    expect(&f, NO, "EXISTS", "a");
}
END_TEST

START_TEST(extend_all)
{
    expect(&f, OK, "MSET", "a", "me", "b", "you");
    EVAL(NO, REDLOCK_EXTEND, "2", "a", "b", "me", "5000");
    expect(&f, OK, "SET", "b", "me");
    EVAL(NIL_ARG, REDLOCK_EXTEND, "2", "a", "b", "me");
    EVAL("-ERR invalid expire time in 'set' command\r\n", REDLOCK_EXTEND, "2",
         "a", "b", "me", "0");
    EVAL(":2\r\n", REDLOCK_EXTEND, "2", "a", "b", "me", "5000");
    expect(&f, ":5000\r\n", "PTTL", "a");
    expect(&f, ":5000\r\n", "PTTL", "b");
    expect(&f, "$2\r\nme\r\n", "GET", "b");
    EVAL(NO, REDLOCK_EXTEND, "0");
}
END_TEST

START_TEST(renew_all)
{
    const char *script = script_show(&f, REDISLOCK_REFRESH);
    const char *ttl = script_show(&f, REDISLOCK_PTTL);

    expect(&f, OK, "MSET", "a", "me", "b", "you");
    CALL(NIL, script, "2", "a", "b", "me", "5000");
    CALL(NIL, ttl, "2", "a", "b", "me");
    expect(&f, OK, "SET", "b", "me");
    CALL(NO, ttl, "2", "a", "b", "me");
    CALL(OK, script, "2", "a", "b", "me", "5000");
    expect(&f, YES, "PEXPIRE", "b", "4000");
    CALL(":4000\r\n", ttl, "2", "a", "b", "me");
    CALL(NIL_ARG, script, "2", "a", "b", "me");
    CALL(NO_ARGS, script, "0");
    CALL(NO_ARGS, ttl, "0");
}
END_TEST

START_TEST(add)
{
    const char *script = script_show(&f, LARAVEL_ADD);

    CALL(OK, script, "1", "a", "me", "5");
    expect(&f, ":5000\r\n", "PTTL", "a");
    CALL(NIL, script, "1", "a", "you", "5");
    CALL(NIL, script, "1", "a");
    expect(&f, "$2\r\nme\r\n", "GET", "a");
    fake_clock_advance(&f.clock, 5000);
    CALL(NIL_ARG, script, "1", "a", "you");
    CALL(NOT_INTEGER, script, "1", "a", "you", "x");
    CALL("-ERR invalid expire time in 'setex' command\r\n", script, "1", "a",
         "you", "0");
    expect(&f, NO, "EXISTS", "a");
    CALL(OK, script, "1", "a", "you", "5");
}
END_TEST

START_TEST(acquire_all)
{
    EVAL(":2\r\n", REDLOCK_ACQUIRE, "2", "a", "b", "me", "5000");
    EVAL(NO, REDLOCK_ACQUIRE, "2", "b", "c", "you", "5000");
    expect(&f, NO, "EXISTS", "c");
    fake_clock_advance(&f.clock, 5000);
    EVAL(NOT_INTEGER, REDLOCK_ACQUIRE, "2", "b", "c", "you", "x");
    EVAL(NIL_ARG, REDLOCK_ACQUIRE, "2", "b", "c", "you");
    expect(&f, NO, "EXISTS", "b", "c");
    EVAL(":3\r\n", REDLOCK_ACQUIRE, "3", "b", "c", "b", "you", "5000");
    expect(&f, ":5000\r\n", "PTTL", "c");
    EVAL(NO, REDLOCK_ACQUIRE, "0");
}
END_TEST

START_TEST(obtain_all)
{
    const char *script = script_show(&f, REDISLOCK_OBTAIN);

    CALL(OK, script, "2", "a", "b", "me1", "2", "5000");
    CALL(NIL, script, "2", "a", "b", "you", "2", "5000");
    CALL(OK, script, "2", "a", "b", "me2", "2", "6000");
    expect(&f, "$3\r\nme2\r\n", "GET", "b");
    expect(&f, ":6000\r\n", "PTTL", "a");
    /* c is not there: it has not the token. */
    CALL(NIL, script, "2", "a", "c", "me3", "2", "5000");
    CALL(OK, script, "2", "a", "a", "me3", "2", "5000");
    CALL(NIL, script, "1", "a", "me3", "0", "5000");
    CALL(NOT_INTEGER, script, "1", "a", "me3", "1.5", "5000");
    CALL(NOT_INTEGER, script, "1", "a", "me3", "2", "x");
    CALL(NIL_ARG, script, "1", "c", "me3", "2");
    CALL(NO_ARGS, script, "1", "c");
    CALL(NO_ARGS, script, "0");
    expect(&f, NO, "EXISTS", "c");
}
END_TEST

START_TEST(values_are_bounded)
{
    static char large[RESP_FIXTURE_MAX_VALUE + 2];
    const char *script = script_show(&f, LARAVEL_ADD);

    memset(large, 'v', sizeof large - 1);
    CALL("-ERR value is larger than max-value\r\n", script, "1", "a", large,
         "5");
    EVAL("-ERR value is larger than max-value\r\n", REDLOCK_ACQUIRE, "2", "a",
         "b", large, "5000");
    expect(&f, NO, "EXISTS", "a", "b");
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, release);
    tcase_add_test(tc, release_many);
    tcase_add_test(tc, release_all_or_none);
    tcase_add_test(tc, renew);
    tcase_add_test(tc, renew_or_persist);
    tcase_add_test(tc, extend);
    tcase_add_test(tc, extend_all);
    tcase_add_test(tc, renew_all);
    tcase_add_test(tc, add);
    tcase_add_test(tc, acquire_all);
    tcase_add_test(tc, obtain_all);
    tcase_add_test(tc, values_are_bounded);
}

TEST_MAIN("script_locks", fill)
