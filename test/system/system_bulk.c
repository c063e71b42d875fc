/* SPDX-License-Identifier: MIT
 *
 * system_bulk.c - much at once in the Redis protocol: a million commands whose
 * replies nobody reads before the last one is sent, 50,000 keys in one command,
 * a scan while others delete.
 */
#include "resp_peer.h"
#include "serving.h"
#include "suite.h"
#include "talk.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY_KEYS 50000
#define BATCH     1000 /* commands that are sent together */

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

static void
send_batch(struct peer *p, struct buf *batch)
{
    ck_assert(!batch->failed);
    client_send(&p->client, batch->data, batch->len);
    batch->len = 0;
}

/* Sends SET key:from N ... without reading anything. */
static void
send_sets(struct peer *p, size_t from, size_t count)
{
    struct buf batch = {0};

    for (size_t i = 0; i < count; i++) {
        char number[24];
        const int digits = snprintf(number, sizeof number, "%zu", from + i);

        buf_printf(&batch, "*3\r\n$3\r\nSET\r\n$%d\r\nkey:%s\r\n$%d\r\n%s\r\n",
                   4 + digits, number, digits, number);
        if ((i + 1) % BATCH == 0 || i + 1 == count)
            send_batch(p, &batch);
    }
    buf_fini(&batch);
}

/* Sends a command of all keys. */
static void
send_keys(struct peer *p, const char *name, size_t from, size_t count)
{
    struct buf batch = {0};

    buf_printf(&batch, "*%zu\r\n$%zu\r\n%s\r\n", count + 1, strlen(name), name);
    for (size_t i = from; i < from + count; i++)
        buf_printf(&batch, "$%d\r\nkey:%zu\r\n",
                   4 + snprintf(NULL, 0, "%zu", i), i);
    send_batch(p, &batch);
    buf_fini(&batch);
}

static void
expect_times(struct peer *p, size_t count, const char *want)
{
    for (size_t i = 0; i < count; i++)
        peer_expect(p, want);
}

/* ---- replies that are read at the end ---- */

#define MILLION 1000000

/* 5 MB of replies wait. A client that sends like this could not go on, and
 * would be cut, if the server read no more while they wait. */
START_TEST(million_sets_before_the_first_reply_is_read)
{
    struct peer p;

    peer_connect(&p, server.port);
    for (int round = 0; round < 2; round++) { /* what was lent comes back */
        send_sets(&p, 0, MILLION);
        expect_times(&p, MILLION, "+OK");
    }
    peer_ask(&p, ":1000000", "DBSIZE");
    peer_ask(&p, "$6 765432", "GET", "key:765432");
    peer_close(&p);
}
END_TEST

/* The last ones are answered too when the client ends its side behind them. */
START_TEST(replies_after_the_end_of_input)
{
    struct peer p;

    peer_connect(&p, server.port);
    send_sets(&p, 0, MILLION / 2);
    client_end_input(&p.client);
    expect_times(&p, MILLION / 2, "+OK");
    client_expect_end(&p.client);
    peer_close(&p);
}
END_TEST

/* Sends without reading until it is cut. */
static void
send_until_cut(struct peer *p)
{
    static const char command[] = "PING 0123456789012345678901234567890123\r\n";
    struct buf batch = {0};
    size_t at = 0;

    while (batch.len < 256 << 10)
        buf_put(&batch, command, sizeof command - 1);
    ck_assert(!batch.failed);
    for (;;) {
        struct pollfd fd = {.fd = p->client.fd, .events = POLLOUT};

        ck_assert_int_gt(poll(&fd, 1, CLIENT_DEADLINE_MS), 0);
        if (fd.revents & (POLLERR | POLLHUP))
            break;
        at += client_send_some(&p->client, batch.data + at, batch.len - at);
        if (at == batch.len)
            at = 0;
    }
    buf_fini(&batch);
}

/* Some never read: they are cut, and what they had of the common allowance is
 * there for the next one. */
START_TEST(who_never_reads_gives_the_allowance_back)
{
    const char *const words[] = {"--write-timeout", "2s", NULL};
    struct serving s;
    struct peer p;

    serving_start(&s, words);
    for (int i = 0; i < 3; i++) {
        peer_connect(&p, s.port);
        send_until_cut(&p);
        peer_close(&p);
    }
    peer_connect(&p, s.port);
    send_sets(&p, 0, MILLION);
    expect_times(&p, MILLION, "+OK");
    peer_close(&p);
    serving_stop(&s);
}
END_TEST

/* ---- 50,000 keys ---- */

START_TEST(mget_and_del_of_50000_keys)
{
    struct peer p;
    char want[32];

    peer_connect(&p, server.port);
    send_sets(&p, 0, MANY_KEYS);
    expect_times(&p, MANY_KEYS, "+OK");
    peer_ask(&p, ":1", "DEL", "key:7");

    /* One key more than there are. */
    send_keys(&p, "MGET", 0, MANY_KEYS + 1);
    client_expect(&p.client, "*50001\r");
    for (size_t i = 0; i <= MANY_KEYS; i++) {
        const int digits = snprintf(NULL, 0, "%zu", i);

        if (i == 7 || i == MANY_KEYS)
            snprintf(want, sizeof want, "$-1");
        else
            snprintf(want, sizeof want, "$%d %zu", digits, i);
        peer_expect(&p, want);
    }
    send_keys(&p, "EXISTS", 0, MANY_KEYS + 1);
    peer_expect(&p, ":49999");
    send_keys(&p, "DEL", 0, MANY_KEYS / 2);
    peer_expect(&p, ":24999");
    send_keys(&p, "UNLINK", 0, MANY_KEYS + 1);
    peer_expect(&p, ":25000");
    peer_ask(&p, ":0", "DBSIZE");
    peer_close(&p);
}
END_TEST

/* ---- a scan while others delete ---- */

#ifdef MEMOIZER_SANITIZED
#define STAYING 2000
#define GOING   18000
#else
#define STAYING 20000
#define GOING   180000
#endif
#define GONE_AT_ONCE 100 /* keys of one DEL */

/* Keys from STAYING on go, the last one first, while `scanning`. */
static void *
delete_others(void *arg)
{
    _Atomic bool *scanning = arg;
    size_t left = GOING;
    struct peer p;

    peer_connect(&p, server.port);
    while (left > 0 && atomic_load(scanning)) {
        left -= GONE_AT_ONCE;
        send_keys(&p, "DEL", STAYING + left, GONE_AT_ONCE);
        peer_expect(&p, ":100");
    }
    peer_close(&p);
    return NULL;
}

/* Marks the keys of one page and puts the next cursor into `cursor`. */
static void
scan_page(struct peer *p, char *cursor, size_t cursor_size, uint8_t *seen)
{
    const char *reply;
    size_t count;

    peer_say(p, "SCAN", cursor, "COUNT", "50", NULL);
    client_expect(&p->client, "*2\r");
    reply = peer_hear(p);
    snprintf(cursor, cursor_size, "%s", strchr(reply, ' ') + 1);
    reply = peer_hear(p); /* "*2 $5 key:1 $5 key:2" */
    count = strtoull(reply + 1, NULL, 10);
    for (size_t i = 0; i < count; i++) {
        size_t number;

        reply = strstr(reply, " key:");
        ck_assert_ptr_nonnull(reply);
        number = strtoull(reply + 5, NULL, 10);
        ck_assert_uint_lt(number, STAYING + GOING);
        ck_assert_uint_eq(seen[number]++, 0); /* none twice */
        reply++;
    }
}

START_TEST(scan_names_every_key_that_stays)
{
    uint8_t *seen = calloc(STAYING + GOING, 1);
    _Atomic bool scanning = true;
    char cursor[32] = "0";
    pthread_t thread;
    struct peer p;

    ck_assert_ptr_nonnull(seen);
    peer_connect(&p, server.port);
    send_sets(&p, 0, STAYING + GOING);
    expect_times(&p, STAYING + GOING, "+OK");
    ck_assert_int_eq(pthread_create(&thread, NULL, delete_others, &scanning),
                     0);
    do
        scan_page(&p, cursor, sizeof cursor, seen);
    while (strcmp(cursor, "0") != 0);
    atomic_store(&scanning, false);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    for (size_t i = 0; i < STAYING; i++)
        ck_assert_uint_eq(seen[i], 1);
    free(seen);
    peer_close(&p);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, million_sets_before_the_first_reply_is_read);
    tcase_add_test(tc, replies_after_the_end_of_input);
    tcase_add_test(tc, who_never_reads_gives_the_allowance_back);
    tcase_add_test(tc, mget_and_del_of_50000_keys);
    tcase_add_test(tc, scan_names_every_key_that_stays);
}

TEST_MAIN("bulk", fill)
