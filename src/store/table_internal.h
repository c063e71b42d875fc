/* SPDX-License-Identifier: MIT
 *
 * table_internal.h - one group of the table, how 15 tags are compared at once,
 * and where in a span a key is at home.
 *
 *     byte 0           15         16                136                256
 *     +----------------+----------+-----------------+------------------+
 *     | 15 tags        | overflow | 15 slots        | 15 deadlines     |
 *     +----------------+----------+-----------------+------------------+
 *
 * A tag is 0 for an empty slot, else 0x80 and 7 bits of the hash. A slot holds
 * 16 more bits of the hash on top of a pointer of 48 bits. Both together are
 * the h23 of the entry, enough to place it in a span of any size without
 * looking at its key.
 *
 * For span.c, table*.c and their tests only. The SSE2 functions and the
 * portable ones give the same; the portable ones are compiled everywhere, so
 * that a test can compare them.
 */
#ifndef MEMOIZER_STORE_TABLE_INTERNAL_H
#define MEMOIZER_STORE_TABLE_INTERNAL_H

#include "store/table.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define GROUP_TAGS      0x7fffu /* bits of the 15 tags in a mask */
#define OVERFLOW_STUCK  255     /* too many to count: never lowered */
#define POINTER_BITS    48

#define GROUP_COUNT_MAX TABLE_H23_END /* homes for every h23 */

struct group {
    uint8_t tag[TABLE_GROUP_SLOTS];
    uint8_t overflow; /* entries that had to pass this group on their way */
    uint64_t slot[TABLE_GROUP_SLOTS];
    int64_t deadline_mono_us[TABLE_GROUP_SLOTS];
};

_Static_assert(sizeof(struct group) == 256, "a group is four cache lines");

static inline uint8_t
tag_of(uint32_t h23)
{
    return (uint8_t)(0x80 | (h23 & 0x7f));
}

/* The hash bits of a slot, in place. */
static inline uint64_t
slot_bits(uint32_t h23)
{
    return (uint64_t)(h23 >> 7) << POINTER_BITS;
}

static inline uint32_t
h23_at(const struct group *group, unsigned slot)
{
    return (uint32_t)(group->slot[slot] >> POINTER_BITS) << 7 |
           (group->tag[slot] & 0x7fu);
}

static inline struct entry *
entry_at(const struct group *group, unsigned slot)
{
    uint64_t pointer = group->slot[slot] & ((UINT64_C(1) << POINTER_BITS) - 1);

    return (struct entry *)(uintptr_t)pointer;
}

/* Bit i is set when byte i of the 8 has its top bit set. */
static inline uint32_t
gather_top_bits(uint64_t bytes)
{
    uint64_t ones = (bytes >> 7) & UINT64_C(0x0101010101010101);

    return (uint32_t)((ones * UINT64_C(0x0102040810204080)) >> 56);
}

/* Sets the top bit of each byte that is zero, and clears all others. No borrow
 * runs from byte to byte, so there are no false hits. */
static inline uint64_t
zero_bytes(uint64_t x)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);

    return ~(((x & low7) + low7) | x | low7);
}

static inline uint64_t
load_tags(const struct group *group, unsigned half)
{
    uint64_t bytes;

    memcpy(&bytes, (const char *)group + 8 * half, sizeof bytes);
    return le64toh(bytes);
}

/* The slots whose tag is `tag`, as a mask. */
static inline uint32_t
group_match_portable(const struct group *group, uint8_t tag)
{
    uint64_t all = UINT64_C(0x0101010101010101) * tag;
    uint32_t low = gather_top_bits(zero_bytes(load_tags(group, 0) ^ all));
    uint32_t high = gather_top_bits(zero_bytes(load_tags(group, 1) ^ all));

    return (low | high << 8) & GROUP_TAGS;
}

/* The slots in use, as a mask. */
static inline uint32_t
group_used_portable(const struct group *group)
{
    uint32_t low = gather_top_bits(load_tags(group, 0));
    uint32_t high = gather_top_bits(load_tags(group, 1));

    return (low | high << 8) & GROUP_TAGS;
}

#if defined(__SSE2__)
static inline __m128i
load_tags_sse2(const struct group *group)
{
    return _mm_load_si128((const __m128i *)(const void *)group);
}

static inline uint32_t
group_match(const struct group *group, uint8_t tag)
{
    __m128i same =
        _mm_cmpeq_epi8(load_tags_sse2(group), _mm_set1_epi8((char)tag));

    return (uint32_t)_mm_movemask_epi8(same) & GROUP_TAGS;
}

static inline uint32_t
group_used(const struct group *group)
{
    return (uint32_t)_mm_movemask_epi8(load_tags_sse2(group)) & GROUP_TAGS;
}
#else
static inline uint32_t
group_match(const struct group *group, uint8_t tag)
{
    return group_match_portable(group, tag);
}

static inline uint32_t
group_used(const struct group *group)
{
    return group_used_portable(group);
}
#endif

/* Blocks of groups that share a bound of their deadlines. */
static inline uint32_t
block_count(const struct span *span)
{
    return (span->group_count + TABLE_DUE_GROUPS - 1) / TABLE_DUE_GROUPS;
}

static inline size_t
slot_count(const struct span *span)
{
    return (size_t)span->group_count * TABLE_GROUP_SLOTS;
}

/* The group where h23 is at home. */
static inline uint32_t
home_of(const struct span *span, uint32_t h23)
{
    return (uint32_t)(((uint64_t)h23 * span->group_count) >> TABLE_H23_BITS);
}

static inline uint32_t
next_group(const struct span *span, uint32_t g)
{
    return g + 1 == span->group_count ? 0 : g + 1;
}

/* Steps from group `from` on to group `to`. */
static inline uint32_t
distance(const struct span *span, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + (span->group_count - from);
}

/* h23 of a key in a span; new seeds are rare. */
static inline uint32_t
h23_in(const struct table *table, const struct span *span,
       const struct table_key *key)
{
    if (__builtin_expect(span->seed == table->options.seed, 1))
        return table_h23(key->hash);
    return table_h23(
        table_hash(key->key, key->db, span->seed, table->options.hash_bits));
}

#endif
