/* SPDX-License-Identifier: MIT
 *
 * store_internal.h - what the parts of the store share: what it is made of, the
 * time of an operation, the end of an entry, and which keys are meant.
 *
 * For store.c (operations on one key), store_many.c and store_scan.c only.
 */
#ifndef MEMOIZER_STORE_STORE_INTERNAL_H
#define MEMOIZER_STORE_STORE_INTERNAL_H

#include "base/clock.h"
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
    /* atomic: the last version given. On a line of its own, as every write
     * changes it and every operation reads the members above. */
    _Atomic uint64_t version __attribute__((aligned(STRIPE_ALIGN)));
    struct stripe stripes[STORE_STRIPES];
};

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
