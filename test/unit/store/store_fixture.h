/* SPDX-License-Identifier: MIT
 *
 * store_fixture.h - a store with a fake clock and an observer that takes
 * notes.
 */
#ifndef MEMOIZER_TEST_STORE_FIXTURE_H
#define MEMOIZER_TEST_STORE_FIXTURE_H

#include "fake_clock.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

#define FIXTURE_NOTES_MAX 8

/* One telling of the observer, with a copy of what it was about. */
struct note {
    enum store_change_kind kind;
    char key[16];
    char value[16];
    uint64_t version;
    int64_t deadline_mono_us;
};

struct fixture {
    struct store *store;
    struct fake_clock clock;
    struct store_observer observer;
    struct note notes[FIXTURE_NOTES_MAX]; /* the first ones since the last
                                             fixture_forget */
    size_t note_count;
};

/* hash_bits as in struct store_options. */
void fixture_init(struct fixture *f, unsigned hash_bits);

/* store_check(), and away with it. */
void fixture_fini(struct fixture *f);
void fixture_forget(struct fixture *f);

/* What a read gave. */
struct got {
    bool found;
    unsigned calls;
    char value[64]; /* the first bytes, terminated */
    size_t value_len;
    enum value_kind kind;
    uint64_t version;
    int64_t ttl_left_ms;
    struct entry *entry; /* retained when it is shared and keep is set */
    bool keep;
};

struct store_key fixture_key(const char *key, uint8_t db);
struct got fixture_get(struct fixture *f, const char *key, uint8_t db);
struct got fixture_get_touch(struct fixture *f, const char *key, uint8_t db,
                             int64_t ttl_ms);

/* A reader for struct got. */
void fixture_read(void *ctx, const struct store_view *view);

/* Sets in database db without a condition; returns the version. must()
 * when it does not work. */
uint64_t fixture_set(struct fixture *f, const char *key, uint8_t db,
                     const char *value, int64_t ttl_ms);

enum mz_err fixture_set_if(struct fixture *f, const char *key,
                           const char *value, struct store_if only_if,
                           uint64_t *version);

/* Removes from database db without a condition; whether it was there. */
bool fixture_del(struct fixture *f, const char *key, uint8_t db);

struct store_totals fixture_totals(struct fixture *f, uint8_t db);

#endif
