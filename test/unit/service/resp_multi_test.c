/* SPDX-License-Identifier: MIT
 *
 * resp_multi_test.c - transactions, without a network.
 */
#include "chaos.h"
#include "resp_fixture.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK        "+OK\r\n"
#define QUEUED    "+QUEUED\r\n"
#define ONE       "$1\r\n1\r\n"
#define NO_KEY    "$-1\r\n"
#define UNCHANGED "*-1\r\n"
#define EXEC_ABORT                                                             \
    "-EXECABORT Transaction discarded because of previous errors.\r\n"

static struct resp_fixture f;

/* A second client of the same server. */
static struct session other_session;
static struct resp_client *other_client;

static void
set_up(void)
{
    resp_fixture_init(&f);
    other_session =
        (struct session){.service = &f.service, .counters = &f.counters};
    ck_assert_int_eq(resp_client_new(&f.service, &other_client), MZ_OK);
}

static void
tear_down(void)
{
    resp_client_free(other_client);
    lease_holder_end(f.service.leases, &other_session.holder);
    resp_fixture_fini(&f);
}

/* From now on the other client speaks. */
static void
turn(void)
{
    struct session session = f.session;
    struct resp_client *client = f.client;

    f.session = other_session;
    f.client = other_client;
    other_session = session;
    other_client = client;
}

#define others_expect(...)                                                     \
    do {                                                                       \
        turn();                                                                \
        expect(&f, __VA_ARGS__);                                               \
        turn();                                                                \
    } while (0)

START_TEST(runs_the_queue)
{
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SET", "a", "1");
    expect(&f, QUEUED, "GET", "a");
    others_expect(NO_KEY, "GET", "a");
    expect(&f, "*2\r\n" OK ONE, "EXEC");
    others_expect(ONE, "GET", "a");
    expect(&f, "-ERR EXEC without MULTI\r\n", "EXEC");
    expect(&f, "-ERR DISCARD without MULTI\r\n", "DISCARD");
    expect(&f, OK, "MULTI");
    expect(&f, "*0\r\n", "EXEC");
}
END_TEST

START_TEST(words_are_any_bytes)
{
    const struct slice set[] = {SLICE_LITERAL("SET"), SLICE_LITERAL(""),
                                SLICE_LITERAL("a\0\r\n")};

    expect(&f, OK, "MULTI");
    ck_assert(slice_is(resp_say_words(&f, set, 3), QUEUED));
    expect(&f, QUEUED, "GET", "");
    ck_assert(slice_equal(resp_say(&f, "EXEC", NULL),
                          slice_of("*2\r\n+OK\r\n$4\r\na\0\r\n\r\n", 19)));
}
END_TEST

/* One that fails is an item, and the others run. */
START_TEST(an_error_is_an_item)
{
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SET", "a", "x");
    expect(&f, QUEUED, "INCR", "a");
    expect(&f, QUEUED, "SET", "b", "1");
    expect(&f,
           "*3\r\n" OK "-ERR value is not an integer or out of range\r\n" OK,
           "EXEC");
    expect(&f, ONE, "GET", "b");
}
END_TEST

START_TEST(a_refused_command_spoils_it)
{
    static const char *const wrong[][2] = {
        {"NOSUCH", "x"}, {"GET", NULL}, {"MULTI", "x"}};

    for (size_t i = 0; i < 3; i++) {
        expect(&f, OK, "MULTI");
        ck_assert_int_eq(*resp_say(&f, wrong[i][0], wrong[i][1], NULL).data,
                         '-');
        expect(&f, QUEUED, "SET", "a", "1");
        expect(&f, EXEC_ABORT, "EXEC");
        expect(&f, NO_KEY, "GET", "a");
        expect(&f, "-ERR EXEC without MULTI\r\n", "EXEC");
    }
}
END_TEST

START_TEST(what_multi_does_not_allow)
{
    expect(&f, OK, "MULTI");
    expect(&f, "-ERR MULTI calls can not be nested\r\n", "MULTI");
    expect(&f, "-ERR WATCH inside MULTI is not allowed\r\n", "WATCH", "a");
    expect(&f, QUEUED, "SET", "a", "1");
    expect(&f, "*1\r\n" OK, "EXEC");
    expect(&f,
           "-EXECABORT Transaction discarded because of: wrong number of "
           "arguments for 'exec' command\r\n",
           "EXEC", "x");
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SET", "a", "2");
    (void)resp_say(&f, "EXEC", "x", NULL);
    expect(&f, "-ERR EXEC without MULTI\r\n", "EXEC");
    expect(&f, ONE, "GET", "a");
}
END_TEST

START_TEST(discard_and_reset_forget_it)
{
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SET", "a", "0");
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SET", "a", "1");
    expect(&f, OK, "DISCARD");
    expect(&f, OK, "MULTI"); /* a is watched no more */
    expect(&f, "*0\r\n", "EXEC");
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SET", "a", "0");
    expect(&f, OK, "MULTI");
    expect(&f, "+RESET\r\n", "RESET");
    expect(&f, "-ERR EXEC without MULTI\r\n", "EXEC");
    expect(&f, OK, "MULTI");
    expect(&f, "*0\r\n", "EXEC");
}
END_TEST

START_TEST(quits_inside)
{
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SET", "a", "1");
    expect(&f, OK, "QUIT");
    ck_assert(f.session.quit);
}
END_TEST

/* The keys of later commands are in the database that is selected by then. */
START_TEST(select_counts_for_what_follows)
{
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SELECT", "3");
    for (char key[] = "a"; *key <= 'z'; ++*key)
        expect(&f, QUEUED, "SET", key, "1");
    expect(&f, QUEUED, "SELECT", "99");
    expect(&f, QUEUED, "GET", "a");
    expect(&f, QUEUED, "SELECT", "0");
    expect(&f, QUEUED, "GET", "a");
    (void)resp_say(&f, "EXEC", NULL);
    ck_assert(strstr(f.said.data, "out of range\r\n" ONE OK NO_KEY) != NULL);
    ck_assert_uint_eq(f.session.db, 0);
    expect(&f, OK, "SELECT", "3");
    expect(&f, ONE, "GET", "z");
}
END_TEST

START_TEST(speaks_resp3)
{
    resp_speak(&f, 3);
    expect(&f, OK, "WATCH", "a");
    others_expect(OK, "SET", "a", "1");
    expect(&f, OK, "MULTI");
    expect(&f, "_\r\n", "EXEC");
    resp_speak(&f, 2);
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "GET", "none");
    expect(&f, QUEUED, "HELLO", "3");
    expect(&f, QUEUED, "GET", "none");
    ck_assert(slice_equal(slice_of(resp_say(&f, "EXEC", NULL).data, 13),
                          slice_of_string("*3\r\n" NO_KEY "%7\r\n")));
    ck_assert_str_eq(f.said.data + f.said.len - 3, "_\r\n");
}
END_TEST

/* ---- WATCH ---- */

static void
exec_is(const char *want)
{
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "SET", "done", "1");
    expect(&f, want, "EXEC");
    /* whatever came of it, nothing is watched any more */
    expect(&f, OK, "MULTI");
    expect(&f, "*0\r\n", "EXEC");
}

START_TEST(a_watched_key_must_not_change)
{
    expect(&f, OK, "SET", "a", "1");
    expect(&f, OK, "WATCH", "a", "missing");
    exec_is("*1\r\n" OK);
    expect(&f, OK, "WATCH", "a", "missing");
    others_expect(OK, "SET", "a", "1"); /* the same, and yet written */
    exec_is(UNCHANGED);
    expect(&f, OK, "WATCH", "a", "missing");
    others_expect(OK, "SET", "missing", "1");
    exec_is(UNCHANGED);
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SET", "a", "1"); /* its own writes count */
    exec_is(UNCHANGED);
    expect(&f, OK, "WATCH", "a");
    others_expect(":1\r\n", "DEL", "a");
    others_expect(OK, "SET", "a", "1");
    exec_is(UNCHANGED);
    expect(&f, OK, "WATCH", "a");
    others_expect(OK, "FLUSHDB");
    exec_is(UNCHANGED);
}
END_TEST

START_TEST(a_watched_key_must_not_expire)
{
    expect(&f, OK, "SET", "a", "1", "PX", "50");
    expect(&f, OK, "WATCH", "a");
    fake_clock_advance(&f.clock, 51);
    exec_is(UNCHANGED);
    expect(&f, OK, "WATCH", "a"); /* gone already */
    fake_clock_advance(&f.clock, 51);
    exec_is("*1\r\n" OK);
}
END_TEST

/* The first WATCH of a key decides; the database is that of WATCH. */
START_TEST(watches_add_up)
{
    expect(&f, OK, "WATCH", "a");
    others_expect(OK, "SET", "a", "1");
    expect(&f, OK, "WATCH", "a", "b");
    exec_is(UNCHANGED);
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SELECT", "1");
    expect(&f, OK, "SET", "a", "1");
    exec_is("*1\r\n" OK);
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SELECT", "0");
    exec_is("*1\r\n" OK);
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SET", "a", "1");
    expect(&f, OK, "UNWATCH");
    exec_is("*1\r\n" OK);
}
END_TEST

START_TEST(unwatch_inside_is_queued)
{
    expect(&f, OK, "WATCH", "a");
    expect(&f, OK, "SET", "a", "1");
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "UNWATCH");
    expect(&f, UNCHANGED, "EXEC");
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "UNWATCH");
    expect(&f, "*1\r\n" OK, "EXEC");
}
END_TEST

/* ---- whole databases, bounds, memory ---- */

START_TEST(whole_databases_between)
{
    expect(&f, OK, "SET", "old", "1");
    expect(&f, OK, "WATCH", "old");
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "DBSIZE");
    expect(&f, QUEUED, "SET", "a", "1");
    expect(&f, QUEUED, "DBSIZE");
    expect(&f, QUEUED, "DBSIZE");
    expect(&f, QUEUED, "GET", "a");
    expect(&f, QUEUED, "FLUSHDB");
    expect(&f, "*6\r\n:1\r\n" OK ":2\r\n:2\r\n" ONE OK, "EXEC");
    expect(&f, ":0\r\n", "DBSIZE");
    expect(&f, OK, "WATCH", "old");
    expect(&f, OK, "SET", "old", "2");
    expect(&f, OK, "MULTI");
    expect(&f, QUEUED, "FLUSHDB");
    expect(&f, UNCHANGED, "EXEC");
    expect(&f, ":1\r\n", "DBSIZE");
}
END_TEST

/* Nobody sends while others wait for the hold. */
static bool
send_nothing(void *ctx, bool all)
{
    (void)ctx;
    (void)all;
    ck_abort_msg("it sends within a hold");
}

START_TEST(nothing_is_sent_within_a_hold)
{
    const struct session_host host = {.send = send_nothing};
    size_t len = 0;
    char *value = malloc(8193);

    memset(value, 'v', 8192);
    value[8192] = '\0';
    expect(&f, OK, "SET", "a", value);
    expect(&f, OK, "MULTI");
    for (int i = 0; i < 40; i++)
        expect(&f, QUEUED, "MGET", "a", "a", "a");
    f.session.host = &host;
    len = resp_say(&f, "EXEC", NULL).len;
    f.session.host = NULL;
    ck_assert_uint_gt(len, 40 * 3 * 8192);
    free(value);
}
END_TEST

START_TEST(a_queue_is_bounded)
{
    size_t queued = 0;
    char *value = malloc(RESP_FIXTURE_MAX_VALUE);

    memset(value, 'v', RESP_FIXTURE_MAX_VALUE - 1);
    value[RESP_FIXTURE_MAX_VALUE - 1] = '\0';
    expect(&f, OK, "MULTI");
    while (slice_is(resp_say(&f, "SET", "a", value, NULL), QUEUED))
        queued++;
    ck_assert_str_eq(f.said.data, "-ERR transaction is too large\r\n");
    ck_assert_uint_eq(queued, 7);
    expect(&f, EXEC_ABORT, "EXEC");
    /* many short commands are long as well */
    expect(&f, OK, "MULTI");
    queued = 0;
    while (slice_is(resp_say(&f, "PING", NULL), QUEUED))
        queued++;
    ck_assert_str_eq(f.said.data, "-ERR transaction is too large\r\n");
    ck_assert_uint_lt(queued, 2 * RESP_FIXTURE_MAX_REQUEST / 24);
    expect(&f, OK, "DISCARD");
    free(value);
}
END_TEST

START_TEST(watches_are_bounded)
{
    char *name = malloc(60001);
    size_t watched = 0;

    memset(name, 'n', 60000);
    name[60000] = '\0';
    while (slice_is(resp_say(&f, "WATCH", name, NULL), OK))
        watched++;
    ck_assert_str_eq(f.said.data, "-ERR too many keys are watched\r\n");
    ck_assert_uint_eq(watched, 2 * RESP_FIXTURE_MAX_REQUEST / 60024);
    expect(&f, OK, "UNWATCH");
    expect(&f, OK, "WATCH", name);
    free(name);
}
END_TEST

/* Out of memory at any moment: refused as a whole, or an error in its place. */
START_TEST(without_memory)
{
    /* what the test itself needs */
    ck_assert_int_eq(buf_reserve(&f.said, 65536), MZ_OK);
    ck_assert_int_eq(outbox_reserve(&f.out, 65536), MZ_OK);
    for (size_t n = 1;; n++) {
        struct chaos chaos;
        bool spoiled, ran;
        int count = 0;

        chaos_begin(&chaos, n);
        spoiled = !slice_is(resp_say(&f, "WATCH", "w", NULL), OK);
        if (!spoiled)
            spoiled = !slice_is(resp_say(&f, "MULTI", NULL), OK);
        if (spoiled) {
            ck_assert(chaos_end(&chaos));
            ck_assert_mem_eq(f.said.data, "-OOM", 4);
            continue;
        }
        spoiled |= !slice_is(resp_say(&f, "SET", "a", "1", NULL), QUEUED);
        spoiled |= !slice_is(resp_say(&f, "DBSIZE", NULL), QUEUED);
        spoiled |= !slice_is(resp_say(&f, "SET", "b", "1", NULL), QUEUED);
        ran = *resp_say(&f, "EXEC", NULL).data == '*';
        if (!chaos_end(&chaos)) {
            ck_assert(ran && !spoiled);
            ck_assert_uint_gt(n, 8);
            break;
        }
        if (spoiled)
            ck_assert_str_eq(f.said.data, EXEC_ABORT);
        for (size_t i = 0; i < f.said.len; i++)
            count += f.said.data[i] == '\n';
        ck_assert_int_eq(count, ran ? 4 : 1);
        expect(&f, "-ERR EXEC without MULTI\r\n", "EXEC");
        expect(&f, OK, "FLUSHDB");
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, runs_the_queue);
    tcase_add_test(tc, words_are_any_bytes);
    tcase_add_test(tc, an_error_is_an_item);
    tcase_add_test(tc, a_refused_command_spoils_it);
    tcase_add_test(tc, what_multi_does_not_allow);
    tcase_add_test(tc, discard_and_reset_forget_it);
    tcase_add_test(tc, quits_inside);
    tcase_add_test(tc, select_counts_for_what_follows);
    tcase_add_test(tc, speaks_resp3);
    tcase_add_test(tc, a_watched_key_must_not_change);
    tcase_add_test(tc, a_watched_key_must_not_expire);
    tcase_add_test(tc, watches_add_up);
    tcase_add_test(tc, unwatch_inside_is_queued);
    tcase_add_test(tc, whole_databases_between);
    tcase_add_test(tc, nothing_is_sent_within_a_hold);
    tcase_add_test(tc, a_queue_is_bounded);
    tcase_add_test(tc, watches_are_bounded);
    tcase_add_test(tc, without_memory);
}

TEST_MAIN("resp_multi", fill)
