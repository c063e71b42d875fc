/* SPDX-License-Identifier: MIT
 *
 * bench.c - three passes over a fresh store each.
 *
 * The plain pass gives the "It took" lines: one thread, no clock inside the
 * loop. The timed passes, with one thread and with one a processor, read the
 * clock between any two operations, which gives percentiles and the scaling.
 * Inserts go in the order of the keys; then those are shuffled, so that reads
 * meet the entries in another order than memory has them.
 *
 * The threads of a pass share the store and what is const; each owns its
 * worker. Figures are printed as integers, which no locale changes.
 */
#include "bench/bench.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/must.h"
#include "bench/bench_keys.h"
#include "bench/gate.h"
#include "bench/latency.h"
#include "store/store.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define KEY_SEED      UINT64_C(20231128) /* the same keys in every run */
#define WARM_UP_MAX   UINT64_C(20000)    /* operations */
#define CLOCK_SAMPLES 10000
#define PROGRESS_MIN  UINT64_C(200000) /* operations: fewer take no time */
#define PASSES        4u

/* Bytes of one operation beside its payload: the key in its array and in its
 * entry, entry header, allocator, a slot in a table that is half empty and one
 * in the table that it grew from. Rather too many. */
#define OPERATION_BYTES (2 * BENCH_KEY_LEN + 128)

struct bench {
    struct slice payload;   /* const */
    struct bench_keys keys; /* const while threads run */
    struct store *store;    /* of the pass */
    char *copy;             /* owner: where the plain pass reads to */
};

/* What a pass found out. */
struct figures {
    struct latency inserts, reads;
    int64_t insert_ns, read_ns; /* from the first begin to the last end */
};

struct worker {
    struct bench *bench;
    struct gate *gate;
    uint64_t first, end; /* its share of the keys */
    bool reads;          /* or inserts */
    char *copy;
    struct latency latency;
    int64_t begin_ns, end_ns;
    enum mz_err err;
    pthread_t thread;
};

/* ---- one operation ---- */

static enum mz_err
put(const struct bench *bench, uint64_t i)
{
    const struct store_write write = {
        .key = {bench_keys_at(&bench->keys, i), 0},
        .value = bench->payload,
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
    };
    uint64_t version;

    return store_set(bench->store, &write, &version);
}

static void
copy_value(void *ctx, const struct store_view *view)
{
    if (view->value.len > 0)
        memcpy(ctx, view->value.data, view->value.len);
}

static void
get(const struct bench *bench, uint64_t i, char *copy)
{
    const struct store_key key = {bench_keys_at(&bench->keys, i), 0};

    must(store_get(bench->store, key, copy_value, copy));
}

/* ---- the plain pass ---- */

static enum mz_err
insert_all(const struct bench *bench, uint64_t count, int64_t *took_ns)
{
    const int64_t begin_ns = clock_mono_ns();

    for (uint64_t i = 0; i < count; i++) {
        enum mz_err err = put(bench, i);

        if (err != MZ_OK)
            return err;
    }
    *took_ns = clock_mono_ns() - begin_ns;
    return MZ_OK;
}

static void
read_all(const struct bench *bench, uint64_t count, int64_t *took_ns)
{
    const int64_t begin_ns = clock_mono_ns();

    for (uint64_t i = 0; i < count; i++)
        get(bench, i, bench->copy);
    *took_ns = clock_mono_ns() - begin_ns;
}

/* Also the warm-up, with fewer keys and times that nobody looks at. */
static enum mz_err
plain_pass(struct bench *bench, uint64_t count, int64_t *insert_ns,
           int64_t *read_ns)
{
    enum mz_err err = store_new(NULL, &bench->store);

    if (err != MZ_OK)
        return err;
    err = insert_all(bench, count, insert_ns);
    if (err == MZ_OK) {
        /* Shuffles what was inserted and nothing else. */
        struct bench_keys inserted = bench->keys;

        inserted.count = count;
        bench_keys_shuffle(&inserted);
        bench->keys.state = inserted.state;
        read_all(bench, count, read_ns);
    }
    store_free(bench->store);
    return err;
}

/* ---- the timed passes ---- */

static enum mz_err
operate(struct worker *w, uint64_t i)
{
    if (!w->reads)
        return put(w->bench, i);
    get(w->bench, i, w->copy);
    return MZ_OK;
}

static void *
work(void *ctx)
{
    struct worker *w = ctx;
    int64_t before_ns;

    if (!gate_wait(w->gate))
        return NULL;
    before_ns = w->begin_ns = clock_mono_ns();
    for (uint64_t i = w->first; i < w->end && w->err == MZ_OK; i++) {
        int64_t now_ns;

        w->err = operate(w, i);
        now_ns = clock_mono_ns();
        latency_add(&w->latency, (uint64_t)(now_ns - before_ns));
        before_ns = now_ns;
    }
    w->end_ns = before_ns;
    return NULL;
}

static void
collect(const struct worker *workers, unsigned threads, struct latency *latency,
        int64_t *took_ns)
{
    int64_t begin_ns = workers[0].begin_ns, end_ns = workers[0].end_ns;

    for (unsigned i = 0; i < threads; i++) {
        latency_merge(latency, &workers[i].latency);
        if (workers[i].begin_ns < begin_ns)
            begin_ns = workers[i].begin_ns;
        if (workers[i].end_ns > end_ns)
            end_ns = workers[i].end_ns;
    }
    *took_ns = end_ns - begin_ns;
}

static enum mz_err
prepare(struct worker *w, struct bench *bench, struct gate *gate, bool reads)
{
    w->bench = bench;
    w->gate = gate;
    w->reads = reads;
    w->copy = mem_alloc(bench->payload.len);
    return w->copy != NULL ? MZ_OK : MZ_NO_MEMORY;
}

/* Runs one thread for each worker over its share of the keys. */
static enum mz_err
run_workers(struct worker *workers, unsigned threads, struct gate *gate)
{
    const struct bench *bench = workers[0].bench;
    const uint64_t share = bench->keys.count / threads;
    const uint64_t extra = bench->keys.count % threads;
    enum mz_err err = MZ_OK;
    unsigned created = 0;
    uint64_t first = 0;

    for (; created < threads; created++) {
        struct worker *w = &workers[created];

        w->first = first;
        w->end = first += share + (created < extra);
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            break;
    }
    gate_open(gate, created, threads);
    if (created < threads)
        err = MZ_NO_MEMORY;
    for (unsigned i = 0; i < created; i++) {
        must(pthread_join(workers[i].thread, NULL) == 0);
        if (err == MZ_OK)
            err = workers[i].err;
    }
    return err;
}

static enum mz_err
timed_half(struct bench *bench, unsigned threads, bool reads,
           struct latency *latency, int64_t *took_ns)
{
    struct worker *workers = mem_alloc_zeroed(threads, sizeof(*workers));
    struct gate gate = {0};
    enum mz_err err = workers != NULL ? MZ_OK : MZ_NO_MEMORY;

    for (unsigned i = 0; i < threads && err == MZ_OK; i++)
        err = prepare(&workers[i], bench, &gate, reads);
    if (err == MZ_OK)
        err = run_workers(workers, threads, &gate);
    if (err == MZ_OK)
        collect(workers, threads, latency, took_ns);
    for (unsigned i = 0; i < threads && workers != NULL; i++)
        mem_free(workers[i].copy);
    mem_free(workers);
    return err;
}

static enum mz_err
timed_pass(struct bench *bench, unsigned threads, struct figures *figures)
{
    enum mz_err err = store_new(NULL, &bench->store);

    if (err != MZ_OK)
        return err;
    err = timed_half(bench, threads, false, &figures->inserts,
                     &figures->insert_ns);
    if (err == MZ_OK) {
        bench_keys_shuffle(&bench->keys);
        err = timed_half(bench, threads, true, &figures->reads,
                         &figures->read_ns);
    }
    store_free(bench->store);
    return err;
}

/* ---- the report ---- */

static void
print_took(FILE *out, int64_t took_ns, uint64_t count, const char *what)
{
    fprintf(out,
            "It took %" PRId64 ".%06" PRId64 "ms to perform %" PRIu64 " %s\n",
            took_ns / 1000000, took_ns % 1000000, count, what);
    fflush(out);
}

static uint64_t
per_second(uint64_t count, int64_t took_ns)
{
    const uint64_t ns = took_ns > 0 ? (uint64_t)took_ns : 1;

    return (uint64_t)((unsigned __int128)count * 1000000000 / ns);
}

static void
print_row(FILE *out, const char *what, unsigned threads,
          const struct latency *latency, int64_t took_ns)
{
    char name[40];

    snprintf(name, sizeof(name), "%s, %u thread%s", what, threads,
             threads == 1 ? "" : "s");
    fprintf(out,
            "%-20s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %11" PRIu64
            " %12" PRIu64 "\n",
            name, latency_permille_ns(latency, 500),
            latency_permille_ns(latency, 990),
            latency_permille_ns(latency, 999), latency->max_ns,
            per_second(latency->count, took_ns));
}

/* How much more a pass with threads did in the same time than one without, in
 * hundredths; 0 when nothing was done. */
static void
print_scaling(FILE *out, const char *what, uint64_t count, int64_t one_ns,
              int64_t many_ns)
{
    const uint64_t one = one_ns > 0 ? (uint64_t)one_ns : 1;
    const uint64_t many = many_ns > 0 ? (uint64_t)many_ns : 1;
    const uint64_t hundredths =
        count > 0 ? (uint64_t)((unsigned __int128)one * 100 / many) : 0;

    fprintf(out, " %s %" PRIu64 ".%02" PRIu64, what, hundredths / 100,
            hundredths % 100);
}

/* What reading the clock costs at the median: it is in every time. scratch is
 * an empty histogram, and is again afterwards. */
static uint64_t
clock_cost_ns(struct latency *scratch)
{
    int64_t before_ns = clock_mono_ns();
    uint64_t cost_ns;

    for (unsigned i = 0; i < CLOCK_SAMPLES; i++) {
        int64_t now_ns = clock_mono_ns();

        latency_add(scratch, (uint64_t)(now_ns - before_ns));
        before_ns = now_ns;
    }
    cost_ns = latency_permille_ns(scratch, 500);
    memset(scratch, 0, sizeof(*scratch));
    return cost_ns;
}

/* one and many: figures of one thread and of `threads`; the same object when
 * there is one processor. */
static void
print_table(FILE *out, const struct bench *bench, const struct figures *one,
            const struct figures *many, unsigned threads, uint64_t clock_ns)
{
    const uint64_t count = bench->keys.count;

    fprintf(out,
            "\nMeasured: the table inside this process, without the network.\n"
            "operations %" PRIu64 "\npayload bytes %zu\n\n"
            "%-20s %9s %9s %9s %11s %12s\n",
            count, bench->payload.len, "ns/op", "p50", "p99", "p99.9", "max",
            "ops/s");
    print_row(out, "insert", 1, &one->inserts, one->insert_ns);
    if (many != one)
        print_row(out, "insert", threads, &many->inserts, many->insert_ns);
    print_row(out, "read", 1, &one->reads, one->read_ns);
    if (many != one)
        print_row(out, "read", threads, &many->reads, many->read_ns);
    fprintf(out, "\nscaling from 1 to %u threads:", threads);
    print_scaling(out, "insert", count, one->insert_ns, many->insert_ns);
    print_scaling(out, "read", count, one->read_ns, many->read_ns);
    fprintf(out,
            "\nEach time has about %" PRIu64
            " ns of reading the clock in it.\n",
            clock_ns);
}

/* Tells a person at a terminal that a long run goes on; pass 0 wipes. */
static void
show_progress(const struct bench *bench, unsigned pass)
{
    if (bench->keys.count < PROGRESS_MIN || isatty(STDERR_FILENO) != 1)
        return;
    if (pass > 0)
        fprintf(stderr, "\rpass %u of %u ...", pass, PASSES);
    else
        fprintf(stderr, "\r%*s\r", 20, "");
    fflush(stderr);
}

/* ---- the whole ---- */

static unsigned
processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online < 1 ? 1 : online > 1024 ? 1024 : (unsigned)online;
}

/* Bytes that the machine can still give, or all it has when it does not say.
 * Linux promises more than it has and ends the process that takes it at its
 * word, so an allocation that succeeds says nothing. */
static uint64_t
memory_to_be_had(void)
{
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/meminfo", "re");
    uint64_t kib;
    char line[128];

    if (file == NULL)
        return bytes;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) == 1)
            bytes = kib * 1024;
    }
    fclose(file);
    return bytes;
}

static enum mz_err
check_size(const struct bench_options *options)
{
    uint64_t bytes;

    if (options->payload.len > ENTRY_VALUE_MAX)
        return MZ_TOO_LARGE;
    if (__builtin_mul_overflow(options->operations,
                               options->payload.len + OPERATION_BYTES, &bytes))
        return MZ_NO_MEMORY;
    return bytes <= memory_to_be_had() ? MZ_OK : MZ_NO_MEMORY;
}

static enum mz_err
run_timed(struct bench *bench, struct figures *one, struct figures *many,
          FILE *out)
{
    const unsigned threads = processors();
    const uint64_t clock_ns = clock_cost_ns(&one->inserts);
    enum mz_err err;

    show_progress(bench, 3);
    err = timed_pass(bench, 1, one);
    show_progress(bench, 4);
    if (err == MZ_OK && threads > 1)
        err = timed_pass(bench, threads, many);
    show_progress(bench, 0);
    if (err != MZ_OK)
        return err;
    print_table(out, bench, one, threads > 1 ? many : one, threads, clock_ns);
    return MZ_OK;
}

static enum mz_err
run_passes(struct bench *bench, struct figures *figures, FILE *out)
{
    const uint64_t count = bench->keys.count;
    const uint64_t few = count < WARM_UP_MAX ? count : WARM_UP_MAX;
    int64_t insert_ns = 0, read_ns = 0;
    enum mz_err err;

    show_progress(bench, 1);
    err = plain_pass(bench, few, &insert_ns, &read_ns);
    show_progress(bench, 0);
    if (err != MZ_OK)
        return err;
    fputs("Benchmarking warmed up and ready to go.\n", out);
    fflush(out);
    show_progress(bench, 2);
    err = plain_pass(bench, count, &insert_ns, &read_ns);
    show_progress(bench, 0);
    if (err != MZ_OK)
        return err;
    print_took(out, insert_ns, count, "insertions");
    print_took(out, read_ns, count, "reads");
    return run_timed(bench, &figures[0], &figures[1], out);
}

enum mz_err
bench_run(const struct bench_options *options, FILE *out)
{
    struct bench bench = {.payload = options->payload};
    struct figures *figures = NULL;
    enum mz_err err = check_size(options);

    if (err != MZ_OK)
        return err;
    fputs("Starting the benchmarking...\n", out);
    fflush(out);
    err = bench_keys_init(&bench.keys, options->operations, KEY_SEED);
    if (err != MZ_OK)
        return err;
    figures = mem_alloc_zeroed(2, sizeof(*figures));
    bench.copy = mem_alloc(options->payload.len);
    err = figures != NULL && bench.copy != NULL ? MZ_OK : MZ_NO_MEMORY;
    if (err == MZ_OK)
        err = run_passes(&bench, figures, out);
    mem_free(bench.copy);
    mem_free(figures);
    bench_keys_fini(&bench.keys);
    return err;
}
