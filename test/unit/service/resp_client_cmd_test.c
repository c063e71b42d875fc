/* SPDX-License-Identifier: MIT
 *
 * resp_client_cmd_test.c - CLIENT, with other connections that are made up.
 *
 * Real ones are in test/system/system_peers.c.
 */
#include "resp_fixture.h"

#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Three connections: that of the fixture is the first one. */
#define PEERS 3

struct peers {
    struct resp_client *client[PEERS];
    bool ended[PEERS];
};

static void
for_each(void *ctx,
         bool (*visit)(void *visit_ctx, const struct service_client_view *view),
         void *visit_ctx)
{
    struct peers *peers = ctx;

    for (int i = 0; i < PEERS; i++) {
        char address[32];
        const struct service_client_view view = {peers->client[i], 10 + i,
                                                 address, "127.0.0.1:9091"};

        snprintf(address, sizeof address, "127.0.0.1:%d", 1000 + i);
        peers->ended[i] |= visit(visit_ctx, &view);
    }
}

static void
begin(struct resp_fixture *f, struct peers *peers)
{
    *peers = (struct peers){0};
    resp_fixture_init(f);
    peers->client[0] = f->client;
    for (int i = 1; i < PEERS; i++)
        ck_assert_int_eq(resp_client_new(&f->service, &peers->client[i]),
                         MZ_OK);
    f->service.peers = (struct service_clients){for_each, peers};
}

static void
end(struct resp_fixture *f, struct peers *peers)
{
    for (int i = 1; i < PEERS; i++)
        resp_client_free(peers->client[i]);
    resp_fixture_fini(f);
}

START_TEST(names)
{
    static const char bad_name[] =
        "-ERR Client names cannot contain spaces, newlines or special "
        "characters.\r\n";
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect_both(&f, "$-1\r\n", "_\r\n", "CLIENT", "GETNAME");
    expect(&f, "+OK\r\n", "client", "setname", "worker-1");
    expect(&f, "$8\r\nworker-1\r\n", "CLIENT", "GETNAME");
    expect(&f, bad_name, "CLIENT", "SETNAME", "a b");
    expect(&f, bad_name, "CLIENT", "SETNAME", "a\n");
    expect(&f, bad_name, "CLIENT", "SETNAME", "\xc3\xa4");
    expect(&f, "$8\r\nworker-1\r\n", "CLIENT", "GETNAME");
    expect(&f, "+OK\r\n", "CLIENT", "SETNAME", "");
    expect(&f, "$-1\r\n", "CLIENT", "GETNAME");
    expect(&f, ":1\r\n", "CLIENT", "ID");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(library)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "+OK\r\n", "CLIENT", "SETINFO", "lib-name", "redis-py");
    expect(&f, "+OK\r\n", "CLIENT", "SETINFO", "LIB-VER", "8.0");
    ck_assert(slice_is(buf_slice(&f.client->lib_name), "redis-py"));
    ck_assert(slice_is(buf_slice(&f.client->lib_version), "8.0"));
    expect(&f,
           "-ERR lib-name cannot contain spaces, newlines or special "
           "characters.\r\n",
           "CLIENT", "SETINFO", "LIB-NAME", "a b");
    expect(&f, "-ERR Unrecognized option 'x'\r\n", "CLIENT", "SETINFO", "x",
           "y");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(refuses)
{
    static const char *const unknown[] = {
        "TRACKING", "CACHING", "CAPA", "MAINT_NOTIFICATIONS",
        "PAUSE",    "UNPAUSE", "FOO"};
    struct resp_fixture f;
    char want[128];

    resp_fixture_init(&f);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        snprintf(want, sizeof want,
                 "-ERR unknown subcommand '%s'. Try CLIENT HELP.\r\n",
                 unknown[i]);
        expect(&f, want, "CLIENT", unknown[i]);
        expect(&f, want, "CLIENT", unknown[i], "on", "x");
    }
    expect(&f, "-ERR wrong number of arguments for 'client' command\r\n",
           "CLIENT");
    expect(&f,
           "-ERR wrong number of arguments for 'client|setname' command\r\n",
           "CLIENT", "SETNAME");
    expect(&f,
           "-ERR wrong number of arguments for 'client|getname' command\r\n",
           "CLIENT", "getname", "x");
    expect(&f, "+OK\r\n", "CLIENT", "NO-EVICT", "on");
    expect(&f, "+OK\r\n", "CLIENT", "NO-TOUCH", "OFF");
    expect(&f, "-ERR syntax error\r\n", "CLIENT", "NO-EVICT", "x");
    ck_assert(strncmp(resp_say(&f, "CLIENT", "HELP", NULL).data,
                      "*41\r\n+CLIENT <subcommand> ", 24) == 0);
    resp_fixture_fini(&f);
}
END_TEST

static void
line_of(char out[512], int peer, const char *cmd, int age, int idle,
        const char *name, const char *flags)
{
    snprintf(out, 512,
             "id=%d addr=127.0.0.1:%d laddr=127.0.0.1:9091 fd=%d name=%s "
             "age=%d idle=%d flags=%s db=0 sub=0 psub=0 ssub=0 multi=-1 qbuf=0 "
             "qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 "
             "omem=0 tot-mem=0 events=r cmd=%s user=default redir=-1 resp=2 "
             "lib-name= lib-ver=\n",
             peer + 1, 1000 + peer, 10 + peer, name, age, idle, flags, cmd);
}

START_TEST(lists)
{
    struct resp_fixture f;
    struct peers peers;
    char lines[PEERS][512], want[2048];

    begin(&f, &peers);
    fake_clock_advance(&f.clock, 5000);
    expect(&f, "+OK\r\n", "CLIENT", "SETNAME", "me");
    expect(&f, "+OK\r\n", "CLIENT", "NO-EVICT", "ON");
    resp_client_heard(f.client, clock_mono_ms(&f.clock.clock));
    line_of(lines[0], 0, "client|list", 5, 0, "me", "e");
    line_of(lines[1], 1, "NULL", 5, 5, "", "N");
    line_of(lines[2], 2, "NULL", 5, 5, "", "N");
    snprintf(want, sizeof want, "$%zu\r\n%s%s%s\r\n",
             strlen(lines[0]) + strlen(lines[1]) + strlen(lines[2]), lines[0],
             lines[1], lines[2]);
    expect(&f, want, "CLIENT", "LIST");
    expect(&f, want, "CLIENT", "LIST", "TYPE", "normal");
    snprintf(want, sizeof want, "$%zu\r\n%s%s\r\n",
             strlen(lines[0]) + strlen(lines[2]), lines[0], lines[2]);
    expect(&f, want, "CLIENT", "LIST", "ID", "3", "9", "1", "-1", "3");
    line_of(lines[0], 0, "client|info", 5, 0, "me", "e");
    snprintf(want, sizeof want, "$%zu\r\n%s\r\n", strlen(lines[0]), lines[0]);
    expect(&f, want, "CLIENT", "INFO");
    resp_speak(&f, 3);
    ck_assert(strncmp(resp_say(&f, "CLIENT", "INFO", NULL).data, "=", 1) == 0);
    resp_speak(&f, 2);
    expect(&f, "$0\r\n\r\n", "CLIENT", "LIST", "TYPE", "pubsub");
    expect(&f, "$0\r\n\r\n", "CLIENT", "LIST", "TYPE", "replica");
    expect(&f, "-ERR Unknown client type 'x'\r\n", "CLIENT", "LIST", "TYPE",
           "x");
    expect(&f, "-ERR Invalid client ID\r\n", "CLIENT", "LIST", "ID", "1", "x");
    expect(&f, "-ERR syntax error\r\n", "CLIENT", "LIST", "ID");
    expect(&f, "-ERR syntax error\r\n", "CLIENT", "LIST", "x");
    end(&f, &peers);
}
END_TEST

START_TEST(lists_what_others_do)
{
    struct resp_fixture f;
    struct peers peers;
    struct resp_shown *shown;
    const char *reply;

    begin(&f, &peers);
    shown = &peers.client[1]->shown;
    atomic_store(&shown->db, 7);
    atomic_store(&shown->proto, 3);
    atomic_store(&shown->channels, 2);
    atomic_store(&shown->patterns, 1);
    atomic_store(&shown->queued, 4);
    atomic_store(&shown->command, "CONFIG");
    atomic_store(&shown->subcommand, "get");
    ck_assert_int_eq(resp_client_rename(peers.client[1],
                                        &peers.client[1]->lib_name,
                                        slice_of_string("x")),
                     MZ_OK);
    reply = resp_say(&f, "CLIENT", "LIST", "TYPE", "PUBSUB", NULL).data;
    ck_assert_ptr_nonnull(
        strstr(reply, " flags=Px db=7 sub=2 psub=1 ssub=0 multi=4 "));
    ck_assert_ptr_nonnull(strstr(reply, " cmd=config|get "));
    ck_assert_ptr_nonnull(strstr(reply, " resp=3 lib-name=x lib-ver=\n"));
    ck_assert_ptr_null(strstr(reply, "id=1 "));
    end(&f, &peers);
}
END_TEST

START_TEST(kills)
{
    struct resp_fixture f;
    struct peers peers;

    begin(&f, &peers);
    expect(&f, ":1\r\n", "CLIENT", "KILL", "ID", "2");
    ck_assert(peers.ended[1] && !peers.ended[2]);
    peers.ended[1] = false;
    expect(&f, ":0\r\n", "CLIENT", "KILL", "ID", "999");
    expect(&f, ":0\r\n", "CLIENT", "KILL", "ID", "1");
    expect(&f, ":0\r\n", "CLIENT", "KILL", "ADDR", "127.0.0.1:1001", "ID", "3");
    expect(&f, "+OK\r\n", "CLIENT", "KILL", "127.0.0.1:1002");
    ck_assert(!peers.ended[1] && peers.ended[2]);
    expect(&f, "-ERR No such client\r\n", "CLIENT", "KILL", "1.2.3.4:5");
    expect(&f, ":2\r\n", "CLIENT", "KILL", "LADDR", "127.0.0.1:9091", "TYPE",
           "normal", "USER", "default", "skipme", "YES");
    ck_assert(!f.session.quit);
    expect(&f, ":3\r\n", "CLIENT", "KILL", "SKIPME", "no");
    ck_assert(f.session.quit && !peers.ended[0]);
    end(&f, &peers);
}
END_TEST

START_TEST(kills_itself)
{
    struct resp_fixture f;
    struct peers peers;

    begin(&f, &peers);
    expect(&f, "+OK\r\n", "CLIENT", "KILL", "127.0.0.1:1000");
    ck_assert(f.session.quit && !peers.ended[0]);
    end(&f, &peers);
}
END_TEST

START_TEST(kill_refuses)
{
    static const char bad_id[] = "-ERR client-id should be greater than 0\r\n";
    static const char syntax[] = "-ERR syntax error\r\n";
    struct resp_fixture f;
    struct peers peers;

    begin(&f, &peers);
    expect(&f, "-ERR wrong number of arguments for 'client|kill' command\r\n",
           "CLIENT", "KILL");
    expect(&f, bad_id, "CLIENT", "KILL", "ID", "0");
    expect(&f, bad_id, "CLIENT", "KILL", "ID", "x");
    expect(&f, bad_id, "CLIENT", "KILL", "ID", "-1");
    expect(&f, syntax, "CLIENT", "KILL", "a", "b", "c");
    expect(&f, syntax, "CLIENT", "KILL", "foo", "bar");
    expect(&f, syntax, "CLIENT", "KILL", "ID", "1", "ADDR");
    expect(&f, syntax, "CLIENT", "KILL", "SKIPME", "foo");
    expect(&f, "-ERR Unknown client type 'x'\r\n", "CLIENT", "KILL", "TYPE",
           "x");
    expect(&f, "-ERR No such user 'x'\r\n", "CLIENT", "KILL", "USER", "x");
    for (int i = 0; i < PEERS; i++)
        ck_assert(!peers.ended[i]);
    end(&f, &peers);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, names);
    tcase_add_test(tc, library);
    tcase_add_test(tc, refuses);
    tcase_add_test(tc, lists);
    tcase_add_test(tc, lists_what_others_do);
    tcase_add_test(tc, kills);
    tcase_add_test(tc, kills_itself);
    tcase_add_test(tc, kill_refuses);
}

TEST_MAIN("resp_client_cmd", fill)
