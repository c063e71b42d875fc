/* SPDX-License-Identifier: MIT
 *
 * system_multi.c - transactions of many clients at once: no update is lost,
 * nobody sees half of one, and a client that does not read stops nobody.
 */
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
    CLIENTS = 8,
    UPDATES = SERVING_SANITIZED ? 30 : 200,
    ROUNDS = SERVING_SANITIZED ? 100 : 1000
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

static void
run_threads(size_t count, void *(*fn)(void *), void *args, size_t size)
{
    pthread_t threads[CLIENTS];

    must(count <= CLIENTS);
    for (size_t i = 0; i < count; i++)
        must(pthread_create(&threads[i], NULL, fn, (char *)args + i * size) ==
             0);
    for (size_t i = 0; i < count; i++)
        must(pthread_join(threads[i], NULL) == 0);
}

/* ---- WATCH ---- */

/* The number in a key; 0 when there is none. */
static long
get_number(struct peer *p, const char *key)
{
    const char *reply;

    peer_say(p, "GET", key, NULL);
    reply = peer_hear(p);
    must(reply != NULL && reply[0] == '$');
    return strcmp(reply, "$-1") == 0 ? 0 : atol(strchr(reply, ' ') + 1);
}

/* Both keys one up, if nobody has written meanwhile. */
static bool
try_increment(struct peer *p)
{
    char x[24], y[24];
    const char *reply;

    peer_ask(p, "+OK", "WATCH", "x", "y");
    snprintf(x, sizeof x, "%ld", get_number(p, "x") + 1);
    snprintf(y, sizeof y, "%ld", get_number(p, "y") + 1);
    peer_ask(p, "+OK", "MULTI");
    peer_ask(p, "+QUEUED", "SET", "x", x);
    peer_ask(p, "+QUEUED", "SET", "y", y);
    peer_ask(p, "+QUEUED", "MGET", "x", "y");
    peer_say(p, "EXEC", NULL);
    reply = peer_hear(p);
    must(reply != NULL);
    if (strcmp(reply, "*-1") == 0)
        return false;
    must(strncmp(reply, "*3 +OK +OK *2 ", 14) == 0);
    must(strcmp(x, y) == 0);
    return true;
}

static void *
increment(void *arg)
{
    atomic_size_t *retries = arg;
    struct peer p;

    peer_connect(&p, server.port);
    for (int i = 0; i < UPDATES; i++) {
        while (!try_increment(&p))
            atomic_fetch_add(retries, 1);
    }
    peer_close(&p);
    return NULL;
}

START_TEST(increments_with_watch_lose_nothing)
{
    atomic_size_t retries = 0;
    struct peer p;

    run_threads(CLIENTS, increment, &retries, 0);
    printf("watch: %d clients, %d updates each, %zu tries more\n", CLIENTS,
           UPDATES, atomic_load(&retries));
    peer_connect(&p, server.port);
    ck_assert_int_eq(get_number(&p, "x"), CLIENTS * UPDATES);
    ck_assert_int_eq(get_number(&p, "y"), CLIENTS * UPDATES);
    peer_close(&p);
}
END_TEST

/* ---- whole or not at all ---- */

static atomic_int writers;

static void
write_whole(struct peer *p, int i, const char *number)
{
    if (i % 2 == 0) {
        peer_ask(p, "+OK", "MSET", "a", number, "b", number, "c", number);
        return;
    }
    peer_say(p, "MULTI", NULL);
    peer_say(p, "SET", "a", number, NULL);
    peer_say(p, "SET", "b", number, NULL);
    peer_say(p, "SET", "c", number, NULL);
    peer_say(p, "EXEC", NULL);
    peer_expect(p, "+OK");
    for (int k = 0; k < 3; k++)
        peer_expect(p, "+QUEUED");
    peer_expect(p, "*3 +OK +OK +OK");
}

/* The three bulks behind the heads of a reply are one and the same. */
static void
check_whole(struct peer *p, const char *head, const char *first_queued)
{
    const char *reply;
    char one[32], two[32], three[32];

    peer_expect(p, "+OK");
    for (int k = 0; k < (first_queued == NULL ? 3 : 1); k++)
        peer_expect(p, "+QUEUED");
    reply = peer_hear(p);
    must(reply != NULL && strncmp(reply, head, strlen(head)) == 0);
    must(sscanf(reply + strlen(head), "$%*s %31s $%*s %31s $%*s %31s", one, two,
                three) == 3);
    if (strcmp(one, two) != 0 || strcmp(two, three) != 0)
        talk_fail("half of a transaction: %s", reply);
}

static void *
read_or_write(void *arg)
{
    const int number = *(int *)arg;
    struct peer p;
    char text[32];

    peer_connect(&p, server.port);
    for (int i = 0; number < 3 && i < ROUNDS; i++) {
        snprintf(text, sizeof text, "%d-%d", number, i);
        write_whole(&p, i, text);
    }
    if (number < 3)
        atomic_fetch_sub(&writers, 1);
    while (number >= 3 && atomic_load(&writers) > 0) {
        peer_say(&p, "MULTI", NULL);
        peer_say(&p, "MGET", "a", "b", "c", NULL);
        peer_say(&p, "EXEC", NULL);
        check_whole(&p, "*1 *3 ", "MGET");
        peer_say(&p, "MULTI", NULL);
        peer_say(&p, "GET", "c", NULL);
        peer_say(&p, "GET", "b", NULL);
        peer_say(&p, "GET", "a", NULL);
        peer_say(&p, "EXEC", NULL);
        check_whole(&p, "*3 ", NULL);
    }
    peer_close(&p);
    return NULL;
}

START_TEST(nobody_sees_half_of_it)
{
    int numbers[6] = {0, 1, 2, 3, 4, 5};
    struct peer p;

    peer_connect(&p, server.port);
    peer_ask(&p, "+OK", "MSET", "a", "0", "b", "0", "c", "0");
    peer_close(&p);
    atomic_store(&writers, 3);
    run_threads(6, read_or_write, numbers, sizeof numbers[0]);
}
END_TEST

/* ---- a client that does not read ---- */

START_TEST(who_does_not_read_stops_nobody)
{
    enum {
        GETS = 3000,
        VALUE = 15000
    };
    char *value = malloc(VALUE + 1);
    struct peer slow, quick;

    memset(value, 'v', VALUE);
    value[VALUE] = '\0';
    peer_connect(&slow, server.port);
    peer_connect(&quick, server.port);
    peer_ask(&quick, "+OK", "SET", "large", value);
    peer_say(&slow, "MULTI", NULL);
    for (int i = 0; i < GETS; i++)
        peer_say(&slow, "GET", "large", NULL);
    peer_say(&slow, "SET", "done", "1", NULL);
    peer_say(&slow, "EXEC", NULL);
    /* It has run, and its reply, some 45 MB, waits to be read. */
    while (get_number(&quick, "done") != 1)
        continue;
    for (int i = 0; i < 100; i++)
        peer_ask(&quick, "+OK", "SET", "large", "small");
    peer_expect(&slow, "+OK");
    for (int i = 0; i < GETS + 1; i++)
        peer_expect(&slow, "+QUEUED");
    ck_assert_uint_gt(strlen(peer_hear(&slow)), (size_t)GETS * VALUE);
    peer_close(&slow);
    peer_close(&quick);
    free(value);
}
END_TEST

/* ---- ends at any moment ---- */

START_TEST(ends_at_any_moment)
{
    struct peer p, other;

    peer_connect(&other, server.port);
    for (int i = 0; i < 50; i++) {
        peer_connect(&p, server.port);
        peer_say(&p, "WATCH", "k", NULL);
        peer_say(&p, "MULTI", NULL);
        if (i % 3 > 0)
            peer_say(&p, "SET", "k", "1", NULL);
        if (i % 3 > 1)
            peer_say(&p, "EXEC", NULL);
        if (i % 2 == 0)
            peer_reset(&p);
        else
            peer_close(&p);
        peer_say(&other, "SET", "k", "2", NULL);
        peer_expect(&other, "+OK");
    }
    peer_close(&other);
    serving_alive(&server);
}
END_TEST

static void
fill(TCase *tc)
{
    setbuf(stdout, NULL);
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, increments_with_watch_lose_nothing);
    tcase_add_test(tc, nobody_sees_half_of_it);
    tcase_add_test(tc, who_does_not_read_stops_nobody);
    tcase_add_test(tc, ends_at_any_moment);
}

TEST_MAIN("system_multi", fill)
