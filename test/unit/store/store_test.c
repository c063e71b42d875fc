/* SPDX-License-Identifier: MIT
 *
 * store_test.c - what each function of the store does to one key.
 */
#include "store/store.h"

#include "store_fixture.h"
#include "suite.h"

#include <string.h>

static const struct store_if always = {STORE_ALWAYS, 0};
static const struct store_if if_absent = {STORE_IF_ABSENT, 0};
static const struct store_if if_present = {STORE_IF_PRESENT, 0};

static struct store_if
if_version(uint64_t version)
{
    return (struct store_if){STORE_IF_VERSION, version};
}

static int64_t
now_us(const struct fixture *f)
{
    return f->clock.mono_us;
}

START_TEST(sets_gets_and_deletes)
{
    struct fixture f;
    struct got got;
    uint64_t first, second;

    fixture_init(&f, 0);
    ck_assert(!fixture_get(&f, "k", 0).found);
    ck_assert(!fixture_del(&f, "k", 0));
    first = fixture_set(&f, "k", 0, "one", STORE_NEVER);
    got = fixture_get(&f, "k", 0);
    ck_assert(got.found);
    ck_assert_str_eq(got.value, "one");
    ck_assert_uint_eq(got.version, first);
    ck_assert_int_eq(got.ttl_left_ms, STORE_NEVER);
    second = fixture_set(&f, "k", 0, "two", STORE_NEVER);
    ck_assert_uint_gt(second, first);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "two");
    ck_assert(fixture_del(&f, "k", 0));
    ck_assert(!fixture_get(&f, "k", 0).found);
    ck_assert(!fixture_del(&f, "k", 0));
    fixture_fini(&f);
}
END_TEST

START_TEST(keeps_kinds_and_odd_bytes)
{
    struct fixture f;
    struct got got = {0};
    struct store_key key = {slice_of("a\0b", 3), 3};
    struct store_key other = {slice_of("a\0c", 3), 3};
    struct store_write write = {key, slice_of("\0\xff\n", 3), VALUE_JSON,
                                STORE_NEVER, always};
    uint64_t version;

    fixture_init(&f, 0);
    ck_assert_int_eq(store_set(f.store, &write, &version), MZ_OK);
    ck_assert(store_get(f.store, key, fixture_read, &got));
    ck_assert_uint_eq(got.value_len, 3);
    ck_assert_mem_eq(got.value, "\0\xff\n", 3);
    ck_assert_int_eq(got.kind, VALUE_JSON);
    ck_assert(!store_get(f.store, other, fixture_read, &got));
    /* An empty key and an empty value are a key and a value. */
    write = (struct store_write){
        .key = {{NULL, 0}, 0}, .kind = VALUE_BYTES, .ttl_ms = STORE_NEVER};
    ck_assert_int_eq(store_set(f.store, &write, &version), MZ_OK);
    ck_assert(store_get(f.store, write.key, fixture_read, &got));
    ck_assert_uint_eq(got.value_len, 0);
    ck_assert_int_eq(got.kind, VALUE_BYTES);
    fixture_fini(&f);
}
END_TEST

START_TEST(versions_never_repeat)
{
    struct fixture f;
    uint64_t last = 0;

    fixture_init(&f, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t version =
            fixture_set(&f, i % 3 == 0 ? "a" : "b", 0, "v", STORE_NEVER);

        ck_assert_uint_gt(version, last);
        last = version;
        if (i % 5 == 0)
            fixture_del(&f, "a", 0);
        if (i % 7 == 0)
            store_reset(f.store, 0);
    }
    fixture_fini(&f);
}
END_TEST

START_TEST(set_if)
{
    struct fixture f;
    uint64_t version = 9, first;

    fixture_init(&f, 0);
    ck_assert_int_eq(fixture_set_if(&f, "k", "v", if_present, &version),
                     MZ_MISSING);
    ck_assert_uint_eq(version, 0);
    ck_assert_int_eq(fixture_set_if(&f, "k", "v", if_version(1), &version),
                     MZ_MISSING);
    ck_assert_uint_eq(version, 0);
    ck_assert(!fixture_get(&f, "k", 0).found);
    ck_assert_int_eq(fixture_set_if(&f, "k", "new", if_absent, &first), MZ_OK);
    ck_assert_int_eq(fixture_set_if(&f, "k", "x", if_absent, &version),
                     MZ_EXISTS);
    ck_assert_uint_eq(version, first);
    ck_assert_int_eq(
        fixture_set_if(&f, "k", "x", if_version(first + 1), &version),
        MZ_STALE);
    ck_assert_uint_eq(version, first);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "new");
    ck_assert_int_eq(fixture_set_if(&f, "k", "2", if_present, &version), MZ_OK);
    ck_assert_uint_gt(version, first);
    first = version;
    ck_assert_int_eq(fixture_set_if(&f, "k", "3", if_version(first), &version),
                     MZ_OK);
    ck_assert_uint_gt(version, first);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "3");
    ck_assert_uint_eq(fixture_get(&f, "k", 0).version, version);
    fixture_fini(&f);
}
END_TEST

/* Deletes with a condition; holds error, *removed and *version. */
static void
check_del(struct fixture *f, struct store_if only_if, enum mz_err err,
          bool removed, uint64_t version)
{
    uint64_t got_version = 1234;
    bool got_removed = !removed;

    ck_assert_int_eq(store_del(f->store, fixture_key("k", 0), only_if,
                               &got_removed, &got_version),
                     err);
    ck_assert_int_eq(got_removed, removed);
    ck_assert_uint_eq(got_version, version);
}

START_TEST(del_if)
{
    struct fixture f;
    uint64_t version;

    fixture_init(&f, 0);
    check_del(&f, always, MZ_OK, false, 0);
    check_del(&f, if_absent, MZ_OK, false, 0);
    check_del(&f, if_present, MZ_MISSING, false, 0);
    check_del(&f, if_version(1), MZ_MISSING, false, 0);
    version = fixture_set(&f, "k", 0, "v", STORE_NEVER);
    check_del(&f, if_absent, MZ_EXISTS, false, version);
    check_del(&f, if_version(version + 1), MZ_STALE, false, version);
    ck_assert(fixture_get(&f, "k", 0).found);
    check_del(&f, if_version(version), MZ_OK, true, 0);
    ck_assert(!fixture_get(&f, "k", 0).found);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    check_del(&f, if_present, MZ_OK, true, 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(dies_exactly_at_the_deadline)
{
    struct fixture f;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", 1000);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 1000);
    fake_clock_advance(&f.clock, 999);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 1);
    fake_clock_advance(&f.clock, 1);
    ck_assert(!fixture_get(&f, "k", 0).found);
    /* Readers leave it where it is. */
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 1);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(touch_gives_a_new_deadline)
{
    struct fixture f;
    struct got got;
    uint64_t version;

    fixture_init(&f, 0);
    ck_assert(!store_touch(f.store, fixture_key("k", 0), 5));
    version = fixture_set(&f, "k", 0, "v", 1000);
    fake_clock_advance(&f.clock, 999);
    ck_assert(store_touch(f.store, fixture_key("k", 0), 500));
    got = fixture_get(&f, "k", 0);
    ck_assert_int_eq(got.ttl_left_ms, 500);
    ck_assert_uint_eq(got.version, version);
    ck_assert_uint_eq(fixture_totals(&f, 0).expires, 1);
    ck_assert(store_touch(f.store, fixture_key("k", 0), STORE_NEVER));
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, STORE_NEVER);
    ck_assert_uint_eq(fixture_totals(&f, 0).expires, 0);
    ck_assert(store_touch(f.store, fixture_key("k", 0), 1));
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 1);
    fake_clock_advance(&f.clock, 1);
    /* What is dead stays dead. */
    ck_assert(!store_touch(f.store, fixture_key("k", 0), 500));
    ck_assert(!fixture_get(&f, "k", 0).found);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 1);
    fixture_fini(&f);
}
END_TEST

START_TEST(get_touch_does_both)
{
    struct fixture f;
    struct got got;

    fixture_init(&f, 0);
    ck_assert(!fixture_get_touch(&f, "k", 0, 5).found);
    fixture_set(&f, "k", 0, "v", 1000);
    got = fixture_get_touch(&f, "k", 0, 300);
    ck_assert_str_eq(got.value, "v");
    ck_assert_int_eq(got.ttl_left_ms, 300);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 300);
    got = fixture_get_touch(&f, "k", 0, STORE_NEVER);
    ck_assert_int_eq(got.ttl_left_ms, STORE_NEVER);
    fixture_get_touch(&f, "k", 0, 10);
    fake_clock_advance(&f.clock, 10);
    ck_assert(!fixture_get_touch(&f, "k", 0, 300).found);
    fixture_fini(&f);
}
END_TEST

START_TEST(keeps_the_ttl_when_asked)
{
    struct fixture f;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", STORE_KEEP_TTL);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, STORE_NEVER);
    fixture_set(&f, "k", 0, "v", 1000);
    fake_clock_advance(&f.clock, 400);
    fixture_set(&f, "k", 0, "w", STORE_KEEP_TTL);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 600);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "w");
    fake_clock_advance(&f.clock, 600);
    /* A dead key has nothing to keep. */
    fixture_set(&f, "k", 0, "x", STORE_KEEP_TTL);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, STORE_NEVER);
    fixture_set(&f, "k", 0, "x", 5);
    fixture_set(&f, "k", 0, "x", STORE_NEVER);
    ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, STORE_NEVER);
    ck_assert_uint_eq(fixture_totals(&f, 0).expires, 0);
    fixture_fini(&f);
}
END_TEST

/* Not a microsecond too early, wherever within a millisecond it was set. */
START_TEST(a_key_lives_its_time_to_the_microsecond)
{
    for (int64_t us = 0; us < 1000; us += 37) {
        struct fixture f;

        fixture_init(&f, 0);
        f.clock.mono_us += us;
        fixture_set(&f, "k", 0, "v", 2);
        ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 2);
        f.clock.mono_us += 999;
        ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 2);
        f.clock.mono_us += 1000;
        ck_assert_int_eq(fixture_get(&f, "k", 0).ttl_left_ms, 1);
        f.clock.mono_us += 1;
        ck_assert(!fixture_get(&f, "k", 0).found);
        fixture_fini(&f);
    }
}
END_TEST

/* Times that no clock in microseconds can tell are as late as it can. */
START_TEST(the_longest_times_do_not_wrap)
{
    const int64_t latest_ms = INT64_MAX / 1000;
    const int64_t ttls[] = {INT64_MAX - 1, INT64_MAX - 100000,
                            INT64_C(315360000000000)};
    struct fixture f;

    fixture_init(&f, 0);
    for (size_t i = 0; i < sizeof ttls / sizeof *ttls; i++) {
        fixture_set(&f, "k", 0, "v", ttls[i]);
        ck_assert_int_ge(fixture_get(&f, "k", 0).ttl_left_ms,
                         (ttls[i] < latest_ms ? ttls[i] : latest_ms) -
                             now_us(&f) / 1000 - 1);
        ck_assert_uint_eq(fixture_totals(&f, 0).expires, 1);
        ck_assert(store_touch(f.store, fixture_key("k", 0), ttls[i]));
        ck_assert(fixture_get(&f, "k", 0).found);
        ck_assert_uint_eq(store_sweep(f.store), 0);
    }
    fixture_fini(&f);
}
END_TEST

START_TEST(an_expired_key_counts_as_missing)
{
    struct fixture f;
    uint64_t version = 5, old;

    fixture_init(&f, 0);
    old = fixture_set(&f, "k", 0, "old", 10);
    fake_clock_advance(&f.clock, 10);
    ck_assert_int_eq(fixture_set_if(&f, "k", "x", if_version(old), &version),
                     MZ_MISSING);
    ck_assert_uint_eq(version, 0);
    fixture_set(&f, "k", 0, "old", 10);
    fake_clock_advance(&f.clock, 10);
    ck_assert_int_eq(fixture_set_if(&f, "k", "x", if_present, &version),
                     MZ_MISSING);
    fixture_set(&f, "k", 0, "old", 10);
    fake_clock_advance(&f.clock, 10);
    ck_assert_int_eq(fixture_set_if(&f, "k", "new", if_absent, &version),
                     MZ_OK);
    ck_assert_str_eq(fixture_get(&f, "k", 0).value, "new");
    fixture_set(&f, "k", 0, "old", 10);
    fake_clock_advance(&f.clock, 10);
    check_del(&f, always, MZ_OK, false, 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).expired_keys, 4);
    fixture_fini(&f);
}
END_TEST

START_TEST(databases_are_apart)
{
    struct fixture f;
    char value[8];

    fixture_init(&f, 0);
    for (uint8_t db = 0; db < STORE_DBS; db++) {
        value[0] = (char)('a' + db);
        value[1] = '\0';
        fixture_set(&f, "k", db, value, db % 2 == 0 ? STORE_NEVER : 1000);
    }
    for (uint8_t db = 0; db < STORE_DBS; db++) {
        ck_assert_int_eq(fixture_get(&f, "k", db).value[0], 'a' + db);
        ck_assert_uint_eq(fixture_totals(&f, db).keys, 1);
        ck_assert_uint_eq(fixture_totals(&f, db).expires, db % 2);
    }
    ck_assert(fixture_del(&f, "k", 7));
    store_reset(f.store, 3);
    for (uint8_t db = 0; db < STORE_DBS; db++)
        ck_assert_int_eq(fixture_get(&f, "k", db).found, db != 3 && db != 7);
    fixture_fini(&f);
}
END_TEST

/* Holds the nth note since fixture_forget(). */
static void
check_note(const struct fixture *f, size_t n, enum store_change_kind kind,
           const char *value, int64_t deadline_mono_us)
{
    ck_assert_uint_gt(f->note_count, n);
    ck_assert_int_eq(f->notes[n].kind, kind);
    ck_assert_str_eq(f->notes[n].key, "k");
    ck_assert_str_eq(f->notes[n].value, value);
    ck_assert_int_eq(f->notes[n].deadline_mono_us, deadline_mono_us);
}

START_TEST(the_observer_hears_all_in_order)
{
    struct fixture f;
    uint64_t version;

    fixture_init(&f, 0);
    version = fixture_set(&f, "k", 0, "1", 100);
    store_touch(f.store, fixture_key("k", 0), 200);
    fixture_get_touch(&f, "k", 0, STORE_NEVER);
    fixture_set(&f, "k", 0, "2", STORE_NEVER);
    fixture_del(&f, "k", 0);
    ck_assert_uint_eq(f.note_count, 5);
    check_note(&f, 0, STORE_CHANGE_SET, "1", now_us(&f) + INT64_C(100) * 1000);
    ck_assert_uint_eq(f.notes[0].version, version);
    check_note(&f, 1, STORE_CHANGE_TOUCH, "1",
               now_us(&f) + INT64_C(200) * 1000);
    check_note(&f, 2, STORE_CHANGE_TOUCH, "1", STORE_NEVER);
    check_note(&f, 3, STORE_CHANGE_SET, "2", STORE_NEVER);
    ck_assert_uint_gt(f.notes[3].version, version);
    check_note(&f, 4, STORE_CHANGE_DELETE, "2", STORE_NEVER);
    fixture_fini(&f);
}
END_TEST

START_TEST(the_observer_hears_of_expiry)
{
    struct fixture f;
    int64_t deadline;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "1", 100);
    deadline = now_us(&f) + INT64_C(100) * 1000;
    fake_clock_advance(&f.clock, 150);
    fixture_forget(&f);
    fixture_set(&f, "k", 0, "2", 100);
    ck_assert_uint_eq(f.note_count, 2);
    check_note(&f, 0, STORE_CHANGE_EXPIRE, "1", deadline);
    check_note(&f, 1, STORE_CHANGE_SET, "2", now_us(&f) + INT64_C(100) * 1000);
    fake_clock_advance(&f.clock, 100);
    fixture_forget(&f);
    ck_assert_uint_eq(store_sweep(f.store), 1);
    ck_assert_uint_eq(f.note_count, 1);
    check_note(&f, 0, STORE_CHANGE_EXPIRE, "2", now_us(&f));
    fixture_set(&f, "k", 0, "3", STORE_NEVER);
    fixture_forget(&f);
    store_reset(f.store, 0);
    ck_assert_uint_eq(f.note_count, 1);
    check_note(&f, 0, STORE_CHANGE_DELETE, "3", STORE_NEVER);
    fixture_fini(&f);
}
END_TEST

START_TEST(the_observer_hears_nothing_of_nothing)
{
    struct fixture f;
    uint64_t version;

    fixture_init(&f, 0);
    fixture_get(&f, "k", 0);
    store_touch(f.store, fixture_key("k", 0), 5);
    fixture_get_touch(&f, "k", 0, 5);
    fixture_del(&f, "k", 0);
    ck_assert_int_eq(fixture_set_if(&f, "k", "v", if_present, &version),
                     MZ_MISSING);
    store_reset(f.store, 0);
    store_sweep(f.store);
    ck_assert_uint_eq(f.note_count, 0);
    fixture_fini(&f);
}
END_TEST

START_TEST(a_large_value_outlives_its_key)
{
    struct fixture f;
    struct got got = {.keep = true};
    size_t len = ENTRY_SHARED_MIN + 5;
    char *value = malloc(len + 1);

    ck_assert_ptr_nonnull(value);
    memset(value, 'x', len);
    value[len] = '\0';
    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, value, STORE_NEVER);
    ck_assert(store_get(f.store, fixture_key("k", 0), fixture_read, &got));
    ck_assert_ptr_nonnull(got.entry);
    fixture_set(&f, "k", 0, "small", STORE_NEVER);
    fixture_fini(&f);
    ck_assert(slice_equal(entry_value(got.entry), slice_of(value, len)));
    entry_release(got.entry);
    free(value);
}
END_TEST

START_TEST(works_with_its_own_clock_and_seed)
{
    struct store *a, *b;
    struct store_write write = {.key = fixture_key("k", 0),
                                .value = slice_of_string("v"),
                                .ttl_ms = 1000000};
    struct got got = {0};
    uint64_t version;

    ck_assert_int_eq(store_new(NULL, &a), MZ_OK);
    ck_assert_int_eq(store_new(NULL, &b), MZ_OK);
    ck_assert_int_eq(store_set(a, &write, &version), MZ_OK);
    ck_assert(store_get(a, write.key, fixture_read, &got));
    ck_assert_int_le(got.ttl_left_ms, 1000000);
    ck_assert_int_gt(got.ttl_left_ms, 0);
    /* Nothing is shared between two. */
    ck_assert(!store_get(b, write.key, fixture_read, &got));
    store_free(a);
    store_free(b);
    store_free(NULL);
}
END_TEST

/* A clock that counts how often it is read. */
static int64_t
count_reading(void *ctx)
{
    unsigned *readings = ctx;

    ++*readings;
    return 1000000;
}

static void
ignore_value(void *ctx, const struct store_view *view)
{
    (void)ctx;
    ck_assert_uint_gt(view->version, 0);
}

START_TEST(one_operation_reads_the_clock_once)
{
    const struct store_key key = {slice_of_string("k"), 0};
    unsigned readings = 0;
    const struct clock clock = {count_reading, count_reading, &readings};
    const struct store_options options = {.clock = &clock};
    struct store_write write = {.key = key, .ttl_ms = STORE_NEVER};
    struct store *store;
    uint64_t version;

    ck_assert_int_eq(store_new(&options, &store), MZ_OK);
    readings = 0;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(store_set(store, &write, &version), MZ_OK);
    ck_assert(store_get(store, key, ignore_value, NULL));
    ck_assert_uint_eq(readings, 0); /* nothing has a deadline */
    write.ttl_ms = 1000;
    ck_assert_int_eq(store_set(store, &write, &version), MZ_OK);
    ck_assert_uint_eq(readings, 1);
    ck_assert_int_eq(store_set(store, &write, &version), MZ_OK);
    ck_assert_uint_eq(readings, 2);
    ck_assert(store_touch(store, key, 2000));
    ck_assert_uint_eq(readings, 3);
    ck_assert(store_get_touch(store, key, 2000, ignore_value, NULL));
    ck_assert_uint_eq(readings, 4);
    store_free(store);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, sets_gets_and_deletes);
    tcase_add_test(tc, keeps_kinds_and_odd_bytes);
    tcase_add_test(tc, versions_never_repeat);
    tcase_add_test(tc, set_if);
    tcase_add_test(tc, del_if);
    tcase_add_test(tc, dies_exactly_at_the_deadline);
    tcase_add_test(tc, touch_gives_a_new_deadline);
    tcase_add_test(tc, get_touch_does_both);
    tcase_add_test(tc, keeps_the_ttl_when_asked);
    tcase_add_test(tc, a_key_lives_its_time_to_the_microsecond);
    tcase_add_test(tc, the_longest_times_do_not_wrap);
    tcase_add_test(tc, an_expired_key_counts_as_missing);
    tcase_add_test(tc, databases_are_apart);
    tcase_add_test(tc, the_observer_hears_all_in_order);
    tcase_add_test(tc, the_observer_hears_of_expiry);
    tcase_add_test(tc, the_observer_hears_nothing_of_nothing);
    tcase_add_test(tc, a_large_value_outlives_its_key);
    tcase_add_test(tc, works_with_its_own_clock_and_seed);
    tcase_add_test(tc, one_operation_reads_the_clock_once);
}

TEST_MAIN("store", fill)
