/* SPDX-License-Identifier: MIT
 *
 * topics.c - see topics.h.
 *
 * A join says that one subscriber listens to one topic. It is in three places:
 * in the list of its topic, which publishing walks along; in the list of its
 * subscriber; and in a table by both, to be found. A topic is there as long as
 * somebody listens.
 *
 *     subscriber --> join --> join         (by age)
 *                     |        |
 *     topic "a" ----> +        |
 *     topic "b" -------------> +
 */
#include "service/topics.h"

#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/must.h"
#include "service/resp_glob.h"

#include <string.h>

#define BUCKETS_MIN 16

/* ---- a chained hash table of things that begin with a node ---- */

struct node {
    struct node *next;
    uint64_t hash;
};

struct nodes {
    struct node **buckets; /* cap of them */
    size_t cap;            /* a power of 2, or 0 */
    size_t count;
};

static struct node *
nodes_first(const struct nodes *nodes, uint64_t hash)
{
    return nodes->cap == 0 ? NULL : nodes->buckets[hash & (nodes->cap - 1)];
}

/* Moves all to twice as many buckets. Without memory the chains get longer. */
static void
nodes_grow(struct nodes *nodes)
{
    size_t cap = nodes->cap == 0 ? BUCKETS_MIN : 2 * nodes->cap;
    struct node **buckets = mem_alloc_zeroed(cap, sizeof(struct node *));

    if (buckets == NULL)
        return;
    for (size_t i = 0; i < nodes->cap; i++) {
        struct node *node = nodes->buckets[i];

        while (node != NULL) {
            struct node *next = node->next;
            struct node **bucket = &buckets[node->hash & (cap - 1)];

            node->next = *bucket;
            *bucket = node;
            node = next;
        }
    }
    mem_free(nodes->buckets);
    nodes->buckets = buckets;
    nodes->cap = cap;
}

/* Room for one more: there is always, once there are buckets. */
static enum mz_err
nodes_reserve(struct nodes *nodes)
{
    if (nodes->count >= nodes->cap)
        nodes_grow(nodes);
    return nodes->cap > 0 ? MZ_OK : MZ_NO_MEMORY;
}

static void
nodes_add(struct nodes *nodes, struct node *node)
{
    struct node **bucket = &nodes->buckets[node->hash & (nodes->cap - 1)];

    node->next = *bucket;
    *bucket = node;
    nodes->count++;
}

static void
nodes_remove(struct nodes *nodes, struct node *node)
{
    struct node **at = &nodes->buckets[node->hash & (nodes->cap - 1)];

    while (*at != node)
        at = &(*at)->next;
    *at = node->next;
    if (--nodes->count == 0) {
        mem_free(nodes->buckets);
        *nodes = (struct nodes){0};
    }
}

/* ---- topics and joins ---- */

struct join;

struct topic {
    struct node node;
    struct topic *next, *prev; /* among those of its kind, by age */
    struct join *first, *last; /* who listens, by age */
    size_t listeners;
    enum topic_kind kind;
    size_t len;
    char name[];
};

struct join {
    struct node node;
    struct topic *topic;
    struct subscriber *subscriber;
    struct join *next, *prev;     /* of the same topic */
    struct join *younger, *older; /* of the same subscriber and kind */
};

struct of_kind {
    struct nodes by_name;
    struct topic *first, *last;
};

struct topics {
    const struct clock *clock; /* const */
    uint64_t seed;             /* const */
    struct rwlock lock;
    struct of_kind kinds[TOPIC_KINDS]; /* lock */
    struct nodes joins;                /* lock: by subscriber and topic */
};

struct subscriber {
    struct topics *topics; /* const */
    struct mailbox mailbox;
    struct join *first[TOPIC_KINDS], *last[TOPIC_KINDS]; /* owner */
    size_t count[TOPIC_KINDS];                           /* owner */
};

enum mz_err
topics_new(const struct clock *clock, struct topics **out)
{
    struct topics *topics = mem_alloc_zeroed(1, sizeof *topics);

    if (topics == NULL)
        return MZ_NO_MEMORY;
    topics->clock = clock;
    topics->seed = hash_random_seed();
    rwlock_init(&topics->lock, -1);
    *out = topics;
    return MZ_OK;
}

void
topics_free(struct topics *topics)
{
    if (topics == NULL)
        return;
    must(topics->joins.count == 0);
    rwlock_fini(&topics->lock);
    mem_free(topics);
}

static struct slice
name_of(const struct topic *topic)
{
    return slice_of(topic->name, topic->len);
}

static struct topic *
find_topic(const struct topics *topics, enum topic_kind kind, struct slice name)
    NEEDS_READ(topics->lock)
{
    const uint64_t hash = hash_bytes(name, topics->seed);
    struct node *node = nodes_first(&topics->kinds[kind].by_name, hash);

    for (; node != NULL; node = node->next) {
        struct topic *topic = (struct topic *)node;

        if (node->hash == hash && slice_equal(name_of(topic), name))
            return topic;
    }
    return NULL;
}

static uint64_t
hash_join(const struct subscriber *subscriber, const struct topic *topic)
{
    const void *both[2] = {subscriber, topic};

    return hash_bytes(slice_of((const char *)both, sizeof both),
                      subscriber->topics->seed);
}

static struct join *
find_join(const struct topics *topics, const struct subscriber *subscriber,
          const struct topic *topic) NEEDS_READ(topics->lock)
{
    const uint64_t hash = hash_join(subscriber, topic);
    struct node *node = nodes_first(&topics->joins, hash);

    for (; node != NULL; node = node->next) {
        struct join *join = (struct join *)node;

        if (join->subscriber == subscriber && join->topic == topic)
            return join;
    }
    return NULL;
}

/* A topic that nobody listens to yet. NULL: no memory. */
static struct topic *
add_topic(struct topics *topics, enum topic_kind kind, struct slice name)
    NEEDS_WRITE(topics->lock)
{
    struct of_kind *all = &topics->kinds[kind];
    struct topic *topic;

    if (nodes_reserve(&all->by_name) != MZ_OK)
        return NULL;
    topic = mem_alloc_zeroed(1, sizeof *topic + name.len);
    if (topic == NULL)
        return NULL;
    topic->node.hash = hash_bytes(name, topics->seed);
    topic->kind = kind;
    topic->len = name.len;
    if (name.len > 0)
        memcpy(topic->name, name.data, name.len);
    nodes_add(&all->by_name, &topic->node);
    topic->prev = all->last;
    if (all->last != NULL)
        all->last->next = topic;
    else
        all->first = topic;
    all->last = topic;
    return topic;
}

static void
drop_topic(struct topics *topics, struct topic *topic) NEEDS_WRITE(topics->lock)
{
    struct of_kind *all = &topics->kinds[topic->kind];

    nodes_remove(&all->by_name, &topic->node);
    if (topic->prev != NULL)
        topic->prev->next = topic->next;
    else
        all->first = topic->next;
    if (topic->next != NULL)
        topic->next->prev = topic->prev;
    else
        all->last = topic->prev;
    mem_free(topic);
}

static void
link_join(struct topics *topics, struct join *join) NEEDS_WRITE(topics->lock)
{
    struct topic *topic = join->topic;
    struct subscriber *s = join->subscriber;
    const enum topic_kind kind = topic->kind;

    nodes_add(&topics->joins, &join->node);
    join->prev = topic->last;
    if (topic->last != NULL)
        topic->last->next = join;
    else
        topic->first = join;
    topic->last = join;
    topic->listeners++;
    join->older = s->last[kind];
    if (s->last[kind] != NULL)
        s->last[kind]->younger = join;
    else
        s->first[kind] = join;
    s->last[kind] = join;
    s->count[kind]++;
}

static void
unlink_join(struct topics *topics, struct join *join) NEEDS_WRITE(topics->lock)
{
    struct topic *topic = join->topic;
    struct subscriber *s = join->subscriber;
    const enum topic_kind kind = topic->kind;

    nodes_remove(&topics->joins, &join->node);
    if (join->prev != NULL)
        join->prev->next = join->next;
    else
        topic->first = join->next;
    if (join->next != NULL)
        join->next->prev = join->prev;
    else
        topic->last = join->prev;
    topic->listeners--;
    if (join->older != NULL)
        join->older->younger = join->younger;
    else
        s->first[kind] = join->younger;
    if (join->younger != NULL)
        join->younger->older = join->older;
    else
        s->last[kind] = join->older;
    s->count[kind]--;
}

static void
drop_join(struct topics *topics, struct join *join) NEEDS_WRITE(topics->lock)
{
    struct topic *topic = join->topic;

    unlink_join(topics, join);
    mem_free(join);
    if (topic->listeners == 0)
        drop_topic(topics, topic);
}

/* ---- subscribers ---- */

enum mz_err
subscriber_new(struct topics *topics, const struct waker *waker,
               struct subscriber **out)
{
    struct subscriber *subscriber = mem_alloc_zeroed(1, sizeof *subscriber);

    if (subscriber == NULL)
        return MZ_NO_MEMORY;
    subscriber->topics = topics;
    mailbox_init(&subscriber->mailbox, waker);
    *out = subscriber;
    return MZ_OK;
}

void
subscriber_free(struct subscriber *subscriber)
{
    struct topics *topics;

    if (subscriber == NULL)
        return;
    topics = subscriber->topics;
    for (int kind = 0; kind < TOPIC_KINDS; kind++) {
        /* Nobody has to wait until all topics are left. */
        while (subscriber->count[kind] > 0) {
            rwlock_write(&topics->lock);
            drop_join(topics, subscriber->first[kind]);
            rwlock_drop_write(&topics->lock);
        }
    }
    mailbox_fini(&subscriber->mailbox);
    mem_free(subscriber);
}

struct mailbox *
subscriber_mailbox(struct subscriber *subscriber)
{
    return &subscriber->mailbox;
}

size_t
subscriber_count(const struct subscriber *subscriber, enum topic_kind kind)
{
    return subscriber->count[kind];
}

static enum mz_err
join_locked(struct topics *topics, struct subscriber *subscriber,
            enum topic_kind kind, struct slice name) NEEDS_WRITE(topics->lock)
{
    struct topic *topic = find_topic(topics, kind, name);
    struct join *join;

    if (topic != NULL && find_join(topics, subscriber, topic) != NULL)
        return MZ_OK;
    if (nodes_reserve(&topics->joins) != MZ_OK)
        return MZ_NO_MEMORY;
    join = mem_alloc_zeroed(1, sizeof *join);
    if (join == NULL)
        return MZ_NO_MEMORY;
    if (topic == NULL)
        topic = add_topic(topics, kind, name);
    if (topic == NULL) {
        mem_free(join);
        return MZ_NO_MEMORY;
    }
    join->node.hash = hash_join(subscriber, topic);
    join->topic = topic;
    join->subscriber = subscriber;
    link_join(topics, join);
    return MZ_OK;
}

enum mz_err
subscriber_join(struct subscriber *subscriber, enum topic_kind kind,
                struct slice name)
{
    struct topics *topics = subscriber->topics;
    enum mz_err err;

    rwlock_write(&topics->lock);
    err = join_locked(topics, subscriber, kind, name);
    rwlock_drop_write(&topics->lock);
    return err;
}

void
subscriber_leave(struct subscriber *subscriber, enum topic_kind kind,
                 struct slice name)
{
    struct topics *topics = subscriber->topics;
    struct topic *topic;
    struct join *join = NULL;

    rwlock_write(&topics->lock);
    topic = find_topic(topics, kind, name);
    if (topic != NULL)
        join = find_join(topics, subscriber, topic);
    if (join != NULL)
        drop_join(topics, join);
    rwlock_drop_write(&topics->lock);
}

/* A topic stays as long as its subscriber listens, so its name is read without
 * the lock. */
bool
subscriber_first(const struct subscriber *subscriber, enum topic_kind kind,
                 struct slice *name)
{
    if (subscriber->count[kind] == 0)
        return false;
    *name = name_of(subscriber->first[kind]->topic);
    return true;
}

/* ---- publishing ---- */

/* A letter for all who listen to a topic. */
struct posting {
    const struct topic *topic;
    struct letter *letter;
};

static void
add_posting(struct buf *postings, const struct topic *topic,
            const struct slice *words, size_t count)
{
    const struct posting posting = {topic, letter_new(words, count)};

    if (posting.letter == NULL)
        postings->failed = true;
    buf_put(postings, &posting, sizeof posting);
    if (postings->failed)
        letter_release(posting.letter);
}

/* Finds who listens, and writes their letters. */
static void
write_letters(const struct topics *topics, struct slice channel,
              struct slice message, struct buf *postings)
    NEEDS_READ(topics->lock)
{
    const struct topic *topic = find_topic(topics, TOPIC_CHANNEL, channel);

    if (topic != NULL) {
        const struct slice words[] = {SLICE_LITERAL("message"), channel,
                                      message};

        add_posting(postings, topic, words, 3);
    }
    topic = topics->kinds[TOPIC_PATTERN].first;
    for (; topic != NULL && !postings->failed; topic = topic->next) {
        const struct slice words[] = {SLICE_LITERAL("pmessage"), name_of(topic),
                                      channel, message};

        if (resp_glob_match(name_of(topic), channel))
            add_posting(postings, topic, words, 4);
    }
}

static size_t
deliver(const struct posting *posting, int64_t now_ms)
{
    size_t receivers = 0;

    for (struct join *join = posting->topic->first; join != NULL;
         join = join->next)
        receivers +=
            mailbox_put(&join->subscriber->mailbox, posting->letter, now_ms);
    return receivers;
}

enum mz_err
topics_publish(struct topics *topics, struct slice channel,
               struct slice message, size_t *receivers)
{
    const int64_t now_ms = clock_mono_ms(topics->clock);
    struct buf buf = {0};
    const struct posting *postings;
    size_t count;
    enum mz_err err;

    *receivers = 0;
    rwlock_read(&topics->lock);
    write_letters(topics, channel, message, &buf);
    err = buf.failed ? MZ_NO_MEMORY : MZ_OK;
    postings = (const struct posting *)(const void *)buf.data;
    count = buf.len / sizeof *postings;
    for (size_t i = 0; i < count; i++) {
        if (err == MZ_OK)
            *receivers += deliver(&postings[i], now_ms);
        letter_release(postings[i].letter);
    }
    rwlock_drop_read(&topics->lock);
    buf_fini(&buf);
    return err;
}

/* ---- questions ---- */

size_t
topics_list(struct topics *topics, struct slice pattern, struct buf *names)
{
    const struct topic *topic;
    size_t count = 0;

    rwlock_read(&topics->lock);
    topic = topics->kinds[TOPIC_CHANNEL].first;
    for (; topic != NULL && !names->failed; topic = topic->next) {
        if (!resp_glob_match(pattern, name_of(topic)))
            continue;
        buf_put(names, &topic->len, sizeof topic->len);
        buf_put_slice(names, name_of(topic));
        count++;
    }
    rwlock_drop_read(&topics->lock);
    return count;
}

size_t
topics_listeners(struct topics *topics, struct slice channel)
{
    const struct topic *topic;
    size_t listeners;

    rwlock_read(&topics->lock);
    topic = find_topic(topics, TOPIC_CHANNEL, channel);
    listeners = topic != NULL ? topic->listeners : 0;
    rwlock_drop_read(&topics->lock);
    return listeners;
}

size_t
topics_count(struct topics *topics, enum topic_kind kind)
{
    size_t count;

    rwlock_read(&topics->lock);
    count = topics->kinds[kind].by_name.count;
    rwlock_drop_read(&topics->lock);
    return count;
}
