/* SPDX-License-Identifier: MIT
 *
 * store_hold.c - reserving stripes, and waiting for those who have.
 *
 * stripe->holder says whose a stripe is. It is set and cleared under the lock
 * of the stripe, which is given back at once. An operation that finds somebody
 * else there:
 *
 *     operation                          owner
 *       stripe lock, sees holder
 *       reads hold_ends
 *       stripe unlock                      stripe lock, clears holder, unlock
 *       hold_lock                          hold_lock
 *       waits while hold_ends is           hold_ends + 1, wakes all
 *         what it was                      hold_unlock
 *
 * The owner counts after it has cleared, so whoever saw the holder has read
 * hold_ends before it was counted, and no end is missed.
 *
 * No deadlock: stripes are reserved in ascending order, so among those who
 * wait, the one that waits for the highest stripe waits for somebody who does
 * not wait; and nobody has a lock while it waits.
 *
 * The sweeper and resizing pass by: a key that has expired is invisible before
 * it goes, and resizing changes nothing that can be seen. Scan, count, random
 * and totals do so too, since they are not one step over many keys anyhow; and
 * the owner may call them.
 *
 * Locking: one stripe at a time, or hold_lock.
 */
#include "store/store_hold.h"

#include "base/mem.h"
#include "base/must.h"
#include "store/store_internal.h"

#include <string.h>

struct store_hold {
    struct store *store;
    uint64_t stripes; /* bit i: stripe i is reserved */
};

_Static_assert(STORE_STRIPES == 64, "a bit for each stripe");

/* ---- waiting ---- */

/* Until a hold has ended since *hold_ends was `ends`. */
static void
await_end(struct store *store, uint64_t ends)
{
    mutex_lock(&store->hold_lock);
    while (atomic_load_explicit(&store->hold_ends, memory_order_relaxed) ==
           ends)
        cond_wait(&store->hold_ended, &store->hold_lock);
    mutex_unlock(&store->hold_lock);
}

void
hold_await_read_locked(struct store *store, struct stripe *stripe,
                       const struct store_hold *hold)
{
    while (stripe->holder != hold) {
        uint64_t ends;

        must(hold == NULL); /* it does not cover the key */
        ends = atomic_load_explicit(&store->hold_ends, memory_order_relaxed);
        rwlock_drop_read(&stripe->lock);
        await_end(store, ends);
        rwlock_read(&stripe->lock);
    }
}

void
hold_await_write_locked(struct store *store, struct stripe *stripe,
                        const struct store_hold *hold)
{
    while (stripe->holder != hold) {
        uint64_t ends;

        must(hold == NULL); /* it does not cover the key */
        ends = atomic_load_explicit(&store->hold_ends, memory_order_relaxed);
        rwlock_drop_write(&stripe->lock);
        await_end(store, ends);
        rwlock_write(&stripe->lock);
    }
}

/* ---- holding ---- */

static uint64_t
stripes_of(const struct store *store, const struct store_key *keys,
           size_t count)
{
    uint64_t stripes = 0;

    for (size_t i = 0; i < count; i++) {
        const struct table_key key = hashed(store, keys[i]);

        must(keys[i].hold == NULL);
        stripes |= UINT64_C(1) << stripe_index(&key);
    }
    return stripes;
}

static void
reserve(struct store_hold *hold, struct stripe *stripe)
{
    enter_for(hold->store, stripe, NULL);
    stripe->holder = hold;
    rwlock_drop_write(&stripe->lock);
}

static void
let_go(const struct store_hold *hold, struct stripe *stripe)
{
    rwlock_write(&stripe->lock);
    must(stripe->holder == hold);
    stripe->holder = NULL;
    rwlock_drop_write(&stripe->lock);
}

enum mz_err
store_hold_begin(struct store *store, const struct store_key *keys,
                 size_t count, struct store_hold **out)
{
    const uint64_t stripes = stripes_of(store, keys, count);
    struct store_hold *hold = mem_alloc(sizeof *hold);

    if (hold == NULL)
        return MZ_NO_MEMORY;
    *hold = (struct store_hold){store, stripes};
    for (uint64_t left = stripes; left != 0; left &= left - 1)
        reserve(hold, &store->stripes[__builtin_ctzll(left)]);
    *out = hold;
    return MZ_OK;
}

void
store_hold_end(struct store_hold *hold)
{
    struct store *store;

    if (hold == NULL)
        return;
    store = hold->store;
    for (uint64_t left = hold->stripes; left != 0; left &= left - 1)
        let_go(hold, &store->stripes[__builtin_ctzll(left)]);
    mutex_lock(&store->hold_lock);
    atomic_fetch_add_explicit(&store->hold_ends, 1, memory_order_relaxed);
    cond_broadcast(&store->hold_ended);
    mutex_unlock(&store->hold_lock);
    mem_free(hold);
}

/* ---- renaming ---- */

/* A value on its way from key to key: retained, or a copy of a small one. */
struct parcel {
    struct entry *shared; /* NULL: copied */
    char *copy;
    size_t len;
    enum value_kind kind;
    uint64_t version;
    int64_t deadline_mono_us;
};

/* A reader. */
static void
note_parcel(void *ctx, const struct store_view *view)
{
    struct parcel *parcel = ctx;

    parcel->len = view->value.len;
    parcel->kind = view->kind;
    parcel->version = view->version;
    parcel->deadline_mono_us = view->deadline_mono_us;
    if (entry_is_shared(view->entry)) {
        entry_retain(view->entry);
        parcel->shared = view->entry;
    }
}

/* A reader, for a parcel that has been noted and has room. */
static void
copy_parcel(void *ctx, const struct store_view *view)
{
    struct parcel *parcel = ctx;

    must(view->version == parcel->version);
    if (parcel->len > 0)
        memcpy(parcel->copy, view->value.data, parcel->len);
}

/* Under the hold of `from` nobody writes between two reads, but its time may
 * run out. */
static enum mz_err
fetch_parcel(struct store *store, struct store_key from, struct parcel *parcel)
{
    if (!store_get(store, from, note_parcel, parcel))
        return MZ_MISSING;
    if (parcel->shared != NULL)
        return MZ_OK;
    parcel->copy = mem_alloc(parcel->len);
    if (parcel->copy == NULL)
        return MZ_NO_MEMORY;
    return store_get(store, from, copy_parcel, parcel) ? MZ_OK : MZ_MISSING;
}

static enum mz_err
rename_under_hold(struct store *store, struct store_key from,
                  struct store_key to, bool only_if_absent, uint64_t *version)
{
    const struct store_if always = {STORE_ALWAYS, 0};
    struct parcel parcel = {0};
    enum mz_err err = fetch_parcel(store, from, &parcel);
    uint64_t none;
    bool removed;

    if (err == MZ_OK) {
        const struct store_write write = {
            .key = to,
            .value = parcel.shared != NULL ? entry_value(parcel.shared)
                                           : slice_of(parcel.copy, parcel.len),
            .kind = parcel.kind,
            .deadline_mono_us = parcel.deadline_mono_us,
            .only_if = {only_if_absent ? STORE_IF_ABSENT : STORE_ALWAYS, 0},
        };

        err = store_set(store, &write, version);
    }
    if (err == MZ_OK)
        must(store_del(store, from, always, &removed, &none) == MZ_OK);
    entry_release(parcel.shared);
    mem_free(parcel.copy);
    return err;
}

/* What comes of giving a key the name that it has. */
static enum mz_err
rename_to_itself(struct store *store, struct store_key key, bool only_if_absent,
                 uint64_t *version)
{
    struct parcel parcel = {0};

    if (!store_get(store, key, note_parcel, &parcel))
        return MZ_MISSING;
    entry_release(parcel.shared);
    *version = parcel.version;
    return only_if_absent ? MZ_EXISTS : MZ_OK;
}

enum mz_err
store_rename(struct store *store, struct store_key from, struct store_key to,
             bool only_if_absent, uint64_t *version)
{
    const struct store_key keys[] = {from, to};
    struct store_hold *hold;
    enum mz_err err;

    must(from.hold == to.hold);
    *version = 0;
    if (from.db == to.db && slice_equal(from.key, to.key))
        return rename_to_itself(store, from, only_if_absent, version);
    if (from.hold != NULL)
        return rename_under_hold(store, from, to, only_if_absent, version);
    err = store_hold_begin(store, keys, 2, &hold);
    if (err != MZ_OK)
        return err;
    from.hold = to.hold = hold;
    err = rename_under_hold(store, from, to, only_if_absent, version);
    store_hold_end(hold);
    return err;
}
