/* SPDX-License-Identifier: MIT
 *
 * inproc.c - what a get and a set cost inside the process, against the copy
 * that no store can do without.
 *
 *     inproc [--json] [--rounds N] [--keys N]...
 *
 * Keys of 36 bytes, values of 500. A get copies the value out; a set puts a
 * value of the same size over another. The anchor copies 500 bytes from a
 * random place of a block that is as large as what the store takes, on pages
 * of the same size; which place is read from memory, as the keys are. Keys
 * come in an order that has nothing to do with where entries lie.
 *
 * In each round, all operations take their turn with one thread and with two,
 * so that a slow moment of the machine meets all alike. With --json the
 * figures go to stdout and the table to stderr.
 *
 * Threads share the store and what is const; each owns its lane.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/must.h"
#include "bench/bench_keys.h"
#include "measure.h"
#include "store/store.h"

#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_LEN   500
#define THREADS_MAX 2
#define SIZES_MAX   4
#define ROUNDS      9
#define OPERATIONS  UINT64_C(1000000) /* of each thread and turn */
#define PLACE_ALIGN 16                /* as malloc places entries */

enum turn {
    TURN_COPY,
    TURN_GET,
    TURN_SET,
    TURNS
};

struct setup {
    uint64_t keys_count[SIZES_MAX];
    size_t sizes;
    size_t rounds;
    FILE *table;
    struct json_out json;
};

/* Everything of one size. */
struct field {
    struct bench_keys keys; /* const after the filling, as all here */
    struct store *store;
    char *block; /* what the anchor copies from */
    size_t block_len;
    uint32_t *places; /* OPERATIONS of them, in units of PLACE_ALIGN */
    uint64_t operations;
    char value[VALUE_LEN];
    double overhead_rss, overhead_totals; /* bytes an entry */
    struct figure ns[TURNS][THREADS_MAX]; /* an operation, by threads - 1 */
    struct figure scaling[TURNS];
    struct figure get_cost, set_cost; /* in copies */
};

/* What one thread does in a turn. */
struct lane {
    const struct field *field;
    _Atomic unsigned *ready; /* atomic: threads at the start */
    unsigned threads;
    enum turn turn;
    uint64_t first; /* key, or place */
    uint64_t sum;   /* keeps the copies from being optimised away */
    int64_t begin_ns, end_ns;
    pthread_t thread;
};

/* ---- one turn ---- */

static void
copy_value(void *ctx, const struct store_view *view)
{
    must(view->value.len == VALUE_LEN);
    memcpy(ctx, view->value.data, VALUE_LEN);
}

static uint64_t
run_copies(const struct field *field, uint64_t first)
{
    char copy[VALUE_LEN];
    uint64_t sum = 0;

    for (uint64_t i = 0; i < field->operations; i++) {
        const uint64_t at = (first + i) % field->operations;

        memcpy(copy, field->block + (size_t)field->places[at] * PLACE_ALIGN,
               sizeof(copy));
        /* The compiler must believe that somebody looks at it. */
        __asm__ volatile("" : : "r"(copy) : "memory");
        sum += (unsigned char)copy[0];
    }
    return sum;
}

static uint64_t
run_gets(const struct field *field, uint64_t first)
{
    char copy[VALUE_LEN];
    uint64_t sum = 0;

    for (uint64_t i = 0; i < field->operations; i++) {
        const uint64_t at = (first + i) % field->keys.count;
        const struct store_key key = {bench_keys_at(&field->keys, at), 0};

        must(store_get(field->store, key, copy_value, copy));
        sum += (unsigned char)copy[0];
    }
    return sum;
}

static uint64_t
run_sets(const struct field *field, uint64_t first)
{
    uint64_t version = 0;

    for (uint64_t i = 0; i < field->operations; i++) {
        const uint64_t at = (first + i) % field->keys.count;
        const struct store_write write = {
            .key = {bench_keys_at(&field->keys, at), 0},
            .value = slice_of(field->value, VALUE_LEN),
            .kind = VALUE_BYTES,
            .ttl_ms = STORE_NEVER,
        };

        if (store_set(field->store, &write, &version) != MZ_OK)
            give_up("inproc: out of memory");
    }
    return version;
}

static void *
run_lane(void *ctx)
{
    static uint64_t (*const runs[TURNS])(const struct field *, uint64_t) = {
        run_copies, run_gets, run_sets};
    struct lane *lane = ctx;

    atomic_fetch_add(lane->ready, 1);
    while (atomic_load(lane->ready) < lane->threads)
        sched_yield();
    lane->begin_ns = clock_mono_ns();
    lane->sum = runs[lane->turn](lane->field, lane->first);
    lane->end_ns = clock_mono_ns();
    return NULL;
}

/* The time of one operation, from the first begin to the last end: with two
 * threads that work side by side, half as long. */
static double
take_turn(const struct field *field, enum turn turn, unsigned threads,
          uint64_t first)
{
    const uint64_t period =
        turn == TURN_COPY ? field->operations : field->keys.count;
    struct lane lanes[THREADS_MAX];
    _Atomic unsigned ready = 0;
    int64_t begin_ns, end_ns;

    for (unsigned i = 0; i < threads; i++) {
        lanes[i] = (struct lane){.field = field,
                                 .ready = &ready,
                                 .threads = threads,
                                 .turn = turn,
                                 .first = first + i * period / threads};
        if (pthread_create(&lanes[i].thread, NULL, run_lane, &lanes[i]) != 0)
            give_up("inproc: no thread to be had");
    }
    for (unsigned i = 0; i < threads; i++)
        must(pthread_join(lanes[i].thread, NULL) == 0);
    begin_ns = lanes[0].begin_ns;
    end_ns = lanes[0].end_ns;
    for (unsigned i = 1; i < threads; i++) {
        if (lanes[i].begin_ns < begin_ns)
            begin_ns = lanes[i].begin_ns;
        if (lanes[i].end_ns > end_ns)
            end_ns = lanes[i].end_ns;
    }
    return (double)(end_ns - begin_ns) / (double)(field->operations * threads);
}

static void
run_round(struct field *field, size_t round)
{
    double ns[TURNS][THREADS_MAX];
    /* Other keys in each round. */
    const uint64_t first = round * field->operations;

    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        for (int turn = 0; turn < TURNS; turn++) {
            ns[turn][threads - 1] =
                take_turn(field, (enum turn)turn, threads, first);
            figure_add(&field->ns[turn][threads - 1], ns[turn][threads - 1]);
        }
    }
    for (int turn = 0; turn < TURNS; turn++)
        figure_add(&field->scaling[turn], ns[turn][0] / ns[turn][1]);
    figure_add(&field->get_cost, ns[TURN_GET][0] / ns[TURN_COPY][0]);
    figure_add(&field->set_cost, ns[TURN_SET][0] / ns[TURN_COPY][0]);
}

/* ---- filling and emptying ---- */

/* Puts all keys in, and says what an entry costs beside key and value. */
static void
fill_store(struct field *field)
{
    const double count = (double)field->keys.count;
    const uint64_t before = memory_resident();
    struct store_totals totals;
    struct field filling;
    uint64_t after;

    if (store_new(NULL, &field->store) != MZ_OK)
        give_up("inproc: out of memory");
    filling = *field;
    filling.operations = field->keys.count;
    (void)run_sets(&filling, 0);
    after = memory_resident();
    store_totals(field->store, 0, &totals);
    must(totals.keys == field->keys.count);
    field->block_len = (size_t)(after - before);
    field->overhead_rss =
        (double)(after - before) / count - BENCH_KEY_LEN - VALUE_LEN;
    field->overhead_totals =
        (double)totals.memory_bytes / count - BENCH_KEY_LEN - VALUE_LEN;
}

/* splitmix64. */
static uint64_t
next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void
fill_block(struct field *field)
{
    const uint64_t places = (field->block_len - VALUE_LEN) / PLACE_ALIGN;
    uint64_t state = 1;

    /* Not mem_alloc_array, which asks for huge pages: entries have none. */
    field->block = mem_alloc(field->block_len);
    field->places = mem_alloc(field->operations * sizeof(*field->places));
    if (field->block == NULL || field->places == NULL)
        give_up("inproc: out of memory");
    must(places <= UINT32_MAX);
    memset(field->block, 'b', field->block_len);
    for (uint64_t i = 0; i < field->operations; i++)
        field->places[i] = (uint32_t)(next_random(&state) % places);
}

static void
field_open(struct field *field, uint64_t count)
{
    memset(field, 0, sizeof(*field));
    memset(field->value, 'v', sizeof(field->value));
    field->operations = OPERATIONS;
    if (bench_keys_init(&field->keys, count, 1) != MZ_OK)
        give_up("inproc: out of memory");
    fill_store(field);
    bench_keys_shuffle(&field->keys);
    fill_block(field);
}

static void
field_close(struct field *field)
{
    store_free(field->store);
    mem_free(field->block);
    mem_free(field->places);
    bench_keys_fini(&field->keys);
    malloc_trim(0);
}

/* ---- the report ---- */

/* "1m" for a million, for names. */
static void
name_count(char out[24], uint64_t count)
{
    if (count % 1000000 == 0)
        snprintf(out, 24, "%" PRIu64 "m", count / 1000000);
    else
        snprintf(out, 24, "%" PRIu64, count);
}

static const char *const turn_names[TURNS] = {"copy", "get", "set"};

static void
report_json(struct setup *setup, const struct field *field)
{
    char count[24], name[80];

    name_count(count, field->keys.count);
    for (int turn = 0; turn < TURNS; turn++) {
        for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
            snprintf(name, sizeof(name), "inproc_%s_%s_%ut_ns", count,
                     turn_names[turn], threads);
            json_figure(&setup->json, name, &field->ns[turn][threads - 1]);
        }
        snprintf(name, sizeof(name), "inproc_%s_%s_scaling", count,
                 turn_names[turn]);
        json_figure(&setup->json, name, &field->scaling[turn]);
    }
    snprintf(name, sizeof(name), "inproc_%s_get_of_copy", count);
    json_figure(&setup->json, name, &field->get_cost);
    snprintf(name, sizeof(name), "inproc_%s_set_of_copy", count);
    json_figure(&setup->json, name, &field->set_cost);
    snprintf(name, sizeof(name), "inproc_%s_overhead_rss", count);
    json_number(&setup->json, name, field->overhead_rss);
    snprintf(name, sizeof(name), "inproc_%s_overhead_totals", count);
    json_number(&setup->json, name, field->overhead_totals);
}

static void
print_figure(FILE *out, const struct figure *figure)
{
    struct buf text = {0};

    figure_put(&text, figure);
    must(!text.failed);
    fprintf(out, " %22.*s", (int)text.len, text.data);
    buf_fini(&text);
}

static void
report_table(const struct setup *setup, const struct field *field)
{
    FILE *out = setup->table;

    fprintf(out,
            "%" PRIu64 " keys of %d bytes, values of %d, %zu rounds; "
            "ns an operation, median [min-max]\n%-6s %22s %22s %22s %22s\n",
            field->keys.count, BENCH_KEY_LEN, VALUE_LEN, setup->rounds, "",
            "1 thread", "2 threads", "scaling", "in copies");
    for (int turn = 0; turn < TURNS; turn++) {
        fprintf(out, "%-6s", turn_names[turn]);
        print_figure(out, &field->ns[turn][0]);
        print_figure(out, &field->ns[turn][1]);
        print_figure(out, &field->scaling[turn]);
        if (turn != TURN_COPY)
            print_figure(out, turn == TURN_GET ? &field->get_cost
                                               : &field->set_cost);
        fputc('\n', out);
    }
    fprintf(out,
            "overhead an entry: %.1f bytes by resident memory, %.1f by the "
            "store's own count\n\n",
            field->overhead_rss, field->overhead_totals);
    fflush(out);
}

static void
run_size(struct setup *setup, struct field *field, uint64_t count)
{
    /* The store, the anchor's block, the keys. */
    const uint64_t need =
        count * (2 * (VALUE_LEN + BENCH_KEY_LEN + 64) + BENCH_KEY_LEN);

    if (memory_available() < need) {
        fprintf(stderr,
                "inproc: %" PRIu64 " keys are left out: %" PRIu64
                " MB of memory would be needed\n",
                count, need / 1000000);
        return;
    }
    field_open(field, count);
    for (size_t round = 0; round < setup->rounds; round++)
        run_round(field, round);
    report_table(setup, field);
    report_json(setup, field);
    field_close(field);
}

/* A number of 1 to max behind an option. */
static uint64_t
parse_number(const char *name, const char *text, uint64_t max)
{
    char *end;
    unsigned long long n;

    if (text == NULL)
        give_up("inproc: %s wants a number", name);
    n = strtoull(text, &end, 10);
    if (*end != '\0' || end == text || n < 1 || n > max)
        give_up("inproc: %s is from 1 to %" PRIu64, name, max);
    return n;
}

static void
parse(struct setup *setup, char **argv)
{
    for (size_t i = 1; argv[i] != NULL; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            setup->json.file = stdout;
            setup->table = stderr;
        } else if (strcmp(argv[i], "--rounds") == 0) {
            setup->rounds =
                parse_number(argv[i], argv[i + 1], MEASURE_ROUNDS_MAX);
            i++;
        } else if (strcmp(argv[i], "--keys") == 0 && setup->sizes < SIZES_MAX) {
            setup->keys_count[setup->sizes++] =
                parse_number(argv[i], argv[i + 1], 100000000);
            i++;
        } else {
            give_up("usage: inproc [--json] [--rounds N] [--keys N]...");
        }
    }
    if (setup->sizes == 0) {
        setup->keys_count[setup->sizes++] = 1000000;
        setup->keys_count[setup->sizes++] = 10000000;
    }
}

int
main(int argc, char **argv)
{
    struct setup setup = {.rounds = ROUNDS, .table = stdout};
    struct field *field = mem_alloc(sizeof(*field));

    (void)argc;
    mem_init(); /* as the server does */
    if (field == NULL)
        give_up("inproc: out of memory");
    parse(&setup, argv);
    json_begin(&setup.json);
    for (size_t i = 0; i < setup.sizes; i++)
        run_size(&setup, field, setup.keys_count[i]);
    json_end(&setup.json);
    mem_free(field);
    return EXIT_SUCCESS;
}
