/* SPDX-License-Identifier: MIT
 *
 * stripe.c - counting, and resizing without allocating under the lock.
 */
#include "store/stripe.h"

#include "base/mem.h"
#include "base/must.h"

#define PAGE_SIZE 4096

static size_t
round_up(size_t size, size_t unit)
{
    return (size + unit - 1) & ~(unit - 1);
}

/* What an entry costs with malloc's share: 8 bytes, in units of 16. Large ones
 * are mapped (see mem_init) and cost 8 bytes more, in pages; those that find
 * room in the heap cost less than is counted here. */
static size_t
footprint(const struct entry *entry)
{
    size_t size = round_up(entry_size(entry) + 8, 16);

    return size < MEM_MAPPED_MIN ? size : round_up(size + 8, PAGE_SIZE);
}

void
stripe_init(struct stripe *stripe, int index,
            const struct table_options *options)
{
    *stripe = (struct stripe){0};
    rwlock_init(&stripe->lock, index);
    table_init(&stripe->table, options);
}

void
stripe_fini(struct stripe *stripe)
{
    must(stripe->holder == NULL);
    table_fini(&stripe->table);
    rwlock_fini(&stripe->lock);
}

void
stripe_enter(struct stripe *stripe)
{
    rwlock_write(&stripe->lock);
}

/* Allocates what the table wished for, without the lock, and offers it. */
static enum mz_err
resize(struct stripe *stripe, struct table_wish wish, bool claimed)
{
    const uint64_t seed = wish.reseed ? hash_random_seed() : 0;
    struct span span = {0};
    enum mz_err err = span_new(&span, wish.group_count);

    rwlock_write(&stripe->lock);
    if (err == MZ_OK)
        table_offer(&stripe->table, &span, seed);
    if (claimed)
        stripe->resizing = false;
    rwlock_drop_write(&stripe->lock);
    span_free(&span);
    return err;
}

/* What the table wishes for, if nobody is out for it already. */
static struct table_wish
claim_wish_locked(struct stripe *stripe) NEEDS_WRITE(stripe->lock)
{
    struct table_wish wish = {0, false};

    if (!stripe->resizing)
        wish = table_wish(&stripe->table);
    if (wish.group_count > 0)
        stripe->resizing = true;
    return wish;
}

/* A resize that a table wishes for can wait: without memory there is no harm
 * done, as whoever writes next tries again. */
static void
try_resize(struct stripe *stripe, struct table_wish wish)
{
    (void)resize(stripe, wish, true);
}

void
stripe_leave(struct stripe *stripe, struct entry *victim)
{
    struct span dead = {0};
    struct table_wish wish;

    table_move(&stripe->table, STRIPE_MOVE_GROUPS, &dead);
    wish = claim_wish_locked(stripe);
    rwlock_drop_write(&stripe->lock);
    entry_release(victim);
    span_free(&dead);
    if (wish.group_count > 0)
        try_resize(stripe, wish);
}

void
stripe_leave_all(struct stripe *stripe, struct victims *victims)
{
    stripe_leave(stripe, NULL);
    for (size_t i = 0; i < victims->count; i++)
        entry_release(victims->entries[i]);
    victims->count = 0;
}

enum mz_err
stripe_make_room(struct stripe *stripe)
{
    struct table_wish wish;
    bool has_room;

    rwlock_read(&stripe->lock);
    has_room = table_has_room(&stripe->table);
    wish = table_wish(&stripe->table);
    rwlock_drop_read(&stripe->lock);
    if (has_room)
        return MZ_OK;
    if (wish.group_count == 0)
        return MZ_NO_MEMORY;
    /* Somebody may be out for a span already, but this writer cannot go on
     * without one. */
    return resize(stripe, wish, false);
}

static void
count_in_locked(struct stripe *stripe, const struct entry *entry,
                int64_t deadline_mono_us) NEEDS_WRITE(stripe->lock)
{
    stripe->keys[entry->db]++;
    stripe->expires[entry->db] += deadline_mono_us != TABLE_NEVER;
    stripe->entry_bytes += footprint(entry);
}

static void
count_out_locked(struct stripe *stripe, const struct entry *entry,
                 int64_t deadline_mono_us) NEEDS_WRITE(stripe->lock)
{
    stripe->keys[entry->db]--;
    stripe->expires[entry->db] -= deadline_mono_us != TABLE_NEVER;
    stripe->entry_bytes -= footprint(entry);
}

void
stripe_insert_locked(struct stripe *stripe, const struct table_key *key,
                     struct entry *entry, int64_t deadline_mono_us)
{
    (void)table_insert(&stripe->table, key, entry, deadline_mono_us);
    count_in_locked(stripe, entry, deadline_mono_us);
}

struct entry *
stripe_replace_locked(struct stripe *stripe, struct table_pos pos,
                      struct entry *entry, int64_t deadline_mono_us)
{
    struct entry *before = table_replace(pos, entry);

    count_out_locked(stripe, before, table_deadline(pos));
    count_in_locked(stripe, entry, deadline_mono_us);
    table_set_deadline(&stripe->table, pos, deadline_mono_us);
    return before;
}

struct entry *
stripe_remove_locked(struct stripe *stripe, struct table_pos pos)
{
    count_out_locked(stripe, table_entry(pos), table_deadline(pos));
    return table_remove(&stripe->table, pos);
}

void
stripe_set_deadline_locked(struct stripe *stripe, struct table_pos pos,
                           int64_t deadline_mono_us)
{
    const uint8_t db = table_entry(pos)->db;

    stripe->expires[db] -= table_deadline(pos) != TABLE_NEVER;
    stripe->expires[db] += deadline_mono_us != TABLE_NEVER;
    table_set_deadline(&stripe->table, pos, deadline_mono_us);
}

bool
stripe_is_settled_locked(const struct stripe *stripe)
{
    return stripe->table.old.groups == NULL &&
           table_wish(&stripe->table).group_count == 0;
}

bool
stripe_settle(struct stripe *stripe)
{
    struct span dead = {0};
    bool more;

    stripe_enter(stripe);
    table_move(&stripe->table, STRIPE_SLICE_GROUPS_MAX, &dead);
    more = stripe->table.old.groups != NULL;
    stripe_leave(stripe, NULL);
    span_free(&dead);
    return more;
}

size_t
stripe_memory_locked(const struct stripe *stripe)
{
    return stripe->entry_bytes + table_size(&stripe->table);
}

/* Counts what lies in the table anew. */
static void
check_counts_locked(struct stripe *stripe) NEEDS_READ(stripe->lock)
{
    struct stripe seen = {0};
    struct table_walk walk;
    struct table_pos pos;

    if (table_is_reseeding(&stripe->table))
        return;
    table_walk_begin(&walk, &stripe->table, 0, UINT32_MAX);
    while (table_walk_next(&walk, &pos)) {
        const struct entry *entry = table_entry(pos);

        seen.keys[entry->db]++;
        seen.expires[entry->db] += table_deadline(pos) != TABLE_NEVER;
        seen.entry_bytes += footprint(entry);
        must(entry->version > 0);
    }
    must(seen.entry_bytes == stripe->entry_bytes);
    for (int db = 0; db < ENTRY_DB_COUNT; db++) {
        must(seen.keys[db] == stripe->keys[db]);
        must(seen.expires[db] == stripe->expires[db]);
    }
}

void
stripe_check(struct stripe *stripe)
{
    rwlock_read(&stripe->lock);
    table_check(&stripe->table);
    check_counts_locked(stripe);
    rwlock_drop_read(&stripe->lock);
}
