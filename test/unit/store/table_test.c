/* SPDX-License-Identifier: MIT
 *
 * table_test.c - the table against a plain array, under hashes that are good,
 * poor and hopeless.
 */
#include "store/table.h"

#include "base/must.h"
#include "chaos.h"
#include "store/table_internal.h"
#include "suite.h"
#include "table_model.h"

#include <stdio.h>
#include <string.h>

static _Alignas(64) struct group random_group;

START_TEST(portable_tags_match_like_sse2)
{
    struct rng rng = {rng_test_seed()};

    for (int round = 0; round < 20000; round++) {
        uint8_t few = (uint8_t)(0x80 | (rng_next(&rng) & 0x7f));
        uint32_t match = 0, used = 0;

        for (unsigned i = 0; i < TABLE_GROUP_SLOTS; i++) {
            uint64_t r = rng_next(&rng);
            uint8_t tag = (uint8_t)(r >> 8 | 0x80);

            tag = (r & 3) == 0 ? few : (r & 3) == 1 ? 0 : tag;
            tag = (r & 31) == 31 ? few ^ 1 : tag;
            random_group.tag[i] = tag;
            match |= (uint32_t)(tag == few) << i;
            used |= (uint32_t)(tag != 0) << i;
        }
        /* The count beside the tags must not be taken for one. */
        random_group.overflow = (round & 1) != 0 ? few : 255;
        must(group_match(&random_group, few) == match);
        must(group_match_portable(&random_group, few) == match);
        must(group_used(&random_group) == used);
        must(group_used_portable(&random_group) == used);
    }
}
END_TEST

START_TEST(a_new_table_is_empty_and_small)
{
    struct model model;

    model_init(&model, 10, 64, 1);
    model_check(&model);
    ck_assert_uint_eq(table_size(&model.table), 0);
    ck_assert(!table_has_room(&model.table));
    ck_assert_uint_eq(table_wish(&model.table).group_count, 1);
    model_set(&model, 3, TABLE_NEVER);
    ck_assert_uint_eq(table_size(&model.table), 256 + 8);
    model_check(&model);
    model_fini(&model);
}
END_TEST

/* One random operation. Swings between filling and emptying, so that the table
 * grows and shrinks. */
static void
random_operation(struct model *model, uint32_t step, uint32_t steps)
{
    struct rng *rng = &model->rng;
    uint32_t i = (uint32_t)rng_below(rng, model->key_count);
    bool filling = step / (steps / 6) % 2 == 0;
    uint64_t dice = rng_below(rng, 100);
    int64_t deadline = rng_below(rng, 3) == 0
                           ? TABLE_NEVER
                           : (int64_t)rng_below(rng, 1000) + step;

    if (dice < (filling ? 70u : 15u)) {
        model_set(model, i, deadline);
    } else if (dice < 98) {
        /* Emptying looks for something to remove. */
        for (uint32_t n = 0; n < (filling ? 1 : 20); n++)
            if (model_del(model, (uint32_t)rng_below(rng, model->key_count)))
                break;
    } else {
        model_expire(model, (int64_t)step);
    }
    /* Now and then no memory for a while. */
    model_step(model, step % 700 < 500);
}

static void
run_model(uint32_t key_count, unsigned hash_bits, uint32_t steps, uint64_t seed)
{
    struct model model;

    model_init(&model, key_count, hash_bits, seed);
    for (uint32_t step = 0; step < steps; step++) {
        random_operation(&model, step, steps);
        table_check(&model.table);
        if (step % 64 == 0)
            model_check(&model);
    }
    model_check(&model);
    model_fini(&model);
}

START_TEST(behaves_like_an_array)
{
    const unsigned bits[] = {1, 2, 4, 6, 10, 64};
    /* Few keys where each search is long. */
    const uint32_t keys[] = {150, 200, 400, 600, 800, 1000};
    uint64_t seed = rng_test_seed();

    run_model(keys[_i], bits[_i], 12000, seed);
    run_model(40, bits[_i], 12000, seed + 1);
    run_model(16, bits[_i], 12000, seed + 2);
}
END_TEST

/* Keys that are all at home in the last group of four: they go round the end
 * of the span. */
START_TEST(goes_round_the_end)
{
    struct model model;
    struct span span = {0}, dead = {0};
    uint32_t chosen[50], n = 0;

    model_init(&model, 4000, 64, 77);
    must(span_new(&span, 4) == MZ_OK);
    table_offer(&model.table, &span, 0);
    for (uint32_t i = 0; i < model.key_count && n < 50; i++)
        if (table_h23(model_key(&model, i).hash) >= TABLE_H23_END / 4 * 3)
            chosen[n++] = i;
    must(n == 50);
    for (uint32_t i = 0; i < n; i++) {
        model_set(&model, chosen[i], TABLE_NEVER);
        table_check(&model.table);
    }
    must(model.table.cur.group_count == 4);
    must(model.table.cur.groups[3].overflow == 35);
    must(model.table.cur.groups[0].overflow == 20);
    model_check(&model);
    for (uint32_t i = 0; i < n; i++) {
        must(model_del(&model, chosen[(i * 7) % n]));
        table_check(&model.table);
    }
    for (uint32_t g = 0; g < 4; g++)
        must(model.table.cur.groups[g].overflow == 0);
    table_move(&model.table, 1, &dead);
    must(dead.groups == NULL);
    model_fini(&model);
}
END_TEST

/* Closing a gap may carry a deadline from one block of groups to another, whose
 * bound must hear of it. */
START_TEST(a_deadline_moves_with_its_entry)
{
    const uint32_t home = TABLE_DUE_GROUPS - 1;
    struct model model;
    struct span span = {0};
    uint32_t chosen[TABLE_GROUP_SLOTS + 1], n = 0;

    model_init(&model, 4000, 64, 78);
    must(span_new(&span, 2 * TABLE_DUE_GROUPS) == MZ_OK);
    table_offer(&model.table, &span, 0);
    for (uint32_t i = 0; n < TABLE_GROUP_SLOTS + 1; i++) {
        uint64_t h23 = table_h23(model_key(&model, i).hash);

        if (h23 * 2 * TABLE_DUE_GROUPS / TABLE_H23_END == home)
            chosen[n++] = i;
    }
    for (uint32_t i = 0; i < TABLE_GROUP_SLOTS; i++)
        model_set(&model, chosen[i], TABLE_NEVER);
    model_set(&model, chosen[TABLE_GROUP_SLOTS], 100);
    must(model.table.cur.groups[home].overflow == 1);
    must(model.table.cur.due_mono_us[0] == TABLE_NEVER);
    must(model_del(&model, chosen[0]));
    must(model.table.cur.groups[home].overflow == 0);
    must(model.table.cur.due_mono_us[0] == 100);
    model_check(&model);
    model_expire(&model, 100);
    must(model.count == TABLE_GROUP_SLOTS - 1);
    model_fini(&model);
}
END_TEST

/* More than 255 pass one group: the count sticks, and does no harm. */
START_TEST(counts_that_stick_stay_right)
{
    const uint32_t keys = 9000;
    struct model model;

    model_init(&model, keys, 1, 5);
    for (uint32_t i = 0; i < keys; i++) {
        model_set(&model, i, TABLE_NEVER);
        model_step(&model, true);
    }
    model_check(&model);
    /* New seeds were tried, and given up when they did not help. */
    must(model.reseeds >= 1);
    must(model.reseeds <= 3);
    for (uint32_t i = 0; i < keys - 20; i++) {
        must(model_del(&model, i));
        if (i % 2000 == 0 || keys - i < 40)
            table_check(&model.table);
    }
    model_check(&model);
    model_fini(&model);
}
END_TEST

/* Keys that meet in one place under the first seed only, as an attacker would
 * choose them: a new seed spreads them again. */
START_TEST(a_new_seed_answers_a_flood)
{
    struct model model;
    uint32_t flood = 0;

    model_init(&model, 600000, 64, 99);
    for (uint32_t i = 0; i < model.key_count; i++) {
        bool chosen =
            table_h23(model_key(&model, i).hash) < TABLE_H23_END / 256;

        if (!chosen && i >= 4000)
            continue;
        flood += chosen;
        model_set(&model, i, TABLE_NEVER);
        model_step(&model, true);
    }
    must(flood >= 2000);
    must(model.reseeds == 1);
    while (table_is_reseeding(&model.table))
        model_step(&model, false);
    table_check(&model.table);
    /* Everybody lies where chance has put him. */
    must(table_probe_sum(&model.table) <=
         model.table.count + model.table.count / 3);
    model_fini(&model);
}
END_TEST

/* The longest way of an entry from its home, in groups. */
static uint32_t
longest_way(const struct span *span)
{
    uint32_t longest = 0;

    for (uint32_t g = 0; g < span->group_count; g++) {
        uint32_t used = group_used(&span->groups[g]);

        for (; used != 0; used &= used - 1) {
            unsigned slot = (unsigned)__builtin_ctz(used);
            uint32_t home = home_of(span, h23_at(&span->groups[g], slot));

            if (distance(span, home, g) > longest)
                longest = distance(span, home, g);
        }
    }
    return longest;
}

/* In a table that gets no memory ways are long because it is full, and a new
 * seed would not help. */
START_TEST(a_full_table_wants_no_new_seed)
{
    const uint32_t groups = 600;
    struct span span = {0};
    struct model model;

    model_init(&model, groups * TABLE_GROUP_SLOTS, 64, 3);
    must(span_new(&span, groups) == MZ_OK);
    table_offer(&model.table, &span, 0);
    for (uint32_t i = 0; i < model.key_count; i++) {
        must(table_has_room(&model.table));
        model_set(&model, i, TABLE_NEVER);
    }
    must(model.table.cur.group_count == groups);
    must(longest_way(&model.table.cur) > model.table.probe_max);
    must(!model.table.reseed_wanted);
    must(!table_wish(&model.table).reseed);
    model_check(&model);
    model_fini(&model);
}
END_TEST

START_TEST(goes_on_until_there_is_no_room)
{
    struct model model;
    struct table_wish wish;
    uint32_t i;

    model_init(&model, 1000, 64, 3);
    for (i = 0; i < 300; i++) {
        model_set(&model, i, TABLE_NEVER);
        model_step(&model, true);
    }
    /* From now on no memory. */
    while (model.table.old.groups != NULL)
        model_step(&model, false);
    for (; table_has_room(&model.table); i++) {
        model_set(&model, i, TABLE_NEVER);
        table_check(&model.table);
    }
    must(model.table.count == 15 * model.table.cur.group_count);
    model_check(&model);
    wish = table_wish(&model.table);
    must(wish.group_count > model.table.cur.group_count);
    must(!wish.reseed);
    /* And memory again. */
    model_set(&model, i, TABLE_NEVER);
    model_check(&model);
    model_fini(&model);
}
END_TEST

START_TEST(refuses_spans_that_do_not_suit)
{
    struct model model;
    struct span span = {0};

    model_init(&model, 1000, 64, 4);
    for (uint32_t i = 0; i < 500; i++) {
        model_set(&model, i, TABLE_NEVER);
        model_step(&model, true);
    }
    while (model.table.old.groups != NULL)
        model_step(&model, false);
    /* Nothing wished for; too small; the wrong way. */
    must(span_new(&span, 400) == MZ_OK);
    table_offer(&model.table, &span, 0);
    must(span.groups != NULL);
    for (uint32_t i = 0; i < 450; i++)
        model_del(&model, i);
    must(table_wish(&model.table).group_count > 0);
    table_offer(&model.table, &span, 0);
    must(span.groups != NULL);
    span_free(&span);
    must(span_new(&span, 3) == MZ_OK);
    table_offer(&model.table, &span, 0);
    must(span.groups != NULL);
    span_free(&span);
    model_check(&model);
    model_fini(&model);
}
END_TEST

START_TEST(shrinks_to_one_group)
{
    struct model model;

    model_init(&model, 20000, 64, 6);
    for (uint32_t i = 0; i < 20000; i++) {
        model_set(&model, i, TABLE_NEVER);
        model_step(&model, true);
    }
    must(model.table.cur.group_count >= 1500);
    for (uint32_t i = 0; i < 20000; i++) {
        must(model_del(&model, i));
        model_step(&model, true);
    }
    for (int i = 0; i < 100; i++)
        model_step(&model, true);
    must(model.table.cur.group_count == 1);
    must(table_size(&model.table) == 256 + 8);
    model_check(&model);
    model_fini(&model);
}
END_TEST

/* The room in a new span suffices until the old one is empty, also when
 * nothing but new keys come and the offer came late. */
START_TEST(old_is_empty_before_cur_is_full)
{
    struct model model;
    struct span span = {0};

    for (uint32_t start = 50; start < 1500; start += 97) {
        uint32_t i = 0, groups;

        model_init(&model, 8000, 64, start);
        for (; i < start; i++) {
            model_set(&model, i, TABLE_NEVER);
            model_step(&model, true);
        }
        while (model.table.old.groups != NULL)
            model_step(&model, false);
        for (; table_has_room(&model.table); i++)
            model_set(&model, i, TABLE_NEVER);
        /* The tightest span that is taken. */
        groups = (uint32_t)(model.table.count * 5 / 4 + 14) / 15;
        must(span_new(&span, groups - 1) == MZ_OK);
        table_offer(&model.table, &span, 0);
        must(span.groups != NULL);
        span_free(&span);
        must(span_new(&span, groups) == MZ_OK);
        table_offer(&model.table, &span, 0);
        must(span.groups == NULL);
        while (model.table.old.groups != NULL) {
            must(table_has_room(&model.table));
            model_set(&model, i++, TABLE_NEVER);
            model_step(&model, false);
        }
        model_check(&model);
        model_fini(&model);
    }
}
END_TEST

START_TEST(no_memory_for_a_span)
{
    struct span span = {0};
    struct chaos chaos;

    chaos_begin(&chaos, 1);
    ck_assert_int_eq(span_new(&span, 10), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_null(span.groups);
    /* Large ones come from the kernel in pages. */
    ck_assert_int_eq(span_new(&span, 20000), MZ_OK);
    ck_assert_uint_eq(span_size(&span), 20000 * 256 + 1250 * 8);
    ck_assert_uint_eq((uintptr_t)span.groups % 64, 0);
    span_free(&span);
    ck_assert_uint_eq(span_size(&span), 0);
}
END_TEST

/* Much churn leaves the table as a fresh one is: the same groups are passed by
 * the same number of keys. */
START_TEST(does_not_rot)
{
    struct model old, fresh;
    struct span span = {0};

    model_init(&old, 30000, 64, rng_test_seed());
    for (uint32_t i = 0; i < 15000; i++) {
        model_set(&old, i, TABLE_NEVER);
        model_step(&old, true);
    }
    for (uint32_t n = 0; n < 300000; n++) {
        uint32_t i;

        while (!model_del(&old, (uint32_t)rng_below(&old.rng, 30000)))
            ;
        do
            i = (uint32_t)rng_below(&old.rng, 30000);
        while (old.keys[i].entry != NULL);
        model_set(&old, i, TABLE_NEVER);
        model_step(&old, false);
    }
    ck_assert_ptr_null(old.table.old.groups);
    model_init(&fresh, 30000, 64, old.table.options.seed);
    ck_assert_int_eq(span_new(&span, old.table.cur.group_count), MZ_OK);
    table_offer(&fresh.table, &span, 0);
    for (uint32_t i = 0; i < 30000; i++)
        if (old.keys[i].entry != NULL)
            model_set(&fresh, i, TABLE_NEVER);
    ck_assert_uint_eq(table_probe_sum(&old.table),
                      table_probe_sum(&fresh.table));
    model_check(&old);
    model_fini(&old);
    model_fini(&fresh);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, portable_tags_match_like_sse2);
    tcase_add_test(tc, a_new_table_is_empty_and_small);
    tcase_add_loop_test(tc, behaves_like_an_array, 0, 6);
    tcase_add_test(tc, goes_round_the_end);
    tcase_add_test(tc, a_deadline_moves_with_its_entry);
    tcase_add_test(tc, counts_that_stick_stay_right);
    tcase_add_test(tc, a_new_seed_answers_a_flood);
    tcase_add_test(tc, a_full_table_wants_no_new_seed);
    tcase_add_test(tc, goes_on_until_there_is_no_room);
    tcase_add_test(tc, refuses_spans_that_do_not_suit);
    tcase_add_test(tc, shrinks_to_one_group);
    tcase_add_test(tc, old_is_empty_before_cur_is_full);
    tcase_add_test(tc, no_memory_for_a_span);
    tcase_add_test(tc, does_not_rot);
}

TEST_MAIN("store table", fill)
