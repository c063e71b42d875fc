/* SPDX-License-Identifier: MIT
 *
 * topics_test.c - who listens to what, alone and with many threads.
 */
#include "service/topics.h"

#include "chaos.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct topics *topics;

static void
set_up(void)
{
    ck_assert_int_eq(topics_new(clock_system(), &topics), MZ_OK);
}

static void
tear_down(void)
{
    topics_free(topics);
}

static struct subscriber *
subscriber(void)
{
    static const struct waker nobody = {NULL, NULL};
    struct subscriber *s;

    ck_assert_int_eq(subscriber_new(topics, &nobody, &s), MZ_OK);
    return s;
}

static void
join(struct subscriber *s, enum topic_kind kind, const char *name)
{
    ck_assert_int_eq(subscriber_join(s, kind, slice_of_string(name)), MZ_OK);
}

static size_t
publish(const char *channel, const char *message)
{
    size_t receivers;

    ck_assert_int_eq(topics_publish(topics, slice_of_string(channel),
                                    slice_of_string(message), &receivers),
                     MZ_OK);
    return receivers;
}

static void
got(struct subscriber *s, const char *want)
{
    struct outbox out;

    outbox_init(&out);
    while (mailbox_take(subscriber_mailbox(s), &out, 3, SIZE_MAX))
        continue;
    ck_assert_msg(slice_is(buf_slice(&out.bytes), want), "%.*s",
                  (int)out.bytes.len, out.bytes.data);
    outbox_fini(&out);
}

#define MESSAGE_A ">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\nhi\r\n"
#define PMESSAGE(pattern)                                                      \
    ">4\r\n$8\r\npmessage\r\n$1\r\n" pattern "\r\n$1\r\na\r\n$2\r\nhi\r\n"

START_TEST(channels_and_patterns)
{
    struct subscriber *one = subscriber(), *two = subscriber();

    ck_assert_uint_eq(publish("a", "hi"), 0);
    join(one, TOPIC_CHANNEL, "a");
    join(one, TOPIC_CHANNEL, "a"); /* once is enough */
    join(one, TOPIC_CHANNEL, "b");
    join(one, TOPIC_PATTERN, "?");
    join(one, TOPIC_PATTERN, "*");
    join(two, TOPIC_CHANNEL, "a");
    ck_assert_uint_eq(subscriber_count(one, TOPIC_CHANNEL), 2);
    ck_assert_uint_eq(subscriber_count(one, TOPIC_PATTERN), 2);
    ck_assert_uint_eq(topics_count(topics, TOPIC_CHANNEL), 2);
    ck_assert_uint_eq(topics_count(topics, TOPIC_PATTERN), 2);
    ck_assert_uint_eq(topics_listeners(topics, slice_of_string("a")), 2);
    ck_assert_uint_eq(topics_listeners(topics, slice_of_string("x")), 0);
    ck_assert_uint_eq(publish("a", "hi"), 4);
    got(one, MESSAGE_A PMESSAGE("?") PMESSAGE("*"));
    got(two, MESSAGE_A);
    subscriber_leave(one, TOPIC_CHANNEL, slice_of_string("a"));
    subscriber_leave(one, TOPIC_CHANNEL, slice_of_string("?"));
    subscriber_leave(one, TOPIC_PATTERN, slice_of_string("*"));
    ck_assert_uint_eq(publish("a", "hi"), 2);
    got(one, PMESSAGE("?"));
    got(two, MESSAGE_A);
    subscriber_free(two);
    ck_assert_uint_eq(publish("a", "hi"), 1);
    subscriber_free(one);
    ck_assert_uint_eq(publish("a", "hi"), 0);
    ck_assert_uint_eq(topics_count(topics, TOPIC_CHANNEL), 0);
    ck_assert_uint_eq(topics_count(topics, TOPIC_PATTERN), 0);
}
END_TEST

START_TEST(the_oldest_first)
{
    struct subscriber *s = subscriber();
    struct slice name;

    ck_assert(!subscriber_first(s, TOPIC_CHANNEL, &name));
    join(s, TOPIC_CHANNEL, "c");
    join(s, TOPIC_CHANNEL, "a");
    join(s, TOPIC_CHANNEL, "b");
    subscriber_leave(s, TOPIC_CHANNEL, slice_of_string("a"));
    ck_assert(subscriber_first(s, TOPIC_CHANNEL, &name));
    ck_assert(slice_is(name, "c"));
    subscriber_leave(s, TOPIC_CHANNEL, slice_of_string("c"));
    ck_assert(subscriber_first(s, TOPIC_CHANNEL, &name));
    ck_assert(slice_is(name, "b"));
    subscriber_free(s);
}
END_TEST

START_TEST(thousands)
{
    enum {
        SUBSCRIBERS = 20,
        CHANNELS = 500
    };
    struct subscriber *all[SUBSCRIBERS];
    struct buf names = {0};
    char name[16];

    for (int i = 0; i < SUBSCRIBERS; i++) {
        all[i] = subscriber();
        for (int c = i; c < CHANNELS; c++) {
            snprintf(name, sizeof name, "c%d", c);
            join(all[i], TOPIC_CHANNEL, name);
        }
    }
    ck_assert_uint_eq(publish("c0", ""), 1);
    ck_assert_uint_eq(publish("c10", ""), 11);
    ck_assert_uint_eq(publish("c499", ""), SUBSCRIBERS);
    ck_assert_uint_eq(topics_list(topics, slice_of_string("c?"), &names), 10);
    ck_assert_uint_eq(names.len, 10 * (sizeof(size_t) + 2));
    buf_fini(&names);
    for (int i = 0; i < SUBSCRIBERS; i++) {
        for (int c = CHANNELS; c-- > i + 5;) {
            snprintf(name, sizeof name, "c%d", c);
            subscriber_leave(all[i], TOPIC_CHANNEL, slice_of_string(name));
        }
        ck_assert_uint_eq(subscriber_count(all[i], TOPIC_CHANNEL), 5);
    }
    ck_assert_uint_eq(topics_count(topics, TOPIC_CHANNEL), SUBSCRIBERS + 4);
    ck_assert_uint_eq(publish("c10", ""), 5);
    for (int i = 0; i < SUBSCRIBERS; i++)
        subscriber_free(all[i]);
}
END_TEST

/* Joining works or changes nothing; a message goes to all or to nobody. */
START_TEST(without_memory)
{
    struct subscriber *one = subscriber(), *two = subscriber();
    struct chaos chaos;
    enum mz_err err;
    size_t receivers;

    for (size_t n = 1;; n++) {
        chaos_begin(&chaos, n);
        err = subscriber_join(one, TOPIC_CHANNEL, slice_of_string("a"));
        if (!chaos_end(&chaos))
            break;
        if (err == MZ_OK)
            break;
        ck_assert_int_eq(err, MZ_NO_MEMORY);
        ck_assert_uint_eq(subscriber_count(one, TOPIC_CHANNEL), 0);
        ck_assert_uint_eq(topics_count(topics, TOPIC_CHANNEL), 0);
    }
    join(one, TOPIC_PATTERN, "?");
    join(two, TOPIC_PATTERN, "a*");
    ck_assert_uint_eq(publish("a", "hi"), 3); /* mailboxes have room now */
    got(one, MESSAGE_A PMESSAGE("?"));
    for (size_t n = 1;; n++) {
        chaos_begin(&chaos, n);
        err = topics_publish(topics, slice_of_string("a"),
                             slice_of_string("hi"), &receivers);
        if (!chaos_end(&chaos))
            break;
        ck_assert_int_eq(err, MZ_NO_MEMORY);
        ck_assert_uint_eq(receivers, 0);
        got(one, "");
    }
    ck_assert_uint_eq(receivers, 3);
    subscriber_free(one);
    subscriber_free(two);
}
END_TEST

/* ---- threads ---- */

enum {
    PUBLISHERS = 3,
    COMERS = 3,
    MESSAGES = 3000
};

static atomic_int publishing;

static void *
publish_all(void *arg)
{
    const int number = *(int *)arg;
    char text[32];

    for (int i = 0; i < MESSAGES; i++) {
        snprintf(text, sizeof text, "%d %d", number, i);
        (void)publish("news", text);
    }
    atomic_fetch_sub(&publishing, 1);
    return NULL;
}

/* The numbers of each publisher that arrive rise by one. */
static void
check_order(struct subscriber *s, int next[PUBLISHERS])
{
    struct outbox out;
    const char *at;

    outbox_init(&out);
    while (mailbox_take(subscriber_mailbox(s), &out, 3, SIZE_MAX))
        continue;
    buf_put_char(&out.bytes, '\0');
    at = out.bytes.data;
    while ((at = strstr(at, "news\r\n$")) != NULL) {
        int publisher, i;

        at = strchr(at + 6, '\n') + 1;
        ck_assert_int_eq(sscanf(at, "%d %d", &publisher, &i), 2);
        if (next[publisher] >= 0)
            ck_assert_int_eq(i, next[publisher]);
        next[publisher] = i + 1;
    }
    outbox_fini(&out);
}

static void *
come_and_go(void *arg)
{
    (void)arg;
    while (atomic_load(&publishing) > 0) {
        struct subscriber *s = subscriber();
        int next[PUBLISHERS];

        for (int i = 0; i < PUBLISHERS; i++)
            next[i] = -1;
        join(s, TOPIC_CHANNEL, "news");
        join(s, TOPIC_PATTERN, "x*");
        for (int i = 0; i < 20; i++)
            check_order(s, next);
        subscriber_free(s);
    }
    return NULL;
}

START_TEST(subscribers_come_and_go)
{
    pthread_t publishers[PUBLISHERS], comers[COMERS];
    int numbers[PUBLISHERS];
    struct subscriber *always = subscriber();
    int next[PUBLISHERS] = {0};

    join(always, TOPIC_CHANNEL, "news");
    atomic_store(&publishing, PUBLISHERS);
    for (int i = 0; i < PUBLISHERS; i++) {
        numbers[i] = i;
        ck_assert_int_eq(
            pthread_create(&publishers[i], NULL, publish_all, &numbers[i]), 0);
    }
    for (int i = 0; i < COMERS; i++)
        ck_assert_int_eq(pthread_create(&comers[i], NULL, come_and_go, NULL),
                         0);
    while (atomic_load(&publishing) > 0)
        check_order(always, next);
    for (int i = 0; i < PUBLISHERS; i++)
        pthread_join(publishers[i], NULL);
    for (int i = 0; i < COMERS; i++)
        pthread_join(comers[i], NULL);
    check_order(always, next);
    for (int i = 0; i < PUBLISHERS; i++)
        ck_assert_int_eq(next[i], MESSAGES);
    subscriber_free(always);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, channels_and_patterns);
    tcase_add_test(tc, the_oldest_first);
    tcase_add_test(tc, thousands);
    tcase_add_test(tc, without_memory);
    tcase_add_test(tc, subscribers_come_and_go);
}

TEST_MAIN("topics", fill)
