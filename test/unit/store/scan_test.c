/* SPDX-License-Identifier: MIT
 *
 * scan_test.c - a walk names every key that stays, once if nothing happens, and
 * at least once whatever happens.
 *
 * Most keys are a word and a number, "kept-17", so that what a page names can
 * be counted in an array. What must hold for each of many is held by must():
 * Check is too slow for millions of assertions.
 */
#include "store/store.h"

#include "base/mem.h"
#include "base/must.h"
#include "chaos.h"
#include "rng.h"
#include "store/store_internal.h"
#include "store_fixture.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(MEMOIZER_SANITIZED) || defined(MEMOIZER_THREAD_SANITIZER)
#define SCALE 10u /* sanitized builds do a tenth */
#else
#define SCALE 1u
#endif

#define SCALED(n)    (((n) + SCALE - 1u) / SCALE)
#define KEPT         SCALED(20000)
#define GUESTS       SCALED(180000)

#define FIXTURE_SEED 12345

/* A walk, and how often it has named each number. */
struct walk {
    struct store *store;
    struct store_scan scan;
    uint64_t cursor;
    struct buf keys;    /* the last page */
    uint32_t *met;      /* by number */
    uint32_t *met_page; /* by number: the last page that named it */
    uint32_t count;     /* of numbers */
    uint32_t page;      /* so far */
};

static void
walk_init(struct walk *walk, struct store *store, const char *prefix,
          size_t key_max, uint32_t count)
{
    *walk = (struct walk){.store = store, .count = count};
    walk->scan = (struct store_scan){0, slice_of_string(prefix), key_max};
    walk->met = calloc(count + 1, sizeof *walk->met);
    walk->met_page = calloc(count + 1, sizeof *walk->met_page);
    must(walk->met != NULL && walk->met_page != NULL);
}

static void
walk_fini(struct walk *walk)
{
    buf_fini(&walk->keys);
    free(walk->met);
    free(walk->met_page);
}

/* Takes the next packed key off *packed. */
static bool
unpack(struct slice *packed, struct slice *key)
{
    size_t len;

    if (packed->len == 0)
        return false;
    must(packed->len >= 2);
    len = (unsigned char)packed->data[0] |
          (size_t)(unsigned char)packed->data[1] << 8;
    must(packed->len >= 2 + len);
    *key = slice_of(packed->data + 2, len);
    *packed = slice_of(packed->data + 2 + len, packed->len - 2 - len);
    return true;
}

/* What stands behind the last dash of a key. */
static uint32_t
number_of(struct slice key)
{
    uint32_t number = 0;
    size_t i = key.len;

    while (i > 0 && key.data[i - 1] != '-')
        i--;
    must(i > 0 && i < key.len);
    for (; i < key.len; i++) {
        must(key.data[i] >= '0' && key.data[i] <= '9');
        number = number * 10 + (uint32_t)(key.data[i] - '0');
    }
    return number;
}

/* Gets one page; returns how many keys it has. False in *more at the end. */
static size_t
walk_page(struct walk *walk, bool *more)
{
    struct slice packed, key;
    size_t n = 0;

    walk->page++;
    walk->keys.len = 0;
    must(store_scan(walk->store, &walk->scan, &walk->cursor, &walk->keys) ==
         MZ_OK);
    must(walk->cursor < STORE_CURSOR_END);
    packed = buf_slice(&walk->keys);
    for (; unpack(&packed, &key); n++) {
        uint32_t number = number_of(key);

        must(key.len >= walk->scan.prefix.len);
        must(walk->scan.prefix.len == 0 ||
             memcmp(key.data, walk->scan.prefix.data, walk->scan.prefix.len) ==
                 0);
        must(number < walk->count);
        must(walk->met_page[number] != walk->page);
        walk->met_page[number] = walk->page;
        walk->met[number]++;
    }
    *more = walk->cursor != 0;
    return n;
}

static void
set(struct store *store, const char *word, uint32_t number, int64_t ttl_ms)
{
    char key[24];
    int len = snprintf(key, sizeof key, "%s-%u", word, number);
    const struct store_write write = {
        .key = {slice_of(key, (size_t)len), 0},
        .value = slice_of(key, (size_t)len),
        .kind = VALUE_BYTES,
        .ttl_ms = ttl_ms,
    };
    uint64_t version;

    must(store_set(store, &write, &version) == MZ_OK);
}

static void
del(struct store *store, const char *word, uint32_t number)
{
    const struct store_if always = {STORE_ALWAYS, 0};
    char key[24];
    int len = snprintf(key, sizeof key, "%s-%u", word, number);
    uint64_t version;
    bool removed;

    must(store_del(store, (struct store_key){slice_of(key, (size_t)len), 0},
                   always, &removed, &version) == MZ_OK);
}

/* Gives the table of a stripe a new seed, as a flood of keys would. */
static void
reseed(struct store *store, unsigned index)
{
    struct stripe *stripe = &store->stripes[index];

    stripe_enter(stripe);
    stripe->table.reseed_wanted = stripe->table.cur.groups != NULL;
    stripe_leave(stripe, NULL);
}

/* ---- pages ---- */

START_TEST(an_empty_store_has_nothing_to_name)
{
    struct fixture f;
    struct walk walk;
    bool more;

    fixture_init(&f, 0);
    walk_init(&walk, f.store, "", 10, 0);
    ck_assert_uint_eq(walk_page(&walk, &more), 0);
    ck_assert(!more);
    walk_fini(&walk);
    fixture_fini(&f);
}
END_TEST

START_TEST(keys_are_appended_packed)
{
    const struct store_scan scan = {3, slice_of_string("k"), 10};
    struct buf keys = {0};
    uint64_t cursor = 0;
    struct fixture f;

    fixture_init(&f, 0);
    fixture_set(&f, "key", 3, "v", STORE_NEVER);
    buf_put_string(&keys, "before");
    ck_assert_int_eq(store_scan(f.store, &scan, &cursor, &keys), MZ_OK);
    ck_assert_uint_eq(cursor, 0);
    ck_assert(slice_equal(buf_slice(&keys), slice_of("before\3\0key", 11)));
    buf_fini(&keys);
    fixture_fini(&f);
}
END_TEST

/* Nothing changes: every page but the last is full, and nothing comes twice. */
static void
expect_exact_pages(struct fixture *f, size_t key_max, uint32_t count)
{
    struct walk walk;
    uint64_t before = 0;
    bool more = true;

    walk_init(&walk, f->store, "", key_max, count);
    while (more) {
        size_t n = walk_page(&walk, &more);

        must(n <= key_max);
        must(!more || n == key_max);
        must(!more || walk.cursor > before);
        before = walk.cursor;
    }
    for (uint32_t i = 0; i < count; i++)
        must(walk.met[i] == 1);
    walk_fini(&walk);
}

START_TEST(pages_are_exact)
{
    const size_t key_max[] = {1, 7, 100, 999, 10000};
    const uint32_t count = SCALED(50000);
    struct fixture f;

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < count; i++)
        set(f.store, "key", i, STORE_NEVER);
    for (size_t i = 0; i < sizeof key_max / sizeof *key_max; i++)
        expect_exact_pages(&f, key_max[i], count);
    fixture_fini(&f);
}
END_TEST

/* All keys of a page that is too long have one hash. */
static void
expect_one_hash(struct slice packed, unsigned hash_bits)
{
    uint64_t first = 0;
    struct slice key;

    for (size_t i = 0; unpack(&packed, &key); i++) {
        uint64_t hash = table_hash(key, 0, FIXTURE_SEED, hash_bits);

        if (i == 0)
            first = hash;
        must(hash == first);
    }
}

/* Returns how many pages had more than the one key that was asked for. */
static size_t
walk_ties(struct fixture *f, size_t key_max, uint32_t count, unsigned hash_bits)
{
    struct walk walk;
    size_t longer = 0;
    bool more = true;

    walk_init(&walk, f->store, "", key_max, count);
    while (more) {
        size_t n = walk_page(&walk, &more);

        if (n > 1 && key_max == 1) {
            expect_one_hash(buf_slice(&walk.keys), hash_bits);
            longer++;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        must(walk.met[i] == 1);
    walk_fini(&walk);
    return longer;
}

START_TEST(keys_of_one_hash_share_a_page)
{
    const unsigned hash_bits[] = {4, 12};
    const size_t key_max[] = {1, 2, 50, 10000};

    for (size_t b = 0; b < sizeof hash_bits / sizeof *hash_bits; b++) {
        struct fixture f;

        fixture_init(&f, hash_bits[b]);
        for (uint32_t i = 0; i < 3000; i++)
            set(f.store, "key", i, STORE_NEVER);
        for (size_t i = 0; i < sizeof key_max / sizeof *key_max; i++) {
            size_t longer = walk_ties(&f, key_max[i], 3000, hash_bits[b]);

            must(key_max[i] != 1 || longer > 10);
        }
        fixture_fini(&f);
    }
}
END_TEST

/* The names of all keys of database 0 that begin with prefix, one after the
 * other in order; pages of one. */
static size_t
count_named(struct fixture *f, struct slice prefix, uint8_t db)
{
    const struct store_scan scan = {db, prefix, 1};
    struct slice packed, key;
    struct buf keys = {0};
    uint64_t cursor = 0;
    size_t n = 0;

    do {
        ck_assert_int_eq(store_scan(f->store, &scan, &cursor, &keys), MZ_OK);
    } while (cursor != 0);
    packed = buf_slice(&keys);
    for (; unpack(&packed, &key); n++) {
        ck_assert_uint_ge(key.len, prefix.len);
        if (prefix.len > 0)
            ck_assert_mem_eq(key.data, prefix.data, prefix.len);
    }
    buf_fini(&keys);
    ck_assert_uint_eq(store_count(f->store, db, prefix), n);
    return n;
}

START_TEST(only_the_prefix)
{
    const struct slice binary[] = {{"\0\xff-1", 4}, {"\0\xff", 2}, {"\0", 1}};
    struct fixture f;

    fixture_init(&f, 0);
    fixture_set(&f, "", 0, "v", STORE_NEVER);
    fixture_set(&f, "user:1", 0, "v", STORE_NEVER);
    fixture_set(&f, "user:12", 0, "v", STORE_NEVER);
    fixture_set(&f, "user", 0, "v", STORE_NEVER);
    fixture_set(&f, "use", 0, "r:12", STORE_NEVER); /* reads on in its value */
    fixture_set(&f, "user:1", 1, "v", STORE_NEVER);
    for (size_t i = 0; i < 3; i++) {
        const struct store_write write = {
            .key = {binary[i], 0}, .kind = VALUE_BYTES, .ttl_ms = STORE_NEVER};
        uint64_t version;

        ck_assert_int_eq(store_set(f.store, &write, &version), MZ_OK);
    }
    ck_assert_uint_eq(count_named(&f, slice_of(NULL, 0), 0), 8);
    ck_assert_uint_eq(count_named(&f, slice_of_string("user"), 0), 3);
    ck_assert_uint_eq(count_named(&f, slice_of_string("user:1"), 0), 2);
    ck_assert_uint_eq(count_named(&f, slice_of_string("user:12"), 0), 1);
    ck_assert_uint_eq(count_named(&f, slice_of_string("user:123"), 0), 0);
    ck_assert_uint_eq(count_named(&f, slice_of_string("User"), 0), 0);
    ck_assert_uint_eq(count_named(&f, slice_of_string("user"), 1), 1);
    ck_assert_uint_eq(count_named(&f, slice_of_string("user"), 2), 0);
    ck_assert_uint_eq(count_named(&f, slice_of("\0", 1), 0), 3);
    ck_assert_uint_eq(count_named(&f, slice_of("\0\xff", 2), 0), 2);
    ck_assert_uint_eq(count_named(&f, slice_of("\0\xff-1", 4), 0), 1);
    ck_assert_uint_eq(count_named(&f, slice_of("\0\0", 2), 0), 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(databases_are_apart)
{
    struct fixture f;
    char key[24];

    fixture_init(&f, 0);
    for (uint8_t db = 0; db < STORE_DBS; db++) {
        for (unsigned i = 0; i < 10u * db; i++) {
            snprintf(key, sizeof key, "key-%u", i);
            fixture_set(&f, key, db, "v", STORE_NEVER);
        }
    }
    for (uint8_t db = 0; db < STORE_DBS; db++) {
        ck_assert_uint_eq(count_named(&f, slice_of(NULL, 0), db), 10u * db);
        ck_assert_uint_eq(count_named(&f, slice_of_string("key-"), db),
                          10u * db);
    }
    fixture_fini(&f);
}
END_TEST

/* The longest keys there are, each of which is more than a slice copies. */
static void
set_long(struct fixture *f, uint32_t count)
{
    char *key = malloc(ENTRY_KEY_MAX + 1);

    must(key != NULL);
    memset(key, 'k', ENTRY_KEY_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct store_write write = {.key = {{key, ENTRY_KEY_MAX}, 0},
                                          .kind = VALUE_BYTES,
                                          .ttl_ms = STORE_NEVER};
        uint64_t version;

        snprintf(key + ENTRY_KEY_MAX - 7, 8, "-%06u", i % 1000000);
        must(store_set(f->store, &write, &version) == MZ_OK);
    }
    free(key);
}

START_TEST(a_page_of_long_keys_ends_early)
{
    struct fixture f;
    struct walk walk;
    bool more = true;

    fixture_init(&f, 0);
    set_long(&f, 50);
    for (uint32_t i = 50; i < 2000; i++)
        set(f.store, "key", i, STORE_NEVER);
    walk_init(&walk, f.store, "", 10000, 2000);
    while (more) {
        (void)walk_page(&walk, &more);
        ck_assert_uint_lt(walk.keys.len, STORE_SCAN_BYTES + ENTRY_KEY_MAX + 2);
        if (more)
            ck_assert_uint_ge(walk.keys.len, STORE_SCAN_BYTES);
    }
    /* 50 * 65,537 bytes are a little more than three pages. */
    ck_assert_uint_eq(walk.page, 4);
    for (uint32_t i = 0; i < 2000; i++)
        must(walk.met[i] == 1);
    walk_fini(&walk);
    fixture_fini(&f);
}
END_TEST

/* Who looks for few among many gets a cursor now and then, not silence. */
START_TEST(a_rare_prefix_does_not_take_for_ever)
{
    struct fixture f;
    struct walk walk;
    bool more = true;

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 200000; i++)
        set(f.store, i % 20000 == 7 ? "rare" : "often", i, STORE_NEVER);
    walk_init(&walk, f.store, "rare", 100, 200000);
    while (more)
        (void)walk_page(&walk, &more);
    ck_assert_uint_ge(walk.page, 2);
    ck_assert_uint_le(walk.page, 4);
    for (uint32_t i = 0; i < 200000; i++)
        must(walk.met[i] == (i % 20000 == 7));
    walk_fini(&walk);
    fixture_fini(&f);
}
END_TEST

START_TEST(expired_keys_are_not_named)
{
    struct fixture f;
    struct walk walk;
    bool more = true;

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 4000; i++)
        set(f.store, "key", i, i % 2 == 0 ? 1000 : 1001);
    fake_clock_advance(&f.clock, 999);
    ck_assert_uint_eq(count_named(&f, slice_of_string("key"), 0), 4000);
    fake_clock_advance(&f.clock, 1);
    walk_init(&walk, f.store, "", 10, 4000);
    while (more)
        (void)walk_page(&walk, &more);
    for (uint32_t i = 0; i < 4000; i++)
        must(walk.met[i] == i % 2);
    walk_fini(&walk);
    ck_assert_uint_eq(count_named(&f, slice_of_string("key"), 0), 2000);
    /* They are there still. */
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 4000);
    fixture_fini(&f);
}
END_TEST

START_TEST(cursors_that_are_none)
{
    const uint64_t bad[] = {STORE_CURSOR_END, STORE_CURSOR_END + 1,
                            UINT64_C(1) << 63, UINT64_MAX};
    const struct store_scan scan = {0, slice_of(NULL, 0), 10};
    struct rng rng = {rng_test_seed()};
    struct buf keys = {0};
    struct fixture f;

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 1000; i++)
        set(f.store, "key", i, STORE_NEVER);
    buf_put_string(&keys, "before");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t cursor = bad[i];

        ck_assert_int_eq(store_scan(f.store, &scan, &cursor, &keys),
                         MZ_BAD_REQUEST);
        ck_assert_uint_eq(cursor, bad[i]);
        ck_assert(slice_is(buf_slice(&keys), "before"));
    }
    /* Others are places, wherever they come from: the walk goes on to its end
     * from there. */
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t cursor = i == 0 ? STORE_CURSOR_END - 1 : rng_next(&rng) >> 11;
        uint32_t pages = 0;

        do {
            must(store_scan(f.store, &scan, &cursor, &keys) == MZ_OK);
            must(cursor < STORE_CURSOR_END);
            must(++pages <= 102);
        } while (cursor != 0);
        keys.len = 0;
    }
    buf_fini(&keys);
    fixture_fini(&f);
}
END_TEST

/* ---- while the store changes ---- */

/* What goes on between two pages. */
struct churn {
    struct store *store;
    struct rng rng;
    uint32_t guests; /* there are guest-KEPT to guest-(KEPT + guests - 1) */
    bool filling;
    uint32_t turns; /* from filling to emptying and back */
    uint32_t reseeds_left;
};

/* Lets the number of guests swing between none and all. */
static void
churn(struct churn *churn, uint32_t operations)
{
    for (; operations > 0; operations--) {
        if (churn->guests == (churn->filling ? GUESTS : 0)) {
            churn->filling = !churn->filling;
            churn->turns++;
        }
        if (churn->filling)
            set(churn->store, "guest", KEPT + churn->guests++, STORE_NEVER);
        else
            del(churn->store, "guest", KEPT + --churn->guests);
    }
}

static unsigned
stripe_of_cursor(uint64_t cursor)
{
    return (unsigned)(cursor >> 47);
}

/* Now and then, a new seed where the walk is or anywhere. */
static void
churn_reseed(struct churn *churn, uint64_t cursor)
{
    if (churn->reseeds_left == 0 || rng_below(&churn->rng, 8) != 0)
        return;
    churn->reseeds_left--;
    if (rng_below(&churn->rng, 2) == 0)
        reseed(churn->store, stripe_of_cursor(cursor));
    else
        reseed(churn->store, (unsigned)rng_below(&churn->rng, STORE_STRIPES));
}

/* Walks with churn, and returns how many keys came twice, which only a new seed
 * may cause. */
static uint32_t
walk_with_churn(struct churn *c, size_t key_max, uint32_t operations)
{
    uint32_t twice = 0;
    struct walk walk;
    bool more = true;

    walk_init(&walk, c->store, "", key_max, KEPT + GUESTS);
    while (more) {
        size_t n = walk_page(&walk, &more);

        must(n <= key_max);
        churn(c, operations);
        churn_reseed(c, walk.cursor);
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        must(walk.met[i] >= 1);
        twice += walk.met[i] > 1;
    }
    walk_fini(&walk);
    return twice;
}

static void
set_kept(struct store *store)
{
    for (uint32_t i = 0; i < KEPT; i++)
        set(store, "kept", i, STORE_NEVER);
}

START_TEST(who_stays_is_named_while_tables_grow_and_shrink)
{
    const struct {
        size_t key_max;
        uint32_t operations; /* between two pages */
    } rows[] = {{SCALED(7), SCALED(40)},
                {SCALED(100), SCALED(500)},
                {SCALED(10000), SCALED(100000)}};
    struct fixture f;

    fixture_init(&f, 0);
    set_kept(f.store);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct churn c = {.store = f.store, .rng = {rng_test_seed()}};

        ck_assert_uint_eq(
            walk_with_churn(&c, rows[i].key_max, rows[i].operations), 0);
        ck_assert_uint_ge(c.turns, 2);
        while (c.guests > 0)
            del(f.store, "guest", KEPT + --c.guests);
    }
    fixture_fini(&f);
}
END_TEST

START_TEST(who_stays_is_named_across_new_seeds)
{
    const size_t key_max[] = {SCALED(7), SCALED(100), SCALED(1000)};
    uint32_t twice = 0;
    struct fixture f;

    fixture_init(&f, 0);
    set_kept(f.store);
    for (size_t i = 0; i < sizeof key_max / sizeof *key_max; i++) {
        struct churn c = {
            .store = f.store, .rng = {rng_test_seed()}, .reseeds_left = 200};

        twice += walk_with_churn(&c, key_max[i], (uint32_t)key_max[i]);
        while (c.guests > 0)
            del(f.store, "guest", KEPT + --c.guests);
    }
    /* Some stripe was begun again. */
    ck_assert_uint_gt(twice, 0);
    fixture_fini(&f);
}
END_TEST

/* Gives every stripe a new seed whenever somebody allocates, which a scan does
 * between two slices. */
struct disturber {
    struct mem_hook hook;
    struct store *store;
    uint32_t left; /* how often */
    bool busy;
};

static bool
disturb(void *ctx, size_t len)
{
    struct disturber *d = ctx;

    (void)len;
    if (d->busy || d->left == 0)
        return false;
    d->busy = true;
    d->left--;
    for (unsigned i = 0; i < STORE_STRIPES; i++)
        reseed(d->store, i);
    d->busy = false;
    return false;
}

START_TEST(a_new_seed_within_a_page_ends_it)
{
    struct disturber d = {.left = 10};
    struct fixture f;
    struct walk walk;
    bool more = true;

    fixture_init(&f, 0);
    set_kept(f.store);
    walk_init(&walk, f.store, "", 10000, KEPT + GUESTS);
    d.store = f.store;
    d.hook = (struct mem_hook){disturb, &d};
    mem_set_hook(&d.hook);
    while (more)
        (void)walk_page(&walk, &more);
    mem_set_hook(NULL);
    ck_assert_uint_eq(d.left, 0);
    for (uint32_t i = 0; i < KEPT; i++)
        must(walk.met[i] >= 1);
    walk_fini(&walk);
    fixture_fini(&f);
}
END_TEST

/* ---- threads ---- */

#define WRITERS 3
#define RESEEDS 100

struct arena {
    struct store *store;
    uint64_t seed;            /* const */
    _Atomic bool stop;        /* atomic */
    _Atomic uint64_t lanes;   /* atomic: threads so far */
    _Atomic uint64_t reseeds; /* atomic */
};

/* Guests come and go, and tables get new seeds, until it is told to stop. */
static void *
write_guests(void *ctx)
{
    struct arena *arena = ctx;
    const uint64_t lane = atomic_fetch_add(&arena->lanes, 1);
    struct rng rng = {arena->seed + lane};
    bool filling = true;

    for (uint32_t n = 0; !atomic_load(&arena->stop); n++) {
        uint32_t number = KEPT + (uint32_t)rng_below(&rng, GUESTS);

        if (filling)
            set(arena->store, "guest", number, STORE_NEVER);
        else
            del(arena->store, "guest", number);
        if (n % 20000 == 19999)
            filling = !filling;
        if (lane == 0 && n % 1024 == 0 && arena->reseeds < RESEEDS) {
            reseed(arena->store, (unsigned)rng_below(&rng, STORE_STRIPES));
            arena->reseeds++;
        }
    }
    return NULL;
}

START_TEST(who_stays_is_named_while_others_write)
{
    const size_t key_max[] = {50, 1000, 10000, 100, 10000};
    pthread_t threads[WRITERS];
    struct arena arena = {.seed = rng_test_seed()};

    ck_assert_int_eq(store_new(NULL, &arena.store), MZ_OK);
    set_kept(arena.store);
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, write_guests, &arena), 0);
    for (size_t i = 0; i < sizeof key_max / sizeof *key_max; i++) {
        struct walk walk;
        bool more = true;

        walk_init(&walk, arena.store, "", key_max[i], KEPT + GUESTS);
        while (more)
            must(walk_page(&walk, &more) <= key_max[i]);
        for (uint32_t k = 0; k < KEPT; k++)
            must(walk.met[k] >= 1);
        walk_fini(&walk);
        ck_assert_uint_eq(store_count(arena.store, 0, slice_of_string("kept-")),
                          KEPT);
    }
    atomic_store(&arena.stop, true);
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_uint_gt(arena.reseeds, 0);
    store_check(arena.store);
    store_free(arena.store);
}
END_TEST

/* ---- memory ---- */

/* Lets the first, second ... allocation of a page fail; returns how many there
 * are. */
static size_t
fail_each(struct fixture *f, size_t key_max)
{
    const struct store_scan scan = {0, slice_of(NULL, 0), key_max};

    for (size_t n = 1;; n++) {
        uint64_t cursor = 0, begun = 0;
        struct buf keys = {0};
        struct chaos chaos;
        enum mz_err err;

        must(store_scan(f->store, &scan, &begun, &keys) == MZ_OK);
        must(begun != 0);
        buf_fini(&keys);
        buf_put_string(&keys, "before");
        cursor = begun;
        chaos_begin(&chaos, n);
        err = store_scan(f->store, &scan, &cursor, &keys);
        if (!chaos_end(&chaos)) {
            must(err == MZ_OK);
            must(keys.len > strlen("before"));
            buf_fini(&keys);
            return n - 1;
        }
        must(err == MZ_NO_MEMORY);
        must(cursor == begun);
        must(slice_is(buf_slice(&keys), "before"));
        must(!keys.failed);
        buf_fini(&keys);
    }
}

START_TEST(without_memory_there_is_no_page)
{
    struct fixture f;

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 2000; i++)
        set(f.store, "key", i, STORE_NEVER);
    ck_assert_uint_ge(fail_each(&f, 1), 3);
    ck_assert_uint_ge(fail_each(&f, 900), 4);
    set_long(&f, 100);
    ck_assert_uint_ge(fail_each(&f, 900), 5);
    fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, an_empty_store_has_nothing_to_name);
    tcase_add_test(tc, keys_are_appended_packed);
    tcase_add_test(tc, pages_are_exact);
    tcase_add_test(tc, keys_of_one_hash_share_a_page);
    tcase_add_test(tc, only_the_prefix);
    tcase_add_test(tc, databases_are_apart);
    tcase_add_test(tc, a_page_of_long_keys_ends_early);
    tcase_add_test(tc, a_rare_prefix_does_not_take_for_ever);
    tcase_add_test(tc, expired_keys_are_not_named);
    tcase_add_test(tc, cursors_that_are_none);
    tcase_add_test(tc, who_stays_is_named_while_tables_grow_and_shrink);
    tcase_add_test(tc, who_stays_is_named_across_new_seeds);
    tcase_add_test(tc, a_new_seed_within_a_page_ends_it);
    tcase_add_test(tc, who_stays_is_named_while_others_write);
    tcase_add_test(tc, without_memory_there_is_no_page);
}

TEST_MAIN("store scan", fill)
