/* SPDX-License-Identifier: MIT
 *
 * lease_table.h - the leases by name: a chained hash table that grows and
 * shrinks by one bucket at a time (linear hashing).
 *
 * With n buckets, and p the largest power of two that is not above n, a hash
 * belongs to bucket hash % 2p if there is one, else to hash % p. Bucket n,
 * when it comes, takes from bucket n - p what belongs to it; when it goes, it
 * gives it back. So no step moves more than one chain.
 *
 *     segment 0          1                2
 *     [ 0 ... 63 ]  [ 64 ... 127 ]  [ 128 ... 255 ]  ...
 *
 * The buckets lie in segments, each as long as all before it together, which
 * never move. When there is no memory for the next segment the table stays as
 * it is and its chains get longer.
 *
 * Invariant: at most as many buckets as four times the leases, or 64.
 * Knows no locks and no clocks: leases.c, which is its only user, holds its
 * mutex.
 */
#ifndef MEMOIZER_SESSION_LEASE_TABLE_H
#define MEMOIZER_SESSION_LEASE_TABLE_H

#include "session/leases.h"

#include <stdint.h>

#define LEASE_TABLE_BUCKETS_MIN ((size_t)64) /* a power of two */
#define LEASE_TABLE_SEGMENTS    27           /* 2^32 buckets */

struct waiter;

struct lease {
    struct lease *next; /* in its bucket, or in a list of dead ones */
    struct lease *held_next;
    struct lease **held_link;    /* what points to it; NULL: nobody holds it */
    struct waiter *first, *last; /* the line; NULL: nobody waits */
    int64_t token;               /* of the holder */
    int64_t deadline_mono_us;    /* over at this moment */
    uint64_t hash;
    uint32_t name_len;
    uint8_t db;
    char name[];
};

struct lease_table {
    struct lease *base[LEASE_TABLE_BUCKETS_MIN];   /* segment 0 */
    struct lease **segments[LEASE_TABLE_SEGMENTS]; /* from 1 on; or NULL */
    size_t bucket_count;
    size_t count; /* leases */
};

/* An empty table, which needs no memory. */
void lease_table_init(struct lease_table *table);

/* Frees the segments. The table must be empty. */
void lease_table_fini(struct lease_table *table);

/* The head of a bucket, index < bucket_count. */
struct lease **lease_table_bucket(struct lease_table *table, size_t index);

/* What points to the lease of that name, or to the NULL at the end of its
 * chain. */
struct lease **lease_table_find(struct lease_table *table,
                                struct lease_name name, uint64_t hash);

/* Takes over a lease whose name is not in the table. */
void lease_table_insert(struct lease_table *table, struct lease *lease);

/* Takes the lease out that *link points to, and gives it back. Buckets stay
 * what they are until lease_table_shrink(), which is to follow soon. */
struct lease *lease_table_unlink(struct lease_table *table,
                                 struct lease **link);
void lease_table_shrink(struct lease_table *table);

/* Bytes of the segments beyond the first. */
size_t lease_table_size(const struct lease_table *table);

#endif
