/* SPDX-License-Identifier: MIT
 *
 * store_internal.h - what the parts of the store share: what it is made of, the
 * stripe of a key, the time of an operation, the end of an entry, and which
 * keys are meant.
 *
 * For store.c (operations on one key), store_hold.c, store_many.c and
 * store_scan.c only.
 */
#ifndef MEMOIZER_STORE_STORE_INTERNAL_H
#define MEMOIZER_STORE_STORE_INTERNAL_H

#include "base/clock.h"
#include "base/lock.h"
#include "base/must.h"
#include "store/store.h"
#include "store/stripe.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define STRIPE_BITS 6

_Static_assert(STORE_STRIPES == 1 << STRIPE_BITS, "stripes are picked by bits");
_Static_assert(STORE_NEVER == TABLE_NEVER, "one word for never");

struct store {
    void *block;               /* const: the allocation that this lies in */
    size_t block_size;         /* const: bytes */
    const struct clock *clock; /* const */
    const struct store_observer *observer; /* const, or NULL */
    uint64_t seed;                         /* const */
    unsigned hash_bits;                    /* const: 1 to 64 */
    _Atomic bool stopping; /* atomic: walks end at their next slice */
    /* atomic: the last version given. On a line of its own, as every write
     * changes it and every operation reads the members above. */
    _Atomic uint64_t version __attribute__((aligned(STRIPE_ALIGN)));
    struct mutex turns[STORE_STRIPES]; /* guard nothing, see store.h */
    struct mutex hold_lock;
    struct cond hold_ended;     /* with hold_lock: hold_ends has changed */
    _Atomic uint64_t hold_ends; /* atomic: holds that have ended; changes under
                                   hold_lock */
    struct stripe stripes[STORE_STRIPES];
};

/* ---- keys and their stripes ---- */

static inline struct table_key
hashed(const struct store *store, struct store_key key)
{
    must(key.key.len <= ENTRY_KEY_MAX && key.db < STORE_DBS);
    return (struct table_key){
        key.key, table_hash(key.key, key.db, store->seed, store->hash_bits),
        key.db};
}

static inline unsigned
stripe_index(const struct table_key *key)
{
    return (unsigned)(key->hash >> (64 - STRIPE_BITS));
}

/* Wait until the stripe is free for an operation under `hold`, or NULL: give
 * the lock back meanwhile, and have it again. */
void hold_await_read_locked(struct store *store, struct stripe *stripe,
                            const struct store_hold *hold)
    NEEDS_READ(stripe->lock);
void hold_await_write_locked(struct store *store, struct stripe *stripe,
                             const struct store_hold *hold)
    NEEDS_WRITE(stripe->lock);

/* Take the lock of a stripe that nobody else has reserved. */
static inline void
read_for(struct store *store, struct stripe *stripe,
         const struct store_hold *hold)
    LOCK_TS(acquire_shared_capability(stripe->lock))
{
    rwlock_read(&stripe->lock);
    if (__builtin_expect(stripe->holder != hold, 0))
        hold_await_read_locked(store, stripe, hold);
}

static inline void
enter_for(struct store *store, struct stripe *stripe,
          const struct store_hold *hold)
    LOCK_TS(acquire_capability(stripe->lock))
{
    stripe_enter(stripe);
    if (__builtin_expect(stripe->holder != hold, 0))
        hold_await_write_locked(store, stripe, hold);
}

/* ---- time ---- */

/* The time of an operation: read when it is first asked for, and then the same
 * to the end. */
struct moment {
    const struct clock *clock;
    int64_t mono_us;
    bool known;
};

static inline int64_t
now_us(struct moment *now)
{
    if (!now->known)
        now->mono_us = clock_mono_us(now->clock);
    now->known = true;
    return now->mono_us;
}

/* What is left of a key's life, in ms rounded up: STORE_NEVER, or 0 and less
 * when it is over. At the deadline itself it is. */
static inline int64_t
time_left_ms(struct moment *now, int64_t deadline_mono_us)
{
    int64_t left_us;

    if (deadline_mono_us == STORE_NEVER)
        return STORE_NEVER;
    left_us = deadline_mono_us - now_us(now);
    return left_us > 0 ? (left_us - 1) / 1000 + 1 : 0;
}

static inline void
tell(const struct store *store, enum store_change_kind kind,
     const struct entry *entry, int64_t deadline_mono_us)
{
    const struct store_change change = {kind, entry, deadline_mono_us};

    if (store->observer != NULL)
        store->observer->changed(store->observer->ctx, &change);
}

/* What a reader sees of a living key. */
static inline struct store_view
view_of(struct table_pos pos, int64_t ttl_left_ms)
{
    struct entry *entry = table_entry(pos);

    return (struct store_view){.key = entry_key(entry),
                               .value = entry_value(entry),
                               .kind = (enum value_kind)entry->kind,
                               .version = entry->version,
                               .ttl_left_ms = ttl_left_ms,
                               .deadline_mono_us = table_deadline(pos),
                               .entry = entry};
}

static inline void
show_locked(struct table_pos pos, int64_t ttl_left_ms, store_reader *reader,
            void *ctx)
{
    const struct store_view view = view_of(pos, ttl_left_ms);

    reader(ctx, &view);
}

/* Removes an entry whose time is over; the caller releases it. */
static inline struct entry *
expire_locked(struct store *store, struct stripe *stripe, struct table_pos pos)
    NEEDS_WRITE(stripe->lock)
{
    int64_t deadline_mono_us = table_deadline(pos);
    struct entry *entry = stripe_remove_locked(stripe, pos);

    stripe->expired_keys++;
    tell(store, STORE_CHANGE_EXPIRE, entry, deadline_mono_us);
    return entry;
}

/* ---- many keys ---- */

/* Groups of one slice of a walk: every entry in them is looked at under one
 * hold of the lock. */
#define SLICE_GROUPS 32

/* Which keys are meant. */
struct filter {
    struct slice prefix;
    uint8_t db;
};

static inline bool
matches(const struct filter *filter, const struct entry *entry)
{
    const size_t len = filter->prefix.len;

    if (entry->db != filter->db || entry->key_len < len)
        return false;
    return len == 0 || memcmp(entry->bytes, filter->prefix.data, len) == 0;
}

#endif
