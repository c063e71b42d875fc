/* SPDX-License-Identifier: MIT
 *
 * walk_test.c - a walk in slices meets every key that is there all the time,
 * whatever happens to the table between the slices.
 */
#include "store/table.h"

#include "base/must.h"
#include "suite.h"
#include "table_model.h"

#include <string.h>

/* Keys below this number stay; the others come and go. */
#define STEADY 1500
#define KEYS   20000

/* Adds a slice to the count of meetings; returns where the next begins. */
static uint32_t
slice(struct model *model, uint32_t from_h23, uint32_t group_max, uint32_t *met)
{
    struct table_walk walk;
    struct table_pos pos;

    table_walk_begin(&walk, &model->table, from_h23, group_max);
    must(walk.end_h23 > from_h23);
    while (table_walk_next(&walk, &pos)) {
        uint32_t i = model_number(table_entry(pos));

        must(table_entry(pos) == model->keys[i].entry);
        met[i]++;
    }
    return walk.end_h23;
}

/* Lets the number of the keys that come and go swing widely. */
static void
shake(struct model *model, uint64_t operations)
{
    bool filling = model->rng.state % 2 == 0;

    for (uint64_t n = 0; n < operations; n++) {
        uint32_t i = STEADY + (uint32_t)rng_below(&model->rng, KEYS - STEADY);

        if (filling)
            model_set(model, i, TABLE_NEVER);
        else
            model_del(model, i);
        model_step(model, true);
    }
}

START_TEST(meets_all_across_resizes)
{
    uint64_t seed = rng_test_seed();
    uint32_t *met = calloc(KEYS, sizeof *met);
    unsigned bits[] = {64, 12, 6};
    uint32_t resizes = 0;

    must(met != NULL);
    for (unsigned round = 0; round < 24; round++) {
        struct model model;
        uint32_t from = 0, groups = 0;
        uint32_t epoch;

        model_init(&model, KEYS, bits[round % 3], seed + round);
        for (uint32_t i = 0; i < STEADY; i++) {
            model_set(&model, i, TABLE_NEVER);
            model_step(&model, true);
        }
        epoch = model.table.epoch;
        memset(met, 0, KEYS * sizeof *met);
        while (from < TABLE_H23_END) {
            if (table_is_reseeding(&model.table)) {
                model_step(&model, false);
                continue;
            }
            if (epoch != model.table.epoch) {
                memset(met, 0, KEYS * sizeof *met);
                epoch = model.table.epoch;
                from = 0;
            }
            from = slice(&model, from, 1 + (uint32_t)rng_below(&model.rng, 9),
                         met);
            if (model.reseeds < 8)
                shake(&model, rng_below(&model.rng, 700));
            resizes += groups != model.table.cur.group_count;
            groups = model.table.cur.group_count;
        }
        for (uint32_t i = 0; i < STEADY; i++)
            must(met[i] == 1);
        model_check(&model);
        model_fini(&model);
    }
    /* Single rounds may be lucky and see few; all together have seen many. */
    must(resizes > 3 * 24);
    free(met);
}
END_TEST

/* Every range of the hash gives exactly the keys in it. */
START_TEST(a_slice_is_a_range_of_hashes)
{
    struct model model;
    uint32_t met[600];

    model_init(&model, 600, 64, rng_test_seed());
    for (uint32_t i = 0; i < 600; i++) {
        struct table_walk walk;
        struct table_pos pos;
        uint32_t from = (uint32_t)rng_below(&model.rng, TABLE_H23_END);

        model_set(&model, i, TABLE_NEVER);
        model_step(&model, true);
        memset(met, 0, sizeof met);
        table_walk_begin(&walk, &model.table, from, 5);
        while (table_walk_next(&walk, &pos))
            met[model_number(table_entry(pos))]++;
        for (uint32_t k = 0; k <= i; k++) {
            uint32_t h23 = table_h23(model_key(&model, k).hash);

            must(met[k] == (h23 >= from && h23 < walk.end_h23));
        }
    }
    model_fini(&model);
}
END_TEST

/* Removing what is met moves others about, and still misses none. */
START_TEST(may_remove_what_it_meets)
{
    const unsigned bits[] = {64, 5, 1};
    struct model model;

    for (unsigned round = 0; round < 3; round++) {
        uint32_t from = 0;

        model_init(&model, 2000, bits[round], rng_test_seed());
        for (uint32_t i = 0; i < 2000; i++) {
            model_set(&model, i, TABLE_NEVER);
            model_step(&model, true);
        }
        while (table_is_reseeding(&model.table))
            model_step(&model, false);
        while (from < TABLE_H23_END) {
            struct table_walk walk;
            struct table_pos pos;

            table_walk_begin(&walk, &model.table, from, 3);
            while (table_walk_next(&walk, &pos)) {
                uint32_t i = model_number(table_entry(pos));

                if (i % 3 == 0)
                    continue;
                must(table_remove(&model.table, pos) == model.keys[i].entry);
                entry_release(model.keys[i].entry);
                model.keys[i].entry = NULL;
                model.count--;
            }
            from = walk.end_h23;
            model_step(&model, false);
        }
        must(model.count == 667);
        model_check(&model);
        model_fini(&model);
    }
}
END_TEST

START_TEST(an_empty_table_has_nothing_to_walk)
{
    struct model model;
    struct table_walk walk;
    struct table_pos pos;

    model_init(&model, 1, 64, 1);
    table_walk_begin(&walk, &model.table, 0, 1);
    ck_assert(!table_walk_next(&walk, &pos));
    ck_assert_uint_eq(walk.end_h23, TABLE_H23_END);
    model_fini(&model);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, meets_all_across_resizes);
    tcase_add_test(tc, a_slice_is_a_range_of_hashes);
    tcase_add_test(tc, may_remove_what_it_meets);
    tcase_add_test(tc, an_empty_table_has_nothing_to_walk);
}

TEST_MAIN("store walk", fill)
