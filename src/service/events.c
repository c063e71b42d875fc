/* SPDX-License-Identifier: MIT
 *
 * events.c - see events.h.
 *
 * Two buffers of one size, made in advance: changes are written to one, while
 * the thread publishes what is in the other, and then they change places. A
 * record is a struct record and the key behind it.
 */
#include "service/events.h"

#include "base/buf.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/must.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Pages that are never used cost nothing. */
#define QUEUE_BYTES ((size_t)8 << 20)
#define STACK_BYTES ((size_t)128 << 10)

/* The letters, a bit each in the order in which Redis tells them. */
static const char letters[] = "g$lshzxetdnKEm";

enum {
    WANT_GENERIC = 1 << 0,
    WANT_STRING = 1 << 1,
    WANT_EXPIRED = 1 << 6,
    WANT_KEYSPACE = 1 << 11,
    WANT_KEYEVENT = 1 << 12,
    WANT_ALL = (1 << 10) - 1, /* A: all classes but n and m */
    WANT_NEW = 1 << 10,
};

enum event {
    EVENT_SET,
    EVENT_DEL,
    EVENT_EXPIRE,
    EVENT_PERSIST,
    EVENT_EXPIRED,
};

static const struct {
    const char *name;
    unsigned wanted_as;
} kinds[] = {
    [EVENT_SET] = {"set", WANT_STRING},
    [EVENT_DEL] = {"del", WANT_GENERIC},
    [EVENT_EXPIRE] = {"expire", WANT_GENERIC},
    [EVENT_PERSIST] = {"persist", WANT_GENERIC},
    [EVENT_EXPIRED] = {"expired", WANT_EXPIRED},
};

struct record {
    uint16_t key_len;
    uint8_t db;
    uint8_t event; /* enum event */
};

struct queue {
    char *bytes; /* owned: QUEUE_BYTES */
    size_t len;
};

struct events {
    struct topics *topics;          /* const */
    struct store_observer observer; /* const */
    pthread_t thread;               /* owner: who started it */
    _Atomic unsigned wanted;        /* atomic: WANT_x */
    _Atomic uint64_t lost;          /* atomic */
    struct mutex mutex;
    struct cond bell;
    struct queue filling;    /* mutex */
    bool stop;               /* mutex */
    struct queue publishing; /* owner: the thread */
    struct buf text;         /* owner: the thread, for names of channels */
};

/* ---- under a stripe's lock ---- */

static enum event
event_of(const struct store_change *change)
{
    switch (change->kind) {
    case STORE_CHANGE_SET:
        return EVENT_SET;
    case STORE_CHANGE_TOUCH:
        return change->deadline_mono_us == STORE_NEVER ? EVENT_PERSIST
                                                       : EVENT_EXPIRE;
    case STORE_CHANGE_DELETE:
        return EVENT_DEL;
    case STORE_CHANGE_EXPIRE:
        break;
    }
    return EVENT_EXPIRED;
}

/* False when it does not fit. */
static bool
put_locked(struct events *events, const struct record *record, struct slice key)
    NEEDS_MUTEX(events->mutex)
{
    struct queue *queue = &events->filling;

    if (sizeof *record + key.len > QUEUE_BYTES - queue->len)
        return false;
    if (queue->len == 0)
        cond_signal(&events->bell);
    memcpy(queue->bytes + queue->len, record, sizeof *record);
    queue->len += sizeof *record;
    if (key.len > 0)
        memcpy(queue->bytes + queue->len, key.data, key.len);
    queue->len += key.len;
    return true;
}

static void
changed(void *ctx, const struct store_change *change)
{
    struct events *events = ctx;
    const unsigned wanted =
        atomic_load_explicit(&events->wanted, memory_order_relaxed);
    const enum event event = event_of(change);
    const struct slice key = entry_key(change->entry);
    const struct record record = {(uint16_t)key.len, change->entry->db,
                                  (uint8_t)event};
    bool fits;

    if (!(wanted & kinds[event].wanted_as) ||
        !(wanted & (WANT_KEYSPACE | WANT_KEYEVENT)))
        return;
    mutex_lock(&events->mutex);
    fits = put_locked(events, &record, key);
    mutex_unlock(&events->mutex);
    if (!fits)
        atomic_fetch_add_explicit(&events->lost, 1, memory_order_relaxed);
}

/* ---- the thread ---- */

static void
publish(struct events *events, struct slice message)
{
    size_t receivers;
    enum mz_err err = MZ_NO_MEMORY;

    if (!events->text.failed)
        err = topics_publish(events->topics, buf_slice(&events->text), message,
                             &receivers);
    if (err != MZ_OK)
        atomic_fetch_add_explicit(&events->lost, 1, memory_order_relaxed);
    if (events->text.failed)
        buf_fini(&events->text);
    events->text.len = 0;
}

static void
publish_record(struct events *events, const struct record *record,
               struct slice key)
{
    const unsigned wanted = atomic_load(&events->wanted);
    const char *name = kinds[record->event].name;

    if (wanted & WANT_KEYSPACE) {
        buf_printf(&events->text, "__keyspace@%u__:", record->db);
        buf_put_slice(&events->text, key);
        publish(events, slice_of_string(name));
    }
    if (wanted & WANT_KEYEVENT) {
        buf_printf(&events->text, "__keyevent@%u__:%s", record->db, name);
        publish(events, key);
    }
}

static void
publish_all(struct events *events)
{
    const char *at = events->publishing.bytes;
    const char *end = at + events->publishing.len;

    while (at < end) {
        struct record record;

        memcpy(&record, at, sizeof record);
        at += sizeof record;
        publish_record(events, &record, slice_of(at, record.key_len));
        at += record.key_len;
    }
    events->publishing.len = 0;
}

/* Waits until something is in the queue, and takes it. False: the end. */
static bool
take(struct events *events)
{
    struct queue empty = events->publishing;
    bool stop;

    mutex_lock(&events->mutex);
    while (!events->stop && events->filling.len == 0)
        cond_wait(&events->bell, &events->mutex);
    events->publishing = events->filling;
    events->filling = empty;
    stop = events->stop;
    mutex_unlock(&events->mutex);
    return !stop;
}

static void *
run(void *arg)
{
    struct events *events = arg;

    while (take(events))
        publish_all(events);
    return NULL;
}

/* ---- beginning and end ---- */

static void
events_free(struct events *events)
{
    mem_free(events->filling.bytes);
    mem_free(events->publishing.bytes);
    buf_fini(&events->text);
    cond_fini(&events->bell);
    mutex_fini(&events->mutex);
    mem_free(events);
}

enum mz_err
events_start(struct topics *topics, struct events **out)
{
    struct events *events = mem_alloc_zeroed(1, sizeof *events);

    if (events == NULL)
        return MZ_NO_MEMORY;
    events->topics = topics;
    events->observer = (struct store_observer){changed, events};
    mutex_init(&events->mutex);
    cond_init(&events->bell);
    events->filling.bytes = mem_alloc(QUEUE_BYTES);
    events->publishing.bytes = mem_alloc(QUEUE_BYTES);
    if (events->filling.bytes == NULL || events->publishing.bytes == NULL ||
        !thread_start(&events->thread, STACK_BYTES, run, events)) {
        events_free(events);
        return MZ_NO_MEMORY;
    }
    *out = events;
    return MZ_OK;
}

void
events_stop(struct events *events)
{
    if (events == NULL)
        return;
    mutex_lock(&events->mutex);
    events->stop = true;
    cond_signal(&events->bell);
    mutex_unlock(&events->mutex);
    must(pthread_join(events->thread, NULL) == 0);
    events_free(events);
}

const struct store_observer *
events_observer(const struct events *events)
{
    return &events->observer;
}

/* ---- which are wanted ---- */

bool
events_want(struct events *events, struct slice text)
{
    unsigned wanted = 0;

    for (size_t i = 0; i < text.len; i++) {
        const char *at = memchr(letters, text.data[i], sizeof letters - 1);

        if (text.data[i] == 'A')
            wanted |= WANT_ALL;
        else if (at != NULL)
            wanted |= 1U << (at - letters);
        else
            return false;
    }
    atomic_store(&events->wanted, wanted);
    return true;
}

const char *
events_wanted(const struct events *events, char out[EVENTS_LETTERS_SIZE])
{
    unsigned left = atomic_load(&events->wanted);
    size_t len = 0;

    if ((left & WANT_ALL) == WANT_ALL) {
        out[len++] = 'A';
        left &= ~(unsigned)(WANT_ALL | WANT_NEW); /* as Redis has it */
    }
    for (size_t i = 0; i < sizeof letters - 1; i++) {
        if (left & 1U << i)
            out[len++] = letters[i];
    }
    out[len] = '\0';
    return out;
}

uint64_t
events_lost(const struct events *events)
{
    return atomic_load(&events->lost);
}
