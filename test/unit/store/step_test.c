/* SPDX-License-Identifier: MIT
 *
 * step_test.c - what one step on one key can do beside get, set and del:
 * deadlines that are moments, conditions on them and on the value, and a look
 * at what was there before.
 */
#include "store/store.h"

#include "store_fixture.h"
#include "suite.h"

#include <string.h>

#define MS INT64_C(1000)

static const struct store_if always = {STORE_ALWAYS, 0};
static const struct store_if if_absent = {STORE_IF_ABSENT, 0};
static const struct store_if if_present = {STORE_IF_PRESENT, 0};

static struct store_if
if_value(const char *value)
{
    return (struct store_if){.condition = STORE_IF_VALUE,
                             .value = slice_of_string(value)};
}

static int64_t
now_us(const struct fixture *f)
{
    return f->clock.mono_us;
}

/* ---- a view ---- */

struct seen {
    unsigned calls;
    char key[16];
    char value[16];
    int64_t ttl_left_ms;
    int64_t deadline_mono_us;
};

static void
see(void *ctx, const struct store_view *view)
{
    struct seen *seen = ctx;

    ck_assert_uint_lt(view->key.len, sizeof seen->key);
    ck_assert_uint_lt(view->value.len, sizeof seen->value);
    *seen = (struct seen){.calls = seen->calls + 1,
                          .ttl_left_ms = view->ttl_left_ms,
                          .deadline_mono_us = view->deadline_mono_us};
    memcpy(seen->key, view->key.data, view->key.len);
    memcpy(seen->value, view->value.data, view->value.len);
}

START_TEST(a_view_tells_key_and_deadline)
{
    const struct store_key key = fixture_key("k", 0);
    struct seen seen = {0};
    struct fixture f;
    int64_t deadline;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    ck_assert(store_get(f.store, key, see, &seen));
    ck_assert_str_eq(seen.key, "k");
    ck_assert_int_eq(seen.deadline_mono_us, STORE_NEVER);
    f.clock.mono_us += 7;
    deadline = now_us(&f) + 20 * MS;
    ck_assert(store_get_touch(f.store, key, 20, see, &seen));
    ck_assert_int_eq(seen.deadline_mono_us, deadline);
    f.clock.mono_us += 1;
    ck_assert(store_get(f.store, key, see, &seen));
    ck_assert_int_eq(seen.deadline_mono_us, deadline);
    ck_assert_int_eq(seen.ttl_left_ms, 20);
    fixture_fini(&f);
}
END_TEST

/* ---- writing until a moment ---- */

static void
set_until(struct fixture *f, const char *value, int64_t deadline_mono_us)
{
    const struct store_write write = {.key = fixture_key("k", 0),
                                      .value = slice_of_string(value),
                                      .kind = VALUE_BYTES,
                                      .deadline_mono_us = deadline_mono_us};
    uint64_t version;

    ck_assert_int_eq(store_set(f->store, &write, &version), MZ_OK);
    ck_assert_uint_gt(version, 0);
}

START_TEST(a_write_may_have_a_moment)
{
    struct fixture f;

    fixture_init(&f, 0);
    set_until(&f, "1", now_us(&f) + 1);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 1);
    f.clock.mono_us += 1;
    ck_assert(!fixture_get(&f, "k", 0).found);
    set_until(&f, "2", STORE_NEVER);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, STORE_NEVER);
    ck_assert_uint_eq(fixture_totals(&f, 0).expires, 0);
    set_until(&f, "3", now_us(&f) + 1500);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 2);
    /* And the other way round: the lifetime of the last write counts. */
    fixture_set(&f, "k", 0, "4", 9);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 9);
    fixture_fini(&f);
}
END_TEST

START_TEST(a_write_until_the_past_leaves_nothing)
{
    const int64_t pasts[] = {1, 1000, 0 /* now */};
    struct fixture f;

    fixture_init(&f, 0);
    for (size_t i = 0; i < 2 * sizeof pasts / sizeof *pasts; i++) {
        const int64_t past = pasts[i / 2] > 0 ? pasts[i / 2] : now_us(&f);

        if (i % 2 == 1)
            fixture_set(&f, "k", 0, "old", STORE_NEVER);
        fixture_forget(&f);
        set_until(&f, "new", past);
        ck_assert_uint_eq(f.note_count, 1);
        ck_assert_int_eq(f.notes[0].kind, STORE_CHANGE_SET);
        ck_assert_str_eq(f.notes[0].value, "new");
        ck_assert_int_eq(f.notes[0].deadline_mono_us, past);
        ck_assert(!fixture_get(&f, "k", 0).found);
        ck_assert_uint_eq(store_count(f.store, 0, slice_of(NULL, 0)), 0);
        ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0); /* counting swept */
        ck_assert_int_eq(f.notes[1].kind, STORE_CHANGE_EXPIRE);
    }
    set_until(&f, "new", 1);
    ck_assert(!fixture_del(&f, "k", 0));
    set_until(&f, "new", 1);
    ck_assert_uint_eq(store_sweep(f.store), 1);
    fixture_fini(&f);
}
END_TEST

static enum mz_err
append_x(void *ctx, const struct store_view *view, char *room, size_t room_cap,
         size_t *len)
{
    int64_t *deadline = ctx;
    const size_t old = view != NULL ? view->value.len : 0;

    *deadline = view != NULL ? view->deadline_mono_us : 0;
    *len = old + 1;
    if (*len > room_cap)
        return MZ_TOO_LARGE;
    if (old > 0)
        memcpy(room, view->value.data, old);
    room[old] = 'x';
    return MZ_OK;
}

START_TEST(an_update_may_have_a_moment)
{
    int64_t seen_us = -1, first_us;
    struct store_update update = {.key = fixture_key("k", 0),
                                  .value_max = 9,
                                  .room_cap = 1,
                                  .kind = VALUE_BYTES,
                                  .transform = append_x,
                                  .ctx = &seen_us};
    struct fixture f;
    uint64_t version;

    fixture_init(&f, 0);
    first_us = update.deadline_mono_us = now_us(&f) + 50 * MS;
    ck_assert_int_eq(store_update(f.store, &update, &version), MZ_OK);
    ck_assert_int_eq(seen_us, 0);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 50);
    update.deadline_mono_us = now_us(&f) + 70 * MS;
    update.ttl_new_only = true;
    ck_assert_int_eq(store_update(f.store, &update, &version), MZ_OK);
    ck_assert_int_eq(seen_us, first_us);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 50);
    update.ttl_new_only = false;
    ck_assert_int_eq(store_update(f.store, &update, &version), MZ_OK);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "xxx");
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 70);
    update.deadline_mono_us = now_us(&f);
    ck_assert_int_eq(store_update(f.store, &update, &version), MZ_OK);
    ck_assert(!fixture_get(&f, "k", 0).found);
    fixture_fini(&f);
}
END_TEST

/* ---- expire ---- */

static enum store_expired
expire(struct fixture *f, int64_t deadline_mono_us, enum store_expire_when when)
{
    const struct store_expire how = {deadline_mono_us, when, always};

    return store_expire(f->store, fixture_key("k", 0), &how);
}

/* Holds what becomes of a key with a deadline in old_ms, 0 for none, that is to
 * get one in new_ms. */
static void
check_expire(int64_t old_ms, int64_t new_ms, enum store_expire_when when,
             enum store_expired result)
{
    struct fixture f;
    int64_t old_us, new_us, want_us;
    struct seen seen = {0};

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", old_ms > 0 ? old_ms : STORE_NEVER);
    old_us = old_ms > 0 ? now_us(&f) + old_ms * MS : STORE_NEVER;
    new_us = new_ms != 0 ? now_us(&f) + new_ms * MS : STORE_NEVER;
    fixture_forget(&f);
    ck_assert_int_eq(expire(&f, new_us, when), result);
    ck_assert_uint_eq(f.note_count, result != STORE_EXPIRE_REFUSED);
    if (result == STORE_EXPIRE_DELETED) {
        ck_assert_int_eq(f.notes[0].kind, STORE_CHANGE_DELETE);
        ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
        ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 0);
        fixture_fini(&f);
        return;
    }
    want_us = result == STORE_EXPIRE_SET ? new_us : old_us;
    if (result == STORE_EXPIRE_SET) {
        ck_assert_int_eq(f.notes[0].kind, STORE_CHANGE_TOUCH);
        ck_assert_int_eq(f.notes[0].deadline_mono_us, want_us);
    }
    ck_assert(store_get(f.store, fixture_key("k", 0), see, &seen));
    ck_assert_int_eq(seen.deadline_mono_us, want_us);
    ck_assert_uint_eq(fixture_totals(&f, 0).expires, want_us != STORE_NEVER);
    fixture_fini(&f);
}

START_TEST(expire_minds_when)
{
    const enum store_expired SET = STORE_EXPIRE_SET, NO = STORE_EXPIRE_REFUSED,
                             GONE = STORE_EXPIRE_DELETED;
    /* By enum store_expire_when: always, if none, any, later, earlier. */
    const struct {
        int64_t old_ms, new_ms; /* 0: none */
        enum store_expired results[5];
    } rows[] = {
        {0, 50, {SET, SET, NO, NO, SET}},
        {0, 0, {SET, SET, NO, NO, NO}},
        {50, 0, {SET, NO, SET, SET, NO}},
        {50, 50, {SET, NO, SET, NO, NO}},
        {50, 51, {SET, NO, SET, SET, NO}},
        {50, 49, {SET, NO, SET, NO, SET}},
        {50, -1, {GONE, NO, GONE, NO, GONE}},
        {0, -1, {GONE, GONE, NO, NO, GONE}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int when = 0; when < 5; when++)
            check_expire(rows[i].old_ms, rows[i].new_ms,
                         (enum store_expire_when)when, rows[i].results[when]);
    }
}
END_TEST

START_TEST(expire_is_exact)
{
    struct fixture f;
    uint64_t version;

    fixture_init(&f, 0);
    ck_assert_int_eq(expire(&f, STORE_NEVER, STORE_EXPIRE_ALWAYS),
                     STORE_EXPIRE_MISSING);
    ck_assert_int_eq(expire(&f, 1, STORE_EXPIRE_ALWAYS), STORE_EXPIRE_MISSING);
    version = fixture_set(&f, "k", 0, "v", STORE_NEVER);
    ck_assert_int_eq(expire(&f, now_us(&f) + 1, STORE_EXPIRE_ALWAYS),
                     STORE_EXPIRE_SET);
    ck_assert_uint_eq(fixture_get(&f, "k", 0).version, version);
    f.clock.mono_us += 1;
    ck_assert(!fixture_get(&f, "k", 0).found);
    /* What is dead has no deadline to change. */
    ck_assert_int_eq(expire(&f, STORE_NEVER, STORE_EXPIRE_IF_ANY),
                     STORE_EXPIRE_MISSING);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 1);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    ck_assert_int_eq(expire(&f, now_us(&f), STORE_EXPIRE_ALWAYS),
                     STORE_EXPIRE_DELETED);
    fixture_fini(&f);
}
END_TEST

START_TEST(expire_shows_and_compares)
{
    const struct store_key key = fixture_key("k", 0);
    struct seen seen = {0};
    struct store_expire how = {
        .deadline_mono_us = STORE_NEVER, .before = see, .before_ctx = &seen};
    struct fixture f;
    int64_t deadline;

    fixture_init(&f, 0);
    ck_assert_int_eq(store_expire(f.store, key, &how), STORE_EXPIRE_MISSING);
    ck_assert_uint_eq(seen.calls, 0);
    fixture_set(&f, "k", 0, "mine", 50);
    deadline = now_us(&f) + 50 * MS;
    how.only_if = if_value("other");
    ck_assert_int_eq(store_expire(f.store, key, &how), STORE_EXPIRE_REFUSED);
    how.only_if = if_absent;
    ck_assert_int_eq(store_expire(f.store, key, &how), STORE_EXPIRE_REFUSED);
    ck_assert_uint_eq(seen.calls, 2);
    ck_assert_int_eq(seen.deadline_mono_us, deadline);
    ck_assert_int_eq(seen.ttl_left_ms, 50);
    how.only_if = if_value("mine");
    ck_assert_int_eq(store_expire(f.store, key, &how), STORE_EXPIRE_SET);
    ck_assert_uint_eq(seen.calls, 3);
    ck_assert_int_eq(seen.deadline_mono_us, deadline);
    how.deadline_mono_us = 1;
    ck_assert_int_eq(store_expire(f.store, key, &how), STORE_EXPIRE_DELETED);
    ck_assert_str_eq(seen.value, "mine");
    ck_assert_int_eq(seen.deadline_mono_us, STORE_NEVER);
    ck_assert_uint_eq(seen.calls, 4);
    fixture_fini(&f);
}
END_TEST

/* ---- what was there before ---- */

/* Sets "new" and holds the error and what was seen: NULL for nothing. */
static void
check_before(struct fixture *f, struct store_if only_if, enum mz_err err,
             const char *before)
{
    struct seen seen = {0};
    const struct store_write write = {.key = fixture_key("k", 0),
                                      .value = slice_of_string("new"),
                                      .kind = VALUE_BYTES,
                                      .ttl_ms = STORE_NEVER,
                                      .only_if = only_if,
                                      .before = see,
                                      .before_ctx = &seen};
    uint64_t version;

    ck_assert_int_eq(store_set(f->store, &write, &version), err);
    ck_assert_uint_eq(seen.calls, before != NULL);
    if (before != NULL)
        ck_assert_str_eq(seen.value, before);
}

START_TEST(set_shows_what_was_there)
{
    struct fixture f;

    fixture_init(&f, 0);
    check_before(&f, if_present, MZ_MISSING, NULL);
    check_before(&f, always, MZ_OK, NULL); /* makes room first */
    check_before(&f, always, MZ_OK, "new");
    fixture_set(&f, "k", 0, "old", 10);
    check_before(&f, if_absent, MZ_EXISTS, "old");
    check_before(&f, (struct store_if){STORE_IF_VERSION, 999}, MZ_STALE, "old");
    check_before(&f, if_value("oldest"), MZ_STALE, "old");
    fake_clock_advance(&f.clock, 10);
    check_before(&f, if_present, MZ_MISSING, NULL);
    fixture_set(&f, "k", 0, "old", 10);
    check_before(&f, if_value("old"), MZ_OK, "old");
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "new");
    fixture_fini(&f);
}
END_TEST

static void
check_take(struct fixture *f, struct store_if only_if, enum mz_err err,
           const char *taken)
{
    const bool want = taken != NULL;
    struct seen seen = {0};
    uint64_t version = 1234;
    bool removed = !want;

    fixture_forget(f);
    ck_assert_int_eq(store_take(f->store, fixture_key("k", 0), only_if, see,
                                &seen, &removed, &version),
                     err);
    ck_assert_int_eq(removed, want);
    ck_assert_uint_eq(seen.calls, want);
    ck_assert_int_eq(version != 0, err == MZ_STALE || err == MZ_EXISTS);
    if (!want)
        return;
    ck_assert_str_eq(seen.value, taken);
    ck_assert_uint_eq(f->note_count, 1);
    ck_assert_int_eq(f->notes[0].kind, STORE_CHANGE_DELETE);
    ck_assert(!fixture_get(f, "k", 0).found);
}

START_TEST(take_shows_what_it_removes)
{
    struct fixture f;

    fixture_init(&f, 0);
    check_take(&f, always, MZ_OK, NULL);
    check_take(&f, if_present, MZ_MISSING, NULL);
    check_take(&f, if_value(""), MZ_MISSING, NULL);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    check_take(&f, if_absent, MZ_EXISTS, NULL);
    check_take(&f, if_value("w"), MZ_STALE, NULL);
    check_take(&f, always, MZ_OK, "v");
    fixture_set(&f, "k", 0, "w", 10);
    check_take(&f, if_value("w"), MZ_OK, "w");
    fixture_set(&f, "k", 0, "x", 10);
    fake_clock_advance(&f.clock, 10);
    check_take(&f, always, MZ_OK, NULL);
    fixture_fini(&f);
}
END_TEST

START_TEST(a_value_is_compared_whole)
{
    static const char *const others[] = {"", "a", "ab", "abd", "abcd", "xbc"};
    struct fixture f;
    uint64_t version = 0, first;

    fixture_init(&f, 0);
    ck_assert_int_eq(fixture_set_if(&f, "k", "x", if_value(""), &version),
                     MZ_MISSING);
    ck_assert_uint_eq(version, 0);
    first = fixture_set(&f, "k", 0, "abc", STORE_NEVER);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert_int_eq(
            fixture_set_if(&f, "k", "x", if_value(others[i]), &version),
            MZ_STALE);
        ck_assert_uint_eq(version, first);
    }
    ck_assert_int_eq(fixture_set_if(&f, "k", "", if_value("abc"), &version),
                     MZ_OK);
    ck_assert_uint_gt(version, first);
    ck_assert_int_eq(fixture_set_if(&f, "k", "y", if_value(""), &version),
                     MZ_OK);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "y");
    fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, a_view_tells_key_and_deadline);
    tcase_add_test(tc, a_write_may_have_a_moment);
    tcase_add_test(tc, a_write_until_the_past_leaves_nothing);
    tcase_add_test(tc, an_update_may_have_a_moment);
    tcase_add_test(tc, expire_minds_when);
    tcase_add_test(tc, expire_is_exact);
    tcase_add_test(tc, expire_shows_and_compares);
    tcase_add_test(tc, set_shows_what_was_there);
    tcase_add_test(tc, take_shows_what_it_removes);
    tcase_add_test(tc, a_value_is_compared_whole);
}

TEST_MAIN("step", fill)
