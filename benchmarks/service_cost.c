/* SPDX-License-Identifier: MIT
 *
 * service_cost.c - what a request costs in the service: everything but the
 * socket and the decoding of the request.
 *
 *     service_cost [--json] [--rounds N] [--sessions N] [--keys N]...
 *
 * See bench/bench_service.h for what is done. In each round all requests take
 * their turn with one thread and with two, so that a slow moment of the
 * machine meets all alike; "in gets" compares with the get of the same round
 * and of the same number of threads. One more turn of each, behind the rounds,
 * reads the clock between requests and gives the percentiles.
 *
 * --sessions says how many sessions a turn asks for. With --json the figures
 * go to stdout and the table to stderr.
 */
#include "base/mem.h"
#include "base/must.h"
#include "bench/bench_keys.h"
#include "bench/bench_service.h"
#include "bench/latency.h"
#include "measure.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 2
#define SIZES_MAX   4
#define ROUNDS      9
#define SESSIONS    UINT64_C(400000)
#define KEYS_MAX    UINT64_C(100000000)

struct setup {
    uint64_t key_count[SIZES_MAX];
    size_t sizes;
    size_t rounds;
    uint64_t sessions; /* of a turn */
    FILE *table;
    struct json_out json;
};

/* Of one row and number of threads. */
struct cell {
    struct figure ns;      /* a request */
    struct figure in_gets; /* a key of the request, against a get */
    struct latency latency;
};

/* Everything of one size. */
struct field {
    uint64_t key_count;
    struct bench_service *bench;
    struct cell cell[BENCH_ROWS][THREADS_MAX]; /* by threads - 1 */
    struct figure scaling[BENCH_ROWS];
};

/* ---- measuring ---- */

/* How many keys a request of the row names. */
static double
keys_of(enum bench_row row)
{
    return row == BENCH_MGET ? BENCH_MGET_KEYS : 1;
}

/* The time of one request: with two threads that work side by side, half as
 * long. */
static double
take_turn(const struct setup *setup, struct field *field, enum bench_row row,
          unsigned threads, struct latency *latency)
{
    const struct bench_turn turn = {row, threads, setup->sessions};
    struct bench_time time;

    if (bench_service_take_turn(field->bench, &turn, latency, &time) != MZ_OK)
        give_up("service_cost: out of memory");
    return (double)time.took_ns / (double)time.requests;
}

static void
run_round(const struct setup *setup, struct field *field)
{
    double ns[BENCH_ROWS][THREADS_MAX];

    for (unsigned t = 0; t < THREADS_MAX; t++) {
        for (int row = 0; row < BENCH_ROWS; row++) {
            struct cell *cell = &field->cell[row][t];

            ns[row][t] =
                take_turn(setup, field, (enum bench_row)row, t + 1, NULL);
            figure_add(&cell->ns, ns[row][t]);
            figure_add(&cell->in_gets, ns[row][t] /
                                           keys_of((enum bench_row)row) /
                                           ns[BENCH_GET][t]);
        }
    }
    for (int row = 0; row < BENCH_ROWS; row++)
        figure_add(&field->scaling[row], ns[row][0] / ns[row][1]);
}

static void
run_percentiles(const struct setup *setup, struct field *field)
{
    for (unsigned t = 0; t < THREADS_MAX; t++)
        for (int row = 0; row < BENCH_ROWS; row++)
            (void)take_turn(setup, field, (enum bench_row)row, t + 1,
                            &field->cell[row][t].latency);
}

/* ---- the report ---- */

/* "1m" for a million and "10k" for ten thousand. */
static void
put_count(struct buf *out, uint64_t count)
{
    if (count % 1000000 == 0)
        buf_printf(out, "%" PRIu64 "m", count / 1000000);
    else if (count % 1000 == 0)
        buf_printf(out, "%" PRIu64 "k", count / 1000);
    else
        buf_printf(out, "%" PRIu64, count);
}

/* What names of figures begin with: "service_10k_set". */
static void
put_row_name(struct buf *out, const struct field *field, int row)
{
    buf_put_string(out, "service_");
    put_count(out, field->key_count);
    buf_put_char(out, '_');
    buf_put_string(out, bench_row_name((enum bench_row)row));
}

/* The name with an end of its own, until the next call. */
static const char *
name_with(struct buf *name, const char *end)
{
    const size_t len = name->len;

    buf_put(name, end, strlen(end) + 1);
    must(!name->failed);
    name->len = len;
    return name->data;
}

static void
report_cell_json(struct json_out *json, struct buf *name,
                 const struct cell *cell)
{
    const struct latency *latency = &cell->latency;

    json_figure(json, name_with(name, "_ns"), &cell->ns);
    json_figure(json, name_with(name, "_in_gets"), &cell->in_gets);
    json_number(json, name_with(name, "_p50_ns"),
                (double)latency_permille_ns(latency, 500));
    json_number(json, name_with(name, "_p99_ns"),
                (double)latency_permille_ns(latency, 990));
    json_number(json, name_with(name, "_p999_ns"),
                (double)latency_permille_ns(latency, 999));
}

static void
report_row_json(struct json_out *json, const struct field *field, int row)
{
    struct buf name = {0};

    for (unsigned t = 0; t < THREADS_MAX; t++) {
        name.len = 0;
        put_row_name(&name, field, row);
        buf_printf(&name, "_%ut", t + 1);
        report_cell_json(json, &name, &field->cell[row][t]);
    }
    name.len = 0;
    put_row_name(&name, field, row);
    json_figure(json, name_with(&name, "_scaling"), &field->scaling[row]);
    buf_fini(&name);
}

static void
print_figure(FILE *out, const struct figure *figure, int width)
{
    struct buf text = {0};

    figure_put(&text, figure);
    must(!text.failed);
    fprintf(out, " %*.*s", width, (int)text.len, text.data);
    buf_fini(&text);
}

static void
print_percentiles(FILE *out, const struct latency *latency)
{
    fprintf(out, " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "\n",
            latency_permille_ns(latency, 500),
            latency_permille_ns(latency, 990),
            latency_permille_ns(latency, 999));
}

static void
report_table(const struct setup *setup, const struct field *field)
{
    FILE *out = setup->table;

    fprintf(out,
            "%" PRIu64 " sessions of %d bytes, %zu rounds; ns a request, "
            "median [min-max]\n%-34s %21s %17s %7s %7s %7s\n",
            field->key_count, BENCH_SESSION_LEN, setup->rounds, "", "",
            "in gets, a key", "p50", "p99", "p99.9");
    for (int row = 0; row < BENCH_ROWS; row++) {
        for (unsigned t = 0; t < THREADS_MAX; t++) {
            const struct cell *cell = &field->cell[row][t];

            fprintf(out, "%-32s %u", bench_row_title((enum bench_row)row),
                    t + 1);
            print_figure(out, &cell->ns, 21);
            print_figure(out, &cell->in_gets, 17);
            print_percentiles(out, &cell->latency);
        }
        fprintf(out, "%-34s", "  gain by the second thread");
        print_figure(out, &field->scaling[row], 21);
        fputc('\n', out);
    }
    fputc('\n', out);
    fflush(out);
}

static void
run_size(struct setup *setup, uint64_t key_count)
{
    /* A session, a counter, the keys twice while they are made. */
    const uint64_t need =
        key_count * (BENCH_SESSION_LEN + 4 * (BENCH_KEY_LEN + 64));
    struct field *field = mem_alloc_zeroed(1, sizeof(*field));

    if (memory_available() < need)
        give_up("service_cost: %" PRIu64 " keys take %" PRIu64
                " MB of memory, which is not there",
                key_count, need / 1000000);
    if (field == NULL || bench_service_new(key_count, &field->bench) != MZ_OK)
        give_up("service_cost: out of memory");
    field->key_count = key_count;
    for (size_t round = 0; round < setup->rounds; round++)
        run_round(setup, field);
    run_percentiles(setup, field);
    if (bench_service_count_whole(field->bench) != key_count)
        give_up("service_cost: not every session is %d bytes any more",
                BENCH_SESSION_LEN);
    report_table(setup, field);
    for (int row = 0; row < BENCH_ROWS; row++)
        report_row_json(&setup->json, field, row);
    bench_service_free(field->bench);
    mem_free(field);
    malloc_trim(0);
}

/* ---- options ---- */

/* A number of min to max behind an option. */
static uint64_t
parse_number(char **option, uint64_t min, uint64_t max)
{
    char *end;
    unsigned long long n;

    if (option[1] == NULL)
        give_up("service_cost: %s wants a number", option[0]);
    n = strtoull(option[1], &end, 10);
    if (*end != '\0' || end == option[1] || n < min || n > max)
        give_up("service_cost: %s is from %" PRIu64 " to %" PRIu64, option[0],
                min, max);
    return n;
}

static void
parse(struct setup *setup, char **argv)
{
    const uint64_t keys_min = THREADS_MAX * BENCH_MGET_KEYS;

    for (char **option = argv + 1; *option != NULL; option++) {
        if (strcmp(*option, "--json") == 0) {
            setup->json.file = stdout;
            setup->table = stderr;
        } else if (strcmp(*option, "--rounds") == 0) {
            setup->rounds = parse_number(option++, 1, MEASURE_ROUNDS_MAX);
        } else if (strcmp(*option, "--sessions") == 0) {
            setup->sessions = parse_number(option++, 1, KEYS_MAX);
        } else if (strcmp(*option, "--keys") == 0 && setup->sizes < SIZES_MAX) {
            setup->key_count[setup->sizes++] =
                parse_number(option++, keys_min, KEYS_MAX);
        } else {
            give_up("usage: service_cost [--json] [--rounds N] "
                    "[--sessions N] [--keys N]...");
        }
    }
    if (setup->sizes == 0) {
        setup->key_count[setup->sizes++] = 10000;
        setup->key_count[setup->sizes++] = 1000000;
    }
}

int
main(int argc, char **argv)
{
    struct setup setup = {
        .rounds = ROUNDS, .sessions = SESSIONS, .table = stdout};

    (void)argc;
    mem_init(); /* as the server does */
    parse(&setup, argv);
    json_begin(&setup.json);
    for (size_t i = 0; i < setup.sizes; i++)
        run_size(&setup, setup.key_count[i]);
    json_end(&setup.json);
    return EXIT_SUCCESS;
}
