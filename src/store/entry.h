/* SPDX-License-Identifier: MIT
 *
 * entry.h - a key and its value in one allocation.
 *
 *     +---------+-----------+---------+----+------+---------+-----+-------+
 *     | version | value_len | key_len | db | kind | visited | key | value |
 *     +---------+-----------+---------+----+------+---------+-----+-------+
 *      8 bytes   4           2         4 b  4 b    1         bytes[]
 *
 * 16 bytes of header, since a million of them are paid for. The deadline is
 * not here but beside the table's slot, where the sweeper finds the dead
 * without touching an entry.
 *
 * An entry does not change once it is in a table: a write of
 * the value puts a fresh entry in its place. That is why a large value can be
 * sent from where it lies: from ENTRY_SHARED_MIN bytes on, an entry counts its
 * references, and a reader that retained it may use it without any lock after
 * the table has let go of it.
 */
#ifndef MEMOIZER_STORE_ENTRY_H
#define MEMOIZER_STORE_ENTRY_H

#include "base/slice.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define ENTRY_KEY_MAX    65535
#define ENTRY_VALUE_MAX  UINT32_C(0x7fffffff)
#define ENTRY_SHARED_MIN 16384 /* values from this size on are counted */
#define ENTRY_DB_COUNT   16

/* What is known of a value's bytes. */
enum value_kind {
    VALUE_JSON,  /* valid JSON text on one line, nested at most 128 deep */
    VALUE_BYTES, /* anything */
};

struct entry {
    uint64_t version;        /* const once in a table; 1 or more */
    uint32_t value_len;      /* const */
    uint16_t key_len;        /* const */
    uint8_t db : 4;          /* const */
    uint8_t kind : 4;        /* const: enum value_kind */
    _Atomic uint8_t visited; /* atomic: kept for eviction, which marks reads
                                here without a lock; nothing uses it yet */
    char bytes[];            /* const: key, value, and for shared ones the
                                reference count on the next 4-byte boundary */
};

_Static_assert(sizeof(struct entry) == 16, "entry header must stay small");

/* Copies key and value into a fresh entry with version 0 and one reference.
 * key.len <= ENTRY_KEY_MAX, value.len <= ENTRY_VALUE_MAX, db < ENTRY_DB_COUNT.
 * NULL when there is no memory. */
struct entry *entry_new(struct slice key, uint8_t db, struct slice value,
                        enum value_kind kind)
    __attribute__((warn_unused_result));

/* An entry with room for a value of value_cap <= ENTRY_VALUE_MAX bytes that is
 * not known yet, for entry_fix_value() before it goes into a table. */
struct entry *entry_new_room(struct slice key, uint8_t db, size_t value_cap)
    __attribute__((warn_unused_result));

/* Where the value of such an entry is to be written. */
char *entry_room(struct entry *entry);

/* The room holds a value of len bytes, no more than it was made for. */
void entry_fix_value(struct entry *entry, size_t len, enum value_kind kind);

/* Gives one reference back; the last one frees. NULL is fine. */
void entry_release(struct entry *entry);

/* Takes one more reference. entry_is_shared() must hold. */
void entry_retain(struct entry *entry);

/* Bytes that the allocator is asked for. */
size_t entry_size(const struct entry *entry);

static inline bool
entry_is_shared(const struct entry *entry)
{
    return entry->value_len >= ENTRY_SHARED_MIN;
}

static inline struct slice
entry_key(const struct entry *entry)
{
    return slice_of(entry->bytes, entry->key_len);
}

static inline struct slice
entry_value(const struct entry *entry)
{
    return slice_of(entry->bytes + entry->key_len, entry->value_len);
}

#endif
