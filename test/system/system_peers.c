/* SPDX-License-Identifier: MIT
 *
 * system_peers.c - CLIENT LIST and CLIENT KILL among real connections: what
 * they see of others is read while these come, go, and change.
 */
#include "resp_peer.h"
#include "serving.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct serving server;

static void
set_up(void)
{
    serving_start(&server, NULL);
}

static void
tear_down(void)
{
    serving_stop(&server);
}

/* The line of CLIENT LIST that has this text. */
static bool
lists(struct peer *p, const char *text)
{
    struct slice line;
    char want[128];
    bool found = false;

    snprintf(want, sizeof want, "%s", text);
    client_send_text(&p->client, "CLIENT LIST\r\n");
    ck_assert(client_line(&p->client, &line) && line.data[0] == '$');
    for (;;) {
        ck_assert(client_line(&p->client, &line));
        if (line.len <= 1) /* CR: the end of the bulk */
            return found;
        found |= memmem(line.data, line.len, want, strlen(want)) != NULL;
    }
}

START_TEST(sees_and_ends_others)
{
    struct peer a = {0}, b = {0};
    char id[32];

    peer_connect(&a, server.port);
    peer_connect(&b, server.port);
    peer_ask(&a, "+OK", "CLIENT", "SETNAME", "alice");
    peer_ask(&b, "+OK", "CLIENT", "SETNAME", "bob");
    peer_ask(&b, "+OK", "SELECT", "9");
    ck_assert(lists(&a, " name=bob "));
    ck_assert(lists(&a, " db=9 "));
    ck_assert(lists(&a, " cmd=select "));
    ck_assert(lists(&a, " cmd=client|list "));
    peer_say(&b, "CLIENT", "ID", NULL);
    snprintf(id, sizeof id, "%s", peer_hear(&b) + 1);
    peer_ask(&a, ":1", "CLIENT", "KILL", "ID", id);
    ck_assert_ptr_null(peer_hear(&b));
    peer_close(&b);
    while (lists(&a, " name=bob "))
        ;
    peer_ask(&a, ":0", "CLIENT", "KILL", "ID", id);
    peer_ask(&a, ":1", "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no");
    ck_assert_ptr_null(peer_hear(&a)); /* after its own reply */
    peer_close(&a);
}
END_TEST

/* ---- a crowd that comes, goes, and changes its names ---- */

#define CHANGERS 4
#ifdef MEMOIZER_SANITIZED
#define CHANGES 60
#else
#define CHANGES 300
#endif

static void *
change(void *arg)
{
    _Atomic int *left = arg;

    for (int i = 0; i < CHANGES; i++) {
        struct peer p = {0};
        char name[32];

        peer_connect(&p, server.port);
        for (int n = 0; n < 5; n++) {
            snprintf(name, sizeof name, "name-%d-%d", i, n);
            peer_ask(&p, "+OK", "CLIENT", "SETNAME", name);
            peer_ask(&p, "+OK", "CLIENT", "SETINFO", "LIB-NAME", name);
            peer_ask(&p, "+OK", "SELECT", n % 2 == 0 ? "3" : "4");
        }
        peer_ask(&p, "+RESET", "RESET");
        peer_close(&p);
    }
    atomic_fetch_sub(left, 1);
    return NULL;
}

START_TEST(looks_while_others_change)
{
    pthread_t threads[CHANGERS];
    _Atomic int left = CHANGERS;
    struct peer p = {0};
    size_t looks = 0;

    peer_connect(&p, server.port);
    for (int i = 0; i < CHANGERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, change, &left), 0);
    while (atomic_load(&left) > 0) {
        ck_assert(lists(&p, " cmd=client|list "));
        /* Nobody has this address: all are looked at, none is ended. */
        peer_ask(&p, ":0", "CLIENT", "KILL", "ADDR", "127.0.0.1:1");
        looks++;
    }
    for (int i = 0; i < CHANGERS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_uint_gt(looks, 10);
    peer_close(&p);
}
END_TEST

/* Two end each other, and whoever else there is, over and over: every command
 * is answered once, or the connection ends. */
static void *
end_others(void *arg)
{
    static const char command[] = "CLIENT KILL TYPE normal\r\n";

    (void)arg;
    for (int i = 0; i < CHANGES; i++) {
        struct peer p = {0};
        const char *reply;

        peer_connect(&p, server.port);
        client_send_some(&p.client, command, strlen(command));
        reply = peer_hear(&p);
        if (reply != NULL && reply[0] != ':')
            ck_abort_msg("reply is %s", reply);
        peer_close(&p);
    }
    return NULL;
}

START_TEST(ends_whoever_is_there)
{
    pthread_t threads[CHANGERS];

    for (int i = 0; i < CHANGERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, end_others, NULL),
                         0);
    for (int i = 0; i < CHANGERS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    serving_alive(&server);
}
END_TEST

/* Nothing of what was not wanted comes, however much it is. */
START_TEST(replies_dropped)
{
    struct peer p = {0};

    peer_connect(&p, server.port);
    client_send_text(&p.client, "CLIENT REPLY OFF\r\nSET a 1\r\n");
    for (int i = 0; i < 1000; i++)
        client_send_text(&p.client, "KEYS *\r\nGET a\r\nNOSUCH\r\nHELLO 3\r\n");
    client_send_text(&p.client, "CLIENT REPLY ON\r\n");
    peer_expect(&p, "+OK");
    client_send_text(&p.client, "CLIENT REPLY SKIP\r\nPING\r\nGET a\r\n");
    peer_expect(&p, "$1 1");
    peer_close(&p);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, sees_and_ends_others);
    tcase_add_test(tc, looks_while_others_change);
    tcase_add_test(tc, ends_whoever_is_there);
    tcase_add_test(tc, replies_dropped);
}

TEST_MAIN("system_peers", fill)
