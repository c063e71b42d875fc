/* SPDX-License-Identifier: MIT
 *
 * lease_table_test.c - finding, growing and shrinking by one bucket at a time.
 */
#include "chaos.h"
#include "rng.h"
#include "session/lease_table.h"
#include "suite.h"

#include <stdio.h>

#define LEASE_COUNT 5000

/* Hashes are chosen by the tests. */
static struct lease *
lease_of(unsigned number, uint64_t hash)
{
    char text[20];
    int len = snprintf(text, sizeof text, "%u", number);
    struct lease *lease = calloc(1, sizeof *lease + (size_t)len);

    ck_assert_ptr_nonnull(lease);
    lease->hash = hash;
    lease->name_len = (uint32_t)len;
    memcpy(lease->name, text, (size_t)len);
    return lease;
}

static struct lease **
find(struct lease_table *table, unsigned number, uint64_t hash)
{
    char text[20];
    int len = snprintf(text, sizeof text, "%u", number);
    struct lease_name name = {{text, (size_t)len}, 0};

    return lease_table_find(table, name, hash);
}

/* Every lease is in exactly one bucket, the one where it is looked for. */
static void
check_table(struct lease_table *table)
{
    size_t count = 0, lost = 0;

    for (size_t i = 0; i < table->bucket_count; i++) {
        struct lease *l = *lease_table_bucket(table, i);

        for (; l != NULL; l = l->next) {
            struct lease_name name = {slice_of(l->name, l->name_len), l->db};

            lost += *lease_table_find(table, name, l->hash) != l;
            count++;
        }
    }
    ck_assert_uint_eq(lost, 0);
    ck_assert_uint_eq(count, table->count);
}

/* `bits` of the hash are random: 64, or few, so that hashes collide. */
static void
fill_and_drain(unsigned bits)
{
    static uint64_t hashes[LEASE_COUNT];
    struct rng rng = {rng_test_seed()};
    struct lease_table table;

    lease_table_init(&table);
    for (unsigned i = 0; i < LEASE_COUNT; i++) {
        hashes[i] = rng_next(&rng) >> (64 - bits);
        ck_assert_ptr_null(*find(&table, i, hashes[i]));
        lease_table_insert(&table, lease_of(i, hashes[i]));
        ck_assert_uint_le(table.bucket_count, 4 * table.count + 64);
        ck_assert_uint_ge(table.bucket_count, table.count);
        if (i % 500 == 0)
            check_table(&table);
    }
    check_table(&table);
    ck_assert_uint_gt(lease_table_size(&table), 0);
    for (unsigned i = 0; i < LEASE_COUNT; i++) {
        struct lease **link = find(&table, i, hashes[i]);

        ck_assert_ptr_nonnull(*link);
        free(lease_table_unlink(&table, link));
        lease_table_shrink(&table);
        ck_assert_ptr_null(*find(&table, i, hashes[i]));
        if (i % 500 == 0)
            check_table(&table);
    }
    ck_assert_uint_eq(table.bucket_count, LEASE_TABLE_BUCKETS_MIN);
    ck_assert_uint_eq(lease_table_size(&table), 0);
    lease_table_fini(&table);
}

START_TEST(grows_and_shrinks)
{
    fill_and_drain(64);
}
END_TEST

START_TEST(colliding_hashes_are_told_apart)
{
    fill_and_drain(7);
}
END_TEST

START_TEST(databases_are_told_apart)
{
    struct lease_table table;
    struct lease *one = lease_of(1, 5), *other = lease_of(1, 5);
    struct lease_name name = {SLICE_LITERAL("1"), 0};

    other->db = 1;
    lease_table_init(&table);
    lease_table_insert(&table, one);
    lease_table_insert(&table, other);
    ck_assert_ptr_eq(*lease_table_find(&table, name, 5), one);
    name.db = 1;
    ck_assert_ptr_eq(*lease_table_find(&table, name, 5), other);
    name.db = 2;
    ck_assert_ptr_null(*lease_table_find(&table, name, 5));
    name.db = 0;
    free(lease_table_unlink(&table, lease_table_find(&table, name, 5)));
    name.db = 1;
    free(lease_table_unlink(&table, lease_table_find(&table, name, 5)));
    lease_table_fini(&table);
}
END_TEST

/* Without memory for a segment the chains grow, and all are found. */
START_TEST(works_without_memory_for_buckets)
{
    struct lease_table table;
    struct chaos chaos;

    lease_table_init(&table);
    chaos_limit(&chaos, 0);
    for (unsigned i = 0; i < 1000; i++)
        lease_table_insert(&table, lease_of(i, i));
    ck_assert(chaos_end(&chaos));
    ck_assert_uint_eq(table.bucket_count, LEASE_TABLE_BUCKETS_MIN);
    check_table(&table);
    for (unsigned i = 1000; i < 4000; i++)
        lease_table_insert(&table, lease_of(i, i));
    ck_assert_uint_gt(table.bucket_count, 2000);
    check_table(&table);
    for (unsigned i = 0; i < 4000; i++)
        free(lease_table_unlink(&table, find(&table, i, i)));
    lease_table_shrink(&table);
    ck_assert_uint_eq(table.bucket_count, LEASE_TABLE_BUCKETS_MIN);
    lease_table_fini(&table);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, grows_and_shrinks);
    tcase_add_test(tc, colliding_hashes_are_told_apart);
    tcase_add_test(tc, databases_are_told_apart);
    tcase_add_test(tc, works_without_memory_for_buckets);
}

TEST_MAIN("lease_table", fill)
