/* SPDX-License-Identifier: MIT
 *
 * leases_test.c - who holds what, on one thread with a clock that is turned.
 */
#include "chaos.h"
#include "fake_clock.h"
#include "session/lease_table.h"
#include "session/leases.h"
#include "suite.h"

#include <stdio.h>

#define FIRST_TOKEN 41
#define NAME_COUNT  100000

struct stand {
    struct fake_clock time;
    struct leases *leases;
    struct lease_holder a, b, c;
};

static void
stand_init(struct stand *s)
{
    *s = (struct stand){0};
    fake_clock_init(&s->time);
    ck_assert_int_eq(leases_new(&s->time.clock, FIRST_TOKEN, &s->leases),
                     MZ_OK);
}

static void
stand_fini(struct stand *s)
{
    leases_free(s->leases);
}

static struct lease_name
named(const char *name)
{
    return (struct lease_name){slice_of_string(name), 0};
}

static int64_t
take_name(struct stand *s, struct lease_holder *holder, struct lease_name name,
          int64_t ttl_ms)
{
    struct lease_ask ask = {name, ttl_ms, 0};
    int64_t token = -1;

    ck_assert_int_eq(lease_take(s->leases, holder, &ask, &token), MZ_OK);
    ck_assert_int_ge(token, 0);
    return token;
}

static int64_t
take(struct stand *s, struct lease_holder *holder, const char *name,
     int64_t ttl_ms)
{
    return take_name(s, holder, named(name), ttl_ms);
}

static size_t
held_count(struct stand *s)
{
    struct leases_totals totals;

    leases_totals(s->leases, &totals);
    ck_assert_uint_eq(totals.waiters, 0);
    return totals.held;
}

static size_t
memory_bytes(struct stand *s)
{
    struct leases_totals totals;

    leases_totals(s->leases, &totals);
    return totals.memory_bytes;
}

/* "Free only your own lock": case B35. */
START_TEST(a_late_unlock_frees_nobody_elses_lease)
{
    struct stand s;
    int64_t t1, t2, t3;

    stand_init(&s);
    t1 = take(&s, &s.a, "b35", 50);
    ck_assert_int_eq(t1, FIRST_TOKEN);
    fake_clock_advance(&s.time, 80);
    t2 = take(&s, &s.b, "b35", 2000);
    ck_assert_int_gt(t2, t1);
    ck_assert_int_eq(take(&s, &s.c, "b35", 2000), 0);
    ck_assert(!lease_give(s.leases, named("b35"), t1));
    ck_assert_int_eq(take(&s, &s.c, "b35", 2000), 0);
    ck_assert(lease_give(s.leases, named("b35"), t2));
    t3 = take(&s, &s.c, "b35", 2000);
    ck_assert_int_gt(t3, t2);
    stand_fini(&s);
}
END_TEST

START_TEST(is_over_exactly_at_the_deadline)
{
    struct stand s;
    int64_t token;

    stand_init(&s);
    token = take(&s, &s.a, "k", 100);
    fake_clock_advance(&s.time, 99);
    ck_assert_int_eq(take(&s, &s.b, "k", 100), 0);
    ck_assert_uint_eq(held_count(&s), 1);
    fake_clock_advance(&s.time, 1);
    ck_assert_int_eq(take(&s, &s.b, "k", 1), token + 1);
    ck_assert_uint_eq(held_count(&s), 1);
    fake_clock_advance(&s.time, 1);
    ck_assert_uint_eq(held_count(&s), 0);
    stand_fini(&s);
}
END_TEST

/* Taken in the last microsecond of a millisecond, and just after: a time that
 * is cut to the millisecond would end the first too early. */
START_TEST(is_over_exactly_to_the_microsecond)
{
    static const int64_t offsets_us[] = {0, 1, 500, 999};

    for (size_t i = 0; i < sizeof offsets_us / sizeof offsets_us[0]; i++) {
        struct stand s;
        int64_t token;

        stand_init(&s);
        s.time.mono_us += offsets_us[i];
        token = take(&s, &s.a, "k", 3);
        s.time.mono_us += 2999;
        ck_assert_int_eq(take(&s, &s.b, "k", 3), 0);
        ck_assert_uint_eq(held_count(&s), 1);
        s.time.mono_us += 1;
        ck_assert(!lease_give(s.leases, named("k"), token));
        token = take(&s, &s.b, "k", 3);
        ck_assert_int_gt(token, 0);
        s.time.mono_us += 2999;
        ck_assert_int_eq(take(&s, &s.a, "k", 3), 0);
        ck_assert(lease_give(s.leases, named("k"), token));
        stand_fini(&s);
    }
}
END_TEST

START_TEST(gives_until_the_deadline)
{
    struct stand s;
    int64_t token;

    stand_init(&s);
    token = take(&s, &s.a, "k", 100);
    fake_clock_advance(&s.time, 99);
    ck_assert(lease_give(s.leases, named("k"), token));
    ck_assert(!lease_give(s.leases, named("k"), token));
    token = take(&s, &s.a, "k", 100);
    fake_clock_advance(&s.time, 100);
    ck_assert(!lease_give(s.leases, named("k"), token));
    ck_assert_uint_eq(held_count(&s), 0);
    ck_assert(!lease_give(s.leases, named("never seen"), token));
    stand_fini(&s);
}
END_TEST

START_TEST(a_wrong_token_changes_nothing)
{
    struct stand s;
    int64_t token;

    stand_init(&s);
    token = take(&s, &s.a, "k", 100);
    ck_assert(!lease_give(s.leases, named("k"), token + 1));
    ck_assert(!lease_give(s.leases, named("k"), token - 1));
    ck_assert(!lease_give(s.leases, named("k"), 0));
    ck_assert(!lease_give(s.leases, named("k"), -1));
    ck_assert_int_eq(take(&s, &s.b, "k", 100), 0);
    ck_assert(lease_give(s.leases, named("k"), token));
    stand_fini(&s);
}
END_TEST

START_TEST(the_holder_asks_like_anybody)
{
    struct stand s;

    stand_init(&s);
    ck_assert_int_gt(take(&s, &s.a, "k", 100), 0);
    ck_assert_int_eq(take(&s, &s.a, "k", 100), 0);
    fake_clock_advance(&s.time, 100);
    ck_assert_int_gt(take(&s, &s.a, "k", 100), 0);
    stand_fini(&s);
}
END_TEST

START_TEST(names_are_bytes_of_a_database)
{
    static char long_name[LEASE_NAME_MAX];
    struct stand s;
    struct lease_name names[] = {
        {SLICE_LITERAL("k"), 0},
        {SLICE_LITERAL("k"), 1},
        {SLICE_LITERAL("k"), 15},
        {SLICE_LITERAL(""), 0},
        {SLICE_LITERAL("\0"), 0},
        {SLICE_LITERAL("k\0"), 0},
        {SLICE_LITERAL("k\0x"), 0},
        {{NULL, 0}, 1},
        {{long_name, sizeof long_name}, 0},
        {{long_name, sizeof long_name - 1}, 0},
    };
    const size_t count = sizeof names / sizeof names[0];

    stand_init(&s);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(take_name(&s, &s.a, names[i], 100),
                         FIRST_TOKEN + (int64_t)i);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(take_name(&s, &s.b, names[i], 100), 0);
    for (size_t i = 0; i < count; i++)
        ck_assert(lease_give(s.leases, names[i], FIRST_TOKEN + (int64_t)i));
    ck_assert_uint_eq(held_count(&s), 0);
    stand_fini(&s);
}
END_TEST

START_TEST(a_holder_ends_with_all_it_holds)
{
    struct stand s;
    char name[20];

    stand_init(&s);
    lease_holder_end(s.leases, &s.a); /* nothing held */
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "a%u", i);
        ck_assert_int_gt(take(&s, &s.a, name, i % 2 == 0 ? 10 : 1000), 0);
    }
    ck_assert_int_gt(take(&s, &s.b, "b", 1000), 0);
    fake_clock_advance(&s.time, 10); /* half of them are over */
    ck_assert_int_gt(take(&s, &s.b, "a0", 1000), 0);
    lease_holder_end(s.leases, &s.a);
    ck_assert_uint_eq(held_count(&s), 2); /* those of b */
    ck_assert_ptr_null(s.a.first);
    ck_assert_int_gt(take(&s, &s.a, "a1", 1000), 0);
    ck_assert_int_eq(take(&s, &s.a, "b", 1000), 0);
    ck_assert_int_eq(take(&s, &s.a, "a0", 1000), 0);
    lease_holder_end(s.leases, &s.a);
    lease_holder_end(s.leases, &s.a);
    lease_holder_end(s.leases, &s.b);
    ck_assert_uint_eq(held_count(&s), 0);
    stand_fini(&s);
}
END_TEST

/* The clean-up takes what is over from the list of its holder, too: ending the
 * holder must not touch what somebody else has by now. */
START_TEST(what_is_over_leaves_its_holder)
{
    struct stand s;

    stand_init(&s);
    ck_assert_int_gt(take(&s, &s.a, "k", 10), 0);
    fake_clock_advance(&s.time, 10);
    leases_sweep(s.leases);
    ck_assert_ptr_null(s.a.first);
    ck_assert_int_gt(take(&s, &s.a, "k", 10), 0);
    fake_clock_advance(&s.time, 10);
    ck_assert_int_gt(take(&s, &s.b, "k", 10), 0);
    ck_assert_ptr_null(s.a.first);
    lease_holder_end(s.leases, &s.a);
    ck_assert_int_eq(take(&s, &s.c, "k", 10), 0);
    stand_fini(&s);
}
END_TEST

START_TEST(the_longest_times_do_not_overflow)
{
    const int64_t longest_ms = INT64_C(315360000000000);
    struct stand s;

    stand_init(&s);
    ck_assert_int_gt(take(&s, &s.a, "k", longest_ms), 0);
    fake_clock_advance(&s.time, longest_ms - 1);
    ck_assert_int_eq(take(&s, &s.b, "k", 1), 0);
    fake_clock_advance(&s.time, 1);
    ck_assert_int_gt(take(&s, &s.b, "k", longest_ms), 0);
    stand_fini(&s);
}
END_TEST

/* A deadline beyond the end of time is at the end of time. */
START_TEST(the_end_of_time_does_not_overflow)
{
    struct stand s;

    stand_init(&s);
    s.time.mono_us = INT64_MAX - 1000;
    ck_assert_int_gt(take(&s, &s.a, "k", 2), 0);
    ck_assert_int_eq(take(&s, &s.b, "k", 2), 0);
    s.time.mono_us = INT64_MAX - 1;
    ck_assert_int_eq(take(&s, &s.b, "k", 2), 0);
    ck_assert_uint_eq(held_count(&s), 1);
    stand_fini(&s);
}
END_TEST

START_TEST(an_abandoned_holder_does_not_wait)
{
    struct stand s;
    struct lease_ask ask = {named("k"), 1000, 3600 * 1000};
    int64_t token = -1, own;

    stand_init(&s);
    ck_assert_int_gt(take(&s, &s.a, "k", 1000), 0);
    own = take(&s, &s.b, "own", 1000);
    lease_abandon(s.leases, &s.b);
    lease_abandon(s.leases, &s.b);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(lease_take(s.leases, &s.b, &ask, &token), MZ_OK);
        ck_assert_int_eq(token, 0);
    }
    ck_assert_int_gt(take(&s, &s.b, "free", 1000), 0);

    /* What it holds stays held, and can be given. */
    ck_assert_int_eq(take(&s, &s.a, "own", 1000), 0);
    ck_assert_int_eq(take(&s, &s.a, "free", 1000), 0);
    ck_assert(lease_give(s.leases, named("own"), own));
    lease_holder_end(s.leases, &s.b);
    ck_assert_int_gt(take(&s, &s.a, "free", 1000), 0);
    stand_fini(&s);
}
END_TEST

START_TEST(the_end_of_a_holder_undoes_its_abandoning)
{
    struct stand s;
    struct lease_ask ask = {named("k"), 1000, 1};
    int64_t token;

    stand_init(&s);
    lease_abandon(s.leases, &s.a); /* has never taken any */
    ck_assert(s.a.abandoned);
    lease_holder_end(s.leases, &s.a);
    ck_assert(!s.a.abandoned);
    ck_assert_int_eq(lease_take(s.leases, &s.a, &ask, &token), MZ_OK);
    lease_abandon(s.leases, &s.a);
    lease_holder_end(s.leases, &s.a);
    ck_assert(!s.a.abandoned);
    ck_assert_uint_eq(held_count(&s), 0);
    stand_fini(&s);
}
END_TEST

START_TEST(stopped_leases_can_be_taken_but_not_waited_for)
{
    struct stand s;
    struct lease_ask ask = {named("k"), 1000, 3600 * 1000};
    int64_t token;

    stand_init(&s);
    ck_assert_int_gt(take(&s, &s.a, "k", 1000), 0);
    leases_stop(s.leases);
    ck_assert_int_eq(lease_take(s.leases, &s.b, &ask, &token), MZ_OK);
    ck_assert_int_eq(token, 0);
    ck_assert_int_gt(take(&s, &s.a, "other", 1000), 0);
    lease_holder_end(s.leases, &s.a);
    ck_assert_int_eq(lease_take(s.leases, &s.b, &ask, &token), MZ_OK);
    ck_assert_int_gt(token, 0);
    stand_fini(&s);
}
END_TEST

/* Leases in the list of a holder, over or not. */
static size_t
listed_count(const struct lease_holder *holder)
{
    size_t count = 0;

    for (const struct lease *l = holder->first; l != NULL; l = l->held_next)
        count++;
    return count;
}

/* Takes NAME_COUNT different leases, with that time between them. */
static void
take_many(struct stand *s, struct lease_holder *holder, int64_t ttl_ms,
          int64_t step_ms)
{
    size_t failed = 0; /* Check notes every assertion, which takes time */
    int64_t token;

    for (unsigned i = 0; i < NAME_COUNT; i++) {
        struct lease_ask ask = {
            .name.name = {(const char *)&i, sizeof i},
            .ttl_ms = ttl_ms,
        };

        if (lease_take(s->leases, holder, &ask, &token) != MZ_OK || token == 0)
            failed++;
        fake_clock_advance(&s->time, step_ms);
    }
    ck_assert_uint_eq(failed, 0);
}

/* Names that nobody asks for again do not pile up, though nobody sweeps. */
START_TEST(names_in_passing_do_not_pile_up)
{
    struct stand s;
    char name[20];

    stand_init(&s);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "staying %u", i);
        ck_assert_int_gt(take(&s, &s.b, name, INT64_C(1000000000)), 0);
    }
    take_many(&s, &s.a, 1, 1);
    ck_assert_uint_gt(listed_count(&s.a), 0);
    ck_assert_uint_le(listed_count(&s.a), 1000 / 3 + 64);
    ck_assert_uint_eq(held_count(&s), 1000);
    stand_fini(&s);
}
END_TEST

START_TEST(memory_comes_back_after_100000_names)
{
    struct stand s;
    size_t start;

    stand_init(&s);
    start = memory_bytes(&s);
    take_many(&s, &s.a, 1, 1);
    ck_assert_uint_eq(memory_bytes(&s), start);
    ck_assert_ptr_null(s.a.first);

    take_many(&s, &s.b, 1000, 0);
    ck_assert_uint_eq(held_count(&s), NAME_COUNT);
    ck_assert_uint_gt(memory_bytes(&s), start + NAME_COUNT * 50);
    fake_clock_advance(&s.time, 1000);
    ck_assert_uint_eq(held_count(&s), 0);
    ck_assert_uint_eq(memory_bytes(&s), start);

    take_many(&s, &s.b, 1000, 0);
    lease_holder_end(s.leases, &s.b);
    ck_assert_uint_eq(memory_bytes(&s), start);
    stand_fini(&s);
}
END_TEST

START_TEST(unwinds_without_memory)
{
    struct fake_clock time;
    struct lease_holder holder = {0};
    struct lease_ask ask = {named("k"), 1000, 0};
    struct leases *leases = NULL;
    struct chaos chaos;
    int64_t token = -1;

    fake_clock_init(&time);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(leases_new(&time.clock, 1, &leases), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_null(leases);
    ck_assert_int_eq(leases_new(&time.clock, 1, &leases), MZ_OK);

    chaos_begin(&chaos, 1);
    ck_assert_int_eq(lease_take(leases, &holder, &ask, &token), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_int_eq(token, 0);
    ck_assert_int_eq(lease_take(leases, &holder, &ask, &token), MZ_OK);
    ck_assert_int_eq(token, 1);

    /* Giving and ending need none. */
    chaos_begin(&chaos, 1);
    ck_assert(lease_give(leases, ask.name, token));
    lease_holder_end(leases, &holder);
    ck_assert(!chaos_end(&chaos));
    leases_free(leases);
    leases_free(NULL);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, a_late_unlock_frees_nobody_elses_lease);
    tcase_add_test(tc, is_over_exactly_at_the_deadline);
    tcase_add_test(tc, is_over_exactly_to_the_microsecond);
    tcase_add_test(tc, gives_until_the_deadline);
    tcase_add_test(tc, a_wrong_token_changes_nothing);
    tcase_add_test(tc, the_holder_asks_like_anybody);
    tcase_add_test(tc, names_are_bytes_of_a_database);
    tcase_add_test(tc, a_holder_ends_with_all_it_holds);
    tcase_add_test(tc, what_is_over_leaves_its_holder);
    tcase_add_test(tc, the_longest_times_do_not_overflow);
    tcase_add_test(tc, the_end_of_time_does_not_overflow);
    tcase_add_test(tc, an_abandoned_holder_does_not_wait);
    tcase_add_test(tc, the_end_of_a_holder_undoes_its_abandoning);
    tcase_add_test(tc, stopped_leases_can_be_taken_but_not_waited_for);
    tcase_add_test(tc, names_in_passing_do_not_pile_up);
    tcase_add_test(tc, memory_comes_back_after_100000_names);
    tcase_add_test(tc, unwinds_without_memory);
}

TEST_MAIN("leases", fill)
