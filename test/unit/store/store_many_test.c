/* SPDX-License-Identifier: MIT
 *
 * store_many_test.c - many keys: growth, reset, sweep, totals, floods.
 */
#include "store/store.h"

#include "base/must.h"
#include "rng.h"
#include "store_fixture.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
name(char out[24], uint32_t i)
{
    snprintf(out, 24, "key-%u", i);
    return out;
}

START_TEST(grows_and_shrinks_with_its_keys)
{
    struct fixture f;
    char key[24];
    uint64_t empty_bytes, full_bytes;

    fixture_init(&f, 0);
    empty_bytes = fixture_totals(&f, 0).memory_bytes;
    ck_assert_uint_eq(empty_bytes, 0);
    for (uint32_t i = 0; i < 100000; i++)
        fixture_set(&f, name(key, i), (uint8_t)(i % 2), key, STORE_NEVER);
    store_check(f.store);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 50000);
    ck_assert_uint_eq(fixture_totals(&f, 1).keys, 50000);
    full_bytes = fixture_totals(&f, 0).memory_bytes;
    /* 16 + 9 + 9 bytes and 8 of malloc's make 48; and the table. */
    ck_assert_uint_gt(full_bytes, 100000 * (48 + 17));
    ck_assert_uint_lt(full_bytes, 100000 * (48 + 48));
    for (uint32_t i = 0; i < 100000; i++)
        must(strcmp(fixture_get(&f, name(key, i), (uint8_t)(i % 2)).value,
                    key) == 0);
    for (uint32_t i = 0; i < 100000; i++)
        must(fixture_del(&f, name(key, i), (uint8_t)(i % 2)));
    for (int i = 0; i < 10; i++)
        store_sweep(f.store);
    ck_assert_uint_eq(fixture_totals(&f, 0).memory_bytes, 64 * (256 + 8));
    fixture_fini(&f);
}
END_TEST

/* What a key of one byte with a value of len bytes is counted for. */
static uint64_t
bytes_of_value(struct fixture *f, size_t len)
{
    uint64_t before = fixture_totals(f, 0).memory_bytes;
    char *value = calloc(1, len + 1);
    uint64_t bytes;

    must(value != NULL);
    memset(value, 'v', len);
    fixture_set(f, "k", 0, value, STORE_NEVER);
    bytes = fixture_totals(f, 0).memory_bytes - before;
    fixture_del(f, "k", 0);
    free(value);
    return bytes;
}

START_TEST(memory_is_counted_to_the_byte)
{
    struct fixture f;
    uint64_t table;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    table = fixture_totals(&f, 0).memory_bytes - 32;
    ck_assert_uint_eq(table, 256 + 8);
    /* 16 + 1 + 23 + malloc's 8 = 48; one more byte needs 16 more. */
    fixture_set(&f, "k", 0, "12345678901234567890123", STORE_NEVER);
    ck_assert_uint_eq(fixture_totals(&f, 0).memory_bytes, table + 48);
    fixture_set(&f, "k", 0, "123456789012345678901234", STORE_NEVER);
    ck_assert_uint_eq(fixture_totals(&f, 0).memory_bytes, table + 64);
    fixture_del(&f, "k", 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).memory_bytes, table);
    /* 16 + 1 + value + 4 for the count of references, on a boundary of 4. */
    ck_assert_uint_eq(bytes_of_value(&f, 65491), 65512 + 8);
    /* From 64 KiB on malloc maps pages, and takes 8 bytes more. */
    ck_assert_uint_eq(bytes_of_value(&f, 65492), 17 * 4096);
    ck_assert_uint_eq(bytes_of_value(&f, 69587), 17 * 4096);
    ck_assert_uint_eq(bytes_of_value(&f, 69588), 18 * 4096);
    fixture_fini(&f);
}
END_TEST

START_TEST(reset_empties_one_database)
{
    struct fixture f;
    char key[24];

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 60000; i++)
        fixture_set(&f, name(key, i), (uint8_t)(i % 3), "v",
                    i % 2 == 0 ? STORE_NEVER : 1000000);
    fixture_forget(&f);
    store_reset(f.store, 1);
    ck_assert_uint_eq(f.note_count, 20000);
    store_check(f.store);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 20000);
    ck_assert_uint_eq(fixture_totals(&f, 1).keys, 0);
    ck_assert_uint_eq(fixture_totals(&f, 1).expires, 0);
    ck_assert_uint_eq(fixture_totals(&f, 2).keys, 20000);
    for (uint32_t i = 0; i < 60000; i++)
        must(fixture_get(&f, name(key, i), (uint8_t)(i % 3)).found ==
             (i % 3 != 1));
    store_reset(f.store, 0);
    store_reset(f.store, 2);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
    ck_assert_uint_eq(fixture_totals(&f, 2).keys, 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(sweep_removes_just_what_is_over)
{
    struct fixture f;
    struct rng rng = {rng_test_seed()};
    uint64_t removed = 0;
    char key[24];

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 20000; i++)
        fixture_set(&f, name(key, i), 0, "v",
                    i % 4 == 0 ? STORE_NEVER : 1 + (int64_t)(i % 1000));
    ck_assert_uint_eq(store_sweep(f.store), 0);
    /* Some live longer after all. */
    for (uint32_t i = 0; i < 20000; i += 40)
        store_touch(f.store, fixture_key(name(key, i + 1), 0), 2000);
    for (int64_t t = 0; t < 1000; t += 100) {
        int64_t now_ttl = t + 100;
        uint64_t left = 0;

        fake_clock_advance(&f.clock, 100);
        removed += store_sweep(f.store);
        for (uint32_t i = 0; i < 20000; i++)
            left +=
                i % 4 == 0 || i % 40 == 1 || 1 + (int64_t)(i % 1000) > now_ttl;
        ck_assert_uint_eq(fixture_totals(&f, 0).keys, left);
        ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, removed);
        /* Writes between, so that tables move while they are swept. */
        for (int n = 0; n < 500; n++) {
            uint32_t i = 30000 + (uint32_t)rng_below(&rng, 5000);

            fixture_set(&f, name(key, i), 5, "v", STORE_NEVER);
        }
        store_check(f.store);
    }
    fake_clock_advance(&f.clock, 1000);
    removed += store_sweep(f.store);
    ck_assert_uint_eq(removed, 15000);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 5000);
    ck_assert_uint_eq(fixture_totals(&f, 0).expires, 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(all_may_expire_at_once)
{
    struct fixture f;
    char key[24];

    fixture_init(&f, 0);
    for (uint32_t i = 0; i < 50000; i++)
        fixture_set(&f, name(key, i), 0, "v", 500);
    fake_clock_advance(&f.clock, 499);
    ck_assert_uint_eq(store_sweep(f.store), 0);
    fake_clock_advance(&f.clock, 1);
    ck_assert_uint_eq(store_sweep(f.store), 50000);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
    ck_assert_uint_eq(store_sweep(f.store), 0);
    fixture_fini(&f);
}
END_TEST

/* Two hashes for thousands of keys: slow, and right. */
START_TEST(a_flood_of_equal_hashes_stays_right)
{
    struct fixture f;
    char key[24];

    fixture_init(&f, 1);
    for (uint32_t i = 0; i < 5000; i++)
        fixture_set(&f, name(key, i), (uint8_t)(i % 2), key,
                    i % 5 == 0 ? 100 : STORE_NEVER);
    store_check(f.store);
    for (uint32_t i = 0; i < 5000; i++) {
        must(strcmp(fixture_get(&f, name(key, i), (uint8_t)(i % 2)).value,
                    key) == 0);
        must(!fixture_get(&f, name(key, i), 2).found);
    }
    fake_clock_advance(&f.clock, 100);
    ck_assert_uint_eq(store_sweep(f.store), 1000);
    for (uint32_t i = 0; i < 5000; i += 3)
        must(fixture_del(&f, name(key, i), (uint8_t)(i % 2)) == (i % 5 != 0));
    store_check(f.store);
    for (uint32_t i = 0; i < 5000; i++)
        must(fixture_get(&f, name(key, i), (uint8_t)(i % 2)).found ==
             (i % 3 != 0 && i % 5 != 0));
    store_reset(f.store, 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
    ck_assert_uint_eq(fixture_totals(&f, 1).keys, 1334);
    fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, grows_and_shrinks_with_its_keys);
    tcase_add_test(tc, memory_is_counted_to_the_byte);
    tcase_add_test(tc, reset_empties_one_database);
    tcase_add_test(tc, sweep_removes_just_what_is_over);
    tcase_add_test(tc, all_may_expire_at_once);
    tcase_add_test(tc, a_flood_of_equal_hashes_stays_right);
}

TEST_MAIN("store, many keys", fill)
