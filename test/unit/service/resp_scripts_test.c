/* SPDX-License-Identifier: MIT
 *
 * resp_scripts_test.c - EVAL and its kind, and SCRIPT.
 */
#include "resp_fixture.h"

#include "store/entry.h"

#include "script_samples.h"
#include "suite.h"

#include <string.h>

#define NO_SCRIPT   "-NOSCRIPT No matching script. Please use EVAL.\r\n"
#define UNKNOWN     "-ERR this script is not supported\r\n"
#define NOT_INTEGER "-ERR value is not an integer or out of range\r\n"
#define TOO_MANY                                                               \
    "-ERR Number of keys can't be greater than "                               \
    "number of args\r\n"
#define NEGATIVE "-ERR Number of keys can't be negative\r\n"
#define READ_ONLY                                                              \
    "-ERR Write commands are not allowed from read-only scripts.\r\n"
#define NIL_KEY                                                                \
    "-ERR Lua redis lib command arguments must be strings or integers\r\n"

#define RELEASE PHPREDIS_RELEASE
#define SHA1    PHPREDIS_RELEASE_SHA1

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

START_TEST(runs)
{
    expect(&f, "+OK\r\n", "SET", "lock", "me");
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", "lock", "you");
    expect(&f, "$2\r\nme\r\n", "GET", "lock");
    expect(&f, ":1\r\n", "eval", RELEASE, "1", "lock", "me");
    expect(&f, "$-1\r\n", "GET", "lock");
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", "lock", "me");
}
END_TEST

START_TEST(unknown)
{
    expect(&f, UNKNOWN, "EVAL", "return 1", "0");
    expect(&f, UNKNOWN, "EVAL", "", "0");
    expect(&f, UNKNOWN, "EVAL", RELEASE " return 1", "1", "lock", "me");
    expect(&f, UNKNOWN, "EVAL_RO", "return 1", "0");
    expect(&f, UNKNOWN, "SCRIPT", "LOAD", "return 1");
    /* SHA1 of "return 1" */
    expect(&f, NO_SCRIPT, "EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db",
           "0");
}
END_TEST

START_TEST(numbers_of_keys)
{
    expect(&f, NOT_INTEGER, "EVAL", RELEASE, "x");
    expect(&f, NOT_INTEGER, "EVAL", RELEASE, "1.0", "lock");
    expect(&f, NOT_INTEGER, "EVAL", RELEASE, "9223372036854775808", "lock");
    expect(&f, TOO_MANY, "EVAL", RELEASE, "1");
    expect(&f, TOO_MANY, "EVAL", RELEASE, "9223372036854775807", "lock");
    expect(&f, NEGATIVE, "EVAL", RELEASE, "-1", "lock");
    expect(&f, NEGATIVE, "EVAL", "return 1", "-1", "lock");
    expect(&f, NIL_KEY, "EVAL", RELEASE, "0");
    expect(&f, NIL_KEY, "EVAL", RELEASE, "0", "lock", "me");
    expect(&f, ":0\r\n", "EVAL", RELEASE, "2", "lock", "me");
    expect(&f, "-ERR wrong number of arguments for 'eval' command\r\n", "EVAL",
           RELEASE);
    expect(&f, "-ERR wrong number of arguments for 'evalsha_ro' command\r\n",
           "EVALSHA_RO", SHA1);
}
END_TEST

START_TEST(by_sha1)
{
    expect(&f, NO_SCRIPT, "EVALSHA", SHA1, "1", "lock", "me");
    expect(&f, "$40\r\n" SHA1 "\r\n", "SCRIPT", "LOAD", RELEASE);
    expect(&f, "+OK\r\n", "SET", "lock", "me");
    expect(&f, ":1\r\n", "EVALSHA", "B70C2384248F88E6B75B9F89241A180F856AD852",
           "1", "lock", "me");
    expect(&f, "+OK\r\n", "SCRIPT", "FLUSH");
    expect(&f, NO_SCRIPT, "EVALSHA", SHA1, "1", "lock", "me");
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", "lock", "me");
    expect(&f, ":0\r\n", "EVALSHA", SHA1, "1", "lock", "me");
}
END_TEST

/* Redis looks at the length of the name, then at the number of keys. */
START_TEST(sha1_that_is_none)
{
    expect(&f, NO_SCRIPT, "EVALSHA", "x", "x");
    expect(&f, NO_SCRIPT, "EVALSHA", "", "0");
    expect(&f, TOO_MANY, "EVALSHA", SHA1, "1");
    expect(&f, NOT_INTEGER, "EVALSHA", SHA1, "x");
    expect(&f, NO_SCRIPT, "EVALSHA", "x70c2384248f88e6b75b9f89241a180f856ad852",
           "0");
}
END_TEST

START_TEST(read_only)
{
    expect(&f, "+OK\r\n", "SET", "lock", "me");
    expect(&f, ":0\r\n", "EVAL_RO", RELEASE, "1", "lock", "you");
    expect(&f, READ_ONLY, "EVAL_RO", RELEASE, "1", "lock", "me");
    expect(&f, READ_ONLY, "EVALSHA_RO", SHA1, "1", "lock", "me");
    expect(&f, "$2\r\nme\r\n", "GET", "lock");
    expect(&f, "*2\r\n$2\r\nme\r\n:-1\r\n", "EVAL_RO", LIMIT_GET, "1", "lock");
}
END_TEST

START_TEST(script)
{
    expect(&f, "*2\r\n:0\r\n:0\r\n", "SCRIPT", "EXISTS", SHA1, "x");
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", "lock", "me");
    expect(&f, "*3\r\n:1\r\n:0\r\n:1\r\n", "script", "exists", SHA1, "x",
           "B70C2384248F88E6B75B9F89241A180F856AD852");
    expect(&f, "-ERR SCRIPT FLUSH only support SYNC|ASYNC option\r\n", "SCRIPT",
           "FLUSH", "x");
    expect(&f, "-ERR SCRIPT FLUSH only support SYNC|ASYNC option\r\n", "SCRIPT",
           "FLUSH", "SYNC", "x");
    expect(&f, "*1\r\n:1\r\n", "SCRIPT", "EXISTS", SHA1);
    expect(&f, "+OK\r\n", "SCRIPT", "FLUSH", "Async");
    expect(&f, "*1\r\n:0\r\n", "SCRIPT", "EXISTS", SHA1);
    expect(&f, "+OK\r\n", "SCRIPT", "FLUSH", "SYNC");
    expect(&f, "-NOTBUSY No scripts in execution right now.\r\n", "SCRIPT",
           "KILL");
}
END_TEST

START_TEST(script_refusals)
{
    expect(&f, "-ERR wrong number of arguments for 'script' command\r\n",
           "SCRIPT");
    expect(&f, "-ERR wrong number of arguments for 'script|load' command\r\n",
           "SCRIPT", "LOAD");
    expect(&f, "-ERR wrong number of arguments for 'script|load' command\r\n",
           "SCRIPT", "LOAD", RELEASE, RELEASE);
    expect(&f, "-ERR wrong number of arguments for 'script|exists' command\r\n",
           "SCRIPT", "EXISTS");
    expect(&f, "-ERR wrong number of arguments for 'script|kill' command\r\n",
           "SCRIPT", "KILL", "x");
    expect(&f, "-ERR unknown subcommand 'foo'. Try SCRIPT HELP.\r\n", "SCRIPT",
           "foo");
    ck_assert_int_eq(resp_say(&f, "SCRIPT", "HELP", NULL).data[0], '*');
}
END_TEST

/* Nulls of RESP3; the rest is the same. */
START_TEST(protocols)
{
    expect(&f, "$40\r\n" SHA1 "\r\n", "SCRIPT", "LOAD", RELEASE);
    expect_both(&f, ":0\r\n", ":0\r\n", "EVALSHA", SHA1, "1", "lock", "me");
    expect_both(&f, "*2\r\n$-1\r\n:-2\r\n", "*2\r\n_\r\n:-2\r\n", "EVAL",
                LIMIT_GET, "1", "hits");
}
END_TEST

START_TEST(long_keys)
{
    static char key[ENTRY_KEY_MAX + 2];

    memset(key, 'k', sizeof key - 1);
    expect(&f, "-ERR key is longer than 65535 bytes\r\n", "EVAL", RELEASE, "1",
           key, "me");
    expect(&f, "-ERR key is longer than 65535 bytes\r\n", "EVAL", RELEASE, "2",
           "lock", key);
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", key + 1, key);
}
END_TEST

START_TEST(other_databases)
{
    expect(&f, "+OK\r\n", "SET", "lock", "me");
    expect(&f, "+OK\r\n", "SELECT", "3");
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", "lock", "me");
    expect(&f, "+OK\r\n", "SELECT", "0");
    expect(&f, ":1\r\n", "EVAL", RELEASE, "1", "lock", "me");
}
END_TEST

/* The keys are held by EXEC, and so by the script. */
START_TEST(in_transactions)
{
    expect(&f, "+OK\r\n", "MULTI");
    expect(&f, "+QUEUED\r\n", "EVAL", REDLOCK_ACQUIRE, "2", "a", "b", "me",
           "5000");
    expect(&f, "+QUEUED\r\n", "EVALSHA", REDLOCK_ACQUIRE_SHA1, "2", "b", "c",
           "you", "5000");
    expect(&f, "+QUEUED\r\n", "EVAL", "return 1", "0");
    expect(&f, "+QUEUED\r\n", "EVALSHA", SHA1, "0");
    expect(&f, "+QUEUED\r\n", "GET", "b");
    expect(&f, "*5\r\n:2\r\n:0\r\n" UNKNOWN NO_SCRIPT "$2\r\nme\r\n", "EXEC");
    expect(&f, "$-1\r\n", "GET", "c");
}
END_TEST

START_TEST(transactions_that_lose)
{
    expect(&f, "+OK\r\n", "WATCH", "hits");
    expect(&f, "*2\r\n:1\r\n:5000\r\n", "EVAL", LIMIT_6, "1", "hits", "5000");
    expect(&f, "+OK\r\n", "MULTI");
    expect(&f, "+QUEUED\r\n", "EVAL", LIMIT_6, "1", "hits", "5000");
    expect(&f, "*-1\r\n", "EXEC");
    expect(&f, "$1\r\n1\r\n", "GET", "hits");
}
END_TEST

/* Where nothing is remembered, texts are still known. */
START_TEST(without_a_cache)
{
    struct script_cache *cache = f.service.scripts;

    f.service.scripts = NULL;
    expect(&f, ":0\r\n", "EVAL", RELEASE, "1", "lock", "me");
    expect(&f, NO_SCRIPT, "EVALSHA", SHA1, "1", "lock", "me");
    expect(&f, "*1\r\n:0\r\n", "SCRIPT", "EXISTS", SHA1);
    f.service.scripts = cache;
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, runs);
    tcase_add_test(tc, unknown);
    tcase_add_test(tc, numbers_of_keys);
    tcase_add_test(tc, by_sha1);
    tcase_add_test(tc, sha1_that_is_none);
    tcase_add_test(tc, read_only);
    tcase_add_test(tc, script);
    tcase_add_test(tc, script_refusals);
    tcase_add_test(tc, protocols);
    tcase_add_test(tc, long_keys);
    tcase_add_test(tc, other_databases);
    tcase_add_test(tc, in_transactions);
    tcase_add_test(tc, transactions_that_lose);
    tcase_add_test(tc, without_a_cache);
}

TEST_MAIN("resp_scripts", fill)
