/* SPDX-License-Identifier: MIT
 *
 * drop_test.c - removing and counting by prefix: exactly those keys, and all of
 * them, whatever the tables are at.
 *
 * Keys are a word and a number, "old-17". What must hold for each of many is
 * held by must(): Check is too slow for millions of assertions.
 */
#include "store/store.h"

#include "base/must.h"
#include "rng.h"
#include "store/store_internal.h"
#include "store_fixture.h"
#include "suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#if defined(MEMOIZER_SANITIZED) || defined(MEMOIZER_THREAD_SANITIZER)
#define KEYS 10000
#else
#define KEYS 100000
#endif

/* What the observer was told, by kind. */
struct tally {
    uint64_t told[4];
    const char *prefix; /* that keys which leave must have, or NULL */
};

static void
count_change(void *ctx, const struct store_change *change)
{
    struct tally *tally = ctx;
    const struct slice key = entry_key(change->entry);

    if (change->kind != STORE_CHANGE_SET && tally->prefix != NULL) {
        const size_t len = strlen(tally->prefix);

        must(key.len >= len && memcmp(key.data, tally->prefix, len) == 0);
    }
    tally->told[change->kind]++;
}

/* A fixture whose observer counts. */
static void
init(struct fixture *f, unsigned hash_bits, struct tally *tally)
{
    *tally = (struct tally){0};
    fixture_init(f, hash_bits);
    f->observer = (struct store_observer){count_change, tally};
}

static const char *
name(char out[24], const char *word, uint32_t i)
{
    snprintf(out, 24, "%s-%u", word, i);
    return out;
}

static void
set_all(struct fixture *f, const char *word, uint8_t db, uint32_t count)
{
    char key[24];

    for (uint32_t i = 0; i < count; i++)
        fixture_set(f, name(key, word, i), db, "v", STORE_NEVER);
}

static uint64_t
drop(struct fixture *f, const char *prefix, uint8_t db)
{
    return store_drop(f->store, db, slice_of_string(prefix));
}

static uint64_t
count(struct fixture *f, const char *prefix, uint8_t db)
{
    return store_count(f->store, db, slice_of_string(prefix));
}

static void
expect_all(struct fixture *f, const char *word, uint8_t db, uint32_t n,
           bool there)
{
    char key[24];

    for (uint32_t i = 0; i < n; i++)
        must(fixture_get(f, name(key, word, i), db).found == there);
}

START_TEST(removes_exactly_the_prefix)
{
    struct fixture f;
    struct tally tally;

    init(&f, 0, &tally);
    set_all(&f, "old", 0, KEYS);
    set_all(&f, "new", 0, KEYS / 10);
    set_all(&f, "old", 1, KEYS / 10);
    ck_assert_uint_eq(count(&f, "old", 0), KEYS);
    tally.prefix = "old-";
    ck_assert_uint_eq(drop(&f, "old-", 0), KEYS);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_DELETE], KEYS);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_EXPIRE], 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, KEYS / 10);
    ck_assert_uint_eq(fixture_totals(&f, 1).keys, KEYS / 10);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 0);
    expect_all(&f, "old", 0, KEYS, false);
    expect_all(&f, "new", 0, KEYS / 10, true);
    expect_all(&f, "old", 1, KEYS / 10, true);
    ck_assert_uint_eq(count(&f, "old", 0), 0);
    ck_assert_uint_eq(count(&f, "", 0), KEYS / 10);
    ck_assert_uint_eq(drop(&f, "old-", 0), 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(prefixes_of_all_kinds)
{
    const struct slice binary = {"\0\xff", 2};
    const struct store_write write = {
        .key = {binary, 0}, .kind = VALUE_BYTES, .ttl_ms = STORE_NEVER};
    struct fixture f;
    struct tally tally;
    uint64_t version;

    init(&f, 0, &tally);
    fixture_set(&f, "", 0, "v", STORE_NEVER);
    fixture_set(&f, "user:1", 0, "v", STORE_NEVER);
    fixture_set(&f, "user:12", 0, "v", STORE_NEVER);
    fixture_set(&f, "user:2", 0, "v", STORE_NEVER);
    ck_assert_int_eq(store_set(f.store, &write, &version), MZ_OK);
    ck_assert_uint_eq(drop(&f, "user:123", 0), 0);
    ck_assert_uint_eq(drop(&f, "x", 0), 0);
    ck_assert_uint_eq(drop(&f, "user:1", 1), 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 5);
    ck_assert_uint_eq(drop(&f, "user:2", 0), 1);
    ck_assert_uint_eq(drop(&f, "user:1", 0), 2);
    ck_assert(fixture_get(&f, "", 0).found);
    ck_assert_uint_eq(store_drop(f.store, 0, slice_of("\0\xff-", 3)), 0);
    ck_assert_uint_eq(store_drop(f.store, 0, slice_of("\0", 1)), 1);
    ck_assert_uint_eq(drop(&f, "", 0), 1);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(without_a_prefix_it_is_a_reset)
{
    struct fixture f;
    struct tally tally;

    init(&f, 0, &tally);
    set_all(&f, "a", 0, 3000);
    set_all(&f, "b", 0, 3000);
    set_all(&f, "a", 15, 3000);
    ck_assert_uint_eq(drop(&f, "", 0), 6000);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_DELETE], 6000);
    ck_assert_uint_eq(count(&f, "", 0), 0);
    ck_assert_uint_eq(count(&f, "", 15), 3000);
    store_reset(f.store, 15);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_DELETE], 9000);
    ck_assert_uint_eq(count(&f, "", 15), 0);
    fixture_fini(&f);
}
END_TEST

/* Time has removed them already, whoever finds them. */
START_TEST(expired_keys_are_no_longer_there)
{
    struct fixture f;
    struct tally tally;
    char key[24];

    init(&f, 0, &tally);
    for (uint32_t i = 0; i < 3000; i++)
        fixture_set(&f, name(key, "old", i), 0, "v", 1000 + i % 3);
    fake_clock_advance(&f.clock, 1000);
    ck_assert_uint_eq(count(&f, "old", 0), 2000);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_EXPIRE], 0);
    ck_assert_uint_eq(drop(&f, "old", 0), 2000);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_DELETE], 2000);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_EXPIRE], 1000);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 1000);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);

    for (uint32_t i = 0; i < 3000; i++)
        fixture_set(&f, name(key, "old", i), 0, "v", 1000 + i % 3);
    fake_clock_advance(&f.clock, 1001);
    ck_assert_uint_eq(count(&f, "", 0), 1000);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 3000);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 1000);
    store_reset(f.store, 0);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_DELETE], 3000);
    ck_assert_uint_eq(tally.told[STORE_CHANGE_EXPIRE], 3000);
    fixture_fini(&f);
}
END_TEST

/* More keys in one place than leave under one lock. */
START_TEST(a_flood_of_equal_hashes_goes_too)
{
    const unsigned hash_bits[] = {1, 4, 12};

    for (size_t b = 0; b < sizeof hash_bits / sizeof *hash_bits; b++) {
        struct fixture f;
        struct tally tally;

        init(&f, hash_bits[b], &tally);
        set_all(&f, "old", 0, 3000);
        set_all(&f, "new", 0, 300);
        ck_assert_uint_eq(count(&f, "old", 0), 3000);
        ck_assert_uint_eq(drop(&f, "old", 0), 3000);
        ck_assert_uint_eq(tally.told[STORE_CHANGE_DELETE], 3000);
        expect_all(&f, "new", 0, 300, true);
        fixture_fini(&f);
    }
}
END_TEST

static bool
is_settled(struct stripe *stripe)
{
    bool settled;

    rwlock_read(&stripe->lock);
    settled = stripe_is_settled_locked(stripe);
    rwlock_drop_read(&stripe->lock);
    return settled;
}

/* Moving to a new seed is under way in every stripe. */
static void
begin_reseeding(struct fixture *f)
{
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct stripe *stripe = &f->store->stripes[i];

        while (!is_settled(stripe))
            (void)stripe_settle(stripe);
        stripe_enter(stripe);
        stripe->table.reseed_wanted = true;
        stripe_leave(stripe, NULL);
        must(table_is_reseeding(&stripe->table));
    }
}

START_TEST(a_new_seed_under_way_does_not_matter)
{
    struct fixture f;
    struct tally tally;

    init(&f, 0, &tally);
    set_all(&f, "old", 0, KEYS);
    set_all(&f, "new", 0, KEYS / 10);
    begin_reseeding(&f);
    ck_assert_uint_eq(count(&f, "old", 0), KEYS);
    begin_reseeding(&f);
    ck_assert_uint_eq(drop(&f, "old", 0), KEYS);
    expect_all(&f, "new", 0, KEYS / 10, true);
    begin_reseeding(&f);
    ck_assert_uint_eq(count(&f, "", 0), KEYS / 10);
    fixture_fini(&f);
}
END_TEST

/* A clock that counts a new seed in every stripe when it is read, some times.
 * It is read under the lock of a slice. */
struct counting_clock {
    struct clock clock;
    struct store *store;
    uint32_t left;
};

static int64_t
count_seed(void *ctx)
{
    struct counting_clock *c = ctx;

    if (c->left > 0) {
        c->left--;
        for (unsigned i = 0; i < STORE_STRIPES; i++)
            c->store->stripes[i].table.epoch++;
    }
    return 1000000;
}

START_TEST(a_stripe_that_is_begun_again_is_counted_once)
{
    struct counting_clock c = {.clock = {.mono_us = count_seed}};
    const struct store_options options = {.clock = &c.clock, .seed = 1};
    char key[24];

    c.clock.ctx = &c;
    ck_assert_int_eq(store_new(&options, &c.store), MZ_OK);
    for (uint32_t i = 0; i < KEYS; i++) {
        const struct store_write write = {
            .key = fixture_key(name(key, "old", i), 0),
            .kind = VALUE_BYTES,
            .ttl_ms = 1000};
        uint64_t version;

        must(store_set(c.store, &write, &version) == MZ_OK);
    }
    c.left = 20;
    ck_assert_uint_eq(store_count(c.store, 0, slice_of_string("old")), KEYS);
    ck_assert_uint_eq(c.left, 0);
    c.left = 20;
    ck_assert_uint_eq(store_drop(c.store, 0, slice_of_string("old")), KEYS);
    store_check(c.store);
    store_free(c.store);
}
END_TEST

/* ---- threads ---- */

#define WRITERS 3
#define STAYING (KEYS / 5)

struct arena {
    struct store *store;
    _Atomic bool stop;        /* atomic */
    _Atomic unsigned lanes;   /* atomic: threads so far */
    _Atomic uint64_t written; /* atomic */
};

static void
set(struct store *store, const char *word, uint32_t number)
{
    char key[24];
    const struct store_write write = {
        .key = fixture_key(name(key, word, number), 0),
        .value = slice_of("v", 1),
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
    };
    uint64_t version;

    must(store_set(store, &write, &version) == MZ_OK);
}

/* Each thread writes keys of its own that are dropped, and some that stay. */
static void *
write_keys(void *ctx)
{
    struct arena *arena = ctx;
    const uint32_t lane = atomic_fetch_add(&arena->lanes, 1);

    for (uint32_t n = 0; !atomic_load(&arena->stop); n++) {
        set(arena->store, "late", lane * STAYING + n % STAYING);
        set(arena->store, "kept", n % STAYING);
        if (n % 1000 == 0) {
            struct stripe *stripe =
                &arena->store->stripes[n / 1000 % STORE_STRIPES];

            stripe_enter(stripe);
            stripe->table.reseed_wanted = n < 30000;
            stripe_leave(stripe, NULL);
        }
        atomic_fetch_add(&arena->written, 1);
    }
    return NULL;
}

START_TEST(what_was_there_goes_while_others_write)
{
    pthread_t threads[WRITERS];
    struct arena arena = {0};

    ck_assert_int_eq(store_new(NULL, &arena.store), MZ_OK);
    for (uint32_t i = 0; i < STAYING; i++)
        set(arena.store, "kept", i);
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_keys, &arena),
                         0);
    for (int round = 0; round < 4; round++) {
        const uint64_t before = arena.written;

        for (uint32_t i = 0; i < STAYING / 4; i++)
            set(arena.store, "old", i);
        while (arena.written < before + 1000)
            sched_yield();
        ck_assert_uint_eq(store_drop(arena.store, 0, slice_of_string("old-")),
                          STAYING / 4);
        ck_assert_uint_eq(store_count(arena.store, 0, slice_of_string("old-")),
                          0);
        ck_assert_uint_gt(store_drop(arena.store, 0, slice_of_string("late-")),
                          0);
        ck_assert_uint_eq(store_count(arena.store, 0, slice_of_string("kept-")),
                          STAYING);
    }
    atomic_store(&arena.stop, true);
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    (void)store_drop(arena.store, 0, slice_of_string("late-"));
    ck_assert_uint_eq(store_count(arena.store, 0, slice_of(NULL, 0)), STAYING);
    store_check(arena.store);
    store_free(arena.store);
}
END_TEST

static void
stop_walks(void *ctx, const struct store_change *change)
{
    const struct fixture *f = ctx;

    if (change->kind == STORE_CHANGE_DELETE)
        store_stop_walks(f->store);
}

/* What has gone is gone, and the rest is whole. */
START_TEST(a_stop_ends_it_at_the_next_slice)
{
    struct fixture f;

    fixture_init(&f, 0);
    set_all(&f, "old", 0, KEYS);
    f.observer = (struct store_observer){stop_walks, &f};
    ck_assert_uint_le(drop(&f, "old-", 0), STRIPE_VICTIMS_MAX);
    ck_assert_uint_ge(fixture_totals(&f, 0).keys, KEYS - STRIPE_VICTIMS_MAX);
    ck_assert_uint_eq(count(&f, "old-", 0), 0);
    store_check(f.store);
    fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, removes_exactly_the_prefix);
    tcase_add_test(tc, prefixes_of_all_kinds);
    tcase_add_test(tc, without_a_prefix_it_is_a_reset);
    tcase_add_test(tc, expired_keys_are_no_longer_there);
    tcase_add_test(tc, a_flood_of_equal_hashes_goes_too);
    tcase_add_test(tc, a_new_seed_under_way_does_not_matter);
    tcase_add_test(tc, a_stripe_that_is_begun_again_is_counted_once);
    tcase_add_test(tc, a_stop_ends_it_at_the_next_slice);
    tcase_add_test(tc, what_was_there_goes_while_others_write);
}

TEST_MAIN("store drop", fill)
