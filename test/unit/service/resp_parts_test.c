/* SPDX-License-Identifier: MIT
 *
 * resp_parts_test.c - APPEND, SETRANGE, STRLEN and GETRANGE.
 */
#include "resp_fixture.h"

#include "chaos.h"
#include "suite.h"

#include "wire/reply.h"

#include <stdio.h>
#include <string.h>

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

START_TEST(append_grows)
{
    expect(&f, ":0\r\n", "APPEND", "a", "");
    expect(&f, ":1\r\n", "EXISTS", "a");
    expect(&f, ":3\r\n", "APPEND", "a", "abc");
    expect(&f, ":5\r\n", "APPEND", "a", "de");
    expect(&f, ":5\r\n", "APPEND", "a", "");
    expect(&f, "$5\r\nabcde\r\n", "GET", "a");
    expect(&f, ":5\r\n", "STRLEN", "a");
    expect(&f, ":0\r\n", "STRLEN", "none");
}
END_TEST

START_TEST(time_stays)
{
    expect(&f, "+OK\r\n", "SET", "a", "x", "EX", "10");
    expect(&f, ":2\r\n", "APPEND", "a", "y");
    expect(&f, ":10\r\n", "TTL", "a");
    expect(&f, ":2\r\n", "SETRANGE", "a", "0", "z");
    expect(&f, ":10\r\n", "TTL", "a");
    expect(&f, ":1\r\n", "APPEND", "b", "y");
    expect(&f, ":-1\r\n", "TTL", "b");
}
END_TEST

START_TEST(setrange_pads_with_zeros)
{
    const struct slice get[] = {SLICE_LITERAL("GET"), SLICE_LITERAL("a")};

    expect(&f, ":5\r\n", "SETRANGE", "a", "3", "xy");
    ck_assert(slice_equal(resp_say_words(&f, get, 2),
                          slice_of("$5\r\n\0\0\0xy\r\n", 11)));
    expect(&f, ":5\r\n", "SETRANGE", "a", "0", "abc");
    expect(&f, ":5\r\n", "SETRANGE", "a", "1", "B");
    expect(&f, "$5\r\naBcxy\r\n", "GET", "a");
    expect(&f, ":6\r\n", "SETRANGE", "a", "4", "z!");
    expect(&f, "$6\r\naBcxz!\r\n", "GET", "a");
}
END_TEST

START_TEST(setrange_of_nothing_makes_no_key)
{
    expect(&f, ":0\r\n", "SETRANGE", "a", "100", "");
    expect(&f, ":0\r\n", "EXISTS", "a");
    expect(&f, "+OK\r\n", "SET", "a", "xyz");
    expect(&f, ":3\r\n", "SETRANGE", "a", "9223372036854775807", "");
}
END_TEST

START_TEST(setrange_refuses)
{
    static const char large[] =
        "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";

    expect(&f, "-ERR offset is out of range\r\n", "SETRANGE", "a", "-1", "x");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "SETRANGE",
           "a", "x", "x");
    expect(&f, large, "SETRANGE", "a", "9223372036854775807", "x");
    f.service.max_value = 4;
    expect(&f, large, "SETRANGE", "a", "4", "x");
    expect(&f, ":0\r\n", "EXISTS", "a");
    expect(&f, ":4\r\n", "SETRANGE", "a", "3", "x");
    expect(&f, large, "APPEND", "a", "y");
    expect(&f, "-ERR value is larger than max-value\r\n", "APPEND", "a",
           "12345");
    expect(&f, "-ERR value is larger than max-value\r\n", "SETRANGE", "a", "0",
           "12345");
    expect(&f, ":4\r\n", "STRLEN", "a");
}
END_TEST

START_TEST(getrange_cuts)
{
    expect(&f, "+OK\r\n", "SET", "a", "hello");
    expect(&f, "$5\r\nhello\r\n", "GETRANGE", "a", "0", "-1");
    expect(&f, "$3\r\nell\r\n", "GETRANGE", "a", "1", "3");
    expect(&f, "$2\r\nlo\r\n", "SUBSTR", "a", "-2", "100");
    expect(&f, "$1\r\nh\r\n", "GETRANGE", "a", "-100", "-5");
    expect(&f, "$1\r\nh\r\n", "GETRANGE", "a", "-100", "-100");
    expect(&f, "$0\r\n\r\n", "GETRANGE", "a", "-1", "-2");
    expect(&f, "$0\r\n\r\n", "GETRANGE", "a", "5", "9");
    expect(&f, "$0\r\n\r\n", "GETRANGE", "a", "3", "2");
    expect(&f, "$0\r\n\r\n", "GETRANGE", "none", "0", "-1");
    expect(&f, "$5\r\nhello\r\n", "GETRANGE", "a", "-9223372036854775808",
           "9223372036854775807");
    expect(&f, "$0\r\n\r\n", "GETRANGE", "a", "9223372036854775807",
           "-9223372036854775808");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "GETRANGE",
           "none", "x", "1");
    expect(&f, "+OK\r\n", "SET", "a", "");
    expect(&f, "$0\r\n\r\n", "GETRANGE", "a", "0", "-1");
}
END_TEST

/* Cut byte by byte, as Redis's manual says it. */
static size_t
cut_slowly(const char *value, int64_t first, int64_t last, char *out)
{
    const int64_t len = (int64_t)strlen(value);
    size_t n = 0;

    /* A range that ends before the value begins has the first byte in it, if it
     * does not begin behind its own end. */
    if (first < 0 && last < 0 && first > last)
        return 0;
    first = first < 0 ? first + len : first;
    last = last < 0 ? last + len : last;
    last = last < 0 ? 0 : last;
    for (int64_t i = 0; i < len; i++) {
        if (i >= first && i <= last)
            out[n++] = value[i];
    }
    return n;
}

START_TEST(getrange_of_every_range)
{
    static const char value[] = "abcdef";

    expect(&f, "+OK\r\n", "SET", "a", value);
    for (int first = -9; first <= 9; first++) {
        for (int last = -9; last <= 9; last++) {
            char from[8], to[8], part[8], want[32];
            size_t len = cut_slowly(value, first, last, part);

            snprintf(from, sizeof from, "%d", first);
            snprintf(to, sizeof to, "%d", last);
            snprintf(want, sizeof want, "$%zu\r\n%.*s\r\n", len, (int)len,
                     part);
            expect(&f, want, "GETRANGE", "a", from, to);
        }
    }
}
END_TEST

/* Parts of a large value are lent or copied; it may go before they are
 * sent. */
static void
check_part(int64_t first, size_t len, size_t lent_count)
{
    static char value[3 * REPLY_LEND_MIN];
    char from[24], to[24], head[24];
    struct slice words[4] = {
        SLICE_LITERAL("SET"), SLICE_LITERAL("a"), {value, sizeof value}};
    const struct resp_command getrange = {words, 4};
    size_t head_len;

    for (size_t i = 0; i < sizeof value; i++)
        value[i] = (char)(i * 7 + i / 256);
    ck_assert(slice_is(resp_say_words(&f, words, 3), "+OK\r\n"));
    words[0] = slice_of_string("GETRANGE");
    snprintf(from, sizeof from, "%lld", (long long)first);
    snprintf(to, sizeof to, "%lld", (long long)first + (long long)len - 1);
    words[2] = slice_of_string(from);
    words[3] = slice_of_string(to);
    ck_assert_int_eq(outbox_reserve(&f.out, 1024), MZ_OK);
    resp_run(&f.session, f.client, &getrange, &f.out);
    ck_assert_uint_eq(f.out.lent_count, lent_count);
    (void)resp_say(&f, "SET", "a", "other", NULL);
    head_len = (size_t)snprintf(head, sizeof head, "$%zu\r\n", len);
    ck_assert_uint_eq(f.said.len, head_len + len + 2 + 5);
    ck_assert_int_eq(memcmp(f.said.data, head, head_len), 0);
    ck_assert_int_eq(memcmp(f.said.data + head_len, value + first, len), 0);
    ck_assert_str_eq(f.said.data + head_len + len, "\r\n+OK\r\n");
}

START_TEST(parts_of_a_large_value)
{
    check_part(10, REPLY_LEND_MIN - 1, 0);
    check_part(10, REPLY_LEND_MIN, 1);
    check_part(0, 3 * REPLY_LEND_MIN, 1);
    check_part(3 * REPLY_LEND_MIN - 1, 1, 0);
}
END_TEST

START_TEST(no_memory)
{
    const struct slice a = SLICE_LITERAL("a"), x = SLICE_LITERAL("xyz");
    const struct slice append[] = {SLICE_LITERAL("APPEND"), a, x};

    for (size_t n = 1;; n++) {
        struct chaos chaos;
        struct slice reply;

        expect(&f, "+OK\r\n", "SET", "a", "old");
        chaos_begin(&chaos, n);
        reply = resp_say_words(&f, append, 3);
        if (!chaos_end(&chaos)) {
            ck_assert(slice_is(reply, ":6\r\n"));
            break;
        }
        ck_assert(slice_is(reply, "-OOM out of memory, try again later\r\n"));
        expect(&f, "$3\r\nold\r\n", "GET", "a");
        ck_assert_uint_lt(n, 10);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, append_grows);
    tcase_add_test(tc, time_stays);
    tcase_add_test(tc, setrange_pads_with_zeros);
    tcase_add_test(tc, setrange_of_nothing_makes_no_key);
    tcase_add_test(tc, setrange_refuses);
    tcase_add_test(tc, getrange_cuts);
    tcase_add_test(tc, getrange_of_every_range);
    tcase_add_test(tc, parts_of_a_large_value);
    tcase_add_test(tc, no_memory);
}

TEST_MAIN("resp_parts", fill)
