/* SPDX-License-Identifier: MIT
 *
 * churn_lab.c - 100 M random inserts and removals leave the table as good as
 * a fresh one.
 *
 * A table that marks removed slots instead of freeing them, or that does not
 * move displaced entries back, becomes slower with every session that ends.
 * Here a table of constant size lives through far more sessions than it holds,
 * and its mean probe length is then held against a table that was filled once
 * with the same keys.
 */
#include "base/clock.h"
#include "base/must.h"
#include "rng.h"
#include "store/table.h"
#include "suite.h"

#include <inttypes.h>
#include <stdio.h>

#define OPERATIONS UINT64_C(100000000)
#define ENTRIES    UINT32_C(30000) /* a stripe of two million keys */
#define GROUPS     (ENTRIES * 20 / 17 / TABLE_GROUP_SLOTS + 1) /* 85 % full */
#define REPORTS    10

static struct table_key
key_of(const struct entry *entry, const struct table *table)
{
    return (struct table_key){entry_key(entry),
                              table_hash(entry_key(entry), entry->db,
                                         table->options.seed,
                                         table->options.hash_bits),
                              entry->db};
}

/* Inserts an entry with a key that was never there. */
static struct entry *
insert_new(struct table *table, uint64_t number)
{
    struct slice key = slice_of((const char *)&number, sizeof number);
    struct entry *entry = entry_new(key, 0, slice_of("v", 1), VALUE_BYTES);
    struct table_key hkey;

    must(entry != NULL);
    hkey = key_of(entry, table);
    table_insert(table, &hkey, entry, TABLE_NEVER);
    return entry;
}

static void
remove_one(struct table *table, struct entry *entry)
{
    struct table_key hkey = key_of(entry, table);
    struct table_pos pos = table_find(table, &hkey);

    must(pos.group != NULL);
    entry_release(table_remove(table, pos));
}

static double
mean_probe(const struct table *table)
{
    return (double)table_probe_sum(table) / (double)table->count;
}

/* A table of GROUPS groups. */
static void
start_table(struct table *table, const struct table_options *options)
{
    struct span span = {0};

    table_init(table, options);
    must(span_new(&span, GROUPS) == MZ_OK);
    table_offer(table, &span, 0);
    must(span.groups == NULL);
}

/* A table of the same size, filled once with the same keys. */
static double
fresh_mean_probe(const struct table *churned, struct entry **entries)
{
    struct table fresh;
    double mean;

    start_table(&fresh, &churned->options);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        struct entry *copy =
            entry_new(entry_key(entries[i]), 0, slice_of("v", 1), VALUE_BYTES);
        struct table_key hkey;

        must(copy != NULL);
        hkey = key_of(copy, &fresh);
        table_insert(&fresh, &hkey, copy, TABLE_NEVER);
    }
    table_check(&fresh);
    mean = mean_probe(&fresh);
    table_fini(&fresh);
    return mean;
}

static void
churn(struct table *table, struct entry **entries, struct rng *rng,
      uint64_t *number)
{
    int64_t start_ns = clock_mono_ns();

    for (uint64_t done = 0; done < OPERATIONS; done += 2) {
        uint32_t i = (uint32_t)rng_below(rng, ENTRIES);

        remove_one(table, entries[i]);
        entries[i] = insert_new(table, (*number)++);
        if ((done + 2) % (OPERATIONS / REPORTS) != 0)
            continue;
        printf("%" PRIu64 " operations, %.1f s, mean probe length %.4f, "
               "load %.3f\n",
               done + 2, (double)(clock_mono_ns() - start_ns) / 1e9,
               mean_probe(table),
               (double)table->count / table->cur.group_count /
                   TABLE_GROUP_SLOTS);
        fflush(stdout);
    }
}

START_TEST(churn_does_not_wear_the_table_out)
{
    struct rng rng = {rng_test_seed()};
    struct table_options options = {rng_next(&rng), 64, 860};
    struct entry **entries = malloc(ENTRIES * sizeof *entries);
    uint64_t number = 0;
    struct table table;
    double churned, fresh;

    printf("budget: %" PRIu64 " operations on %" PRIu32 " entries\n",
           OPERATIONS, ENTRIES);
    ck_assert_ptr_nonnull(entries);
    start_table(&table, &options);
    for (uint32_t i = 0; i < ENTRIES; i++)
        entries[i] = insert_new(&table, number++);
    churn(&table, entries, &rng, &number);
    table_check(&table);
    ck_assert(!table.reseed_wanted);
    churned = mean_probe(&table);
    fresh = fresh_mean_probe(&table, entries);
    printf("mean probe length: %.4f after churn, %.4f fresh\n", churned, fresh);
    ck_assert(churned <= fresh * 1.05 && churned >= fresh * 0.95);
    table_fini(&table);
    free(entries);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, churn_does_not_wear_the_table_out);
}

TEST_MAIN("store churn", fill)
