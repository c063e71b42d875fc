/* SPDX-License-Identifier: MIT
 *
 * resp_connection_test.c - commands about the connection: HELLO and its kin,
 * and replies that CLIENT REPLY has dropped.
 */
#include "resp_fixture.h"

#include "suite.h"

#include <string.h>

#define MAP_2                                                                  \
    "$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n"          \
    "$5\r\nproto\r\n:2\r\n$2\r\nid\r\n:1\r\n$4\r\nmode\r\n$10\r\n"             \
    "standalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n"
#define MAP_3                                                                  \
    "$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n"          \
    "$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:1\r\n$4\r\nmode\r\n$10\r\n"             \
    "standalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n"

START_TEST(hello)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "*14\r\n" MAP_2, "HELLO");
    expect(&f, "%7\r\n" MAP_3, "hello", "3");
    expect(&f, "%7\r\n" MAP_3, "HELLO");
    expect(&f, "*14\r\n" MAP_2, "HELLO", "2", "AUTH", "default", "x", "SETNAME",
           "n");
    expect(&f, "$1\r\nn\r\n", "CLIENT", "GETNAME");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(hello_refuses)
{
    static const char no_number[] =
        "-ERR Protocol version is not an integer or out of range\r\n";
    static const char no_proto[] = "-NOPROTO unsupported protocol version\r\n";
    static const char no_user[] = "-WRONGPASS invalid username-password pair "
                                  "or user is disabled.\r\n";
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, no_number, "HELLO", "x");
    expect(&f, no_number, "HELLO", "");
    expect(&f, no_number, "HELLO", "02");
    expect(&f, no_proto, "HELLO", "1", "FOO");
    expect(&f, no_proto, "HELLO", "4");
    expect(&f, no_proto, "HELLO", "-1");
    expect(&f, "-ERR Syntax error in HELLO option 'foo'\r\n", "HELLO", "3",
           "foo");
    expect(&f, "-ERR Syntax error in HELLO option 'auth'\r\n", "HELLO", "3",
           "auth", "default");
    expect(&f, "-ERR Syntax error in HELLO option 'SETNAME'\r\n", "HELLO", "3",
           "SETNAME");
    /* Options take effect in their order. */
    expect(&f, no_user, "HELLO", "3", "AUTH", "bad", "x", "FOO");
    expect(&f,
           "-ERR Client names cannot contain spaces, newlines or special "
           "characters.\r\n",
           "HELLO", "3", "SETNAME", "a b", "AUTH", "bad", "x");
    ck_assert_uint_eq(f.client->proto, 2);
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(auth)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f,
           "-ERR AUTH <password> called without any password configured for "
           "the default user. Are you sure your configuration is correct?\r\n",
           "AUTH", "x");
    expect(&f, "+OK\r\n", "AUTH", "default", "x");
    expect(&f,
           "-WRONGPASS invalid username-password pair or user is disabled.\r\n",
           "AUTH", "bad", "x");
    expect(&f, "-ERR syntax error\r\n", "AUTH", "a", "b", "c");
    expect(&f, "-ERR wrong number of arguments for 'auth' command\r\n", "AUTH");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(select_a_database)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "+OK\r\n", "SELECT", "15");
    expect(&f, "-ERR DB index is out of range\r\n", "SELECT", "16");
    expect(&f, "-ERR DB index is out of range\r\n", "SELECT", "-1");
    expect(&f, "-ERR value is not an integer or out of range\r\n", "SELECT",
           "x");
    ck_assert_uint_eq(f.session.db, 15);
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(small_ones)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "+PONG\r\n", "PING");
    expect(&f, "$2\r\nhi\r\n", "ping", "hi");
    expect(&f, "-ERR wrong number of arguments for 'ping' command\r\n", "PING",
           "a", "b");
    expect(&f, "$0\r\n\r\n", "ECHO", "");
    expect(&f, "+OK\r\n", "READONLY");
    expect(&f, "+OK\r\n", "READWRITE");
    ck_assert(!f.session.quit);
    expect(&f, "+OK\r\n", "QUIT");
    ck_assert(f.session.quit);
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(reset)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    resp_say(&f, "HELLO", "3", "SETNAME", "n", NULL);
    expect(&f, "+OK\r\n", "SELECT", "3");
    expect(&f, "+OK\r\n", "CLIENT", "SETINFO", "LIB-NAME", "x");
    expect(&f, "", "CLIENT", "REPLY", "OFF");
    expect(&f, "+RESET\r\n", "RESET");
    expect(&f, "$-1\r\n", "CLIENT", "GETNAME");
    ck_assert_uint_eq(f.client->lib_name.len, 0);
    ck_assert_uint_eq(f.session.db, 0);
    expect(&f, ":1\r\n", "CLIENT", "ID");
    resp_fixture_fini(&f);
}
END_TEST

/* As redis-server does it, word by word. */
START_TEST(replies_dropped)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "", "CLIENT", "REPLY", "SKIP");
    expect(&f, "", "PING");
    expect(&f, "+PONG\r\n", "PING");
    expect(&f, "", "CLIENT", "REPLY", "OFF");
    expect(&f, "", "PING");
    expect(&f, "", "NOSUCH");
    expect(&f, "", "SET", "a", "1");
    expect(&f, "", "HELLO", "3");
    expect(&f, "", "CLIENT", "REPLY", "SKIP");
    expect(&f, "", "PING");
    expect(&f, "", "CLIENT", "REPLY", "foo");
    expect(&f, "+OK\r\n", "CLIENT", "REPLY", "ON");
    expect(&f, "$1\r\n1\r\n", "GET", "a");
    ck_assert_uint_eq(f.client->proto, 3);
    expect(&f, "", "CLIENT", "REPLY", "SKIP");
    expect(&f, "+OK\r\n", "CLIENT", "REPLY", "ON");
    expect(&f, "+PONG\r\n", "PING");
    expect(&f, "", "CLIENT", "REPLY", "SKIP");
    expect(&f, "", "CLIENT", "REPLY", "SKIP");
    expect(&f, "", "PING");
    expect(&f, "+PONG\r\n", "PING");
    expect(&f, "-ERR syntax error\r\n", "CLIENT", "REPLY", "foo");
    resp_fixture_fini(&f);
}
END_TEST

static bool
never_send(void *ctx, bool all)
{
    (void)all;
    ++*(int *)ctx;
    return true;
}

/* What is sent in pieces is not sent either, nor kept until the end. */
START_TEST(long_replies_dropped)
{
    struct resp_fixture f;
    int sent = 0;
    const struct session_host host = {.send = never_send, .ctx = &sent};
    char value[4097];

    resp_fixture_init(&f);
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (char key[] = "a"; key[0] <= 'z'; key[0]++)
        expect(&f, "+OK\r\n", "SET", key, value);
    f.session.host = &host;
    expect(&f, "", "CLIENT", "REPLY", "SKIP");
    expect(&f, "", "MGET", "a", "b", "c", "d", "e", "f", "g", "h", "i");
    expect(&f, "", "CLIENT", "REPLY", "OFF");
    expect(&f, "", "KEYS", "*");
    expect(&f, "", "COMMAND");
    ck_assert_int_eq(sent, 0);
    expect(&f, "+OK\r\n", "CLIENT", "REPLY", "ON");
    ck_assert_uint_gt(resp_say(&f, "MGET", "a", "b", NULL).len, 8192);
    ck_assert_int_gt(sent, 0);
    f.session.host = NULL;
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(faults_dropped)
{
    struct resp_fixture f;
    const struct fault fault = {.text = "wrong"};

    resp_fixture_init(&f);
    expect(&f, "", "CLIENT", "REPLY", "OFF");
    resp_refuse_request(&f.session, f.client, &fault, &f.out);
    ck_assert_uint_eq(outbox_pending(&f.out), 0);
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, hello);
    tcase_add_test(tc, hello_refuses);
    tcase_add_test(tc, auth);
    tcase_add_test(tc, select_a_database);
    tcase_add_test(tc, small_ones);
    tcase_add_test(tc, reset);
    tcase_add_test(tc, replies_dropped);
    tcase_add_test(tc, long_replies_dropped);
    tcase_add_test(tc, faults_dropped);
}

TEST_MAIN("resp_connection", fill)
