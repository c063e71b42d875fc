/* SPDX-License-Identifier: MIT
 *
 * resp_pubsub_test.c - subscribing and publishing, without a network.
 */
#include "service/resp_pubsub.h"

#include "chaos.h"
#include "resp_fixture.h"
#include "suite.h"

#include <string.h>

#define OK "+OK\r\n"
#define CONFINED(name)                                                         \
    "-ERR Can't execute '" name                                                \
    "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "     \
    "allowed in this context\r\n"
#define MESSAGE "3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\nhi\r\n"

static struct resp_fixture f;

static void
set_up(void)
{
    resp_fixture_init(&f);
}

static void
tear_down(void)
{
    resp_fixture_fini(&f);
}

/* What its connection would send by itself. */
static void
delivers(const char *want)
{
    struct outbox out;

    outbox_init(&out);
    while (resp_client_deliver(f.client, &out))
        continue;
    ck_assert_msg(slice_is(buf_slice(&out.bytes), want), "%.*s",
                  (int)out.bytes.len, out.bytes.data);
    outbox_fini(&out);
}

/* By somebody else. */
static void
publish(const char *channel, const char *message)
{
    struct resp_client *client = f.client;
    struct resp_client *publisher;

    ck_assert_int_eq(resp_client_new(&f.service, &publisher), MZ_OK);
    f.client = publisher;
    ck_assert_int_eq(*resp_say(&f, "PUBLISH", channel, message, NULL).data,
                     ':');
    f.client = client;
    resp_client_free(publisher);
}

START_TEST(subscribes)
{
    expect(&f,
           "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n"
           "*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n"
           "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n",
           "SUBSCRIBE", "a", "b", "a");
    expect(&f, "*3\r\n$10\r\npsubscribe\r\n$1\r\n*\r\n:3\r\n", "psubscribe",
           "*");
    publish("a", "hi");
    delivers("*" MESSAGE "*4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$1\r\na\r\n"
             "$2\r\nhi\r\n");
    expect(&f, "*3\r\n$11\r\nunsubscribe\r\n$1\r\nb\r\n:2\r\n", "UNSUBSCRIBE",
           "b");
    expect(&f, "*3\r\n$11\r\nunsubscribe\r\n$1\r\nx\r\n:2\r\n", "UNSUBSCRIBE",
           "x");
    expect(&f, "*3\r\n$12\r\npunsubscribe\r\n$1\r\n*\r\n:1\r\n",
           "PUNSUBSCRIBE");
    ck_assert(resp_client_listens(f.client));
    expect(&f, "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n", "UNSUBSCRIBE");
    ck_assert(!resp_client_listens(f.client));
    expect(&f, "$-1\r\n", "GET", "a");
}
END_TEST

START_TEST(nothing_to_leave)
{
    expect_both(&f, "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n",
                ">3\r\n$11\r\nunsubscribe\r\n_\r\n:0\r\n", "UNSUBSCRIBE");
    expect_both(&f, "*3\r\n$12\r\npunsubscribe\r\n$-1\r\n:0\r\n",
                ">3\r\n$12\r\npunsubscribe\r\n_\r\n:0\r\n", "PUNSUBSCRIBE");
    expect_both(&f, "*3\r\n$11\r\nunsubscribe\r\n$1\r\nz\r\n:0\r\n",
                ">3\r\n$11\r\nunsubscribe\r\n$1\r\nz\r\n:0\r\n", "UNSUBSCRIBE",
                "z");
    (void)resp_say(&f, "PSUBSCRIBE", "p", NULL);
    expect(&f, "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:1\r\n", "UNSUBSCRIBE");
}
END_TEST

START_TEST(resp2_is_confined)
{
    (void)resp_say(&f, "SUBSCRIBE", "a", NULL);
    expect(&f, "*2\r\n$4\r\npong\r\n$0\r\n\r\n", "PING");
    expect(&f, "*2\r\n$4\r\npong\r\n$2\r\nhi\r\n", "PING", "hi");
    expect(&f, "-ERR wrong number of arguments for 'ping' command\r\n", "PING",
           "a", "b");
    expect(&f, CONFINED("get"), "GET", "a");
    expect(&f, CONFINED("multi"), "MULTI");
    expect(&f, CONFINED("hello"), "HELLO", "3");
    expect(&f, CONFINED("publish"), "PUBLISH", "a", "b");
    expect(&f, "-ERR unknown command 'NOSUCH', with args beginning with: \r\n",
           "NOSUCH");
    expect(&f, "-ERR wrong number of arguments for 'get' command\r\n", "GET");
    (void)resp_say(&f, "EXEC", NULL);
    ck_assert_mem_eq(f.said.data,
                     "-EXECABORT Transaction discarded because of: Can't", 50);
    expect(&f, "+RESET\r\n", "RESET");
    ck_assert(!resp_client_listens(f.client));
    expect(&f, "$-1\r\n", "GET", "a");
    (void)resp_say(&f, "SUBSCRIBE", "a", NULL);
    expect(&f, OK, "QUIT");
}
END_TEST

START_TEST(resp3_is_not)
{
    resp_speak(&f, 3);
    expect(&f, ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n", "SUBSCRIBE", "a");
    expect(&f, "_\r\n", "GET", "a");
    expect(&f, "+PONG\r\n", "PING");
    expect(&f, ":1\r\n", "PUBLISH", "a", "hi");
    delivers(">" MESSAGE);
    expect(&f, ">3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n", "UNSUBSCRIBE",
           "a");
}
END_TEST

/* What was sent before comes before the confirmation, and nothing after it. */
START_TEST(leaves_with_what_was_sent)
{
    (void)resp_say(&f, "SUBSCRIBE", "a", NULL);
    publish("a", "hi");
    expect(&f, "*" MESSAGE "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n",
           "UNSUBSCRIBE", "a");
    publish("a", "hi");
    delivers("");
}
END_TEST

START_TEST(inside_multi)
{
    expect(&f, OK, "MULTI");
    expect(&f, "+QUEUED\r\n", "SUBSCRIBE", "a");
    expect(&f, "+QUEUED\r\n", "PUBLISH", "a", "hi");
    expect(&f, "+QUEUED\r\n", "UNSUBSCRIBE");
    expect(&f,
           "*3\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n:1\r\n"
           "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n",
           "EXEC");
    delivers("*" MESSAGE);
    expect(&f, "$-1\r\n", "GET", "a");
}
END_TEST

START_TEST(pubsub)
{
    expect(&f, "*0\r\n", "PUBSUB", "CHANNELS");
    resp_speak(&f, 3);
    (void)resp_say(&f, "SUBSCRIBE", "a", "b1", "b2", NULL);
    (void)resp_say(&f, "PSUBSCRIBE", "x*", NULL);
    expect(&f, "*3\r\n$1\r\na\r\n$2\r\nb1\r\n$2\r\nb2\r\n", "PUBSUB",
           "channels");
    expect(&f, "*2\r\n$2\r\nb1\r\n$2\r\nb2\r\n", "PUBSUB", "CHANNELS", "b*");
    expect(
        &f,
        "-ERR unknown subcommand or wrong number of arguments for 'channels'."
        " Try PUBSUB HELP.\r\n",
        "PUBSUB", "channels", "a", "b");
    expect(&f, "*4\r\n$1\r\na\r\n:1\r\n$1\r\nx\r\n:0\r\n", "PUBSUB", "NUMSUB",
           "a", "x");
    expect(&f, "*0\r\n", "PUBSUB", "NUMSUB");
    expect(&f, ":1\r\n", "PUBSUB", "NUMPAT");
    expect(&f, "-ERR wrong number of arguments for 'pubsub|numpat' command\r\n",
           "PUBSUB", "NUMPAT", "x");
    expect(&f, "-ERR unknown subcommand 'nosuch'. Try PUBSUB HELP.\r\n",
           "PUBSUB", "nosuch");
}
END_TEST

START_TEST(no_shards)
{
    expect(&f,
           "-ERR unknown command 'SSUBSCRIBE', with args beginning with: 'a' "
           "\r\n",
           "SSUBSCRIBE", "a");
}
END_TEST

START_TEST(without_memory)
{
    /* what the test itself needs */
    ck_assert_int_eq(buf_reserve(&f.said, 65536), MZ_OK);
    ck_assert_int_eq(outbox_reserve(&f.out, 65536), MZ_OK);
    for (size_t n = 1;; n++) {
        struct chaos chaos;

        chaos_begin(&chaos, n);
        (void)resp_say(&f, "SUBSCRIBE", "a", NULL);
        if (!chaos_end(&chaos))
            break;
        if (f.said.data[0] == '-')
            ck_assert_mem_eq(f.said.data, "-OOM", 4);
        expect(&f, "+RESET\r\n", "RESET");
    }
    ck_assert_int_eq(f.said.data[0], '*');
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, subscribes);
    tcase_add_test(tc, nothing_to_leave);
    tcase_add_test(tc, resp2_is_confined);
    tcase_add_test(tc, resp3_is_not);
    tcase_add_test(tc, leaves_with_what_was_sent);
    tcase_add_test(tc, inside_multi);
    tcase_add_test(tc, pubsub);
    tcase_add_test(tc, no_shards);
    tcase_add_test(tc, without_memory);
}

TEST_MAIN("resp_pubsub", fill)
