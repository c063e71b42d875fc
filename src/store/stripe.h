/* SPDX-License-Identifier: MIT
 *
 * stripe.h - one of the 64 parts of the store: a lock, a table and counts.
 *
 * Whoever writes enters, changes, and leaves with the entry that is to go:
 *
 *     stripe_enter(stripe);
 *     victim = stripe_remove_locked(stripe, pos);
 *     stripe_leave(stripe, victim);
 *
 * Leaving does one step of a resize that is under way, unlocks, and only then
 * frees and, where the table wishes for another size, allocates. So nothing is
 * allocated or freed under the lock.
 *
 * Lock: stripe->lock guards every member. The rank of the lock is the index of
 * the stripe.
 */
#ifndef MEMOIZER_STORE_STRIPE_H
#define MEMOIZER_STORE_STRIPE_H

#include "base/lock.h"
#include "store/entry.h"
#include "store/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two stripes share no cache line, nor the neighbour that is fetched with
 * it. */
#define STRIPE_ALIGN 128

/* Groups of the old span that each write moves. */
#define STRIPE_MOVE_GROUPS 16

/* The most entries that leave under one lock, and the groups looked at. */
#define STRIPE_VICTIMS_MAX      64
#define STRIPE_SLICE_GROUPS_MAX 128

struct store_hold;

struct stripe {
    struct rwlock lock;
    /* lock: whom the stripe is reserved for, see store/store_hold.h. Beside
     * what every operation reads first. */
    struct store_hold *holder;
    struct table table;               /* lock */
    size_t entry_bytes;               /* lock: with the allocator's share */
    uint64_t expired_keys;            /* lock: removed by time so far */
    uint32_t keys[ENTRY_DB_COUNT];    /* lock */
    uint32_t expires[ENTRY_DB_COUNT]; /* lock: keys with a deadline */
    bool resizing;                    /* lock: somebody is allocating a span */
} __attribute__((aligned(STRIPE_ALIGN)));

/* Entries that left the table under the lock, to be released after it. */
struct victims {
    size_t count;
    struct entry *entries[STRIPE_VICTIMS_MAX];
};

void stripe_init(struct stripe *stripe, int index,
                 const struct table_options *options);

/* Releases all entries. */
void stripe_fini(struct stripe *stripe);

/* Takes the lock for writing. */
void stripe_enter(struct stripe *stripe)
    LOCK_TS(acquire_capability(stripe->lock));

/* Gives it back; see above. victim may be NULL. */
void stripe_leave(struct stripe *stripe, struct entry *victim)
    LOCK_TS(release_capability(stripe->lock));
void stripe_leave_all(struct stripe *stripe, struct victims *victims)
    LOCK_TS(release_capability(stripe->lock));

/* To be called without the lock when the table had no room: it has now, unless
 * others were quicker. MZ_NO_MEMORY when there is no memory. */
enum mz_err stripe_make_room(struct stripe *stripe) MZ_CHECK;

/* Takes over entry, which is new in the table; there must be room. */
void stripe_insert_locked(struct stripe *stripe, const struct table_key *key,
                          struct entry *entry, int64_t deadline_mono_us)
    NEEDS_WRITE(stripe->lock);

/* Puts entry in the place of one with the same key, which it gives back. */
struct entry *stripe_replace_locked(struct stripe *stripe, struct table_pos pos,
                                    struct entry *entry,
                                    int64_t deadline_mono_us)
    NEEDS_WRITE(stripe->lock);

struct entry *stripe_remove_locked(struct stripe *stripe, struct table_pos pos)
    NEEDS_WRITE(stripe->lock);

void stripe_set_deadline_locked(struct stripe *stripe, struct table_pos pos,
                                int64_t deadline_mono_us)
    NEEDS_WRITE(stripe->lock);

/* Neither is a resize under way nor does the table wish for one. */
bool stripe_is_settled_locked(const struct stripe *stripe)
    NEEDS_READ(stripe->lock);

/* Goes on with a resize: moves up to STRIPE_SLICE_GROUPS_MAX groups, or gets
 * the table what it wishes for. True when this resize needs more of it. */
bool stripe_settle(struct stripe *stripe);

/* Entries and tables in bytes. */
size_t stripe_memory_locked(const struct stripe *stripe)
    NEEDS_READ(stripe->lock);

/* Aborts unless table and counts are right. For tests. */
void stripe_check(struct stripe *stripe);

#endif
