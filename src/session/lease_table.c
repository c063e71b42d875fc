/* SPDX-License-Identifier: MIT
 *
 * lease_table.c - linear hashing over segments.
 */
#include "session/lease_table.h"

#include "base/mem.h"
#include "base/must.h"

/* The largest power of two that is not above n > 0. */
static size_t
power_below(size_t n)
{
    return (size_t)1 << (63 - __builtin_clzll(n));
}

/* The segment of a bucket at or above LEASE_TABLE_BUCKETS_MIN. It begins at
 * the bucket whose index is its length. */
static size_t
segment_of(size_t index)
{
    return (size_t)(__builtin_ctzll(power_below(index)) -
                    __builtin_ctzll(LEASE_TABLE_BUCKETS_MIN) + 1);
}

void
lease_table_init(struct lease_table *table)
{
    *table = (struct lease_table){.bucket_count = LEASE_TABLE_BUCKETS_MIN};
}

void
lease_table_fini(struct lease_table *table)
{
    must(table->count == 0);
    for (size_t i = 0; i < LEASE_TABLE_SEGMENTS; i++)
        mem_free(table->segments[i]);
}

struct lease **
lease_table_bucket(struct lease_table *table, size_t index)
{
    if (index < LEASE_TABLE_BUCKETS_MIN)
        return &table->base[index];
    return &table->segments[segment_of(index)][index ^ power_below(index)];
}

static struct lease **
bucket_of(struct lease_table *table, uint64_t hash)
{
    size_t p = power_below(table->bucket_count);
    size_t index = (size_t)hash & (2 * p - 1);

    if (index >= table->bucket_count)
        index = (size_t)hash & (p - 1);
    return lease_table_bucket(table, index);
}

struct lease **
lease_table_find(struct lease_table *table, struct lease_name name,
                 uint64_t hash)
{
    struct lease **link = bucket_of(table, hash);

    for (; *link != NULL; link = &(*link)->next) {
        const struct lease *l = *link;

        if (l->hash == hash && l->db == name.db &&
            slice_equal(slice_of(l->name, l->name_len), name.name))
            break;
    }
    return link;
}

/* Sees to it that there is a segment for the bucket. */
static bool
has_segment(struct lease_table *table, size_t index)
{
    size_t segment = segment_of(index);

    if (segment >= LEASE_TABLE_SEGMENTS)
        return false;
    if (table->segments[segment] == NULL)
        table->segments[segment] =
            mem_alloc_zeroed(power_below(index), sizeof(struct lease *));
    return table->segments[segment] != NULL;
}

/* One bucket more. */
static void
split(struct lease_table *table)
{
    size_t index = table->bucket_count;
    struct lease **link, **from;

    if (!has_segment(table, index))
        return;
    from = lease_table_bucket(table, index ^ power_below(index));
    link = lease_table_bucket(table, index);
    table->bucket_count++;
    while (*from != NULL) {
        struct lease *lease = *from;

        if (bucket_of(table, lease->hash) == link) {
            *from = lease->next;
            lease->next = *link;
            *link = lease;
        } else {
            from = &lease->next;
        }
    }
}

/* One bucket less, and a segment less with its first bucket. */
static void
join(struct lease_table *table)
{
    size_t index = table->bucket_count - 1;
    size_t p = power_below(index);
    struct lease **last = lease_table_bucket(table, index);
    struct lease **link = lease_table_bucket(table, index ^ p);

    while (*link != NULL)
        link = &(*link)->next;
    *link = *last;
    *last = NULL;
    table->bucket_count--;
    if (index == p) {
        mem_free(table->segments[segment_of(index)]);
        table->segments[segment_of(index)] = NULL;
    }
}

void
lease_table_insert(struct lease_table *table, struct lease *lease)
{
    struct lease **bucket = bucket_of(table, lease->hash);

    lease->next = *bucket;
    *bucket = lease;
    table->count++;
    if (table->count > table->bucket_count)
        split(table);
}

struct lease *
lease_table_unlink(struct lease_table *table, struct lease **link)
{
    struct lease *lease = *link;

    *link = lease->next;
    lease->next = NULL;
    table->count--;
    return lease;
}

void
lease_table_shrink(struct lease_table *table)
{
    while (table->bucket_count > LEASE_TABLE_BUCKETS_MIN &&
           table->bucket_count > 4 * table->count)
        join(table);
}

size_t
lease_table_size(const struct lease_table *table)
{
    size_t last = table->bucket_count - 1;

    if (last < LEASE_TABLE_BUCKETS_MIN)
        return 0;
    /* All segments up to the one of the last bucket, without the first. */
    return (2 * power_below(last) - LEASE_TABLE_BUCKETS_MIN) *
           sizeof(struct lease *);
}
