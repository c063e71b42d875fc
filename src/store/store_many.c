/* SPDX-License-Identifier: MIT
 *
 * store_many.c - the operations on many keys: sweep, count, drop, a random one,
 * and sums.
 *
 * Count and drop go stripe by stripe, and within a stripe in slices: a range of
 * hashes, looked at under one hold of the lock. What lies in a range is the
 * same set of keys whatever the size of the table, so nobody who stays is
 * missed between two slices (see table_walk in store/table.h). Only a new seed
 * breaks the order; then the stripe is begun again.
 *
 * Only what removes living keys waits for holds; store_hold.c says why.
 *
 * Locking: one stripe at a time, and each time for at most SLICE_GROUPS groups
 * that are looked at and STRIPE_VICTIMS_MAX entries that leave.
 */
#include "store/store.h"

#include "base/hash.h"
#include "base/must.h"
#include "store/store_internal.h"

/* ---- slices ---- */

/* How far a walk over one stripe has come. {0} is its beginning. */
struct way {
    uint32_t h23;   /* from here on; TABLE_H23_END: all */
    uint32_t epoch; /* of the table when it began */
    bool blocked;   /* it cannot go on before the table is settled */
};

/* Whether there is a slice to look at, from way->h23 on. */
static bool
has_slice_locked(const struct stripe *stripe, uint8_t db, struct way *way)
    NEEDS_READ(stripe->lock)
{
    const struct table *table = &stripe->table;

    way->blocked = table_is_reseeding(table);
    if (way->blocked)
        return false;
    if (way->epoch != table->epoch)
        way->h23 = 0;
    way->epoch = table->epoch;
    if (stripe->keys[db] == 0)
        way->h23 = TABLE_H23_END;
    return way->h23 < TABLE_H23_END;
}

/* Nobody waits for the rest of a walk any more. */
static bool
is_stopping(const struct store *store)
{
    return atomic_load_explicit(&store->stopping, memory_order_relaxed);
}

void
store_stop_walks(struct store *store)
{
    atomic_store_explicit(&store->stopping, true, memory_order_relaxed);
}

/* To be called after each slice, without the lock. */
static void
clear_way(struct stripe *stripe, const struct way *way)
{
    if (way->blocked)
        (void)stripe_settle(stripe);
}

/* ---- sweep ---- */

/* Removes some of what is due. False when nothing is left that was due at
 * now_mono_us. */
static bool
sweep_slice(struct store *store, struct stripe *stripe, int64_t now_mono_us,
            uint64_t *removed)
{
    struct victims victims = {0};
    struct table_due due;
    struct table_pos pos;
    bool more;

    stripe_enter(stripe);
    table_due_begin(&due, &stripe->table, now_mono_us);
    while (victims.count < STRIPE_VICTIMS_MAX &&
           table_due_next(&due, STRIPE_SLICE_GROUPS_MAX, &pos))
        victims.entries[victims.count++] = expire_locked(store, stripe, pos);
    table_due_end(&due);
    more = stripe->table.due_mono_us <= now_mono_us;
    *removed += victims.count;
    stripe_leave_all(stripe, &victims);
    return more;
}

/* What a stripe has at a moment. */
struct look {
    bool due;       /* something to sweep */
    bool unsettled; /* something to resize */
    uint64_t keys;  /* in the database that was asked for */
};

static struct look
look_at(struct stripe *stripe, uint8_t db, int64_t now_mono_us)
{
    struct look look;

    rwlock_read(&stripe->lock);
    look.due = stripe->table.due_mono_us <= now_mono_us;
    look.unsettled = !stripe_is_settled_locked(stripe);
    look.keys = stripe->keys[db];
    rwlock_drop_read(&stripe->lock);
    return look;
}

uint64_t
store_sweep(struct store *store)
{
    const int64_t now_mono_us = clock_mono_us(store->clock);
    uint64_t removed = 0;

    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct stripe *stripe = &store->stripes[i];
        struct look look = look_at(stripe, 0, now_mono_us);

        while (look.due)
            look.due = sweep_slice(store, stripe, now_mono_us, &removed);
        /* A stripe that nobody writes to must not keep two spans, nor one
         * that has become far too large. */
        while (look.unsettled)
            look.unsettled = stripe_settle(stripe);
    }
    return removed;
}

/* ---- count ---- */

static uint64_t
count_slice_locked(const struct store *store, const struct stripe *stripe,
                   const struct filter *filter, struct way *way)
    NEEDS_READ(stripe->lock)
{
    struct moment now = {.clock = store->clock};
    struct table_walk walk;
    struct table_pos pos;
    uint64_t count = 0;

    table_walk_begin(&walk, &stripe->table, way->h23, SLICE_GROUPS);
    while (table_walk_next(&walk, &pos))
        if (matches(filter, table_entry(pos)))
            count += time_left_ms(&now, table_deadline(pos)) > 0;
    way->h23 = walk.end_h23;
    return count;
}

static uint64_t
count_stripe(struct store *store, struct stripe *stripe,
             const struct filter *filter)
{
    struct way way = {0};
    uint64_t count = 0;

    while (way.h23 < TABLE_H23_END && !is_stopping(store)) {
        rwlock_read(&stripe->lock);
        if (has_slice_locked(stripe, filter->db, &way)) {
            if (way.h23 == 0)
                count = 0; /* begun again */
            count += count_slice_locked(store, stripe, filter, &way);
        }
        rwlock_drop_read(&stripe->lock);
        clear_way(stripe, &way);
    }
    return count;
}

/* The keys of a stripe that are there when nothing is due. */
static uint64_t
count_swept(struct store *store, struct stripe *stripe, uint8_t db)
{
    const int64_t now_mono_us = clock_mono_us(store->clock);
    struct look look = look_at(stripe, db, now_mono_us);
    uint64_t removed = 0;

    while (look.due) {
        while (sweep_slice(store, stripe, now_mono_us, &removed))
            ;
        look = look_at(stripe, db, now_mono_us);
    }
    return look.keys;
}

uint64_t
store_count(struct store *store, uint8_t db, struct slice prefix)
{
    const struct filter filter = {prefix, db};
    uint64_t count = 0;

    must(db < STORE_DBS);
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct stripe *stripe = &store->stripes[i];

        count += prefix.len > 0 ? count_stripe(store, stripe, &filter)
                                : count_swept(store, stripe, db);
    }
    return count;
}

/* ---- drop ---- */

/* How far it has come. */
struct drop {
    struct filter filter;
    uint64_t version; /* in this stripe: newer entries stay; 0: not known yet */
    struct way way;   /* in this stripe */
    uint64_t removed; /* living keys, so far */
};

static inline bool
is_to_go(const struct drop *drop, const struct entry *entry)
{
    return matches(&drop->filter, entry) && entry->version <= drop->version;
}

/* Gets on past a slice that nothing of is to go. */
static void
pass_slice_locked(const struct stripe *stripe, struct drop *drop)
    NEEDS_READ(stripe->lock)
{
    struct table_walk walk;
    struct table_pos pos;

    table_walk_begin(&walk, &stripe->table, drop->way.h23, SLICE_GROUPS);
    while (table_walk_next(&walk, &pos))
        if (is_to_go(drop, table_entry(pos)))
            return;
    drop->way.h23 = walk.end_h23;
}

/* Removes an entry; the caller releases it. */
static struct entry *
drop_entry_locked(struct store *store, struct stripe *stripe,
                  struct table_pos pos, struct moment *now, struct drop *drop)
    NEEDS_WRITE(stripe->lock)
{
    const int64_t deadline_mono_us = table_deadline(pos);
    struct entry *entry;

    if (time_left_ms(now, deadline_mono_us) <= 0)
        return expire_locked(store, stripe, pos);
    entry = stripe_remove_locked(stripe, pos);
    tell(store, STORE_CHANGE_DELETE, entry, deadline_mono_us);
    drop->removed++;
    return entry;
}

/* Removes what a slice has. Goes on to the next one only when it had no more
 * than there is room for. */
static void
drop_slice_locked(struct store *store, struct stripe *stripe, struct drop *drop,
                  struct victims *victims) NEEDS_WRITE(stripe->lock)
{
    struct moment now = {.clock = store->clock};
    struct table_walk walk;
    struct table_pos pos;

    table_walk_begin(&walk, &stripe->table, drop->way.h23, SLICE_GROUPS);
    while (table_walk_next(&walk, &pos)) {
        if (!is_to_go(drop, table_entry(pos)))
            continue;
        if (victims->count == STRIPE_VICTIMS_MAX)
            return;
        victims->entries[victims->count++] =
            drop_entry_locked(store, stripe, pos, &now, drop);
    }
    drop->way.h23 = walk.end_h23;
}

/* Readers need not wait for a look at what stays. True when the next slice has
 * something that is to go. */
static bool
find_slice(const struct store *store, struct stripe *stripe, struct drop *drop)
{
    uint32_t from_h23;
    bool found = false;

    rwlock_read(&stripe->lock);
    /* Entries that are in the stripe now have a version up to this one: they
     * got it under this lock. */
    if (drop->version == 0)
        drop->version =
            atomic_load_explicit(&store->version, memory_order_relaxed);
    if (has_slice_locked(stripe, drop->filter.db, &drop->way)) {
        from_h23 = drop->way.h23;
        pass_slice_locked(stripe, drop);
        found = drop->way.h23 == from_h23;
    }
    rwlock_drop_read(&stripe->lock);
    clear_way(stripe, &drop->way);
    return found;
}

static void
drop_stripe(struct store *store, struct stripe *stripe, struct drop *drop)
{
    struct victims victims = {0};

    drop->version = 0;
    drop->way = (struct way){0};
    while (drop->way.h23 < TABLE_H23_END && !is_stopping(store)) {
        if (!find_slice(store, stripe, drop))
            continue;
        /* Looking at what is there needs no leave, changing it does. */
        enter_for(store, stripe, NULL);
        if (has_slice_locked(stripe, drop->filter.db, &drop->way))
            drop_slice_locked(store, stripe, drop, &victims);
        stripe_leave_all(stripe, &victims);
        clear_way(stripe, &drop->way);
    }
}

uint64_t
store_drop(struct store *store, uint8_t db, struct slice prefix)
{
    struct drop drop = {.filter = {prefix, db}};

    must(db < STORE_DBS);
    for (unsigned i = 0; i < STORE_STRIPES; i++)
        drop_stripe(store, &store->stripes[i], &drop);
    return drop.removed;
}

void
store_reset(struct store *store, uint8_t db)
{
    (void)store_drop(store, db, slice_of(NULL, 0));
}

/* ---- a random key ---- */

/* Slices of a stripe that are tried before it is walked. */
#define RANDOM_TRIES 16

/* What is searched for, and numbers by chance: those that follow one that the
 * kernel gave, from splitmix64, are good enough. */
struct lottery {
    struct filter filter;
    uint64_t state;
    store_reader *reader;
    void *ctx;
};

/* Below n > 0. */
static uint64_t
draw(struct lottery *lottery, uint64_t n)
{
    uint64_t z = (lottery->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % n;
}

/* The parts into which a stripe is cut, SLICE_GROUPS or less each. */
static uint32_t
slice_count_locked(const struct stripe *stripe) NEEDS_READ(stripe->lock)
{
    const uint32_t cur = stripe->table.cur.group_count;
    const uint32_t old = stripe->table.old.group_count;

    return ((cur > old ? cur : old) + SLICE_GROUPS - 1) / SLICE_GROUPS;
}

/* Shows one of the living keys of part i of count, each with the same
 * chance. */
static bool
draw_from_slice_locked(const struct store *store, const struct stripe *stripe,
                       struct lottery *lottery, uint64_t i, uint64_t count)
    NEEDS_READ(stripe->lock)
{
    struct moment now = {.clock = store->clock};
    struct table_pos pos, chosen = {0};
    int64_t left_ms, chosen_left_ms = 0;
    struct table_walk walk;
    uint64_t seen = 0;

    table_walk_begin_range(&walk, &stripe->table,
                           (uint32_t)(i * TABLE_H23_END / count),
                           (uint32_t)((i + 1) * TABLE_H23_END / count));
    while (table_walk_next(&walk, &pos)) {
        if (!matches(&lottery->filter, table_entry(pos)))
            continue;
        left_ms = time_left_ms(&now, table_deadline(pos));
        if (left_ms <= 0 || draw(lottery, ++seen) > 0)
            continue;
        chosen = pos;
        chosen_left_ms = left_ms;
    }
    if (seen > 0)
        show_locked(chosen, chosen_left_ms, lottery->reader, lottery->ctx);
    return seen > 0;
}

/* What a look at one slice gave. */
enum draw_result {
    DRAW_SHOWN,
    DRAW_NOTHING, /* in this slice */
    DRAW_EMPTY,   /* in this stripe */
    DRAW_BLOCKED, /* by a new seed */
};

/* Looks at the slice after *at, or at one by chance when that is UINT64_MAX. */
static enum draw_result
draw_locked(const struct store *store, const struct stripe *stripe,
            struct lottery *lottery, uint64_t *at, uint64_t *count)
    NEEDS_READ(stripe->lock)
{
    if (stripe->keys[lottery->filter.db] == 0)
        return DRAW_EMPTY;
    if (table_is_reseeding(&stripe->table))
        return DRAW_BLOCKED;
    *count = slice_count_locked(stripe);
    *at = *at == UINT64_MAX ? draw(lottery, *count) : (*at + 1) % *count;
    return draw_from_slice_locked(store, stripe, lottery, *at, *count)
               ? DRAW_SHOWN
               : DRAW_NOTHING;
}

/* Tries slices by chance, and then all, from the last of those on. */
static bool
draw_from_stripe(const struct store *store, struct stripe *stripe,
                 struct lottery *lottery)
{
    uint64_t at = UINT64_MAX, count = 1;

    for (uint64_t tries = 0; tries < RANDOM_TRIES + count;) {
        enum draw_result result;

        if (tries < RANDOM_TRIES)
            at = UINT64_MAX;
        rwlock_read(&stripe->lock);
        result = draw_locked(store, stripe, lottery, &at, &count);
        rwlock_drop_read(&stripe->lock);
        if (result == DRAW_SHOWN || result == DRAW_EMPTY)
            return result == DRAW_SHOWN;
        if (result == DRAW_BLOCKED)
            (void)stripe_settle(stripe);
        else
            tries++;
    }
    return false;
}

bool
store_random(struct store *store, uint8_t db, store_reader *reader, void *ctx)
{
    struct lottery lottery = {.filter = {.db = db},
                              .state = hash_random_seed(),
                              .reader = reader,
                              .ctx = ctx};
    uint64_t keys[STORE_STRIPES], sum = 0, ticket;
    unsigned first = 0;

    must(db < STORE_DBS);
    for (unsigned i = 0; i < STORE_STRIPES; i++)
        sum += keys[i] = count_swept(store, &store->stripes[i], db);
    if (sum == 0)
        return false;
    for (ticket = draw(&lottery, sum); ticket >= keys[first]; first++)
        ticket -= keys[first];
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct stripe *stripe = &store->stripes[(first + i) % STORE_STRIPES];

        if (draw_from_stripe(store, stripe, &lottery))
            return true;
    }
    return false;
}

/* ---- sums ---- */

void
store_totals(struct store *store, uint8_t db, struct store_totals *totals)
{
    must(db < STORE_DBS);
    *totals = (struct store_totals){0};
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct stripe *stripe = &store->stripes[i];

        rwlock_read(&stripe->lock);
        totals->keys += stripe->keys[db];
        totals->expires += stripe->expires[db];
        totals->expired_keys += stripe->expired_keys;
        totals->memory_bytes += stripe_memory_locked(stripe);
        rwlock_drop_read(&stripe->lock);
    }
}

void
store_check(struct store *store)
{
    for (unsigned i = 0; i < STORE_STRIPES; i++)
        stripe_check(&store->stripes[i]);
}
