/* SPDX-License-Identifier: MIT
 *
 * events_test.c - what subscribers are told of keys, and in which order.
 */
#include "service/events.h"

#include "base/num.h"
#include "fake_clock.h"
#include "suite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fake_clock fake;
static struct topics *topics;
static struct events *events;
static struct store *store;
static struct subscriber *subscriber;

/* Told of letters: waited for. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static bool has_mail;

static void
wake(void *ctx, bool cut)
{
    (void)ctx;
    (void)cut;
    pthread_mutex_lock(&mutex);
    has_mail = true;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&mutex);
}

static void
set_up(void)
{
    const struct waker waker = {wake, NULL};
    struct store_options options = {.clock = &fake.clock};

    fake_clock_init(&fake);
    ck_assert_int_eq(topics_new(clock_system(), &topics), MZ_OK);
    ck_assert_int_eq(events_start(topics, &events), MZ_OK);
    options.observer = events_observer(events);
    ck_assert_int_eq(store_new(&options, &store), MZ_OK);
    ck_assert_int_eq(subscriber_new(topics, &waker, &subscriber), MZ_OK);
    ck_assert_int_eq(
        subscriber_join(subscriber, TOPIC_PATTERN, slice_of_string("__key*")),
        MZ_OK);
    has_mail = false;
}

static void
tear_down(void)
{
    store_free(store);
    events_stop(events);
    subscriber_free(subscriber);
    topics_free(topics);
}

static void
want(const char *letters)
{
    ck_assert(events_want(events, slice_of_string(letters)));
}

static struct store_key
key(const char *name)
{
    return (struct store_key){slice_of_string(name), 3};
}

static void
set(const char *name, int64_t ttl_ms)
{
    const struct store_write write = {
        .key = key(name),
        .value = slice_of_string("v"),
        .kind = VALUE_BYTES,
        .ttl_ms = ttl_ms,
    };
    uint64_t version;

    ck_assert_int_eq(store_set(store, &write, &version), MZ_OK);
}

static void
del(const char *name)
{
    const struct store_if always = {STORE_ALWAYS, 0};
    uint64_t version;
    bool removed;

    ck_assert_int_eq(store_del(store, key(name), always, &removed, &version),
                     MZ_OK);
}

/* Waits for letters until there are `count` in *out. */
static void
hear(struct outbox *out, size_t count)
{
    size_t heard = 0, looked = 0;

    while (heard < count) {
        const char *at;

        pthread_mutex_lock(&mutex);
        while (!has_mail)
            pthread_cond_wait(&woken, &mutex);
        has_mail = false;
        pthread_mutex_unlock(&mutex);
        while (mailbox_take(subscriber_mailbox(subscriber), out, 3, SIZE_MAX))
            continue;
        buf_put_char(&out->bytes, '\0');
        at = out->bytes.data + looked;
        while ((at = strstr(at, "pmessage")) != NULL) {
            heard++;
            at++;
        }
        looked = --out->bytes.len;
    }
    ck_assert_uint_eq(heard, count);
}

/* These come next: "channel message" each, up to NULL. */
static void
told(const char *const *lines)
{
    struct outbox out;
    struct buf wanted = {0};
    size_t count = 0;

    for (; lines[count] != NULL; count++) {
        const char *blank = strchr(lines[count], ' ');
        const int len = (int)(blank - lines[count]);

        buf_printf(&wanted,
                   ">4\r\n$8\r\npmessage\r\n$6\r\n__key*\r\n$%d\r\n%.*s\r\n"
                   "$%zu\r\n%s\r\n",
                   len, len, lines[count], strlen(blank + 1), blank + 1);
    }
    outbox_init(&out);
    hear(&out, count);
    ck_assert_msg(slice_equal(buf_slice(&out.bytes), buf_slice(&wanted)),
                  "%.*s", (int)out.bytes.len, out.bytes.data);
    outbox_fini(&out);
    buf_fini(&wanted);
}

#define TOLD(...) told((const char *const[]){__VA_ARGS__, NULL})

START_TEST(every_kind)
{
    const struct store_expire persist = {STORE_NEVER, STORE_EXPIRE_ALWAYS};

    want("KEA");
    set("a", STORE_NEVER);
    ck_assert(store_touch(store, key("a"), 1000));
    ck_assert_int_eq(store_expire(store, key("a"), &persist), STORE_EXPIRE_SET);
    del("a");
    del("a"); /* is not there */
    set("b", 50);
    fake_clock_advance(&fake, 51);
    ck_assert_uint_eq(store_sweep(store), 1);
    TOLD("__keyspace@3__:a set", "__keyevent@3__:set a",
         "__keyspace@3__:a expire", "__keyevent@3__:expire a",
         "__keyspace@3__:a persist", "__keyevent@3__:persist a",
         "__keyspace@3__:a del", "__keyevent@3__:del a", "__keyspace@3__:b set",
         "__keyevent@3__:set b", "__keyspace@3__:b expired",
         "__keyevent@3__:expired b");
}
END_TEST

START_TEST(only_what_is_wanted)
{
    set("a", STORE_NEVER); /* nothing is */
    want("Ex");
    set("a", 50);
    del("a");
    set("a", 50);
    fake_clock_advance(&fake, 51);
    ck_assert_uint_eq(store_sweep(store), 1);
    TOLD("__keyevent@3__:expired a");
    want("K$");
    set("", STORE_NEVER);
    TOLD("__keyspace@3__: set");
    want("Kg");
    set("", STORE_NEVER);
    del("");
    TOLD("__keyspace@3__: del");
    want("g$x"); /* by no channel */
    set("a", STORE_NEVER);
    want("E$");
    set("b", STORE_NEVER);
    TOLD("__keyevent@3__:set b");
}
END_TEST

START_TEST(letters_as_redis_tells_them)
{
    static const char *const pairs[][2] = {
        {"", ""},         {"KEA", "AKE"},      {"KEAmn", "AKEm"},
        {"Kg", "gK"},     {"E$gxe", "g$xeE"},  {"lshzxetdKE", "lshzxetdKE"},
        {"Egxn", "gxnE"}, {"g$lshzxetd", "A"}, {"gxnm", "gxnm"},
    };
    char letters[EVENTS_LETTERS_SIZE];

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        want(pairs[i][0]);
        ck_assert_str_eq(events_wanted(events, letters), pairs[i][1]);
    }
    ck_assert(!events_want(events, slice_of_string("KQ")));
    ck_assert(!events_want(events, slice_of("K\0", 2)));
    ck_assert_str_eq(events_wanted(events, letters), "gxnm");
}
END_TEST

/* More than the queue takes: what is told is in order, the rest is counted. */
START_TEST(what_is_lost_is_counted)
{
    enum {
        LEN = 15000, /* below what is lent */
        KEYS = 1500
    };
    char *name = malloc(LEN + 1);
    struct outbox out;
    uint64_t before;

    memset(name, 'n', LEN);
    name[LEN] = '\0';
    want("E$");
    for (int i = 0; i < KEYS; i++)
        set(name, STORE_NEVER);
    before = events_lost(events);
    outbox_init(&out);
    hear(&out, KEYS - (size_t)before);
    ck_assert_uint_eq(events_lost(events), before);
    outbox_fini(&out);
    free(name);
}
END_TEST

/* ---- threads ---- */

enum {
    WRITERS = 4,
    WRITES = 2000
};

static void *
write_keys(void *arg)
{
    const char *name = arg;

    for (int i = 0; i < WRITES; i++) {
        set(name, STORE_NEVER);
        del(name);
    }
    return NULL;
}

/* For each key set and del take turns. */
START_TEST(keeps_the_order)
{
    static char names[WRITERS][2] = {"a", "b", "c", "d"};
    pthread_t threads[WRITERS];
    bool set_was_last[256] = {false};
    struct outbox out;
    const char *at;

    want("EA");
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, write_keys, names[i]), 0);
    outbox_init(&out);
    hear(&out, (size_t)2 * WRITERS * WRITES);
    for (at = out.bytes.data; (at = strstr(at, "@3__:")) != NULL; at++) {
        const bool is_set = at[5] == 's';
        const unsigned char name =
            (unsigned char)at[strlen("@3__:del\r\n$1\r\n")];

        ck_assert(name >= 'a' && name < 'a' + WRITERS);
        ck_assert(set_was_last[name] != is_set);
        set_was_last[name] = is_set;
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(events_lost(events), 0);
    outbox_fini(&out);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, every_kind);
    tcase_add_test(tc, only_what_is_wanted);
    tcase_add_test(tc, letters_as_redis_tells_them);
    tcase_add_test(tc, what_is_lost_is_counted);
    tcase_add_test(tc, keeps_the_order);
}

TEST_MAIN("events", fill)
