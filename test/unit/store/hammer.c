/* SPDX-License-Identifier: MIT
 *
 * hammer.c - eight threads, every function of the store, all at once.
 *
 * Four databases: a few keys that all fight for, keys that become more and
 * more while the tables grow, keys that live for some milliseconds of a clock
 * that one thread turns, and keys that are reset all the time. Each thread
 * keeps some large values that it retained, and looks at them again much
 * later, when the store has long let go of them.
 *
 * Values say whose they are (hammer_value.h); the observer counts, and looks
 * at the entries that it is shown.
 */
#include "store/store.h"

#include "base/mem.h"
#include "base/must.h"
#include "fake_clock.h"
#include "hammer_value.h"
#include "rng.h"
#include "suite.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define THREADS   8
#define FEW_KEYS  40
#define KEPT      8 /* large values that a thread holds on to */
#define SMALL_MAX 700
#define LARGE_MAX (4 * ENTRY_SHARED_MIN)

#if defined(MEMOIZER_THREAD_SANITIZER)
#define OPERATIONS 20000 /* of each thread */
#elif defined(MEMOIZER_SANITIZED)
#define OPERATIONS 60000
#else
#define OPERATIONS 100000
#endif

/* An operation is one write at most. */
#define VERSION_MAX (THREADS * OPERATIONS)

enum {
    DB_FEW,
    DB_GROWING,
    DB_MORTAL,
    DB_RESET,
    DBS
};

/* What all threads share. */
struct arena {
    struct store *store;
    struct fake_clock clock;
    struct store_observer observer;
    uint64_t growth;          /* const: one key more every so many writes */
    _Atomic uint64_t grown;   /* atomic: writes to the growing database */
    _Atomic unsigned ready;   /* atomic: threads that stand at the start */
    _Atomic uint64_t told[4]; /* atomic: by enum store_change_kind */
    _Atomic uint64_t sets, touches, deletes, sweeps; /* atomic: what was done */
    _Atomic uint8_t *given; /* atomic: 1 for each version that was returned */
};

/* A large value that outlived its lock. */
struct kept {
    struct entry *entry;
    uint64_t id; /* of its key */
};

struct worker {
    struct arena *arena;
    struct rng rng;
    struct kept kept[KEPT];
    unsigned next_kept;
    unsigned id;
    char *value; /* LARGE_MAX bytes to make values in */
    pthread_t thread;
};

/* A key and its bytes; short and long ones, 8 to 70 bytes. */
struct name {
    char bytes[72];
    struct store_key key;
};

static void
name_make(struct name *name, uint8_t db, uint64_t id)
{
    const size_t len = 8 + id % 63;

    memset(name->bytes, 'a' + (char)(id % 26), sizeof(name->bytes));
    memcpy(name->bytes, &id, sizeof(id));
    name->key = (struct store_key){slice_of(name->bytes, len), db};
}

/* ---- reading ---- */

/* What a reader needs, and what it brings back. */
struct reading {
    struct store_key key;
    struct entry *entry; /* retained, when the value is a shared one */
    char copy[SMALL_MAX];
    size_t len;
};

static void
read_value(void *ctx, const struct store_view *view)
{
    struct reading *reading = ctx;

    must(view->version > 0);
    must(view->ttl_left_ms > 0);
    must(slice_equal(entry_key(view->entry), reading->key.key));
    must(view->entry->db == reading->key.db);
    reading->len = view->value.len;
    if (entry_is_shared(view->entry)) {
        entry_retain(view->entry);
        reading->entry = view->entry;
    } else {
        must(view->value.len <= sizeof(reading->copy));
        memcpy(reading->copy, view->value.data, view->value.len);
    }
}

/* Looks at what was kept and lets it go. */
static void
drop(struct kept *kept)
{
    struct name name;

    if (kept->entry == NULL)
        return;
    name_make(&name, kept->entry->db, kept->id);
    must(slice_equal(entry_key(kept->entry), name.key.key));
    must(hammer_value_fits(entry_value(kept->entry), name.key));
    entry_release(kept->entry);
    kept->entry = NULL;
}

static void
keep(struct worker *w, struct entry *entry, uint64_t id)
{
    struct kept *kept = &w->kept[w->next_kept++ % KEPT];

    drop(kept);
    *kept = (struct kept){entry, id};
}

static void
do_get(struct worker *w, const struct name *name, uint64_t id, int64_t ttl_ms)
{
    struct reading reading = {.key = name->key};
    bool found;

    if (ttl_ms > 0)
        found = store_get_touch(w->arena->store, name->key, ttl_ms, read_value,
                                &reading);
    else
        found = store_get(w->arena->store, name->key, read_value, &reading);
    if (!found)
        return;
    if (ttl_ms > 0)
        w->arena->touches++;
    if (reading.entry != NULL)
        keep(w, reading.entry, id);
    else
        must(hammer_value_fits(slice_of(reading.copy, reading.len), name->key));
}

/* ---- writing ---- */

static size_t
draw_len(struct rng *rng)
{
    if (rng_below(rng, 24) == 0)
        return ENTRY_SHARED_MIN +
               rng_below(rng, LARGE_MAX - ENTRY_SHARED_MIN + 1);
    return HAMMER_VALUE_MIN + rng_below(rng, SMALL_MAX - HAMMER_VALUE_MIN + 1);
}

static int64_t
draw_ttl_ms(struct worker *w, uint8_t db)
{
    if (db == DB_MORTAL)
        return 1 + (int64_t)rng_below(&w->rng, 200);
    return rng_below(&w->rng, 2) == 0 ? STORE_NEVER : 100000000;
}

static struct store_if
draw_condition(struct rng *rng)
{
    const uint64_t dice = rng_below(rng, 8);

    if (dice >= STORE_IF_VERSION)
        return (struct store_if){STORE_ALWAYS, 0};
    /* A guessed version mostly fails, which is a path of its own. */
    return (struct store_if){(enum store_condition)(dice + 1),
                             1 + rng_below(rng, 1000)};
}

static void
do_set(struct worker *w, const struct name *name)
{
    const size_t len = draw_len(&w->rng);
    const bool keeps = rng_below(&w->rng, 8) == 0;
    struct store_write write = {
        .key = name->key,
        .value = slice_of(w->value, len),
        .kind = VALUE_BYTES,
        .only_if = draw_condition(&w->rng),
    };
    uint64_t version;
    enum mz_err err;

    write.ttl_ms = keeps ? STORE_KEEP_TTL : draw_ttl_ms(w, name->key.db);
    hammer_value_make(w->value, len, name->key, rng_next(&w->rng));
    err = store_set(w->arena->store, &write, &version);
    must(err == MZ_OK || err == MZ_EXISTS || err == MZ_MISSING ||
         err == MZ_STALE);
    must((version == 0) == (err == MZ_MISSING));
    if (err != MZ_OK)
        return;
    w->arena->sets++;
    /* No two writes get the same, whichever keys they are for. */
    must(version <= VERSION_MAX);
    must(atomic_exchange_explicit(&w->arena->given[version], 1,
                                  memory_order_relaxed) == 0);
}

static void
do_del(struct worker *w, const struct name *name)
{
    struct store_if only_if = draw_condition(&w->rng);
    uint64_t version;
    bool removed;
    enum mz_err err;

    err = store_del(w->arena->store, name->key, only_if, &removed, &version);
    must(err == MZ_OK || !removed);
    if (removed)
        w->arena->deletes++;
}

/* Removes the key and keeps its value, if it is a large one. */
static void
do_take(struct worker *w, const struct name *name, uint64_t id)
{
    struct reading reading = {.key = name->key};
    uint64_t version;
    bool removed;
    enum mz_err err;

    err = store_take(w->arena->store, name->key, draw_condition(&w->rng),
                     read_value, &reading, &removed, &version);
    must(err == MZ_OK || !removed);
    if (!removed)
        return;
    w->arena->deletes++;
    if (reading.entry != NULL)
        keep(w, reading.entry, id);
    else
        must(hammer_value_fits(slice_of(reading.copy, reading.len), name->key));
}

/* A deadline up to 50 ms ago or to come. */
static void
do_expire(struct worker *w, const struct name *name)
{
    const struct store_expire expire = {
        .deadline_mono_us = clock_mono_us(&w->arena->clock.clock) +
                            (int64_t)rng_below(&w->rng, 100000) - 50000,
        .when = (enum store_expire_when)rng_below(&w->rng, 5),
    };

    switch (store_expire(w->arena->store, name->key, &expire)) {
    case STORE_EXPIRE_SET:
        w->arena->touches++;
        break;
    case STORE_EXPIRE_DELETED:
        w->arena->deletes++;
        break;
    case STORE_EXPIRE_MISSING:
    case STORE_EXPIRE_REFUSED:
        break;
    }
}

static void
do_touch(struct worker *w, const struct name *name)
{
    if (name->key.db == DB_MORTAL && rng_below(&w->rng, 4) == 0)
        do_expire(w, name);
    else if (store_touch(w->arena->store, name->key,
                         draw_ttl_ms(w, name->key.db)))
        w->arena->touches++;
}

/* ---- the rest ---- */

static void
look_at_name(void *ctx, const struct store_view *view)
{
    const uint8_t *db = ctx;

    must(view->entry->db == *db && view->ttl_left_ms > 0);
    must(slice_equal(view->key, entry_key(view->entry)));
}

static void
do_rare(struct worker *w)
{
    struct store_totals totals;
    uint8_t db = (uint8_t)rng_below(&w->rng, DBS);

    switch (rng_below(&w->rng, 8)) {
    case 0:
        store_reset(w->arena->store, DB_RESET);
        break;
    case 1:
        store_check(w->arena->store);
        break;
    case 2:
    case 3:
        store_totals(w->arena->store, db, &totals);
        must(totals.expires <= totals.keys);
        break;
    case 4:
        (void)store_random(w->arena->store, db, look_at_name, &db);
        break;
    default:
        (void)store_sweep(w->arena->store);
        w->arena->sweeps++;
    }
}

static uint64_t
draw_id(struct worker *w, uint8_t db)
{
    if (db != DB_GROWING)
        return rng_below(&w->rng, FEW_KEYS);
    return rng_below(&w->rng, 1 + w->arena->grown / w->arena->growth);
}

static void
do_something(struct worker *w)
{
    const uint8_t db = (uint8_t)rng_below(&w->rng, DBS);
    const uint64_t dice = rng_below(&w->rng, 1000);
    const uint64_t id = draw_id(w, db);
    struct name name;

    name_make(&name, db, id);
    if (dice < 400) {
        do_get(w, &name, id, 0);
    } else if (dice < 480) {
        do_get(w, &name, id, draw_ttl_ms(w, db));
    } else if (dice < 560) {
        do_touch(w, &name);
    } else if (dice < 900) {
        w->arena->grown += db == DB_GROWING;
        do_set(w, &name);
    } else if (dice < 980) {
        do_del(w, &name);
    } else if (dice < 998) {
        do_take(w, &name, id);
    } else {
        do_rare(w);
    }
}

static void *
work(void *ctx)
{
    struct worker *w = ctx;

    w->arena->ready++;
    while (w->arena->ready < THREADS)
        sched_yield();
    for (size_t i = 0; i < OPERATIONS; i++) {
        do_something(w);
        if (w->id == 0 && i % 8 == 0)
            fake_clock_advance(&w->arena->clock,
                               (int64_t)rng_below(&w->rng, 5));
    }
    for (size_t i = 0; i < KEPT; i++)
        drop(&w->kept[i]);
    return NULL;
}

/* Under the stripe's lock. Large entries are only looked at from outside. */
static void
count_change(void *ctx, const struct store_change *change)
{
    struct arena *arena = ctx;
    const struct entry *entry = change->entry;
    const struct store_key key = {entry_key(entry), entry->db};

    must(entry->version > 0);
    must(entry_is_shared(entry) || hammer_value_fits(entry_value(entry), key));
    arena->told[change->kind]++;
}

static void
run_threads(struct arena *arena, uint64_t seed)
{
    struct worker *workers = mem_alloc_zeroed(THREADS, sizeof(*workers));

    ck_assert_ptr_nonnull(workers);
    for (unsigned i = 0; i < THREADS; i++) {
        struct worker *w = &workers[i];

        w->arena = arena;
        w->id = i;
        w->rng.state = seed + i;
        w->value = mem_alloc(LARGE_MAX);
        ck_assert_ptr_nonnull(w->value);
        ck_assert_int_eq(pthread_create(&w->thread, NULL, work, w), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
        mem_free(workers[i].value);
    }
    mem_free(workers);
}

/* All that is left can be removed, and nothing stays behind. */
static void
empty(struct arena *arena)
{
    struct store_totals totals;
    uint64_t keys = 0;

    for (uint8_t db = 0; db < STORE_DBS; db++) {
        store_totals(arena->store, db, &totals);
        keys += totals.keys;
    }
    ck_assert_uint_gt(keys, 0);
    printf("%" PRIu64 " keys left, %" PRIu64 " expired\n", keys,
           totals.expired_keys);
    ck_assert_uint_eq(arena->told[STORE_CHANGE_EXPIRE], totals.expired_keys);
    ck_assert_uint_gt(totals.expired_keys, 0);
    for (uint8_t db = 0; db < STORE_DBS; db++) {
        store_reset(arena->store, db);
        store_totals(arena->store, db, &totals);
        ck_assert_uint_eq(totals.keys, 0);
        ck_assert_uint_eq(totals.expires, 0);
    }
    store_check(arena->store);
}

static void
hammer(unsigned hash_bits, uint64_t growth)
{
    const uint64_t seed = rng_test_seed();
    struct arena arena = {.growth = growth};
    struct store_options options = {
        .clock = &arena.clock.clock,
        .observer = &arena.observer,
        .seed = seed | 1,
        .hash_bits = hash_bits,
    };

    arena.given = mem_alloc_zeroed(VERSION_MAX + 1, sizeof(*arena.given));
    ck_assert_ptr_nonnull(arena.given);
    fake_clock_init(&arena.clock);
    arena.observer = (struct store_observer){count_change, &arena};
    ck_assert_int_eq(store_new(&options, &arena.store), MZ_OK);
    run_threads(&arena, seed);
    store_check(arena.store);
    ck_assert_uint_gt(arena.sweeps, 0);
    ck_assert_uint_eq(arena.told[STORE_CHANGE_SET], arena.sets);
    ck_assert_uint_eq(arena.told[STORE_CHANGE_TOUCH], arena.touches);
    ck_assert_uint_ge(arena.told[STORE_CHANGE_DELETE], arena.deletes);
    empty(&arena);
    store_free(arena.store);
    mem_free(arena.given);
}

START_TEST(survives)
{
    hammer(0, 1);
}
END_TEST

/* Few bits of hash: long probes, and tables that have to be built anew. */
START_TEST(survives_collisions)
{
    hammer(14, 20);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, survives);
    tcase_add_test(tc, survives_collisions);
}

TEST_MAIN("hammer", fill)
