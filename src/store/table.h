/* SPDX-License-Identifier: MIT
 *
 * table.h - an open-addressing table of entries.
 *
 * Knows no locks, clocks, policies or observers: deadlines are numbers that it
 * keeps beside the entries, and whoever calls sees to it that nobody else
 * writes meanwhile. Functions that take a `const struct table *` may run
 * beside each other.
 *
 * The entries lie in a span: an array of groups of 15 slots (see
 * table_internal.h). h23, 23 bits of the hash of a key, gives the group where
 * the key is at home, in such a way that the order of homes is the order of
 * h23 whatever the number of groups. A key that finds its home full goes on to
 * the next group with a free slot, and each group counts those that passed it.
 *
 *     span cur   [ group ][ group ][ group ] ...      new entries go here
 *     span old   [ empty ][ group ] ...               while it is resized
 *                         ^ moved
 *
 * Invariants, held by table_check():
 * - a key is in exactly one slot of one span;
 * - group.overflow counts the entries that passed the group, or is stuck at
 *   255; a search ends at a group that nobody passed;
 * - in cur, nobody has passed a group with a free slot: a removal moves
 *   others back, so that the table never gets worse with age;
 * - in each span some group has been passed by nobody: one with a free slot, or
 *   the one that got the last. So moving back goes on for less than once round,
 *   and nobody moves from ahead of a walk or a sweep to where it has been;
 * - cur has room for all entries of both spans.
 *
 * Resizing never allocates in here: table_wish() says what is wanted, the
 * caller allocates a span where it likes and offers it.
 */
#ifndef MEMOIZER_STORE_TABLE_H
#define MEMOIZER_STORE_TABLE_H

#include "base/hash.h"
#include "base/slice.h"
#include "store/entry.h"
#include "store/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_options {
    uint64_t seed;
    unsigned hash_bits;     /* 1 to 64: distinct hashes are 2^hash_bits */
    unsigned load_permille; /* grow when more of the slots are used: 800-900 */
};

struct table {
    struct span cur, old; /* old: what is left to move to cur, mostly none */
    size_t count;         /* entries in both spans */
    size_t grow_above;    /* more entries than these: a larger span wanted */
    size_t shrink_below;  /* fewer: a smaller one */
    int64_t due_mono_us;  /* lower bound of all deadlines */
    uint32_t moved;       /* groups of old that are empty already */
    uint32_t probe_max;   /* groups to pass before a new seed is wanted */
    uint32_t epoch;       /* new seeds so far: a walk starts again */
    bool reseed_wanted;
    struct table_options options; /* const */
};

/* A key with its hash under the table's first seed, from table_hash(). */
struct table_key {
    struct slice key;
    uint64_t hash;
    uint8_t db;
};

/* Where an entry is; good until the next insert, remove, move or offer. */
struct table_pos {
    struct group *group; /* NULL: nowhere */
    uint8_t slot;
    bool in_old;
};

/* The hash of a key of db. With hash_bits below 64 only few different hashes
 * come out, spread over the whole range. */
static inline uint64_t
table_hash(struct slice key, uint8_t db, uint64_t seed, unsigned hash_bits)
{
    uint64_t hash = hash_bytes(key, seed + db * UINT64_C(0x9e3779b97f4a7c15));

    if (hash_bits < 64)
        hash = (hash & ((UINT64_C(1) << hash_bits) - 1)) *
               UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

/* The bits of a hash that place a key. The top 6 are not among them: they pick
 * the stripe. */
static inline uint32_t
table_h23(uint64_t hash)
{
    return (uint32_t)(hash >> 35) & (TABLE_H23_END - 1);
}

/* An empty table without any span: it has room for nothing yet. */
void table_init(struct table *table, const struct table_options *options);

/* Releases all entries and frees the spans. */
void table_fini(struct table *table);

struct table_pos table_find(const struct table *table,
                            const struct table_key *key);

/* True when one more entry can be inserted. */
static inline bool
table_has_room(const struct table *table)
{
    return table->count < (size_t)table->cur.group_count * TABLE_GROUP_SLOTS;
}

/* Takes over entry, whose key is `key` and not in the table. There must be
 * room. */
struct table_pos table_insert(struct table *table, const struct table_key *key,
                              struct entry *entry, int64_t deadline_mono_us);

/* Puts entry in the place of one with the same key, which it gives back. */
struct entry *table_replace(struct table_pos pos, struct entry *entry);

/* Takes the entry out and gives it back. Others may move into its slot. */
struct entry *table_remove(struct table *table, struct table_pos pos);

struct entry *table_entry(struct table_pos pos);
int64_t table_deadline(struct table_pos pos);
void table_set_deadline(struct table *table, struct table_pos pos,
                        int64_t deadline_mono_us);

/* Moves what lies in the next group_max groups of old, if there is one. When
 * old has become empty it is handed over in *dead, which must be empty before,
 * for the caller to free. */
void table_move(struct table *table, uint32_t group_max, struct span *dead);

/* Bytes of both spans. */
size_t table_size(const struct table *table);

/* What the table would like to have. */
struct table_wish {
    uint32_t group_count; /* a span of so many groups; 0: nothing */
    bool reseed;          /* and a random seed for it */
};

struct table_wish table_wish(const struct table *table);

/* Hands a fresh span to the table. It is taken, and *span empty afterwards, if
 * the table still has such a wish and no other resize is under way; otherwise
 * *span stays the caller's. seed: a random number when the wish was to reseed,
 * else 0. */
void table_offer(struct table *table, struct span *span, uint64_t seed);

/* Moving to a new seed is under way, and a walk is not possible. Moving on
 * ends it. */
static inline bool
table_is_reseeding(const struct table *table)
{
    return table->old.groups != NULL && table->old.seed != table->cur.seed;
}

/* A walk over a part of the table, by hash.
 *
 *     struct table_walk walk;
 *     table_walk_begin(&walk, table, from_h23, 32);
 *     while (table_walk_next(&walk, &pos))
 *         ...
 *     from_h23 = walk.end_h23;
 *
 * gives each entry with from_h23 <= h23 < walk.end_h23, wherever it lies, so
 * walks from 0 to TABLE_H23_END in slices meet each entry that is there all
 * the time, even when the table grows, shrinks or moves between the slices.
 * Only a new seed breaks that: start again when table->epoch has changed. An
 * entry met may be removed before the next step, and nothing else may be
 * changed. Not while table_is_reseeding(). */
struct table_walk {
    const struct table *table;
    uint32_t from_h23, end_h23;
    const struct span *span;
    uint32_t group;     /* in span, being looked at */
    uint32_t home_left; /* groups after it that are homes of the range */
    uint32_t left;      /* groups after it in the whole span */
    unsigned slot;      /* the next to look at */
    uint64_t met;       /* what was in `slot` when it was given; or 0 */
};

/* The slice starts at from_h23 < TABLE_H23_END and covers the homes in at most
 * group_max >= 1 groups of the larger span. */
void table_walk_begin(struct table_walk *walk, const struct table *table,
                      uint32_t from_h23, uint32_t group_max);

/* The same with an end: from_h23 < end_h23 <= TABLE_H23_END. */
void table_walk_begin_range(struct table_walk *walk, const struct table *table,
                            uint32_t from_h23, uint32_t end_h23);
bool table_walk_next(struct table_walk *walk, struct table_pos *pos);

/* Finds entries whose deadline is over.
 *
 *     table_due_begin(&due, table, now_mono_us);
 *     while (table_due_next(&due, group_max, &pos))
 *         entry = table_remove(table, pos);
 *     table_due_end(&due);
 *
 * Each one that is given must be removed before the next step. Everything that
 * was due has been found when table->due_mono_us > now_mono_us afterwards. */
struct table_due {
    struct table *table;
    struct span *span;
    int64_t now_mono_us;
    int64_t survivor_mono_us; /* the earliest that stays in this block */
    uint32_t block, group;    /* being looked at; block may be the end */
    uint32_t groups_seen;
    unsigned slot;
};

void table_due_begin(struct table_due *due, struct table *table,
                     int64_t now_mono_us);

/* False also when group_max > 0 groups have been looked at since the begin,
 * and the block of TABLE_DUE_GROUPS that was being looked at then. */
bool table_due_next(struct table_due *due, uint32_t group_max,
                    struct table_pos *pos);
void table_due_end(struct table_due *due);

/* Groups that have to be looked at to find every entry once; divided by count
 * it is the mean probe length. For tests. */
uint64_t table_probe_sum(const struct table *table);

/* Aborts unless the invariants hold. Allocates. For tests. */
void table_check(const struct table *table);

#endif
