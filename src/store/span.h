/* SPDX-License-Identifier: MIT
 *
 * span.h - the memory of a table: an array of groups, with the earliest
 * deadline of every TABLE_DUE_GROUPS of them behind it in the same allocation.
 *
 * It owns its groups, not the entries in them. What a group looks like is in
 * table_internal.h, what is done with it in table.h.
 */
#ifndef MEMOIZER_STORE_SPAN_H
#define MEMOIZER_STORE_SPAN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define TABLE_GROUP_SLOTS 15
#define TABLE_H23_BITS    23
#define TABLE_H23_END     (UINT32_C(1) << TABLE_H23_BITS)

/* Groups that share one lower bound of their deadlines. */
#define TABLE_DUE_GROUPS 16

/* A deadline that never comes. */
#define TABLE_NEVER INT64_MAX

struct group;

/* {0} is an empty one. */
struct span {
    struct group *groups; /* owned; NULL when there are none */
    int64_t *due_mono_us; /* lower bounds, one for each block */
    uint32_t group_count;
    uint64_t seed; /* of the hashes that h23 is taken from */
};

/* Allocates a span of group_count >= 1 empty groups, whose pages exist: whoever
 * uses it under a lock does not wait for them. */
enum mz_err span_new(struct span *span, uint32_t group_count) MZ_CHECK;

/* Frees the groups, not the entries; the span is empty afterwards. */
void span_free(struct span *span);

/* Bytes that the allocator is asked for; 0 for an empty span. */
size_t span_size(const struct span *span);

#endif
