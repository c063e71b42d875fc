/* SPDX-License-Identifier: MIT
 *
 * system_pubsub.c - messages over the network: none is lost or out of turn,
 * who does not read is cut and harms nobody, and anybody may end at any moment.
 */
#include "base/clock.h"
#include "base/must.h"
#include "resp_peer.h"
#include "serving.h"
#include "suite.h"
#include "talk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUBSCRIBERS = SERVING_SANITIZED ? 20 : 100,
    MESSAGES = SERVING_SANITIZED ? 1000 : 10000,
    COMERS = 4,
    ROUNDS = SERVING_SANITIZED ? 30 : 150
};

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

/* Waits until so many listen to the channel. */
static void
await_listeners(struct peer *p, const char *channel, int count)
{
    const int64_t deadline_ms =
        clock_mono_ms(clock_system()) + CLIENT_DEADLINE_MS;
    char want[64];
    const char *reply;

    snprintf(want, sizeof want, "*2 $%zu %s :%d", strlen(channel), channel,
             count);
    do {
        must(clock_mono_ms(clock_system()) < deadline_ms);
        peer_say(p, "PUBSUB", "NUMSUB", channel, NULL);
        reply = peer_hear(p);
        must(reply != NULL);
    } while (strcmp(reply, want) != 0);
}

/* ---- none is lost ---- */

static void *
hear_all(void *arg)
{
    struct peer *p = arg;
    char text[32], want[96];

    for (int i = 0; i < MESSAGES; i++) {
        snprintf(text, sizeof text, "message %d", i);
        snprintf(want, sizeof want, "*3 $7 message $4 news $%zu %s",
                 strlen(text), text);
        peer_expect(p, want);
    }
    return NULL;
}

START_TEST(none_is_lost)
{
    static struct peer subscribers[SUBSCRIBERS];
    pthread_t threads[SUBSCRIBERS];
    struct peer publisher;
    char text[32], want[16];

    for (int i = 0; i < SUBSCRIBERS; i++) {
        peer_connect(&subscribers[i], server.port);
        peer_ask(&subscribers[i], "*3 $9 subscribe $4 news :1", "SUBSCRIBE",
                 "news");
        must(pthread_create(&threads[i], NULL, hear_all, &subscribers[i]) == 0);
    }
    peer_connect(&publisher, server.port);
    snprintf(want, sizeof want, ":%d", SUBSCRIBERS);
    for (int i = 0; i < MESSAGES; i++) {
        snprintf(text, sizeof text, "message %d", i);
        peer_say(&publisher, "PUBLISH", "news", text, NULL);
        for (int k = 0; i % 100 == 99 && k < 100; k++)
            peer_expect(&publisher, want);
    }
    for (int i = 0; i < SUBSCRIBERS; i++) {
        must(pthread_join(threads[i], NULL) == 0);
        peer_ask(&subscribers[i], "*2 $4 pong $0 ", "PING");
        peer_close(&subscribers[i]);
    }
    await_listeners(&publisher, "news", 0);
    peer_close(&publisher);
}
END_TEST

/* ---- one that does not read ---- */

START_TEST(who_does_not_read_is_cut)
{
    enum {
        LEN = 65536,
        ENOUGH = 2000
    };
    char *text = malloc(LEN + 1);
    struct peer deaf, good, publisher;
    int sent = 0;

    memset(text, 't', LEN);
    text[LEN] = '\0';
    peer_connect(&deaf, server.port);
    peer_connect(&good, server.port);
    peer_connect(&publisher, server.port);
    peer_ask(&deaf, "*3 $9 subscribe $1 c :1", "SUBSCRIBE", "c");
    peer_ask(&good, "*3 $9 subscribe $1 c :1", "SUBSCRIBE", "c");
    for (;;) {
        const char *reply;

        peer_say(&publisher, "PUBLISH", "c", text, NULL);
        reply = peer_hear(&publisher);
        sent++;
        ck_assert_uint_gt(strlen(peer_hear(&good)), LEN);
        if (strcmp(reply, ":2") != 0) {
            ck_assert_str_eq(reply, ":1");
            break;
        }
        ck_assert_int_lt(sent, ENOUGH);
    }
    printf("cut after %d messages of 64 KiB\n", sent);
    ck_assert_int_gt(sent, 32 * 16 - 16);
    await_listeners(&publisher, "c", 1);
    peer_ask(&publisher, ":1", "PUBLISH", "c", "still");
    peer_expect(&good, "*3 $7 message $1 c $5 still");
    peer_reset(&deaf);
    peer_close(&good);
    peer_close(&publisher);
    free(text);
}
END_TEST

/* ---- RESP3, pipelines, waiting ---- */

START_TEST(resp3_goes_on_as_usual)
{
    struct peer p, publisher;

    peer_connect(&p, server.port);
    peer_connect(&publisher, server.port);
    peer_say(&p, "HELLO", "3", NULL);
    ck_assert_int_eq(*peer_hear(&p), '%');
    peer_say(&p, "SUBSCRIBE", "a", "b", NULL);
    peer_say(&p, "GET", "none", NULL);
    peer_expect(&p, ">3 $9 subscribe $1 a :1");
    peer_expect(&p, ">3 $9 subscribe $1 b :2");
    peer_expect(&p, "_");
    peer_ask(&publisher, ":1", "PUBLISH", "b", "x");
    peer_expect(&p, ">3 $7 message $1 b $1 x");
    peer_ask(&p, ":1", "PUBLISH", "a", "to myself");
    peer_expect(&p, ">3 $7 message $1 a $9 to myself");
    peer_ask(&p, ">3 $11 unsubscribe $1 a :1", "UNSUBSCRIBE", "a");
    peer_ask(&p, "+RESET", "RESET");
    peer_ask(&publisher, ":0", "PUBLISH", "b", "x");
    peer_ask(&p, "$-1", "GET", "none");
    peer_ask(&p, "*3 $9 subscribe $1 b :1", "SUBSCRIBE", "b");
    peer_ask(&publisher, ":1", "PUBLISH", "b", "x");
    peer_expect(&p, "*3 $7 message $1 b $1 x");
    peer_ask(&p, "+OK", "QUIT");
    ck_assert_ptr_null(peer_hear(&p));
    peer_close(&p);
    peer_close(&publisher);
}
END_TEST

/* A request in pieces, and messages between the pieces. */
START_TEST(messages_come_amid_a_request)
{
    struct peer p, publisher;

    peer_connect(&p, server.port);
    peer_connect(&publisher, server.port);
    peer_ask(&p, "*3 $9 subscribe $1 a :1", "SUBSCRIBE", "a");
    client_send_text(&p.client, "*1\r\n$4\r\nPI");
    for (int i = 0; i < 3; i++) {
        peer_ask(&publisher, ":1", "PUBLISH", "a", "x");
        peer_expect(&p, "*3 $7 message $1 a $1 x");
    }
    client_send_text(&p.client, "NG\r\n");
    peer_expect(&p, "*2 $4 pong $0 ");
    peer_close(&p);
    peer_close(&publisher);
}
END_TEST

/* The time-out of idle connections is not for those who listen. */
START_TEST(waits_for_ever)
{
    static const char *const options[] = {"--timeout", "2", NULL};
    struct serving other;
    struct peer idle, listener, publisher;

    serving_start(&other, options);
    peer_connect(&listener, other.port);
    peer_ask(&listener, "*3 $9 subscribe $1 a :1", "SUBSCRIBE", "a");
    peer_connect(&idle, other.port);
    peer_ask(&idle, "+PONG", "PING");
    ck_assert_ptr_null(peer_hear(&idle)); /* after two seconds */
    peer_connect(&publisher, other.port);
    peer_ask(&publisher, ":1", "PUBLISH", "a", "x");
    peer_expect(&listener, "*3 $7 message $1 a $1 x");
    peer_ask(&listener, "*2 $4 pong $0 ", "PING");
    peer_close(&listener);
    peer_close(&idle);
    peer_close(&publisher);
    serving_stop(&other);
}
END_TEST

/* ---- keyspace events ---- */

/* What a session framework waits for: a logout, and a time that is over. */
START_TEST(tells_what_becomes_of_keys)
{
    struct peer p, writer;

    peer_connect(&p, server.port);
    peer_connect(&writer, server.port);
    peer_ask(&writer, "+OK", "CONFIG", "SET", "notify-keyspace-events", "Egx");
    peer_say(&p, "SUBSCRIBE", "__keyevent@0__:del", "__keyevent@0__:expired",
             NULL);
    (void)peer_hear(&p);
    (void)peer_hear(&p);
    peer_ask(&writer, "+OK", "SET", "sess:1", "x");
    peer_ask(&writer, "+OK", "SET", "sess:2", "x", "PX", "20");
    peer_ask(&writer, ":1", "DEL", "sess:1");
    peer_expect(&p, "*3 $7 message $18 __keyevent@0__:del $6 sess:1");
    /* nobody asks for it: the sweeper finds it */
    peer_expect(&p, "*3 $7 message $22 __keyevent@0__:expired $6 sess:2");
    peer_ask(&writer, "+OK", "CONFIG", "SET", "notify-keyspace-events", "");
    peer_close(&p);
    peer_close(&writer);
}
END_TEST

/* ---- at any moment ---- */

static atomic_int coming;

static void
subscribe_and_go(int round)
{
    struct peer p;

    peer_connect(&p, server.port);
    peer_say(&p, "SUBSCRIBE", "busy", "x", NULL);
    peer_say(&p, "PSUBSCRIBE", "b*", NULL);
    if (round % 5 > 0)
        peer_expect(&p, "*3 $9 subscribe $4 busy :1");
    if (round % 5 > 1)
        (void)peer_hear(&p);
    if (round % 5 > 2)
        peer_say(&p, "UNSUBSCRIBE", "busy", NULL);
    if (round % 5 > 3)
        peer_say(&p, "RESET", NULL);
    if (round % 2 == 0)
        peer_reset(&p);
    else
        peer_close(&p);
}

static void *
come_and_go(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++)
        subscribe_and_go(i);
    atomic_fetch_sub(&coming, 1);
    return NULL;
}

/* A publisher that ends with most replies unread. */
static void *
publish_and_go(void *arg)
{
    (void)arg;
    for (int round = 0; atomic_load(&coming) > 0; round++) {
        struct peer p;

        peer_connect(&p, server.port);
        for (int i = 0; i < 50; i++)
            peer_say(&p, "PUBLISH", "busy", "news", NULL);
        (void)peer_hear(&p);
        if (round % 2 == 0)
            peer_reset(&p);
        else
            peer_close(&p);
    }
    return NULL;
}

START_TEST(ends_at_any_moment)
{
    pthread_t comers[COMERS], publishers[2];
    struct peer p;

    atomic_store(&coming, COMERS);
    for (int i = 0; i < COMERS; i++)
        must(pthread_create(&comers[i], NULL, come_and_go, NULL) == 0);
    for (int i = 0; i < 2; i++)
        must(pthread_create(&publishers[i], NULL, publish_and_go, NULL) == 0);
    for (int i = 0; i < COMERS; i++)
        must(pthread_join(comers[i], NULL) == 0);
    for (int i = 0; i < 2; i++)
        must(pthread_join(publishers[i], NULL) == 0);
    peer_connect(&p, server.port);
    await_listeners(&p, "busy", 0);
    await_listeners(&p, "x", 0);
    peer_ask(&p, ":0", "PUBSUB", "NUMPAT");
    peer_close(&p);
}
END_TEST

/* It stops while clients listen and messages are under way. */
START_TEST(stops_amid_messages)
{
    struct serving other;
    struct peer listeners[5], publisher;

    serving_start(&other, NULL);
    for (int i = 0; i < 5; i++) {
        peer_connect(&listeners[i], other.port);
        peer_ask(&listeners[i], "*3 $9 subscribe $1 a :1", "SUBSCRIBE", "a");
    }
    peer_connect(&publisher, other.port);
    for (int i = 0; i < 1000; i++)
        peer_say(&publisher, "PUBLISH", "a", "some news", NULL);
    serving_stop(&other);
    for (int i = 0; i < 5; i++) {
        while (peer_hear(&listeners[i]) != NULL)
            continue;
        peer_close(&listeners[i]);
    }
    peer_close(&publisher);
}
END_TEST

static void
fill(TCase *tc)
{
    setbuf(stdout, NULL);
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, none_is_lost);
    tcase_add_test(tc, who_does_not_read_is_cut);
    tcase_add_test(tc, resp3_goes_on_as_usual);
    tcase_add_test(tc, messages_come_amid_a_request);
    tcase_add_test(tc, waits_for_ever);
    tcase_add_test(tc, tells_what_becomes_of_keys);
    tcase_add_test(tc, ends_at_any_moment);
    tcase_add_test(tc, stops_amid_messages);
}

TEST_MAIN("system_pubsub", fill)
