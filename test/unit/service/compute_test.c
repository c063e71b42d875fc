/* SPDX-License-Identifier: MIT
 *
 * compute_test.c - many at once merge into one session and count on one key:
 * nothing is lost.
 */
#include "service/compute.h"

#include "chaos.h"
#include "suite.h"

#include "base/buf.h"
#include "base/must.h"

#include <jansson.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define THREADS 8
#if defined(MEMOIZER_SANITIZED)
#define ROUNDS 200
#else
#define ROUNDS 1000
#endif

struct field {
    struct service service;
    struct store *store;
    _Atomic unsigned ready;
};

struct worker {
    struct field *field;
    unsigned id;
    pthread_t thread;
};

static void
field_init(struct field *field)
{
    memset(field, 0, sizeof *field);
    ck_assert_int_eq(store_new(NULL, &field->store), MZ_OK);
    field->service = (struct service){
        .store = field->store,
        .clock = clock_system(),
        .max_value = 1 << 20,
        .merge_seed = 7,
    };
}

static struct session
session_of(struct field *field)
{
    return (struct session){.service = &field->service};
}

static struct command
merge_of(const char *key, const char *patch)
{
    return (struct command){
        .verb = VERB_MERGE,
        .key = slice_of_string(key),
        .value = slice_of_string(patch),
        .ttl_ms = COMMAND_TTL_KEEP,
    };
}

static struct command
incr_of(const char *key, int64_t by)
{
    return (struct command){
        .verb = VERB_INCR,
        .key = slice_of_string(key),
        .by = by,
        .ttl_ms = COMMAND_TTL_NEVER,
    };
}

static void
wait_for_all(struct field *field)
{
    atomic_fetch_add(&field->ready, 1);
    while (atomic_load(&field->ready) < THREADS)
        sched_yield();
}

/* Members of its own into one session, counts on one key, and one member that
 * all write. */
static void *
work(void *arg)
{
    const struct worker *worker = arg;
    struct session session = session_of(worker->field);

    wait_for_all(worker->field);
    for (unsigned i = 0; i < ROUNDS; i++) {
        char patch[64];
        struct command merge, incr = incr_of("n", worker->id);
        uint64_t version, last;
        int64_t n;

        snprintf(patch, sizeof patch, "{\"m%u_%u\":%u,\"last\":%u}", worker->id,
                 i % 20, i, worker->id);
        merge = merge_of("s", patch);
        must(compute_merge(&session, &merge, &version) == MZ_OK);
        must(version > 0);
        must(compute_incr(&session, &incr, &n, &last) == MZ_OK);
        must(last > version);
    }
    return NULL;
}

static void
note_text(void *ctx, const struct store_view *view)
{
    buf_put_slice(ctx, view->value);
}

static json_t *
read_json(struct field *field, const char *key)
{
    struct buf text = {0};
    const struct store_key k = {slice_of_string(key), 0};
    json_t *json;

    ck_assert(store_get(field->store, k, note_text, &text));
    json = json_loadb(text.data, text.len,
                      JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(json);
    buf_fini(&text);
    return json;
}

START_TEST(no_update_is_lost)
{
    struct worker workers[THREADS];
    struct field field;
    json_int_t sum = 0;
    json_t *json;

    field_init(&field);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.field = &field, .id = i + 1};
        ck_assert_int_eq(
            pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        sum += (json_int_t)(i + 1) * ROUNDS;
    }
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    json = read_json(&field, "n");
    ck_assert_int_eq(json_integer_value(json), sum);
    json_decref(json);
    json = read_json(&field, "s");
    ck_assert_uint_eq(json_object_size(json), THREADS * 20 + 1);
    for (unsigned id = 1; id <= THREADS; id++) {
        for (unsigned i = 0; i < 20; i++) {
            char name[32];

            snprintf(name, sizeof name, "m%u_%u", id, i);
            ck_assert_int_eq(json_integer_value(json_object_get(json, name)),
                             ROUNDS - 20 + i);
        }
    }
    json_decref(json);
    store_check(field.store);
    store_free(field.store);
}
END_TEST

/* A transform whose result has a length that the test picks. */
static enum mz_err
grow(void *ctx, const struct store_view *view, char *room, size_t room_cap,
     size_t *len)
{
    const size_t *want = ctx;

    (void)view;
    *len = *want;
    if (*len > room_cap)
        return MZ_TOO_LARGE;
    memset(room, '7', *len);
    return MZ_OK;
}

START_TEST(an_update_finds_the_room_it_needs)
{
    static const size_t lens[] = {0, 1, 15, 16, 17, 16383, 16384, 16385, 60000};
    struct field field;

    field_init(&field);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        size_t want = lens[i];
        const struct store_update update = {
            .key = {SLICE_LITERAL("k"), 0},
            .value_max = 50000,
            .room_cap = 16,
            .kind = VALUE_BYTES,
            .ttl_ms = STORE_NEVER,
            .transform = grow,
            .ctx = &want,
        };
        const struct store_key key = {SLICE_LITERAL("k"), 0};
        struct buf text = {0};
        uint64_t version;
        enum mz_err err = store_update(field.store, &update, &version);

        ck_assert_int_eq(err, want > 50000 ? MZ_TOO_LARGE : MZ_OK);
        ck_assert(store_get(field.store, key, note_text, &text));
        ck_assert_uint_eq(text.len, want > 50000 ? lens[i - 1] : want);
        for (size_t at = 0; at < text.len; at++)
            must(text.data[at] == '7');
        buf_fini(&text);
        store_check(field.store);
    }
    store_free(field.store);
}
END_TEST

/* Without memory nothing changes and nothing leaks, wherever it ends. */
START_TEST(refuses_without_memory)
{
    struct field field;
    struct session session;
    struct command merge = merge_of("s", "{\"a\":{\"b\":[1,2]}}");
    struct command incr = incr_of("n", 5);
    uint64_t version;
    int64_t n;
    bool struck = true;

    field_init(&field);
    session = session_of(&field);
    ck_assert_int_eq(compute_merge(&session, &merge, &version), MZ_OK);
    ck_assert_int_eq(compute_incr(&session, &incr, &n, &version), MZ_OK);
    merge.value = slice_of_string("{\"c\":1}");
    for (size_t nth = 1; struck; nth++) {
        struct chaos chaos;
        enum mz_err err;
        json_t *json = read_json(&field, "s");

        ck_assert_ptr_null(json_object_get(json, "c"));
        json_decref(json);
        chaos_begin(&chaos, nth);
        err = compute_merge(&session, &merge, &version);
        struck = chaos_end(&chaos);
        ck_assert_int_eq(err, struck ? MZ_NO_MEMORY : MZ_OK);
    }
    struct chaos chaos;
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(compute_incr(&session, &incr, &n, &version), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_int_eq(compute_incr(&session, &incr, &n, &version), MZ_OK);
    ck_assert_int_eq(n, 10);
    store_free(field.store);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, no_update_is_lost);
    tcase_add_test(tc, an_update_finds_the_room_it_needs);
    tcase_add_test(tc, refuses_without_memory);
}

TEST_MAIN("compute", fill)
