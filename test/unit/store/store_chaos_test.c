/* SPDX-License-Identifier: MIT
 *
 * store_chaos_test.c - without memory nothing changes and nothing is lost.
 */
#include "store/store.h"

#include "chaos.h"
#include "store_fixture.h"
#include "suite.h"

#include <stdio.h>

static struct store_write
write_of(const char *key, const char *value)
{
    return (struct store_write){.key = fixture_key(key, 0),
                                .value = slice_of_string(value),
                                .kind = VALUE_BYTES,
                                .ttl_ms = STORE_NEVER};
}

START_TEST(a_store_without_memory_is_none)
{
    for (size_t n = 1;; n++) {
        struct store *store = NULL;
        struct chaos chaos;
        enum mz_err err;

        chaos_begin(&chaos, n);
        err = store_new(NULL, &store);
        if (!chaos_end(&chaos)) {
            ck_assert_int_eq(err, MZ_OK);
            ck_assert_uint_gt(n, 1);
            store_free(store);
            break;
        }
        ck_assert_int_eq(err, MZ_NO_MEMORY);
        ck_assert_ptr_null(store);
    }
}
END_TEST

/* The first key of a stripe needs an entry and a span. */
START_TEST(the_first_set_fails_whole)
{
    /* Bytes that can still be had: none, or enough for the entry only. */
    const size_t limits[] = {0, 100};
    struct store_write write = write_of("k", "v");
    struct fixture f;

    fixture_init(&f, 0);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct chaos chaos;
        uint64_t version = 5;

        chaos_limit(&chaos, limits[i]);
        ck_assert_int_eq(store_set(f.store, &write, &version), MZ_NO_MEMORY);
        ck_assert(chaos_end(&chaos));
        ck_assert_uint_eq(version, 0);
        ck_assert(!fixture_get(&f, "k", 0).found);
        ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
        ck_assert_uint_eq(fixture_totals(&f, 0).memory_bytes, 0);
        ck_assert_uint_eq(f.note_count, 0);
    }
    ck_assert_uint_eq(fixture_set(&f, "k", 0, "v", STORE_NEVER), 1);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "v");
    fixture_fini(&f);
}
END_TEST

START_TEST(an_overwrite_that_fails_leaves_the_old)
{
    struct fixture f;
    struct store_write write = write_of("k", "new");
    struct chaos chaos;
    uint64_t version, first;

    fixture_init(&f, 0);
    first = fixture_set(&f, "k", 0, "old", 1000);
    fixture_forget(&f);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(store_set(f.store, &write, &version), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_uint_eq(version, 0);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "old");
    ck_assert_uint_eq(fixture_get(&f, "k", 0).version, first);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 1000);
    ck_assert_uint_eq(f.note_count, 0);
    fixture_fini(&f);
}
END_TEST

/* With memory for entries but none for tables, writes go on until a stripe is
 * full to the last slot; and overwrites, deletes and reads even then. */
START_TEST(no_memory_for_growth)
{
    struct fixture f;
    struct chaos chaos;
    char key[24];
    uint32_t i, refused = 0;

    fixture_init(&f, 0);
    for (i = 0; i < 3000; i++) {
        snprintf(key, sizeof key, "key-%u", i);
        fixture_set(&f, key, 0, "v", STORE_NEVER);
    }
    chaos_limit(&chaos, 200);
    for (; i < 20000; i++) {
        struct store_write write;
        uint64_t version;
        enum mz_err err;

        snprintf(key, sizeof key, "key-%u", i);
        write = write_of(key, "v");
        err = store_set(f.store, &write, &version);
        ck_assert(err == MZ_OK || err == MZ_NO_MEMORY);
        ck_assert_int_eq(fixture_get(&f, key, 0).found, err == MZ_OK);
        refused += err != MZ_OK;
    }
    ck_assert_uint_gt(refused, 10000);
    for (uint32_t k = 0; k < 3000; k++) {
        snprintf(key, sizeof key, "key-%u", k);
        fixture_set(&f, key, 0, "w", STORE_NEVER);
        ck_assert_str_eq(fixture_get(&f, key, 0).value, "w");
        if (k % 2 == 0)
            ck_assert(fixture_del(&f, key, 0));
    }
    ck_assert(chaos_end(&chaos));
    store_check(f.store);
    /* And memory again. */
    for (i = 20000; i < 30000; i++) {
        snprintf(key, sizeof key, "key-%u", i);
        fixture_set(&f, key, 0, "v", STORE_NEVER);
    }
    ck_assert_uint_eq(fixture_totals(&f, 0).keys,
                      20000 - refused - 1500 + 10000);
    fixture_fini(&f);
}
END_TEST

/* Whichever allocation fails during growth, every key that was taken stays. */
START_TEST(any_allocation_may_fail)
{
    for (size_t n = 1; n < 400; n += 3) {
        struct fixture f;
        struct chaos chaos;
        uint64_t taken = 0;

        fixture_init(&f, 3);
        chaos_begin(&chaos, n);
        for (uint32_t i = 0; i < 250; i++) {
            char key[24];
            struct store_write write;
            uint64_t version;
            enum mz_err err;

            snprintf(key, sizeof key, "key-%u", i);
            write = write_of(key, "v");
            err = store_set(f.store, &write, &version);
            ck_assert_int_eq(fixture_get(&f, key, 0).found, err == MZ_OK);
            taken += err == MZ_OK;
        }
        (void)chaos_end(&chaos);
        ck_assert_uint_ge(taken, 249);
        ck_assert_uint_eq(fixture_totals(&f, 0).keys, taken);
        fixture_fini(&f);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, a_store_without_memory_is_none);
    tcase_add_test(tc, the_first_set_fails_whole);
    tcase_add_test(tc, an_overwrite_that_fails_leaves_the_old);
    tcase_add_test(tc, no_memory_for_growth);
    tcase_add_test(tc, any_allocation_may_fail);
}

TEST_MAIN("store without memory", fill)
