/* SPDX-License-Identifier: MIT
 *
 * hold_test.c - several keys in one step: what passes under a hold, who waits
 * for it, who does not, and renaming.
 */
#include "store/store_hold.h"

#include "base/must.h"
#include "chaos.h"
#include "store_fixture.h"
#include "suite.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS INT64_C(1000)

static const struct store_if always = {STORE_ALWAYS, 0};

static struct store_hold *
hold_of(struct fixture *f, const struct store_key *keys, size_t count)
{
    struct store_hold *hold = NULL;

    ck_assert_int_eq(store_hold_begin(f->store, keys, count, &hold), MZ_OK);
    ck_assert_ptr_nonnull(hold);
    return hold;
}

static struct store_key
held(const char *key, struct store_hold *hold)
{
    return (struct store_key){slice_of_string(key), 0, hold};
}

static void
set(struct fixture *f, struct store_key key, const char *value)
{
    const struct store_write write = {.key = key,
                                      .value = slice_of_string(value),
                                      .kind = VALUE_BYTES,
                                      .ttl_ms = STORE_NEVER};
    uint64_t version;

    ck_assert_int_eq(store_set(f->store, &write, &version), MZ_OK);
}

static struct got
get(struct fixture *f, struct store_key key)
{
    struct got got = {0};

    got.found = store_get(f->store, key, fixture_read, &got);
    return got;
}

static enum mz_err
write_y(void *ctx, const struct store_view *view, char *room, size_t room_cap,
        size_t *len)
{
    (void)ctx;
    (void)view;
    *len = 1;
    if (room_cap < 1)
        return MZ_TOO_LARGE;
    room[0] = 'y';
    return MZ_OK;
}

static void
update(struct store *store, struct store_key key)
{
    const struct store_update how = {.key = key,
                                     .value_max = 1,
                                     .ttl_ms = STORE_NEVER,
                                     .kind = VALUE_BYTES,
                                     .transform = write_y};
    uint64_t version;

    ck_assert_int_eq(store_update(store, &how, &version), MZ_OK);
}

static bool
del(struct store *store, struct store_key key)
{
    uint64_t version;
    bool removed;

    ck_assert_int_eq(store_del(store, key, always, &removed, &version), MZ_OK);
    return removed;
}

/* ---- the owner ---- */

/* With one bit of hash, all keys share two stripes. */
static void
check_owner(unsigned hash_bits)
{
    const struct store_key keys[] = {fixture_key("a", 0), fixture_key("b", 0),
                                     fixture_key("a", 0), fixture_key("c", 0)};
    const struct store_expire never = {.deadline_mono_us = STORE_NEVER,
                                       .when = STORE_EXPIRE_IF_ANY};
    struct store_hold *hold;
    struct fixture f;

    fixture_init(&f, hash_bits);
    fixture_set(&f, "a", 0, "1", 50);
    hold = hold_of(&f, keys, 4);
    ck_assert_str_eq(get(&f, held("a", hold)).value, "1");
    set(&f, held("b", hold), "2");
    update(f.store, held("c", hold));
    ck_assert(store_touch(f.store, held("c", hold), 20));
    ck_assert_int_eq(store_expire(f.store, held("c", hold), &never),
                     STORE_EXPIRE_SET);
    ck_assert_int_eq(get(&f, held("c", hold)).ttl_left_ms, STORE_NEVER);
    ck_assert_str_eq(get(&f, held("c", hold)).value, "y");
    ck_assert(del(f.store, held("a", hold)));
    ck_assert(!del(f.store, held("a", hold)));
    set(&f, held("a", hold), "3");
    store_hold_end(hold);
    ck_assert_str_eq(fixture_get(&f, "a", 0).value, "3");
    ck_assert_str_eq(fixture_get(&f, "b", 0).value, "2");
    fixture_set(&f, "b", 0, "4", STORE_NEVER);
    hold = hold_of(&f, keys, 4); /* it can be had again */
    ck_assert_str_eq(get(&f, held("b", hold)).value, "4");
    store_hold_end(hold);
    fixture_fini(&f);
}

START_TEST(the_owner_passes)
{
    check_owner(0);
    check_owner(1);
}
END_TEST

START_TEST(a_hold_of_nothing)
{
    struct fixture f;

    fixture_init(&f, 0);
    store_hold_end(hold_of(&f, NULL, 0));
    store_hold_end(NULL);
    fixture_fini(&f);
}
END_TEST

#define MANY 4000

static size_t
count_packed(const struct buf *keys)
{
    size_t count = 0;

    for (size_t at = 0; at < keys->len; count++)
        at += 2 + (unsigned char)keys->data[at] +
              256u * (unsigned char)keys->data[at + 1];
    return count;
}

/* Tables grow and are swept; and whoever does not mind holds does not wait. */
START_TEST(much_happens_within)
{
    static char names[MANY][8];
    static struct store_key keys[MANY];
    const struct store_scan scan = {.key_max = STORE_SCAN_KEY_MAX};
    struct got got = {0};
    struct fixture f;
    struct store_hold *hold;
    struct buf named = {0};
    uint64_t cursor = 0;

    fixture_init(&f, 0);
    fixture_set(&f, "mortal", 0, "v", 1);
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "%zu", i);
        keys[i] = fixture_key(names[i], 0);
    }
    hold = hold_of(&f, keys, MANY);
    fake_clock_advance(&f.clock, 1);
    ck_assert_uint_eq(store_sweep(f.store), 1);
    for (size_t i = 0; i < MANY; i++)
        set(&f, held(names[i], hold), names[i]);
    for (size_t i = 0; i < MANY; i++)
        ck_assert_str_eq(get(&f, held(names[i], hold)).value, names[i]);
    ck_assert_uint_eq(store_sweep(f.store), 0);
    ck_assert_uint_eq(store_count(f.store, 0, slice_of(NULL, 0)), MANY);
    ck_assert_uint_eq(store_count(f.store, 0, slice_of_string("39")), 111);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, MANY);
    ck_assert(store_random(f.store, 0, fixture_read, &got));
    do
        ck_assert_int_eq(store_scan(f.store, &scan, &cursor, &named), MZ_OK);
    while (cursor != 0);
    ck_assert_uint_eq(count_packed(&named), MANY);
    store_check(f.store);
    for (size_t i = 0; i < MANY; i++)
        ck_assert(del(f.store, held(names[i], hold)));
    store_hold_end(hold);
    buf_fini(&named);
    fixture_fini(&f);
}
END_TEST

START_TEST(without_memory_nothing_is_held)
{
    const struct store_key key = fixture_key("k", 0);
    struct store_hold *hold = NULL;
    struct chaos chaos;
    struct fixture f;

    fixture_init(&f, 0);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(store_hold_begin(f.store, &key, 1, &hold), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_null(hold);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    fixture_fini(&f);
}
END_TEST

/* ---- misuse ---- */

/* Reads or writes a key in the other stripe than the one that is held. */
static void
go_beyond(struct fixture *f, bool write)
{
    const struct store_key a = fixture_key("a", 0);
    struct store_hold *hold = hold_of(f, &a, 1);
    char name[8];

    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i);
        if (write)
            set(f, held(name, hold), "v");
        else
            (void)get(f, held(name, hold));
    }
}

static bool
aborts(bool write)
{
    int status = 0;
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        const struct rlimit none = {0, 0};
        struct fixture f;

        setrlimit(RLIMIT_CORE, &none);
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        fixture_init(&f, 1);
        go_beyond(&f, write);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

START_TEST(a_key_that_is_not_covered_is_a_bug)
{
    ck_assert(aborts(false));
    ck_assert(aborts(true));
}
END_TEST

/* ---- the others ---- */

enum visit {
    VISIT_GET,
    VISIT_GET_TOUCH,
    VISIT_TOUCH,
    VISIT_SET,
    VISIT_UPDATE,
    VISIT_DEL,
    VISIT_EXPIRE,
    VISIT_RESET,
    VISIT_DROP,
    VISIT_RENAME_FROM,
    VISIT_RENAME_TO,
    VISIT_HOLD,
    VISITS
};

/* Somebody else who comes for key "k" while it is held. */
struct visitor {
    struct fixture *f;
    enum visit visit;
    struct got got;
    _Atomic bool started, done;
};

static void
visit(struct visitor *v)
{
    const struct store_expire never = {.deadline_mono_us = STORE_NEVER};
    const struct store_key key = fixture_key("k", 0);
    const struct store_key other = fixture_key("other", 0);
    struct store *store = v->f->store;
    uint64_t version;

    switch (v->visit) {
    case VISIT_GET:
        v->got = get(v->f, key);
        break;
    case VISIT_GET_TOUCH:
        v->got = fixture_get_touch(v->f, "k", 0, 50);
        break;
    case VISIT_TOUCH:
        must(store_touch(store, key, 50));
        break;
    case VISIT_SET:
        set(v->f, key, "x");
        break;
    case VISIT_UPDATE:
        update(store, key);
        break;
    case VISIT_DEL:
        must(del(store, key));
        break;
    case VISIT_EXPIRE:
        must(store_expire(store, key, &never) == STORE_EXPIRE_SET);
        break;
    case VISIT_RESET:
        store_reset(store, 0);
        break;
    case VISIT_DROP:
        must(store_drop(store, 0, slice_of_string("k")) == 1);
        break;
    case VISIT_RENAME_FROM:
        must(store_rename(store, key, other, true, &version) == MZ_OK);
        break;
    case VISIT_RENAME_TO:
        must(store_rename(store, other, key, false, &version) == MZ_MISSING);
        break;
    case VISIT_HOLD:
        store_hold_end(hold_of(v->f, &key, 1));
        break;
    case VISITS:
        break;
    }
}

static void *
run_visitor(void *ctx)
{
    struct visitor *v = ctx;

    v->started = true;
    visit(v);
    v->done = true;
    return NULL;
}

/* Nobody gets through before the hold has ended, and everybody does then. */
static void
check_visit(enum visit what)
{
    const struct store_key key = fixture_key("k", 0);
    struct store_hold *hold;
    struct fixture f;
    struct visitor v = {.f = &f, .visit = what};
    pthread_t thread;

    fixture_init(&f, 0);
    hold = hold_of(&f, &key, 1);
    set(&f, held("k", hold), "first");
    ck_assert_int_eq(pthread_create(&thread, NULL, run_visitor, &v), 0);
    while (!v.started)
        sched_yield();
    for (int i = 0; i < 2000; i++) {
        sched_yield();
        set(&f, held("k", hold), "middle");
        ck_assert_str_eq(get(&f, held("k", hold)).value, "middle");
    }
    ck_assert(del(f.store, held("k", hold)));
    set(&f, held("k", hold), "last");
    ck_assert_msg(!v.done, "visit %d did not wait", (int)what);
    store_hold_end(hold);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(v.done);
    if (what == VISIT_GET || what == VISIT_GET_TOUCH)
        ck_assert_str_eq(v.got.value, "last");
    fixture_fini(&f);
}

START_TEST(others_wait)
{
    for (int i = 0; i < VISITS; i++) {
        /* These two may leave alone what is written meanwhile: see below. */
        if (i != VISIT_DROP && i != VISIT_RESET)
            check_visit((enum visit)i);
    }
}
END_TEST

/* A drop looks first, and then waits with what it wants to remove. */
static void
check_drop(enum visit what)
{
    const struct store_key key = fixture_key("k", 0);
    struct store_hold *hold;
    struct fixture f;
    struct visitor v = {.f = &f, .visit = what};
    pthread_t thread;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    hold = hold_of(&f, &key, 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_visitor, &v), 0);
    while (!v.started)
        sched_yield();
    for (int i = 0; i < 2000; i++) {
        sched_yield();
        ck_assert_str_eq(get(&f, held("k", hold)).value, "v");
    }
    ck_assert(!v.done);
    store_hold_end(hold);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(!fixture_get(&f, "k", 0).found);
    fixture_fini(&f);
}

START_TEST(drop_and_reset_wait)
{
    check_drop(VISIT_DROP);
    check_drop(VISIT_RESET);
}
END_TEST

/* Rounds of one hold and one read that meet as closely as can be. A round whose
 * end was missed would never be over. */
#if defined(MEMOIZER_SANITIZED)
#define ROUNDS 10000
#else
#define ROUNDS 100000
#endif

struct ping {
    struct fixture *f;
    _Atomic unsigned round, answered;
};

static void *
answer_pings(void *ctx)
{
    struct ping *ping = ctx;

    for (unsigned i = 1; i <= ROUNDS; i++) {
        while (ping->round < i)
            sched_yield();
        must(get(ping->f, fixture_key("k", 0)).found);
        ping->answered = i;
    }
    return NULL;
}

START_TEST(no_end_is_missed)
{
    const struct store_key key = fixture_key("k", 0);
    struct fixture f;
    struct ping ping = {.f = &f};
    pthread_t thread;

    fixture_init(&f, 0);
    fixture_set(&f, "k", 0, "v", STORE_NEVER);
    ck_assert_int_eq(pthread_create(&thread, NULL, answer_pings, &ping), 0);
    for (unsigned i = 1; i <= ROUNDS; i++) {
        struct store_hold *hold = hold_of(&f, &key, 1);

        ping.round = i;
        /* Now and then there is time to arrive, and to fall asleep. */
        for (unsigned spin = 0; spin < i % 64; spin++)
            (void)get(&f, held("k", hold));
        store_hold_end(hold);
        while (ping.answered < i)
            sched_yield();
    }
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    fixture_fini(&f);
}
END_TEST

/* ---- renaming ---- */

static enum mz_err
rename_key(struct fixture *f, const char *from, const char *to,
           bool only_if_absent, uint64_t *version)
{
    *version = 1234;
    return store_rename(f->store, fixture_key(from, 0), fixture_key(to, 0),
                        only_if_absent, version);
}

START_TEST(rename_keeps_all_but_the_version)
{
    struct store_write write = {.key = fixture_key("a", 0),
                                .value = SLICE_LITERAL("[1]"),
                                .kind = VALUE_JSON};
    struct fixture f;
    uint64_t first, version;
    struct got got;

    fixture_init(&f, 0);
    write.deadline_mono_us = f.clock.mono_us + 5 * MS;
    ck_assert_int_eq(store_set(f.store, &write, &first), MZ_OK);
    fixture_set(&f, "b", 0, "old", STORE_NEVER);
    fixture_forget(&f);
    ck_assert_int_eq(rename_key(&f, "a", "b", false, &version), MZ_OK);
    ck_assert(!fixture_get(&f, "a", 0).found);
    got = fixture_get(&f, "b", 0);
    ck_assert_str_eq(got.value, "[1]");
    ck_assert_int_eq(got.kind, VALUE_JSON);
    ck_assert_int_eq(got.ttl_left_ms, 5);
    ck_assert_uint_eq(got.version, version);
    ck_assert_uint_gt(version, first);
    ck_assert_uint_eq(f.note_count, 2);
    ck_assert_int_eq(f.notes[0].kind, STORE_CHANGE_SET);
    ck_assert_str_eq(f.notes[0].key, "b");
    ck_assert_int_eq(f.notes[0].deadline_mono_us, write.deadline_mono_us);
    ck_assert_int_eq(f.notes[1].kind, STORE_CHANGE_DELETE);
    ck_assert_str_eq(f.notes[1].key, "a");
    fake_clock_advance(&f.clock, 5);
    ck_assert_int_eq(rename_key(&f, "b", "c", false, &version), MZ_MISSING);
    ck_assert_uint_eq(version, 0);
    /* Without a deadline there is none afterwards, and an empty value is one.
     */
    fixture_set(&f, "a", 0, "", STORE_NEVER);
    fixture_set(&f, "b", 0, "old", 5);
    ck_assert_int_eq(rename_key(&f, "a", "b", false, &version), MZ_OK);
    ck_assert_int_eq(fixture_get(&f, "b", 0).ttl_left_ms, STORE_NEVER);
    ck_assert_uint_eq(fixture_get(&f, "b", 0).value_len, 0);
    ck_assert_uint_eq(fixture_totals(&f, 0).keys, 1);
    fixture_fini(&f);
}
END_TEST

START_TEST(rename_minds_who_is_there)
{
    struct fixture f;
    uint64_t version, of_a, of_b;

    fixture_init(&f, 0);
    ck_assert_int_eq(rename_key(&f, "a", "b", false, &version), MZ_MISSING);
    ck_assert_int_eq(rename_key(&f, "a", "a", false, &version), MZ_MISSING);
    ck_assert_uint_eq(version, 0);
    of_b = fixture_set(&f, "b", 0, "b", STORE_NEVER);
    ck_assert_int_eq(rename_key(&f, "a", "b", true, &version), MZ_MISSING);
    of_a = fixture_set(&f, "a", 0, "a", STORE_NEVER);
    fixture_forget(&f);
    ck_assert_int_eq(rename_key(&f, "a", "b", true, &version), MZ_EXISTS);
    ck_assert_uint_eq(version, of_b);
    ck_assert_int_eq(rename_key(&f, "a", "a", true, &version), MZ_EXISTS);
    ck_assert_uint_eq(version, of_a);
    ck_assert_int_eq(rename_key(&f, "a", "a", false, &version), MZ_OK);
    ck_assert_uint_eq(version, of_a);
    ck_assert_uint_eq(f.note_count, 0);
    ck_assert_int_eq(rename_key(&f, "a", "c", true, &version), MZ_OK);
    ck_assert_str_eq(fixture_get(&f, "c", 0).value, "a");
    /* The dead are not there. */
    fixture_set(&f, "d", 0, "d", 1);
    fake_clock_advance(&f.clock, 1);
    ck_assert_int_eq(rename_key(&f, "c", "d", true, &version), MZ_OK);
    /* To another database, under the name that it has. */
    ck_assert_int_eq(store_rename(f.store, fixture_key("d", 0),
                                  fixture_key("d", 5), true, &version),
                     MZ_OK);
    ck_assert(!fixture_get(&f, "d", 0).found);
    ck_assert_str_eq(fixture_get(&f, "d", 5).value, "a");
    fixture_fini(&f);
}
END_TEST

/* Both keys in one stripe, and in two; with a hold that is there already. */
START_TEST(rename_under_a_hold)
{
    for (unsigned hash_bits = 0; hash_bits < 2; hash_bits++) {
        const struct store_key keys[] = {
            fixture_key("a", 0), fixture_key("b", 0), fixture_key("c", 0)};
        struct store_hold *hold;
        struct fixture f;
        uint64_t version;

        fixture_init(&f, hash_bits);
        fixture_set(&f, "a", 0, "v", STORE_NEVER);
        hold = hold_of(&f, keys, 3);
        ck_assert_int_eq(store_rename(f.store, held("a", hold), held("b", hold),
                                      false, &version),
                         MZ_OK);
        ck_assert_int_eq(store_rename(f.store, held("b", hold), held("c", hold),
                                      true, &version),
                         MZ_OK);
        ck_assert_int_eq(store_rename(f.store, held("c", hold), held("c", hold),
                                      false, &version),
                         MZ_OK);
        store_hold_end(hold);
        ck_assert_str_eq(fixture_get(&f, "c", 0).value, "v");
        ck_assert_uint_eq(fixture_totals(&f, 0).keys, 1);
        fixture_fini(&f);
    }
}
END_TEST

/* Small and large values; each allocation fails once. */
START_TEST(rename_without_memory_changes_nothing)
{
    const size_t lens[] = {3, ENTRY_SHARED_MIN + 3};

    for (size_t i = 0; i < 2; i++) {
        char *value = malloc(lens[i] + 1);
        bool struck = true;

        ck_assert_ptr_nonnull(value);
        memset(value, 'x', lens[i]);
        value[lens[i]] = '\0';
        for (size_t nth = 1; struck; nth++) {
            struct chaos chaos;
            struct fixture f;
            uint64_t version;
            enum mz_err err;

            fixture_init(&f, 0);
            fixture_set(&f, "a", 0, value, STORE_NEVER);
            fixture_set(&f, "b", 0, "old", STORE_NEVER);
            chaos_begin(&chaos, nth);
            err = rename_key(&f, "a", "b", false, &version);
            struck = chaos_end(&chaos);
            ck_assert_int_eq(err, struck ? MZ_NO_MEMORY : MZ_OK);
            ck_assert_int_eq(fixture_get(&f, "a", 0).found, struck);
            ck_assert_uint_eq(fixture_get(&f, "b", 0).value_len,
                              struck ? 3 : lens[i]);
            ck_assert_int_eq(fixture_get(&f, "b", 0).value[0],
                             struck ? 'o' : 'x');
            ck_assert(struck || nth > 2);
            fixture_fini(&f);
        }
        free(value);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, the_owner_passes);
    tcase_add_test(tc, a_hold_of_nothing);
    tcase_add_test(tc, much_happens_within);
    tcase_add_test(tc, without_memory_nothing_is_held);
    tcase_add_test(tc, a_key_that_is_not_covered_is_a_bug);
    tcase_add_test(tc, others_wait);
    tcase_add_test(tc, drop_and_reset_wait);
    tcase_add_test(tc, no_end_is_missed);
    tcase_add_test(tc, rename_keeps_all_but_the_version);
    tcase_add_test(tc, rename_minds_who_is_there);
    tcase_add_test(tc, rename_under_a_hold);
    tcase_add_test(tc, rename_without_memory_changes_nothing);
}

TEST_MAIN("hold", fill)
