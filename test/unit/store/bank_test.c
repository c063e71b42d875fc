/* SPDX-License-Identifier: MIT
 *
 * bank_test.c - holds under fire: nothing is lost, nothing is seen half done,
 * nobody waits for ever.
 *
 * Accounts in one database, spread over all stripes. Eight threads move money
 * between 2 to 10 of them under a hold; now and then one is renamed and gets
 * its name back within the step. Auditors hold all accounts at once and add
 * them up. Others know of no holds: they count up the counters that the movers
 * read and write under theirs, use other keys of the same stripes, make the
 * tables grow, sweep, and reset another database.
 *
 * A watchdog ends the program when it has not come to its end in time.
 */
#include "store/store_hold.h"

#include "base/clock.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/must.h"
#include "rng.h"
#include "suite.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define MOVERS         8
#define AUDITORS       2
#define CLERKS         2
#define ACCOUNTS       100
#define COUNTERS       4
#define BALANCE        INT64_C(1000)
#define MOVE_MAX       10
#define WATCHDOG_MS    100000
#define PARKED_ACCOUNT UINT32_MAX

#if defined(MEMOIZER_THREAD_SANITIZER)
#define MOVES 1000 /* of each mover */
#elif defined(MEMOIZER_SANITIZED)
#define MOVES 3000
#else
#define MOVES 8000
#endif

enum {
    DB_ACCOUNTS,
    DB_COUNTERS,
    DB_GROWING,
    DB_RESET,
};

struct bank {
    struct store *store;
    _Atomic unsigned ready, movers_left;        /* atomic */
    _Atomic uint64_t counts[COUNTERS];          /* atomic: what was added */
    _Atomic uint64_t audits, additions, chores; /* atomic: what was done */
    struct mutex lock;
    struct cond changed;
    bool over; /* lock */
};

struct worker {
    struct bank *bank;
    void (*work)(struct worker *w);
    struct rng rng;
    pthread_t thread;
};

/* ---- numbers as values ---- */

/* A key whose name is a number. */
struct name {
    uint32_t id;
};

static struct store_key
key_of(const struct name *name, uint8_t db, struct store_hold *hold)
{
    return (struct store_key){
        slice_of((const char *)&name->id, sizeof name->id), db, hold};
}

static void
read_number(void *ctx, const struct store_view *view)
{
    must(view->value.len == sizeof(int64_t));
    memcpy(ctx, view->value.data, sizeof(int64_t));
}

static int64_t
get_number(struct bank *bank, struct store_key key)
{
    int64_t n = 0;

    must(store_get(bank->store, key, read_number, &n));
    return n;
}

static void
set_number(struct bank *bank, struct store_key key, int64_t n)
{
    const struct store_write write = {
        .key = key,
        .value = slice_of((const char *)&n, sizeof n),
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
    };
    uint64_t version;

    must(store_set(bank->store, &write, &version) == MZ_OK);
}

static enum mz_err
add_one(void *ctx, const struct store_view *view, char *room, size_t room_cap,
        size_t *len)
{
    int64_t n;

    (void)ctx;
    must(view != NULL && view->value.len == sizeof n && room_cap == sizeof n);
    memcpy(&n, view->value.data, sizeof n);
    n++;
    memcpy(room, &n, sizeof n);
    *len = sizeof n;
    return MZ_OK;
}

/* ---- movers ---- */

/* The account is away for a moment that nobody may see. */
static void
rename_and_back(struct bank *bank, const struct name *account,
                struct store_hold *hold)
{
    const struct name parked = {PARKED_ACCOUNT};
    const struct store_key here = key_of(account, DB_ACCOUNTS, hold);
    const struct store_key there = key_of(&parked, DB_ACCOUNTS, hold);
    uint64_t version;

    must(store_rename(bank->store, here, there, true, &version) == MZ_OK);
    must(store_rename(bank->store, there, here, true, &version) == MZ_OK);
}

/* One step: some money from the first account to each of the others, and one
 * more on a counter. */
static void
move_money(struct worker *w)
{
    struct bank *bank = w->bank;
    const size_t count = 2 + rng_below(&w->rng, MOVE_MAX - 1);
    const bool renames = rng_below(&w->rng, 16) == 0;
    struct name names[MOVE_MAX], counter, parked = {PARKED_ACCOUNT};
    struct store_key keys[MOVE_MAX + 2];
    struct store_hold *hold;

    for (size_t i = 0; i < count; i++) {
        names[i].id = (uint32_t)rng_below(&w->rng, ACCOUNTS);
        keys[i] = key_of(&names[i], DB_ACCOUNTS, NULL);
    }
    counter.id = (uint32_t)rng_below(&w->rng, COUNTERS);
    keys[count] = key_of(&counter, DB_COUNTERS, NULL);
    keys[count + 1] = key_of(&parked, DB_ACCOUNTS, NULL);
    must(store_hold_begin(bank->store, keys, count + 1 + renames, &hold) ==
         MZ_OK);
    for (size_t i = 0; i <= count; i++)
        keys[i].hold = hold;
    for (size_t i = 1; i < count; i++) {
        const int64_t sum = (int64_t)rng_below(&w->rng, 20);

        set_number(bank, keys[0], get_number(bank, keys[0]) - sum);
        set_number(bank, keys[i], get_number(bank, keys[i]) + sum);
    }
    if (renames)
        rename_and_back(bank, &names[0], hold);
    set_number(bank, keys[count], get_number(bank, keys[count]) + 1);
    store_hold_end(hold);
    bank->counts[counter.id]++;
}

static void
work_as_mover(struct worker *w)
{
    for (int i = 0; i < MOVES; i++)
        move_money(w);
    w->bank->movers_left--;
}

/* ---- auditors ---- */

static void
audit(struct bank *bank)
{
    struct name names[ACCOUNTS];
    struct store_key keys[ACCOUNTS];
    struct store_hold *hold;
    int64_t sum = 0;

    for (uint32_t i = 0; i < ACCOUNTS; i++) {
        names[i].id = i;
        keys[i] = key_of(&names[i], DB_ACCOUNTS, NULL);
    }
    must(store_hold_begin(bank->store, keys, ACCOUNTS, &hold) == MZ_OK);
    for (uint32_t i = 0; i < ACCOUNTS; i++) {
        keys[i].hold = hold;
        sum += get_number(bank, keys[i]);
    }
    store_hold_end(hold);
    must(sum == ACCOUNTS * BALANCE);
    bank->audits++;
}

static void
work_as_auditor(struct worker *w)
{
    do
        audit(w->bank);
    while (w->bank->movers_left > 0);
}

/* ---- those who know of no holds ---- */

static void
count_up(struct worker *w)
{
    struct bank *bank = w->bank;
    const struct name name = {(uint32_t)rng_below(&w->rng, COUNTERS)};
    const struct store_update update = {
        .key = key_of(&name, DB_COUNTERS, NULL),
        .value_max = sizeof(int64_t),
        .room_cap = sizeof(int64_t),
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
        .transform = add_one,
    };
    uint64_t version;

    must(store_update(bank->store, &update, &version) == MZ_OK);
    bank->counts[name.id]++;
    bank->additions++;
}

/* An account is always there, whoever looks; and other keys are nobody's. */
static void
look_around(struct worker *w)
{
    const struct name account = {(uint32_t)rng_below(&w->rng, ACCOUNTS)};
    const struct name fresh = {(uint32_t)rng_below(&w->rng, 50000)};

    (void)get_number(w->bank, key_of(&account, DB_ACCOUNTS, NULL));
    set_number(w->bank, key_of(&fresh, DB_GROWING, NULL), 1);
    set_number(w->bank, key_of(&fresh, DB_RESET, NULL), 1);
    (void)store_touch(w->bank->store, key_of(&fresh, DB_GROWING, NULL), 1);
}

static void
work_as_clerk(struct worker *w)
{
    do {
        count_up(w);
        look_around(w);
        if (rng_below(&w->rng, 500) == 0)
            store_reset(w->bank->store, DB_RESET);
        if (rng_below(&w->rng, 500) == 0)
            (void)store_sweep(w->bank->store);
        w->bank->chores++;
    } while (w->bank->movers_left > 0);
}

/* ---- the day ---- */

static void *
run_worker(void *ctx)
{
    struct worker *w = ctx;

    w->bank->ready++;
    while (w->bank->ready < MOVERS + AUDITORS + CLERKS)
        sched_yield();
    w->work(w);
    return NULL;
}

static void *
watch(void *ctx)
{
    struct bank *bank = ctx;
    const int64_t end_ns = clock_mono_ns() + WATCHDOG_MS * INT64_C(1000000);

    mutex_lock(&bank->lock);
    while (!bank->over) {
        const int64_t left_ns = end_ns - clock_mono_ns();

        must(left_ns > 0); /* somebody waits for ever */
        (void)cond_wait_ms(&bank->changed, &bank->lock, left_ns / 1000000 + 1);
    }
    mutex_unlock(&bank->lock);
    return NULL;
}

static void
open_bank(struct bank *bank, unsigned hash_bits)
{
    const struct store_options options = {.hash_bits = hash_bits};

    *bank = (struct bank){.movers_left = MOVERS};
    mutex_init(&bank->lock);
    cond_init(&bank->changed);
    ck_assert_int_eq(store_new(&options, &bank->store), MZ_OK);
    for (uint32_t i = 0; i < ACCOUNTS; i++)
        set_number(bank, key_of(&(struct name){i}, DB_ACCOUNTS, NULL), BALANCE);
    for (uint32_t i = 0; i < COUNTERS; i++)
        set_number(bank, key_of(&(struct name){i}, DB_COUNTERS, NULL), 0);
}

static void
close_bank(struct bank *bank)
{
    audit(bank);
    for (uint32_t i = 0; i < COUNTERS; i++)
        ck_assert_int_eq(
            get_number(bank, key_of(&(struct name){i}, DB_COUNTERS, NULL)),
            (int64_t)bank->counts[i]);
    printf("%d moves, %" PRIu64 " audits, %" PRIu64 " additions\n",
           MOVERS * MOVES, bank->audits, bank->additions);
    ck_assert_uint_gt(bank->audits, AUDITORS);
    ck_assert_uint_gt(bank->additions, CLERKS);
    store_check(bank->store);
    store_free(bank->store);
    cond_fini(&bank->changed);
    mutex_fini(&bank->lock);
}

static void
start(struct worker *w, struct bank *bank, unsigned i, uint64_t seed)
{
    *w = (struct worker){.bank = bank, .rng.state = seed + i};
    if (i < MOVERS)
        w->work = work_as_mover;
    else
        w->work = i < MOVERS + AUDITORS ? work_as_auditor : work_as_clerk;
    ck_assert_int_eq(pthread_create(&w->thread, NULL, run_worker, w), 0);
}

static void
run_day(unsigned hash_bits)
{
    const uint64_t seed = rng_test_seed();
    struct worker workers[MOVERS + AUDITORS + CLERKS];
    const unsigned count = sizeof workers / sizeof *workers;
    pthread_t watchdog;
    struct bank bank;

    open_bank(&bank, hash_bits);
    ck_assert_int_eq(pthread_create(&watchdog, NULL, watch, &bank), 0);
    for (unsigned i = 0; i < count; i++)
        start(&workers[i], &bank, i, seed);
    for (unsigned i = 0; i < count; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    mutex_lock(&bank.lock);
    bank.over = true;
    cond_signal(&bank.changed);
    mutex_unlock(&bank.lock);
    ck_assert_int_eq(pthread_join(watchdog, NULL), 0);
    close_bank(&bank);
}

START_TEST(no_money_is_lost)
{
    run_day(0);
}
END_TEST

/* Few bits of hash: many keys in few stripes, and new seeds. */
START_TEST(no_money_is_lost_in_a_crowd)
{
    run_day(4);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, no_money_is_lost);
    tcase_add_test(tc, no_money_is_lost_in_a_crowd);
}

TEST_MAIN("bank", fill)
