/* SPDX-License-Identifier: MIT
 *
 * store_fixture.c - see store_fixture.h.
 */
#include "store_fixture.h"

#include "base/must.h"

#include <string.h>

static void
copy_text(char *to, size_t size, struct slice from)
{
    size_t len = from.len < size - 1 ? from.len : size - 1;

    if (len > 0)
        memcpy(to, from.data, len);
    to[len] = '\0';
}

/* Runs under the stripe's lock: notes and nothing else. */
static void
take_note(void *ctx, const struct store_change *change)
{
    struct fixture *f = ctx;
    size_t n = f->note_count++;

    if (n >= FIXTURE_NOTES_MAX)
        return;
    f->notes[n].kind = change->kind;
    f->notes[n].version = change->entry->version;
    f->notes[n].deadline_mono_us = change->deadline_mono_us;
    copy_text(f->notes[n].key, sizeof f->notes[n].key,
              entry_key(change->entry));
    copy_text(f->notes[n].value, sizeof f->notes[n].value,
              entry_value(change->entry));
}

void
fixture_init(struct fixture *f, unsigned hash_bits)
{
    struct store_options options = {&f->clock.clock, &f->observer, 12345,
                                    hash_bits};

    *f = (struct fixture){0};
    fake_clock_init(&f->clock);
    f->observer = (struct store_observer){take_note, f};
    must(store_new(&options, &f->store) == MZ_OK);
}

void
fixture_fini(struct fixture *f)
{
    store_check(f->store);
    store_free(f->store);
}

void
fixture_forget(struct fixture *f)
{
    f->note_count = 0;
}

struct store_key
fixture_key(const char *key, uint8_t db)
{
    return (struct store_key){slice_of_string(key), db};
}

void
fixture_read(void *ctx, const struct store_view *view)
{
    struct got *got = ctx;

    got->calls++;
    copy_text(got->value, sizeof got->value, view->value);
    got->value_len = view->value.len;
    got->kind = view->kind;
    got->version = view->version;
    got->ttl_left_ms = view->ttl_left_ms;
    if (got->keep && entry_is_shared(view->entry)) {
        entry_retain(view->entry);
        got->entry = view->entry;
    }
}

struct got
fixture_get(struct fixture *f, const char *key, uint8_t db)
{
    struct got got = {0};

    got.found = store_get(f->store, fixture_key(key, db), fixture_read, &got);
    must(got.calls == got.found);
    return got;
}

struct got
fixture_get_touch(struct fixture *f, const char *key, uint8_t db,
                  int64_t ttl_ms)
{
    struct got got = {0};

    got.found = store_get_touch(f->store, fixture_key(key, db), ttl_ms,
                                fixture_read, &got);
    must(got.calls == got.found);
    return got;
}

uint64_t
fixture_set(struct fixture *f, const char *key, uint8_t db, const char *value,
            int64_t ttl_ms)
{
    struct store_write write = {.key = fixture_key(key, db),
                                .value = slice_of_string(value),
                                .kind = VALUE_BYTES,
                                .ttl_ms = ttl_ms};
    uint64_t version = 0;

    must(store_set(f->store, &write, &version) == MZ_OK);
    must(version > 0);
    return version;
}

enum mz_err
fixture_set_if(struct fixture *f, const char *key, const char *value,
               struct store_if only_if, uint64_t *version)
{
    struct store_write write = {.key = fixture_key(key, 0),
                                .value = slice_of_string(value),
                                .kind = VALUE_BYTES,
                                .ttl_ms = STORE_NEVER,
                                .only_if = only_if};

    return store_set(f->store, &write, version);
}

bool
fixture_del(struct fixture *f, const char *key, uint8_t db)
{
    struct store_if always = {STORE_ALWAYS, 0};
    uint64_t version = 77;
    bool removed;

    must(store_del(f->store, fixture_key(key, db), always, &removed,
                   &version) == MZ_OK);
    must(version == 0);
    return removed;
}

struct store_totals
fixture_totals(struct fixture *f, uint8_t db)
{
    struct store_totals totals;

    store_totals(f->store, db, &totals);
    return totals;
}
