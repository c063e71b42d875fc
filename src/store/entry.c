/* SPDX-License-Identifier: MIT
 *
 * entry.c - where the bytes of an entry lie.
 *
 * The reference count of a shared entry stands behind the value, on the next
 * boundary of its own type. Entries below ENTRY_SHARED_MIN have none, and no
 * byte for one: they have one owner, and releasing them frees them.
 */
#include "store/entry.h"

#include "base/mem.h"
#include "base/must.h"

#include <stdalign.h>
#include <string.h>

typedef _Atomic uint32_t ref_count;

static bool
is_shared_size(size_t value_len)
{
    return value_len >= ENTRY_SHARED_MIN;
}

/* Bytes from the start of the entry to its reference count. */
static size_t
ref_offset(size_t key_len, size_t value_len)
{
    size_t end = sizeof(struct entry) + key_len + value_len;

    return (end + alignof(ref_count) - 1) & ~(alignof(ref_count) - 1);
}

static ref_count *
refs(struct entry *entry)
{
    size_t offset = ref_offset(entry->key_len, entry->value_len);

    return (ref_count *)(void *)((char *)entry + offset);
}

/* Key and value are at most 2 GiB and 64 KiB: no sum here overflows. */
static size_t
size_for(size_t key_len, size_t value_len)
{
    if (is_shared_size(value_len))
        return ref_offset(key_len, value_len) + sizeof(ref_count);
    return sizeof(struct entry) + key_len + value_len;
}

struct entry *
entry_new_room(struct slice key, uint8_t db, size_t value_cap)
{
    struct entry *entry;

    must(key.len <= ENTRY_KEY_MAX && value_cap <= ENTRY_VALUE_MAX);
    must(db < ENTRY_DB_COUNT);
    entry = mem_alloc(size_for(key.len, value_cap));
    if (entry == NULL)
        return NULL;
    entry->version = 0;
    entry->value_len = 0;
    entry->key_len = (uint16_t)key.len;
    entry->db = db & 0xfu;
    entry->kind = VALUE_BYTES;
    atomic_init(&entry->visited, 0);
    if (key.len > 0)
        memcpy(entry->bytes, key.data, key.len);
    return entry;
}

char *
entry_room(struct entry *entry)
{
    return entry->bytes + entry->key_len;
}

void
entry_fix_value(struct entry *entry, size_t len, enum value_kind kind)
{
    must(entry->version == 0 && len <= ENTRY_VALUE_MAX);
    entry->value_len = (uint32_t)len;
    entry->kind = (unsigned)kind & 0xfu;
    if (entry_is_shared(entry))
        atomic_init(refs(entry), 1);
}

struct entry *
entry_new(struct slice key, uint8_t db, struct slice value,
          enum value_kind kind)
{
    struct entry *entry = entry_new_room(key, db, value.len);

    if (entry == NULL)
        return NULL;
    if (value.len > 0)
        memcpy(entry_room(entry), value.data, value.len);
    entry_fix_value(entry, value.len, kind);
    return entry;
}

void
entry_release(struct entry *entry)
{
    if (entry == NULL)
        return;
    /* Release: our reads of the bytes come before the free of whoever is
     * last; acquire: the last one sees that. */
    if (entry_is_shared(entry) &&
        atomic_fetch_sub_explicit(refs(entry), 1, memory_order_acq_rel) > 1)
        return;
    mem_free(entry);
}

void
entry_retain(struct entry *entry)
{
    uint32_t before;

    must(entry_is_shared(entry));
    before = atomic_fetch_add_explicit(refs(entry), 1, memory_order_relaxed);
    must(before > 0 && before < UINT32_MAX);
}

size_t
entry_size(const struct entry *entry)
{
    return size_for(entry->key_len, entry->value_len);
}
