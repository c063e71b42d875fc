/* SPDX-License-Identifier: MIT
 *
 * random_test.c - a key by chance: some living one, and each as likely as the
 * next.
 *
 * The chances are held to ten times their standard deviation.
 */
#include "store/store.h"

#include "base/must.h"
#include "store_fixture.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(MEMOIZER_SANITIZED)
#define MANY_KEYS 20000
#else
#define MANY_KEYS 100000
#endif

#define DRAWS 20000

/* Key i is its number as text. */
static void
set_number(struct fixture *f, unsigned i, uint8_t db, int64_t ttl_ms)
{
    char key[16];

    snprintf(key, sizeof key, "%u", i);
    fixture_set(f, key, db, key, ttl_ms);
}

/* What was drawn. */
struct drawn {
    unsigned calls;
    unsigned number;
};

static void
note_number(void *ctx, const struct store_view *view)
{
    struct drawn *drawn = ctx;
    char text[16] = {0};

    must(view->key.len < sizeof text && view->ttl_left_ms > 0);
    must(slice_equal(view->key, view->value));
    memcpy(text, view->key.data, view->key.len);
    drawn->number = (unsigned)strtoul(text, NULL, 10);
    drawn->calls++;
}

static unsigned
draw(struct fixture *f, uint8_t db)
{
    struct drawn drawn = {0};

    ck_assert(store_random(f->store, db, note_number, &drawn));
    ck_assert_uint_eq(drawn.calls, 1);
    return drawn.number;
}

static void
check_nothing(struct fixture *f, uint8_t db)
{
    struct drawn drawn = {0};

    ck_assert(!store_random(f->store, db, note_number, &drawn));
    ck_assert_uint_eq(drawn.calls, 0);
}

START_TEST(nothing_comes_of_nothing)
{
    struct fixture f;

    fixture_init(&f, 0);
    check_nothing(&f, 0);
    for (unsigned i = 0; i < 500; i++)
        set_number(&f, i, 1, STORE_NEVER);
    check_nothing(&f, 0);
    for (unsigned i = 0; i < 500; i++)
        set_number(&f, i, 0, 10);
    ck_assert_uint_lt(draw(&f, 0), 500);
    fake_clock_advance(&f.clock, 10);
    check_nothing(&f, 0);
    set_number(&f, 77, 0, 10);
    ck_assert_uint_eq(draw(&f, 0), 77);
    ck_assert_uint_lt(draw(&f, 1), 500);
    fixture_fini(&f);
}
END_TEST

/* Draws of `keys` keys, counted in as many parts; each with its chance within
 * ten deviations. */
static void
check_chances(struct fixture *f, uint8_t db, unsigned keys, unsigned parts)
{
    unsigned *counts = calloc(parts, sizeof *counts);
    const double want = (double)DRAWS / parts;

    ck_assert_ptr_nonnull(counts);
    for (unsigned i = 0; i < DRAWS; i++) {
        const unsigned number = draw(f, db);

        ck_assert_uint_lt(number, keys);
        counts[(uint64_t)number * parts / keys]++;
    }
    for (unsigned i = 0; i < parts; i++) {
        const double off = counts[i] - want;

        ck_assert_msg(off * off <= 100 * want, "part %u of %u: %u draws", i,
                      parts, counts[i]);
    }
    free(counts);
}

START_TEST(few_keys_are_equally_likely)
{
    struct fixture f;

    fixture_init(&f, 0);
    for (unsigned i = 0; i < 40; i++) {
        set_number(&f, i, 3, i % 2 == 0 ? STORE_NEVER : 1000);
        set_number(&f, i + 1000, 2, STORE_NEVER);
    }
    check_chances(&f, 3, 40, 40);
    fixture_fini(&f);
}
END_TEST

START_TEST(many_keys_are_equally_likely)
{
    struct fixture f;

    fixture_init(&f, 0);
    for (unsigned i = 0; i < MANY_KEYS; i++)
        set_number(&f, i, 0, STORE_NEVER);
    check_chances(&f, 0, MANY_KEYS, 50);
    fixture_fini(&f);
}
END_TEST

/* Those few are found although most slices have none of them. */
START_TEST(rare_keys_are_found)
{
    bool met[3] = {false};
    struct fixture f;

    fixture_init(&f, 0);
    for (unsigned i = 0; i < MANY_KEYS; i++)
        set_number(&f, i, 0, i % 2 == 0 ? STORE_NEVER : 5);
    for (unsigned i = 0; i < 3; i++)
        set_number(&f, i, 1, STORE_NEVER);
    fake_clock_advance(&f.clock, 5);
    for (unsigned i = 0; i < 300; i++) {
        const unsigned number = draw(&f, 1);

        ck_assert_uint_lt(number, 3);
        met[number] = true;
        ck_assert_uint_eq(draw(&f, 0) % 2, 0);
    }
    ck_assert(met[0] && met[1] && met[2]);
    fixture_fini(&f);
}
END_TEST

/* One among many: the slices by chance miss it now and then. */
START_TEST(a_single_key_is_always_found)
{
    struct fixture f;

    fixture_init(&f, 0);
    for (unsigned i = 0; i < MANY_KEYS; i++)
        set_number(&f, i, 0, STORE_NEVER);
    set_number(&f, 7, 1, STORE_NEVER);
    for (unsigned i = 0; i < 2000; i++)
        ck_assert_uint_eq(draw(&f, 1), 7);
    fixture_fini(&f);
}
END_TEST

/* A clock that goes on by a millisecond with each reading. */
static int64_t
tick(void *ctx)
{
    int64_t *now_us = ctx;

    return *now_us += 1000;
}

/* A key whose time runs out between counting and drawing is not shown. */
START_TEST(a_key_that_dies_meanwhile_is_not_shown)
{
    int64_t now_us = 1000000;
    const struct clock clock = {tick, tick, &now_us};
    const struct store_options options = {.clock = &clock};
    struct store_write write = {.key = fixture_key("1", 0),
                                .value = slice_of_string("1")};
    struct store *store;
    unsigned found = 0, missed = 0;

    ck_assert_int_eq(store_new(&options, &store), MZ_OK);
    for (write.ttl_ms = 1; write.ttl_ms < 2 * STORE_STRIPES; write.ttl_ms++) {
        struct drawn drawn = {0};
        uint64_t version;

        ck_assert_int_eq(store_set(store, &write, &version), MZ_OK);
        if (store_random(store, 0, note_number, &drawn))
            found++;
        else
            missed++;
        ck_assert_uint_eq(drawn.calls, found > 0);
    }
    /* One reading for each stripe, and one for the key. */
    ck_assert_uint_eq(missed, STORE_STRIPES + 1);
    ck_assert_uint_gt(found, 0);
    store_free(store);
}
END_TEST

/* Few bits of hash: everybody has the same few homes. */
START_TEST(colliding_keys_are_found)
{
    struct fixture f;

    fixture_init(&f, 3);
    for (unsigned i = 0; i < 400; i++) {
        set_number(&f, i, 0, STORE_NEVER);
        ck_assert_uint_le(draw(&f, 0), i);
    }
    check_chances(&f, 0, 400, 20);
    fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, nothing_comes_of_nothing);
    tcase_add_test(tc, few_keys_are_equally_likely);
    tcase_add_test(tc, many_keys_are_equally_likely);
    tcase_add_test(tc, rare_keys_are_found);
    tcase_add_test(tc, a_single_key_is_always_found);
    tcase_add_test(tc, a_key_that_dies_meanwhile_is_not_shown);
    tcase_add_test(tc, colliding_keys_are_found);
}

TEST_MAIN("random", fill)
