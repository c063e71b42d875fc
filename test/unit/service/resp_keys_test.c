/* SPDX-License-Identifier: MIT
 *
 * resp_keys_test.c - commands on keys, whatever their value.
 */
#include "resp_fixture.h"

#include "chaos.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define KEYS 5000

static void
put_many(struct resp_fixture *f, const char *prefix, int count)
{
    char key[64];

    for (int i = 0; i < count; i++) {
        snprintf(key, sizeof key, "%s%d", prefix, i);
        expect(f, "+OK\r\n", "SET", key, "1");
    }
}

START_TEST(keys_by_pattern)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "*0\r\n", "KEYS", "*");
    expect(&f, "+OK\r\n", "SET", "one", "1");
    expect(&f, "+OK\r\n", "SET", "two", "2");
    expect(&f, "+OK\r\n", "SET", "", "empty");
    expect(&f, "*1\r\n$3\r\none\r\n", "KEYS", "o*");
    expect(&f, "*1\r\n$3\r\ntwo\r\n", "KEYS", "?[^n]o");
    expect(&f, "*1\r\n$0\r\n\r\n", "keys", "");
    expect(&f, "*0\r\n", "KEYS", "nosuch");
    expect(&f, "+OK\r\n", "SELECT", "1");
    expect(&f, "*0\r\n", "KEYS", "*");
    resp_fixture_fini(&f);
}
END_TEST

/* Pages are joined: each key is there, and once. */
START_TEST(keys_are_all_told)
{
    struct resp_fixture f;
    struct slice reply;
    size_t count = 0;

    resp_fixture_init(&f);
    put_many(&f, "a:", KEYS);
    put_many(&f, "b:", 10);
    reply = resp_say(&f, "KEYS", "a:*", NULL);
    ck_assert(strncmp(reply.data, "*5000\r\n", 7) == 0);
    for (const char *at = reply.data; (at = strstr(at, "\r\na:")) != NULL; at++)
        count++;
    ck_assert_uint_eq(count, KEYS);
    resp_fixture_fini(&f);
}
END_TEST

/* Walks to the end with these words behind the cursor, and returns how many
 * keys it was told. */
static size_t
scan_all(struct resp_fixture *f, const char *a, const char *b, const char *c,
         const char *d)
{
    char cursor[32] = "0";
    size_t told = 0;

    do {
        struct slice reply = resp_say(f, "SCAN", cursor, a, b, c, d, NULL);
        size_t page;
        int len;

        ck_assert_int_eq(sscanf(reply.data, "*2\r\n$%d\r\n%31[0-9]\r\n*%zu",
                                &len, cursor, &page),
                         3);
        ck_assert_uint_eq((size_t)len, strlen(cursor));
        ck_assert_uint_lt(strtoull(cursor, NULL, 10), STORE_CURSOR_END);
        told += page;
    } while (strcmp(cursor, "0") != 0);
    return told;
}

START_TEST(scan_in_pages)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "*2\r\n$1\r\n0\r\n*0\r\n", "SCAN", "0");
    put_many(&f, "a:", KEYS);
    put_many(&f, "b:", 100);
    ck_assert_uint_eq(scan_all(&f, NULL, NULL, NULL, NULL), KEYS + 100);
    ck_assert_uint_eq(scan_all(&f, "COUNT", "1000", NULL, NULL), KEYS + 100);
    ck_assert_uint_eq(scan_all(&f, "match", "b:*", NULL, NULL), 100);
    ck_assert_uint_eq(scan_all(&f, "count", "7", "MATCH", "?:1*"),
                      1 + 10 + 100 + 1000 + 11);
    ck_assert_uint_eq(scan_all(&f, "MATCH", "a:17", "TYPE", "String"), 1);
    ck_assert_uint_eq(scan_all(&f, "TYPE", "list", NULL, NULL), 0);
    ck_assert_uint_eq(scan_all(&f, "COUNT", "9223372036854775807", NULL, NULL),
                      KEYS + 100);
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(scan_refuses)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "-ERR invalid cursor\r\n", "SCAN", "x");
    expect(&f, "-ERR invalid cursor\r\n", "SCAN", "-1");
    expect(&f, "-ERR invalid cursor\r\n", "SCAN", "0x");
    expect(&f, "-ERR invalid cursor\r\n", "SCAN", "99999999999999999999");
    expect(&f, "-ERR invalid cursor\r\n", "SCAN", "18446744073709551616");
    expect(&f, "-ERR invalid cursor\r\n", "SCAN", "9007199254740992");
    expect(&f, "-ERR syntax error\r\n", "SCAN", "0", "MATCH");
    expect(&f, "-ERR syntax error\r\n", "SCAN", "0", "FOO", "x");
    expect(&f, "-ERR syntax error\r\n", "SCAN", "0", "COUNT", "0");
    expect(&f, "-ERR syntax error\r\n", "SCAN", "0", "COUNT", "-1");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "SCAN", "0",
           "COUNT", "x");
    expect(&f, "*2\r\n$1\r\n0\r\n*0\r\n", "SCAN", "");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(random_keys)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect_both(&f, "$-1\r\n", "_\r\n", "RANDOMKEY");
    expect(&f, "+OK\r\n", "SET", "a", "1");
    expect(&f, "$1\r\na\r\n", "RANDOMKEY");
    expect(&f, "+OK\r\n", "SELECT", "2");
    expect(&f, "$-1\r\n", "RANDOMKEY");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(renames)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "-ERR no such key\r\n", "RENAME", "a", "b");
    expect(&f, "-ERR no such key\r\n", "RENAME", "a", "a");
    expect(&f, "-ERR no such key\r\n", "RENAMENX", "a", "b");
    expect(&f, "+OK\r\n", "SET", "a", "1");
    expect(&f, "+OK\r\n", "RENAME", "a", "a");
    expect(&f, ":0\r\n", "RENAMENX", "a", "a");
    expect(&f, "+OK\r\n", "RENAME", "a", "b");
    expect(&f, "$-1\r\n", "GET", "a");
    expect(&f, "$1\r\n1\r\n", "GET", "b");
    expect(&f, "+OK\r\n", "SET", "c", "2");
    expect(&f, ":0\r\n", "RENAMENX", "b", "c");
    expect(&f, "$1\r\n2\r\n", "GET", "c");
    expect(&f, ":1\r\n", "RENAMENX", "b", "d");
    expect(&f, "+OK\r\n", "RENAME", "d", "c"); /* in place of what is there */
    expect(&f, "$1\r\n1\r\n", "GET", "c");
    expect(&f, ":1\r\n", "DBSIZE");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(flushes)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    for (int i = 0; i < 2; i++) {
        expect(&f, "+OK\r\n", "SELECT", "1");
        expect(&f, "+OK\r\n", "SET", "a", "1");
        expect(&f, "+OK\r\n", "SELECT", "0");
        expect(&f, "+OK\r\n", "SET", "a", "1");
        expect(&f, "+OK\r\n", i == 0 ? "FLUSHDB" : "FLUSHALL");
        expect(&f, ":0\r\n", "DBSIZE");
        expect(&f, "+OK\r\n", "SELECT", "1");
        expect(&f, i == 0 ? ":1\r\n" : ":0\r\n", "DBSIZE");
    }
    expect(&f, "+OK\r\n", "FLUSHDB", "async");
    expect(&f, "+OK\r\n", "FLUSHALL", "SYNC");
    expect(&f, "-ERR syntax error\r\n", "FLUSHDB", "x");
    expect(&f, "-ERR syntax error\r\n", "FLUSHALL", "ASYNC", "SYNC");
    resp_fixture_fini(&f);
}
END_TEST

/* Without memory there is one refusal, and nothing has changed. A table that
 * cannot grow goes on as it is, so that is no reason to refuse. */
START_TEST(without_memory)
{
    static const char *const commands[][3] = {
        {"KEYS", "*", NULL},
        {"SCAN", "0", NULL},
        {"RENAME", "a:1", "z"},
    };

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        bool moves = strcmp(commands[i][0], "RENAME") == 0;
        bool struck = true;
        size_t refused = 0;

        for (size_t n = 1; struck; n++) {
            struct resp_fixture f;
            struct chaos chaos;
            struct slice reply;
            bool told;

            resp_fixture_init(&f);
            put_many(&f, "a:", 20);
            ck_assert_int_eq(buf_reserve(&f.said, 4096), MZ_OK);
            ck_assert_int_eq(outbox_reserve(&f.out, 8192), MZ_OK);
            chaos_begin(&chaos, n);
            reply = resp_say(&f, commands[i][0], commands[i][1], commands[i][2],
                             NULL);
            struck = chaos_end(&chaos);
            told = reply.data[0] != '-';
            ck_assert(told || strncmp(reply.data, "-OOM ", 5) == 0);
            ck_assert(struck || told);
            refused += !told;
            expect(&f, told && moves ? ":0\r\n" : ":1\r\n", "EXISTS", "a:1");
            expect(&f, ":20\r\n", "DBSIZE");
            resp_fixture_fini(&f);
        }
        ck_assert_uint_gt(refused, 0);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, keys_by_pattern);
    tcase_add_test(tc, keys_are_all_told);
    tcase_add_test(tc, scan_in_pages);
    tcase_add_test(tc, scan_refuses);
    tcase_add_test(tc, random_keys);
    tcase_add_test(tc, renames);
    tcase_add_test(tc, flushes);
    tcase_add_test(tc, without_memory);
}

TEST_MAIN("resp_keys", fill)
