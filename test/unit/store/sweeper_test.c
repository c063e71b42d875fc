/* SPDX-License-Identifier: MIT
 *
 * sweeper_test.c - the sweeper's thread starts, sweeps and stops.
 */
#include "store/sweeper.h"

#include "base/lock.h"
#include "chaos.h"
#include "fake_clock.h"
#include "store_fixture.h"
#include "suite.h"

#include <stdio.h>

/* Longer than any machine is slow. */
#define PATIENCE_MS 60000

/* An observer that counts what expires and rings. */
struct watch {
    struct mutex mutex;
    struct cond bell;
    uint32_t expired; /* mutex */
};

static void
count_expired(void *ctx, const struct store_change *change)
{
    struct watch *watch = ctx;

    if (change->kind != STORE_CHANGE_EXPIRE)
        return;
    mutex_lock(&watch->mutex);
    watch->expired++;
    cond_signal(&watch->bell);
    mutex_unlock(&watch->mutex);
}

static uint32_t
wait_for(struct watch *watch, uint32_t expired)
{
    uint32_t seen;

    mutex_lock(&watch->mutex);
    while (watch->expired < expired)
        if (!cond_wait_ms(&watch->bell, &watch->mutex, PATIENCE_MS))
            break;
    seen = watch->expired;
    mutex_unlock(&watch->mutex);
    return seen;
}

START_TEST(removes_what_is_over)
{
    struct watch watch = {.expired = 0};
    struct store_observer observer = {count_expired, &watch};
    struct fake_clock clock;
    struct store_options options = {&clock.clock, &observer, 0, 0};
    struct sweeper *sweeper;
    struct store *store;
    struct store_totals totals;

    mutex_init(&watch.mutex);
    cond_init(&watch.bell);
    fake_clock_init(&clock);
    ck_assert_int_eq(store_new(&options, &store), MZ_OK);
    ck_assert_int_eq(sweeper_start(store, &sweeper), MZ_OK);
    for (int i = 0; i < 3000; i++) {
        char key[24];
        struct store_write write = {.value = slice_of_string("v"),
                                    .ttl_ms = i % 3 == 0 ? STORE_NEVER : 50};
        uint64_t version;

        snprintf(key, sizeof key, "key-%d", i);
        write.key = fixture_key(key, 0);
        ck_assert_int_eq(store_set(store, &write, &version), MZ_OK);
    }
    fake_clock_advance(&clock, 50);
    ck_assert_uint_eq(wait_for(&watch, 2000), 2000);
    sweeper_stop(sweeper);
    store_totals(store, 0, &totals);
    ck_assert_uint_eq(totals.keys, 1000);
    ck_assert_uint_eq(totals.expires, 0);
    ck_assert_uint_eq(totals.expired_keys, 2000);
    store_check(store);
    store_free(store);
    cond_fini(&watch.bell);
    mutex_fini(&watch.mutex);
}
END_TEST

START_TEST(stops_at_once)
{
    struct fixture f;

    fixture_init(&f, 0);
    for (int i = 0; i < 50; i++) {
        struct sweeper *sweeper;

        ck_assert_int_eq(sweeper_start(f.store, &sweeper), MZ_OK);
        sweeper_stop(sweeper);
    }
    sweeper_stop(NULL);
    fixture_fini(&f);
}
END_TEST

START_TEST(no_memory_no_sweeper)
{
    struct sweeper *sweeper = NULL;
    struct fixture f;
    struct chaos chaos;

    fixture_init(&f, 0);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(sweeper_start(f.store, &sweeper), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_null(sweeper);
    fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, removes_what_is_over);
    tcase_add_test(tc, stops_at_once);
    tcase_add_test(tc, no_memory_no_sweeper);
}

TEST_MAIN("store sweeper", fill)
