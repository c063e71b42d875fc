/* SPDX-License-Identifier: MIT
 *
 * resp_strings_test.c - GET, SET and their relatives.
 */
#include "resp_fixture.h"

#include "chaos.h"
#include "suite.h"

#include "wire/reply.h"

#include <stdio.h>
#include <string.h>

#define SYNTAX "-ERR syntax error\r\n"
#define NULL2  "$-1\r\n"
#define NULL3  "_\r\n"

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

/* A word of len bytes, all of them c, in storage of the caller's. */
static struct slice
filled(char *room, size_t len, char c)
{
    memset(room, c, len);
    return slice_of(room, len);
}

static uint64_t
counted(enum counter which)
{
    return atomic_load(&f.counters.count[which]);
}

/* What a client of the native protocol has written. */
static void
put_natively(const char *key, const char *json)
{
    const struct store_write write = {
        .key = {slice_of_string(key), 0},
        .value = slice_of_string(json),
        .kind = VALUE_JSON,
        .ttl_ms = STORE_NEVER,
    };
    uint64_t version;

    ck_assert_int_eq(store_set(f.store, &write, &version), MZ_OK);
}

static void
note_kind(void *ctx, const struct store_view *view)
{
    *(int *)ctx = (int)view->kind;
}

static int
kind_of(const char *key)
{
    int kind = -1;
    struct store_key k = {slice_of_string(key), f.session.db};

    ck_assert(store_get(f.store, k, note_kind, &kind));
    return kind;
}

/* ---- GET and SET ---- */

START_TEST(what_is_set_is_got)
{
    expect_both(&f, NULL2, NULL3, "GET", "a");
    expect(&f, "+OK\r\n", "SET", "a", "1");
    expect_both(&f, "$1\r\n1\r\n", "$1\r\n1\r\n", "get", "a");
    ck_assert_int_eq(kind_of("a"), VALUE_BYTES);
    expect(&f, "+OK\r\n", "SET", "", "");
    expect(&f, "$0\r\n\r\n", "GET", "");
    ck_assert_uint_eq(counted(COUNTER_HITS), 3);
    ck_assert_uint_eq(counted(COUNTER_MISSES), 2);
}
END_TEST

START_TEST(values_hold_any_bytes)
{
    static const char wild[] = "\0\r\n\xff{";
    const struct slice value = slice_of(wild, sizeof wild - 1);
    const struct slice set[] = {SLICE_LITERAL("SET"), value, value};
    const struct slice get[] = {SLICE_LITERAL("GET"), value};

    ck_assert(slice_is(resp_say_words(&f, set, 3), "+OK\r\n"));
    ck_assert(slice_equal(resp_say_words(&f, get, 2),
                          slice_of("$5\r\n\0\r\n\xff{\r\n", 11)));
}
END_TEST

START_TEST(databases_are_apart)
{
    expect(&f, "+OK\r\n", "SET", "a", "1");
    f.session.db = 3;
    expect(&f, NULL2, "GET", "a");
    expect(&f, ":1\r\n", "SETNX", "a", "3");
    f.session.db = 0;
    expect(&f, "$1\r\n1\r\n", "GET", "a");
}
END_TEST

START_TEST(conditions_of_set)
{
    expect_both(&f, NULL2, NULL3, "SET", "a", "1", "XX");
    expect(&f, "+OK\r\n", "SET", "a", "1", "nx");
    expect_both(&f, NULL2, NULL3, "SET", "a", "2", "Nx");
    expect(&f, "+OK\r\n", "SET", "a", "2", "xX");
    expect_both(&f, NULL2, NULL3, "SET", "a", "3", "IFEQ", "1");
    expect(&f, "+OK\r\n", "SET", "a", "3", "ifeq", "2");
    expect_both(&f, NULL2, NULL3, "SET", "none", "3", "IFEQ", "");
    expect(&f, NULL2, "GET", "none");
    expect(&f, "$1\r\n3\r\n", "GET", "a");
}
END_TEST

START_TEST(set_tells_what_was_there)
{
    expect_both(&f, NULL2, NULL3, "SET", "a", "1", "GET", "XX");
    expect(&f, NULL2, "SET", "a", "1", "GET", "NX");
    expect(&f, "$1\r\n1\r\n", "SET", "a", "2", "NX", "GET");
    expect(&f, "$1\r\n1\r\n", "SET", "a", "3", "GET", "IFEQ", "2");
    expect(&f, "$1\r\n1\r\n", "SET", "a", "4", "GET");
    expect(&f, "$1\r\n4\r\n", "GETSET", "a", "5");
    expect(&f, "$1\r\n5\r\n", "GET", "a");
    expect_both(&f, NULL2, "$1\r\nx\r\n", "GETSET", "b", "x");
}
END_TEST

START_TEST(options_in_any_order)
{
    expect(&f, NULL2, "SET", "a", "1", "GET", "EX", "10", "NX");
    expect(&f, ":10\r\n", "TTL", "a");
    expect(&f, "$1\r\n1\r\n", "SET", "a", "2", "XX", "px", "20000", "get");
    expect(&f, ":20\r\n", "TTL", "a");
    expect(&f, "+OK\r\n", "SET", "a", "2", "keepttl", "IFEQ", "2");
    expect(&f, ":20\r\n", "TTL", "a");
    expect(&f, "+OK\r\n", "SET", "a", "2", "EX", "5", "EX", "7");
    expect(&f, ":7\r\n", "TTL", "a");
    expect(&f, "+OK\r\n", "SET", "a", "NX", "XX", "XX");
    expect(&f, ":-1\r\n", "TTL", "a");
}
END_TEST

START_TEST(options_that_are_wrong)
{
    expect(&f, SYNTAX, "SET", "a", "1", "NX", "XX");
    expect(&f, SYNTAX, "SET", "a", "1", "XX", "NX");
    expect(&f, SYNTAX, "SET", "a", "1", "IFEQ", "1", "NX");
    expect(&f, SYNTAX, "SET", "a", "1", "XX", "IFEQ", "1");
    expect(&f, SYNTAX, "SET", "a", "1", "IFEQ");
    expect(&f, SYNTAX, "SET", "a", "1", "EX");
    expect(&f, SYNTAX, "SET", "a", "1", "EX", "1", "PX", "1");
    expect(&f, SYNTAX, "SET", "a", "1", "EX", "1", "KEEPTTL");
    expect(&f, SYNTAX, "SET", "a", "1", "KEEPTTL", "PXAT", "1");
    expect(&f, SYNTAX, "SET", "a", "1", "PERSIST");
    expect(&f, SYNTAX, "SET", "a", "1", "EXX", "1");
    expect(&f, SYNTAX, "SET", "a", "1", "");
    expect(&f, "-ERR wrong number of arguments for 'set' command\r\n", "SET",
           "a");
    expect(&f, NULL2, "GET", "a");
}
END_TEST

static void
refuses_time(const char *unit, const char *time, const char *want)
{
    expect(&f, want, "SET", "a", "1", unit, time);
}

START_TEST(times_that_are_wrong)
{
    static const char *const units[] = {"EX", "PX", "EXAT", "PXAT"};
    static const char *const bad[] = {"0", "-1", "-9223372036854775808"};
    static const char *const no[] = {
        "", "x", "1.5", "01", " 1", "9223372036854775808", "-0", "1 s", "+1"};

    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++)
            refuses_time(units[i], bad[j],
                         "-ERR invalid expire time in 'set' command\r\n");
        for (size_t j = 0; j < sizeof no / sizeof *no; j++)
            refuses_time(units[i], no[j],
                         "-ERR value is not an integer or out of range\r\n");
    }
    refuses_time("EX", "9223372036854776",
                 "-ERR invalid expire time in 'set' command\r\n");
    refuses_time("EX", "9223372036854775",
                 "-ERR invalid expire time in 'set' command\r\n");
    refuses_time("PX", "9223372036854775807",
                 "-ERR invalid expire time in 'set' command\r\n");
    refuses_time("EXAT", "9223372036854776",
                 "-ERR invalid expire time in 'set' command\r\n");
    refuses_time("PXAT", "9223372036854775807", "+OK\r\n");
    expect(&f, "$1\r\n1\r\n", "GET", "a");
}
END_TEST

START_TEST(set_in_the_past_deletes)
{
    expect(&f, "+OK\r\n", "SET", "a", "1");
    expect(&f, "+OK\r\n", "SET", "a", "2", "PXAT", "1");
    expect(&f, NULL2, "GET", "a");
    expect(&f, "+OK\r\n", "SET", "a", "2", "EXAT", "1799999999");
    expect(&f, NULL2, "GET", "a");
    expect(&f, "+OK\r\n", "SET", "a", "2", "EXAT", "1800000001");
    expect(&f, ":1\r\n", "TTL", "a");
    fake_clock_advance(&f.clock, 999);
    expect(&f, "$1\r\n2\r\n", "GET", "a");
    fake_clock_advance(&f.clock, 1);
    expect(&f, NULL2, "GET", "a");
}
END_TEST

START_TEST(short_forms_of_set)
{
    expect(&f, "+OK\r\n", "SETEX", "a", "10", "1");
    expect(&f, ":10000\r\n", "PTTL", "a");
    expect(&f, "+OK\r\n", "PSETEX", "a", "10", "2");
    expect(&f, ":10\r\n", "PTTL", "a");
    expect(&f, ":0\r\n", "SETNX", "a", "3");
    fake_clock_advance(&f.clock, 10);
    expect(&f, ":1\r\n", "SETNX", "a", "3");
    expect(&f, "$1\r\n3\r\n", "GET", "a");
    expect(&f, "-ERR invalid expire time in 'setex' command\r\n", "SETEX", "a",
           "0", "1");
    expect(&f, "-ERR invalid expire time in 'psetex' command\r\n", "PSETEX",
           "a", "-1", "1");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "SETEX", "a",
           "x", "1");
}
END_TEST

/* ---- GETEX, GETDEL, DELEX ---- */

START_TEST(getex_gives_time)
{
    expect_both(&f, NULL2, NULL3, "GETEX", "a", "EX", "10");
    expect(&f, "+OK\r\n", "SET", "a", "v");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a");
    expect(&f, ":-1\r\n", "TTL", "a");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a", "ex", "10");
    expect(&f, ":10\r\n", "TTL", "a");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a", "PXAT", "1800000005000");
    expect(&f, ":5\r\n", "TTL", "a");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a");
    expect(&f, ":5\r\n", "TTL", "a");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a", "Persist");
    expect(&f, ":-1\r\n", "TTL", "a");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a", "PERSIST");
    expect(&f, "$1\r\nv\r\n", "GETEX", "a", "EXAT", "1");
    expect(&f, ":0\r\n", "EXISTS", "a");
}
END_TEST

START_TEST(getex_refuses)
{
    static const char invalid[] =
        "-ERR invalid expire time in 'getex' command\r\n";

    expect(&f, NULL2, "GETEX", "a", "EX", "0");
    expect(&f, NULL2, "GETEX", "a", "EX", "x");
    expect(&f, "+OK\r\n", "SET", "a", "v");
    expect(&f, invalid, "GETEX", "a", "EX", "0");
    expect(&f, invalid, "GETEX", "a", "PX", "9223372036854775807");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "GETEX", "a",
           "EX", "x");
    expect(&f, SYNTAX, "GETEX", "a", "EX");
    expect(&f, SYNTAX, "GETEX", "a", "EX", "1", "PERSIST");
    expect(&f, SYNTAX, "GETEX", "a", "PERSIST", "EX", "1");
    expect(&f, SYNTAX, "GETEX", "a", "NX");
    expect(&f, SYNTAX, "GETEX", "a", "KEEPTTL");
    expect(&f, ":-1\r\n", "TTL", "a");
}
END_TEST

START_TEST(getdel_takes)
{
    expect_both(&f, NULL2, NULL3, "GETDEL", "a");
    expect(&f, "+OK\r\n", "SET", "a", "v");
    expect(&f, "$1\r\nv\r\n", "GETDEL", "a");
    expect(&f, NULL2, "GETDEL", "a");
}
END_TEST

START_TEST(delex_compares)
{
    expect(&f, ":0\r\n", "DELEX", "a");
    expect(&f, ":0\r\n", "DELEX", "a", "IFEQ", "v");
    expect(&f, "+OK\r\n", "SET", "a", "v");
    expect(&f, ":0\r\n", "DELEX", "a", "IFEQ", "w");
    expect(&f, "$1\r\nv\r\n", "GET", "a");
    expect(&f, ":1\r\n", "DELEX", "a", "ifeq", "v");
    expect(&f, NULL2, "GET", "a");
    expect(&f, "+OK\r\n", "SET", "a", "v");
    expect(&f, SYNTAX, "DELEX", "a", "IFXX", "v");
    expect(&f, "-ERR wrong number of arguments for 'delex' command\r\n",
           "DELEX", "a", "IFEQ");
    expect(&f, ":1\r\n", "DELEX", "a");
}
END_TEST

/* ---- several keys ---- */

START_TEST(mget_and_mset)
{
    expect_both(&f, "*2\r\n$-1\r\n$-1\r\n", "*2\r\n_\r\n_\r\n", "MGET", "a",
                "b");
    expect(&f, "+OK\r\n", "MSET", "a", "1", "b", "2");
    expect(&f, "*3\r\n$1\r\n1\r\n$-1\r\n$1\r\n2\r\n", "MGET", "a", "no", "b");
    expect(&f, "+OK\r\n", "MSET", "a", "3", "a", "4");
    expect(&f, "*1\r\n$1\r\n4\r\n", "MGET", "a");
    expect(&f, "+OK\r\n", "SETEX", "a", "10", "x");
    expect(&f, "+OK\r\n", "MSET", "a", "5");
    expect(&f, ":-1\r\n", "TTL", "a");
    expect(&f, "-ERR wrong number of arguments for 'mset' command\r\n", "MSET",
           "a", "1", "b");
}
END_TEST

START_TEST(msetnx_sets_all_or_none)
{
    expect(&f, ":1\r\n", "MSETNX", "a", "1", "b", "2", "a", "3");
    expect(&f, "$1\r\n3\r\n", "GET", "a");
    expect(&f, ":0\r\n", "MSETNX", "c", "1", "b", "x");
    expect(&f, "*2\r\n$-1\r\n$1\r\n2\r\n", "MGET", "c", "b");
    expect(&f, "-ERR wrong number of arguments for 'msetnx' command\r\n",
           "MSETNX", "a", "1", "b");
}
END_TEST

/* A host that counts how often it was asked, and sends. */
struct host {
    size_t asked, most;
};

static bool
send(void *ctx, bool all)
{
    struct host *host = ctx;
    const size_t waits = outbox_pending(&f.out);

    host->asked++;
    host->most = waits > host->most ? waits : host->most;
    if (all || waits >= 65536)
        outbox_sent(&f.out, waits);
    return true;
}

/* The reply of 50,000 values is never in memory as a whole. */
START_TEST(mget_is_sent_while_it_is_made)
{
    enum {
        KEYS = 50000
    };
    static struct slice words[KEYS + 1];
    static char room[100];
    const struct slice set[] = {SLICE_LITERAL("SET"), SLICE_LITERAL("a"),
                                filled(room, sizeof room, 'x')};
    const struct resp_command mget = {words, KEYS + 1};
    struct host host = {0};
    const struct session_host ops = {.send = send, .ctx = &host};
    uint64_t before;

    ck_assert(slice_is(resp_say_words(&f, set, 3), "+OK\r\n"));
    words[0] = slice_of_string("MGET");
    for (size_t i = 1; i <= KEYS; i++)
        words[i] = slice_of_string("a");
    f.session.host = &ops;
    before = outbox_sent_total(&f.out);
    ck_assert_int_eq(outbox_reserve(&f.out, 1024), MZ_OK);
    resp_run(&f.session, f.client, &mget, &f.out);
    ck_assert(!outbox_failed(&f.out));
    ck_assert_uint_ge(host.asked, KEYS);
    ck_assert_uint_lt(host.most, 100000);
    ck_assert_uint_eq(outbox_sent_total(&f.out) - before +
                          outbox_pending(&f.out),
                      8 + KEYS * (size_t)(6 + 100 + 2));
    f.session.host = NULL;
}
END_TEST

/* ---- limits ---- */

START_TEST(large_values_are_lent)
{
    static char room[REPLY_LEND_MIN];
    const struct slice value = filled(room, sizeof room, 'x');
    const struct slice set[] = {SLICE_LITERAL("SET"), SLICE_LITERAL("a"),
                                value};
    const struct slice get[] = {SLICE_LITERAL("GET"), SLICE_LITERAL("a")};
    const struct slice del[] = {SLICE_LITERAL("DEL"), SLICE_LITERAL("a")};
    const struct resp_command command = {get, 2};

    ck_assert(slice_is(resp_say_words(&f, set, 3), "+OK\r\n"));
    ck_assert_int_eq(outbox_reserve(&f.out, 1024), MZ_OK);
    resp_run(&f.session, f.client, &command, &f.out);
    ck_assert_uint_eq(f.out.lent_count, 1);
    /* The value may go while it waits to be sent. */
    (void)resp_say_words(&f, del, 2);
    ck_assert_uint_eq(f.said.len, 8 + sizeof room + 2 + 4);
    ck_assert_int_eq(memcmp(f.said.data, "$16384\r\n", 8), 0);
    ck_assert_int_eq(memcmp(f.said.data + 8, room, sizeof room), 0);
    ck_assert_str_eq(f.said.data + 8 + sizeof room, "\r\n:1\r\n");
}
END_TEST

START_TEST(too_large_values_change_nothing)
{
    static const char want[] = "-ERR value is larger than max-value\r\n";

    f.service.max_value = 4;
    expect(&f, "+OK\r\n", "SET", "a", "1234");
    expect(&f, want, "SET", "a", "12345");
    expect(&f, want, "SET", "a", "12345", "GET", "EX", "5");
    expect(&f, want, "SETEX", "a", "5", "12345");
    expect(&f, want, "PSETEX", "a", "5", "12345");
    expect(&f, want, "SETNX", "b", "12345");
    expect(&f, want, "GETSET", "a", "12345");
    expect(&f, want, "MSET", "a", "1", "b", "12345");
    expect(&f, want, "MSETNX", "b", "1", "c", "12345");
    expect(&f, "*3\r\n$4\r\n1234\r\n$-1\r\n$-1\r\n", "MGET", "a", "b", "c");
    expect(&f, ":-1\r\n", "TTL", "a");
}
END_TEST

START_TEST(too_long_keys_are_refused)
{
    static const char want[] = "-ERR key is longer than 65535 bytes\r\n";
    static char room[65536];
    const struct slice key = filled(room, sizeof room, 'k');
    const struct slice fits = slice_of(room, 65535);
    const struct slice a = SLICE_LITERAL("a");
    const struct slice get[] = {SLICE_LITERAL("GET"), key};
    const struct slice mset[] = {SLICE_LITERAL("MSET"), a, a, key, a};
    const struct slice mget[] = {SLICE_LITERAL("MGET"), a, key};
    const struct slice set[] = {SLICE_LITERAL("SET"), fits, key};

    ck_assert(slice_is(resp_say_words(&f, get, 2), want));
    ck_assert(slice_is(resp_say_words(&f, mset, 5), want));
    ck_assert(slice_is(resp_say_words(&f, mget, 3), want));
    ck_assert(slice_is(resp_say_words(&f, set, 3), "+OK\r\n"));
    expect(&f, NULL2, "GET", "a");
}
END_TEST

/* Every allocation of a command fails once: it is refused and has changed
 * nothing, or it has worked. */
static void
survives_want_of_memory(const struct slice *words, size_t count,
                        const char *want, const char *a_before)
{
    for (size_t n = 1;; n++) {
        struct chaos chaos;
        struct slice reply;

        expect(&f, "+OK\r\n", "SET", "a", a_before);
        expect(&f, ":1\r\n", "DELEX", "a", "IFEQ", a_before);
        expect(&f, "+OK\r\n", "SET", "a", a_before);
        outbox_shrink(&f.out);
        ck_assert_int_eq(outbox_reserve(&f.out, 2048), MZ_OK);
        ck_assert_int_eq(buf_reserve(&f.said, 1 << 20), MZ_OK);
        chaos_begin(&chaos, n);
        reply = resp_say_words(&f, words, count);
        if (!chaos_end(&chaos)) {
            ck_assert(slice_is(reply, want));
            break;
        }
        ck_assert(slice_is(reply, "-OOM out of memory, try again later\r\n") ||
                  slice_is(reply, want));
        if (reply.data[0] == '-')
            expect(&f, ":1\r\n", "DELEX", "a", "IFEQ", a_before);
    }
}

START_TEST(no_memory)
{
    const struct slice a = SLICE_LITERAL("a"), b = SLICE_LITERAL("b");
    const struct slice set[] = {SLICE_LITERAL("SET"), a, b};
    const struct slice set_get[] = {SLICE_LITERAL("SET"), a, b,
                                    SLICE_LITERAL("GET")};
    const struct slice getset[] = {SLICE_LITERAL("GETSET"), a, b};
    const struct slice getdel[] = {SLICE_LITERAL("GETDEL"), a};
    const struct slice getex[] = {SLICE_LITERAL("GETEX"), a,
                                  SLICE_LITERAL("EX"), SLICE_LITERAL("9")};
    const struct slice mset[] = {SLICE_LITERAL("MSETNX"), a, a, b, b};

    survives_want_of_memory(set, 3, "+OK\r\n", "old");
    survives_want_of_memory(set_get, 4, "$3\r\nold\r\n", "old");
    survives_want_of_memory(getset, 3, "$3\r\nold\r\n", "old");
    survives_want_of_memory(getdel, 2, "$3\r\nold\r\n", "old");
    survives_want_of_memory(getex, 4, "$3\r\nold\r\n", "old");
    survives_want_of_memory(mset, 5, ":0\r\n", "old");
}
END_TEST

START_TEST(native_values_are_their_json)
{
    put_natively("a", "{\"n\":[1, 2]}");
    expect(&f, "$12\r\n{\"n\":[1, 2]}\r\n", "GET", "a");
    expect(&f, "$12\r\n{\"n\":[1, 2]}\r\n", "SET", "a", "x", "GET", "IFEQ",
           "{\"n\":[1, 2]}");
    expect(&f, "$1\r\nx\r\n", "GET", "a");
    ck_assert_int_eq(kind_of("a"), VALUE_BYTES);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, what_is_set_is_got);
    tcase_add_test(tc, values_hold_any_bytes);
    tcase_add_test(tc, databases_are_apart);
    tcase_add_test(tc, conditions_of_set);
    tcase_add_test(tc, set_tells_what_was_there);
    tcase_add_test(tc, options_in_any_order);
    tcase_add_test(tc, options_that_are_wrong);
    tcase_add_test(tc, times_that_are_wrong);
    tcase_add_test(tc, set_in_the_past_deletes);
    tcase_add_test(tc, short_forms_of_set);
    tcase_add_test(tc, getex_gives_time);
    tcase_add_test(tc, getex_refuses);
    tcase_add_test(tc, getdel_takes);
    tcase_add_test(tc, delex_compares);
    tcase_add_test(tc, mget_and_mset);
    tcase_add_test(tc, msetnx_sets_all_or_none);
    tcase_add_test(tc, mget_is_sent_while_it_is_made);
    tcase_add_test(tc, large_values_are_lent);
    tcase_add_test(tc, too_large_values_change_nothing);
    tcase_add_test(tc, too_long_keys_are_refused);
    tcase_add_test(tc, no_memory);
    tcase_add_test(tc, native_values_are_their_json);
}

TEST_MAIN("resp_strings", fill)
