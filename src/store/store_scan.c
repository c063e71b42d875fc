/* SPDX-License-Identifier: MIT
 *
 * store_scan.c - the keys of a database, page by page.
 *
 * A cursor is the place of the next key to be named, in the order of stripes
 * and hashes:
 *
 *     +--------+---------------+----------------+---------+
 *     | stripe | h23           | tie            | epoch   |
 *     +--------+---------------+----------------+---------+
 *      6 bits   23 bits         18 bits          6 bits: 53
 *
 * h23 and tie, the bits below it, are of the key's hash under the seed that the
 * stripe's table has now; together they are its place in the stripe. A range of
 * places has the same keys whatever the size of the table, so nobody who stays
 * is missed between two pages. A new seed breaks the order: the epoch tells,
 * and the stripe is begun again. A walk that has got anywhere has a place or a
 * stripe above 0, so no cursor of it is 0.
 *
 * A page is made of slices. The keys of a range are copied under the lock, into
 * memory that was reserved before; hashed, sorted and taken into the page after
 * it, from the place on that the walk has come to.
 *
 * Locking: one stripe at a time, for reading, and each time for at most
 * SLICE_GROUPS groups that are looked at and COPY_BYTES that are copied (or the
 * keys of one h23, if they are more).
 */
#include "store/store.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/must.h"
#include "store/store_internal.h"

#include <stdlib.h>

/* The bits of a cursor. A stripe that gets 64 new seeds between two pages
 * passes unnoticed. */
#define TIE_BITS   18
#define PLACE_BITS (TABLE_H23_BITS + TIE_BITS)
#define EPOCH_BITS 6
#define EPOCH_MASK ((UINT32_C(1) << EPOCH_BITS) - 1)

_Static_assert(UINT64_C(1) << (STRIPE_BITS + PLACE_BITS + EPOCH_BITS) ==
                   STORE_CURSOR_END,
               "a cursor has its bits");

/* What one slice may copy. Below MEM_MAPPED_MIN, so that it is cheap to get. */
#define COPY_BYTES ((size_t)60 << 10)

/* Groups that are looked at for one page, about 100,000 slots. */
#define PAGE_GROUPS 8192

/* A key of a slice. */
struct named {
    uint64_t place;
    size_t offset; /* of its packed form in the copies */
    size_t size;   /* of that */
};

/* A page in the making. */
struct page {
    struct filter filter;
    size_t key_max, key_count; /* keys of the page */
    size_t bytes;              /* of them, packed */
    struct buf *keys;

    unsigned stripe; /* the walk is here, STORE_STRIPES at its end */
    uint64_t place;  /* of the next key */
    uint32_t epoch;  /* that the place belongs to, its last bits */
    bool begun;      /* keys of this stripe may be in the page */
    bool done;       /* the page ends here */

    uint32_t groups_left; /* to be looked at for this page */
    uint32_t group_min;   /* of the next slice */
    uint32_t h23_max;     /* of the next slice: what is hoped to fit */

    /* The slice that was looked at. */
    uint32_t from_h23, end_h23;
    uint64_t seed;
    struct buf copies; /* its keys, packed */
    size_t copy_count; /* of them */
    size_t needed;     /* bytes that they take, or more than there are */
    struct named *named;
    size_t named_cap;
};

/* What became of a slice. */
enum slice_result {
    SLICE_COPIED,
    SLICE_TOO_MUCH,  /* its keys do not fit: try again */
    SLICE_RESEEDING, /* no walk is possible now */
    SLICE_NEW_SEED,  /* places have changed while the page was made */
};

static uint32_t
smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The groups that should have the keys that the page still wants. */
static uint32_t
groups_wanted_locked(const struct stripe *stripe, const struct page *page)
    NEEDS_READ(stripe->lock)
{
    const uint64_t keys = page->key_max - page->key_count;
    const uint64_t groups =
        keys * stripe->table.cur.group_count / stripe->keys[page->filter.db] +
        1;

    if (groups >= SLICE_GROUPS)
        return SLICE_GROUPS;
    return groups > page->group_min ? (uint32_t)groups : page->group_min;
}

static void
begin_slice_locked(const struct stripe *stripe, struct page *page,
                   struct table_walk *walk) NEEDS_READ(stripe->lock)
{
    const struct table *table = &stripe->table;
    const uint32_t groups = groups_wanted_locked(stripe, page);

    page->from_h23 = (uint32_t)(page->place >> TIE_BITS);
    table_walk_begin(walk, table, page->from_h23, groups);
    page->end_h23 = walk->end_h23;
    if (page->end_h23 - page->from_h23 > page->h23_max) {
        page->end_h23 = page->from_h23 + page->h23_max;
        table_walk_begin_range(walk, table, page->from_h23, page->end_h23);
    }
    page->groups_left -= smaller_of(page->groups_left,
                                    smaller_of(groups, table->cur.group_count));
}

/* There must be room. */
static void
copy_key(struct page *page, const struct entry *entry)
{
    buf_put_char(&page->copies, (char)(entry->key_len & 0xff));
    buf_put_char(&page->copies, (char)(entry->key_len >> 8));
    buf_put_slice(&page->copies, entry_key(entry));
    page->copy_count++;
}

/* Copies the living keys of the slice as long as they fit. The way on is only
 * to learn what a range that cannot be narrowed takes. */
static enum slice_result
copy_slice_locked(const struct store *store, const struct stripe *stripe,
                  struct page *page) NEEDS_READ(stripe->lock)
{
    struct moment now = {.clock = store->clock};
    struct table_walk walk;
    struct table_pos pos;

    begin_slice_locked(stripe, page, &walk);
    while (table_walk_next(&walk, &pos)) {
        const struct entry *entry = table_entry(pos);

        if (!matches(&page->filter, entry) ||
            time_left_ms(&now, table_deadline(pos)) <= 0)
            continue;
        page->needed += 2 + (size_t)entry->key_len;
        if (page->needed <= page->copies.cap)
            copy_key(page, entry);
        else if (page->end_h23 - page->from_h23 > 1)
            break;
    }
    return page->needed <= page->copies.cap ? SLICE_COPIED : SLICE_TOO_MUCH;
}

static enum slice_result
look_at_slice_locked(const struct store *store, const struct stripe *stripe,
                     struct page *page) NEEDS_READ(stripe->lock)
{
    const struct table *table = &stripe->table;
    const uint32_t epoch = table->epoch & EPOCH_MASK;

    if (table_is_reseeding(table))
        return SLICE_RESEEDING;
    if (page->place > 0 && page->epoch != epoch) {
        if (page->begun)
            return SLICE_NEW_SEED;
        page->place = 0;
    }
    page->epoch = epoch;
    page->seed = table->cur.seed;
    page->copies.len = 0;
    page->copy_count = 0;
    page->needed = 0;
    page->end_h23 = TABLE_H23_END;
    if (stripe->keys[page->filter.db] == 0)
        return SLICE_COPIED;
    return copy_slice_locked(store, stripe, page);
}

/* A range that does not fit is halved; where it is a single h23, there has to
 * be more room. */
static enum mz_err
make_it_fit(struct page *page)
{
    if (page->end_h23 - page->from_h23 == 1) {
        page->copies.len = 0;
        return buf_reserve(&page->copies, page->needed);
    }
    page->h23_max = (page->end_h23 - page->from_h23) / 2;
    return MZ_OK;
}

/* The 41 bits of a hash that a cursor has. */
static uint64_t
place_of(uint64_t hash)
{
    const uint64_t tie = hash >> 17 & ((UINT64_C(1) << TIE_BITS) - 1);

    return (uint64_t)table_h23(hash) << TIE_BITS | tie;
}

static int
compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    return (x->place > y->place) - (x->place < y->place);
}

/* Room for as many names as there are copies. */
static enum mz_err
reserve_named(struct page *page)
{
    const size_t count = page->copy_count;
    struct named *named;

    if (count <= page->named_cap)
        return MZ_OK;
    if (count > SIZE_MAX / sizeof *named)
        return MZ_NO_MEMORY;
    named = mem_realloc(page->named, count * sizeof *named);
    if (named == NULL)
        return MZ_NO_MEMORY;
    page->named = named;
    page->named_cap = count;
    return MZ_OK;
}

/* Finds out where the copies are in the order of the walk. */
static enum mz_err
order_copies(const struct store *store, struct page *page)
{
    const char *packed = page->copies.data;
    size_t offset = 0;
    enum mz_err err = reserve_named(page);

    if (err != MZ_OK)
        return err;
    for (size_t i = 0; i < page->copy_count; i++) {
        const size_t len = (unsigned char)packed[offset] |
                           (size_t)(unsigned char)packed[offset + 1] << 8;
        const struct slice key = slice_of(packed + offset + 2, len);
        const uint64_t hash =
            table_hash(key, page->filter.db, page->seed, store->hash_bits);

        page->named[i] = (struct named){place_of(hash), offset, 2 + len};
        offset += 2 + len;
    }
    if (page->copy_count > 1)
        qsort(page->named, page->copy_count, sizeof *page->named,
              compare_named);
    return MZ_OK;
}

static bool
is_full(const struct page *page)
{
    return page->key_count >= page->key_max || page->bytes >= STORE_SCAN_BYTES;
}

/* The walk is at a place of this stripe, or at its end. */
static void
go_on_from(struct page *page, uint64_t place)
{
    page->begun = true;
    page->place = place;
    if (place == (uint64_t)TABLE_H23_END << TIE_BITS) {
        page->stripe++;
        page->place = 0;
        page->epoch = 0;
        page->begun = false;
    }
}

/* Takes the keys of the slice that the walk has not named yet into the page, as
 * many as it wants. Keys of one place are not parted. */
static enum mz_err
take_slice(const struct store *store, struct page *page)
{
    enum mz_err err = order_copies(store, page);

    if (err == MZ_OK)
        err = buf_reserve(page->keys, page->copies.len);
    if (err != MZ_OK)
        return err;
    for (size_t i = 0; i < page->copy_count; i++) {
        const struct named *named = &page->named[i];

        if (named->place < page->place)
            continue;
        if (is_full(page) && named->place != named[-1].place) {
            go_on_from(page, named->place);
            return MZ_OK;
        }
        buf_put(page->keys, page->copies.data + named->offset, named->size);
        page->bytes += named->size;
        page->key_count++;
    }
    go_on_from(page, (uint64_t)page->end_h23 << TIE_BITS);
    page->group_min = smaller_of(2 * page->group_min, SLICE_GROUPS);
    page->h23_max = smaller_of(2 * page->h23_max, TABLE_H23_END);
    return MZ_OK;
}

static enum mz_err
scan_slice(struct store *store, struct page *page)
{
    struct stripe *stripe = &store->stripes[page->stripe];
    enum slice_result result;

    rwlock_read(&stripe->lock);
    result = look_at_slice_locked(store, stripe, page);
    rwlock_drop_read(&stripe->lock);
    switch (result) {
    case SLICE_COPIED:
        return take_slice(store, page);
    case SLICE_TOO_MUCH:
        return make_it_fit(page);
    case SLICE_RESEEDING:
        (void)stripe_settle(stripe);
        return MZ_OK;
    case SLICE_NEW_SEED:
        page->done = true;
        return MZ_OK;
    }
    must(false); /* no such result */
    return MZ_INTERNAL;
}

static void
set_cursor(struct page *page, uint64_t cursor)
{
    page->epoch = cursor & EPOCH_MASK;
    page->place = cursor >> EPOCH_BITS & ((UINT64_C(1) << PLACE_BITS) - 1);
    page->stripe = (unsigned)(cursor >> (EPOCH_BITS + PLACE_BITS));
}

static uint64_t
cursor_of(const struct page *page)
{
    if (page->stripe == STORE_STRIPES)
        return 0;
    return ((uint64_t)page->stripe << PLACE_BITS | page->place) << EPOCH_BITS |
           page->epoch;
}

enum mz_err
store_scan(struct store *store, const struct store_scan *scan, uint64_t *cursor,
           struct buf *keys)
{
    const size_t len_before = keys->len;
    struct page page = {
        .filter = {scan->prefix, scan->db},
        .key_max = scan->key_max,
        .keys = keys,
        .groups_left = PAGE_GROUPS,
        .group_min = 1,
        .h23_max = TABLE_H23_END,
    };
    enum mz_err err;

    must(scan->db < STORE_DBS);
    must(scan->key_max >= 1 && scan->key_max <= STORE_SCAN_KEY_MAX);
    must(!keys->failed);
    if (*cursor >= STORE_CURSOR_END)
        return MZ_BAD_REQUEST;
    set_cursor(&page, *cursor);
    err = buf_reserve(&page.copies, COPY_BYTES);
    while (err == MZ_OK && !page.done && !is_full(&page) &&
           page.stripe < STORE_STRIPES && page.groups_left > 0)
        err = scan_slice(store, &page);
    if (err == MZ_OK)
        *cursor = cursor_of(&page);
    else
        keys->len = len_before;
    buf_fini(&page.copies);
    mem_free(page.named);
    return err;
}
