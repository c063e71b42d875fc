/* SPDX-License-Identifier: MIT
 *
 * resp_counters_test.c - INCR and its relatives.
 */
#include "resp_fixture.h"

#include "chaos.h"
#include "suite.h"

#include <string.h>

#define NOT_INTEGER "-ERR value is not an integer or out of range\r\n"
#define NOT_FLOAT   "-ERR value is not a valid float\r\n"
#define OVERFLOW    "-ERR increment or decrement would overflow\r\n"
#define NOT_FINITE  "-ERR increment would produce NaN or Infinity\r\n"

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

static void
set(const char *value)
{
    expect(&f, "+OK\r\n", "SET", "a", value);
}

START_TEST(counting)
{
    expect(&f, ":1\r\n", "INCR", "a");
    expect(&f, ":2\r\n", "incr", "a");
    expect(&f, ":1\r\n", "DECR", "a");
    expect(&f, ":11\r\n", "INCRBY", "a", "10");
    expect(&f, ":-9\r\n", "DECRBY", "a", "20");
    expect(&f, ":-10\r\n", "INCRBY", "a", "-1");
    expect(&f, "$3\r\n-10\r\n", "GET", "a");
    expect(&f, ":-1\r\n", "DECR", "b");
}
END_TEST

START_TEST(time_stays)
{
    expect(&f, "+OK\r\n", "SET", "a", "5", "EX", "10");
    expect(&f, ":6\r\n", "INCR", "a");
    expect(&f, ":10\r\n", "TTL", "a");
    expect(&f, "$3\r\n6.5\r\n", "INCRBYFLOAT", "a", "0.5");
    expect(&f, ":10\r\n", "TTL", "a");
    fake_clock_advance(&f.clock, 10000);
    expect(&f, ":1\r\n", "INCR", "a");
    expect(&f, ":-1\r\n", "TTL", "a");
}
END_TEST

START_TEST(ends_of_the_integers)
{
    set("9223372036854775807");
    expect(&f, OVERFLOW, "INCR", "a");
    expect(&f, OVERFLOW, "DECRBY", "a", "-1");
    expect(&f, "-ERR decrement would overflow\r\n", "DECRBY", "a",
           "-9223372036854775808");
    expect(&f, "$19\r\n9223372036854775807\r\n", "GET", "a");
    expect(&f, ":-1\r\n", "INCRBY", "a", "-9223372036854775808");
    expect(&f, ":-9223372036854775808\r\n", "DECRBY", "a",
           "9223372036854775807");
    expect(&f, OVERFLOW, "DECR", "a");
}
END_TEST

START_TEST(what_is_no_integer)
{
    static const char *const values[] = {
        "",   "x",  "1.0", "01",  "+1",  " 1",
        "1 ", "-0", "-",   "--1", "1e3", "9223372036854775808"};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        set(values[i]);
        expect(&f, NOT_INTEGER, "INCR", "a");
        set("1");
        expect(&f, NOT_INTEGER, "INCRBY", "a", values[i]);
        expect(&f, NOT_INTEGER, "DECRBY", "a", values[i]);
    }
    expect(&f, "$1\r\n1\r\n", "GET", "a");
}
END_TEST

/* A native client may have counted to -0. */
START_TEST(native_integers)
{
    static const struct {
        const char *json, *want;
    } cases[] = {{"41", ":42\r\n"},
                 {"-0", ":1\r\n"},
                 {"\"41\"", NOT_INTEGER},
                 {"4.1", NOT_INTEGER}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct store_write write = {
            .key = {SLICE_LITERAL("a"), 0},
            .value = slice_of_string(cases[i].json),
            .kind = VALUE_JSON,
            .ttl_ms = STORE_NEVER,
        };
        uint64_t version;

        ck_assert_int_eq(store_set(f.store, &write, &version), MZ_OK);
        expect(&f, cases[i].want, "INCR", "a");
    }
}
END_TEST

START_TEST(floats)
{
    set("10.50");
    expect_both(&f, "$4\r\n10.6\r\n", "$4\r\n10.7\r\n", "INCRBYFLOAT", "a",
                "0.1");
    expect(&f, "$3\r\n5.7\r\n", "INCRBYFLOAT", "a", "-5");
    set("5.0e3");
    expect(&f, "$4\r\n5200\r\n", "INCRBYFLOAT", "a", "2.0e2");
    expect(&f, "$1\r\n0\r\n", "INCRBYFLOAT", "a", "-5200");
    expect(&f, "$1\r\n0\r\n", "INCRBYFLOAT", "a", "-0.0");
    expect(&f, "$1\r\n3\r\n", "INCRBYFLOAT", "new", "3.0");
    expect(&f, "$2\r\n16\r\n", "INCRBYFLOAT", "hex", "0x10");
    expect(&f, "$19\r\n0.00000000000000001\r\n", "INCRBYFLOAT", "tiny",
           "1e-17");
    expect(&f, "$1\r\n0\r\n", "INCRBYFLOAT", "tinier", "-1e-18");
    expect(&f, "$3\r\n100\r\n", "INCRBYFLOAT", "hundred", "100");
}
END_TEST

START_TEST(what_is_no_float)
{
    static const char *const values[] = {"",    "x",    " 1",      "1 ",
                                         "nan", "1,5",  "1e50000", "1e-50000",
                                         "\v1", "1.2.3"};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        set(values[i]);
        expect(&f, NOT_FLOAT, "INCRBYFLOAT", "a", "1");
        set("1");
        expect(&f, NOT_FLOAT, "INCRBYFLOAT", "a", values[i]);
    }
    expect(&f, "$1\r\n1\r\n", "GET", "a");
}
END_TEST

START_TEST(floats_that_end_nowhere)
{
    set("1");
    expect(&f, NOT_FINITE, "INCRBYFLOAT", "a", "inf");
    expect(&f, NOT_FINITE, "INCRBYFLOAT", "a", "-Infinity");
    set("inf");
    expect(&f, NOT_FINITE, "INCRBYFLOAT", "a", "1");
    expect(&f, NOT_FINITE, "INCRBYFLOAT", "a", "-inf");
    set("1e4932");
    expect(&f, NOT_FINITE, "INCRBYFLOAT", "a", "1e4932");
    expect(&f, "$6\r\n1e4932\r\n", "GET", "a");
}
END_TEST

/* The largest numbers have 4933 digits; longer text is none, wherever it
 * stands. */
START_TEST(long_floats)
{
    static char room[5200];
    const struct slice incr[] = {SLICE_LITERAL("INCRBYFLOAT"),
                                 SLICE_LITERAL("b"), SLICE_LITERAL("1")};
    struct slice set_long[] = {
        SLICE_LITERAL("SET"), SLICE_LITERAL("b"), {room, sizeof room}};
    struct slice reply;

    set("1e4931");
    reply = resp_say(&f, "INCRBYFLOAT", "a", "1", NULL);
    ck_assert_uint_eq(reply.len, 7 + 4932 + 2);
    expect(&f, ":4932\r\n", "STRLEN", "a");
    reply = resp_say(&f, "INCRBYFLOAT", "a", "1", NULL);
    ck_assert_uint_eq(reply.len, 7 + 4932 + 2);

    memset(room, '0', sizeof room);
    (void)resp_say_words(&f, set_long, 3);
    ck_assert(slice_is(resp_say_words(&f, incr, 3), NOT_FLOAT));
    set_long[2].len = 5119;
    (void)resp_say_words(&f, set_long, 3);
    ck_assert(slice_is(resp_say_words(&f, incr, 3), "$1\r\n1\r\n"));
    set_long[2].len = 5120;
    (void)resp_say_words(&f, set_long, 3);
    ck_assert(slice_is(resp_say_words(&f, incr, 3), NOT_FLOAT));
}
END_TEST

START_TEST(floats_with_a_nul)
{
    const struct slice nul = {"1\0", 2};
    const struct slice set_nul[] = {SLICE_LITERAL("SET"), SLICE_LITERAL("a"),
                                    nul};
    const struct slice incr[] = {SLICE_LITERAL("INCRBYFLOAT"),
                                 SLICE_LITERAL("b"), nul};

    (void)resp_say_words(&f, set_nul, 3);
    expect(&f, NOT_FLOAT, "INCRBYFLOAT", "a", "1");
    ck_assert(slice_is(resp_say_words(&f, incr, 3), NOT_FLOAT));
}
END_TEST

START_TEST(values_have_a_limit)
{
    f.service.max_value = 2;
    set("99");
    expect(&f,
           "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n",
           "INCR", "a");
    expect(&f, "$2\r\n99\r\n", "GET", "a");
    expect(&f, ":98\r\n", "DECR", "a");
}
END_TEST

START_TEST(no_memory)
{
    /* 2^130: exact, however many digits there are. */
    const struct slice incr[] = {
        SLICE_LITERAL("INCRBYFLOAT"), SLICE_LITERAL("a"),
        SLICE_LITERAL("1361129467683753853853498429727072845824")};
    static const char want[] =
        "$40\r\n1361129467683753853853498429727072845824\r\n";
    size_t n = 1;

    for (;; n++) {
        struct chaos chaos;
        struct slice reply;

        set("0");
        chaos_begin(&chaos, n);
        reply = resp_say_words(&f, incr, 3);
        if (!chaos_end(&chaos))
            break;
        if (reply.data[0] == '-')
            expect(&f, "$1\r\n0\r\n", "GET", "a");
        ck_assert_uint_lt(n, 20);
    }
    ck_assert_uint_gt(n, 1);
    set("0");
    ck_assert(slice_is(resp_say_words(&f, incr, 3), want));
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, counting);
    tcase_add_test(tc, time_stays);
    tcase_add_test(tc, ends_of_the_integers);
    tcase_add_test(tc, what_is_no_integer);
    tcase_add_test(tc, native_integers);
    tcase_add_test(tc, floats);
    tcase_add_test(tc, what_is_no_float);
    tcase_add_test(tc, floats_that_end_nowhere);
    tcase_add_test(tc, long_floats);
    tcase_add_test(tc, floats_with_a_nul);
    tcase_add_test(tc, values_have_a_limit);
    tcase_add_test(tc, no_memory);
}

TEST_MAIN("resp_counters", fill)
