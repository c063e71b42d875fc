/* SPDX-License-Identifier: MIT
 *
 * linear_shim.c - see linear_shim.h.
 *
 * A value is one 64-bit number that is written once, repeated: a value that is
 * torn, or has another length than its number tells, reads as BROKEN, which
 * nobody writes.
 *
 * Each thread owns its worker and its part of the log; the store is all they
 * share.
 */
#include "linear_shim.h"

#include "base/mem.h"
#include "base/must.h"
#include "rng.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define WORDS_MAX    16
#define BROKEN       (LINEAR_NO_VALUE - 1)
#define TTL_MS       INT64_C(1000000000)
#define LOST_DB      1 /* where lost writes go */
#define THREAD_SHIFT 40

/* What a thread remembers of a key. */
struct memory {
    uint64_t seen_version;           /* the last one it met, 0: missing */
    uint64_t old_version, old_value; /* of some read before */
    uint64_t written_version;        /* the last one it wrote */
};

struct worker {
    const struct shim_run *run;
    struct store *store;
    _Atomic unsigned *ready; /* atomic: threads that stand at the start */
    struct linear_op *log;
    struct rng rng;
    struct memory *memory; /* by key */
    uint64_t next_number;
    uint16_t id;
    pthread_t thread;
};

/* What a reader copies. */
struct copy {
    uint64_t words[WORDS_MAX];
    size_t len;
    uint64_t version;
};

/* ---- values ---- */

static size_t
words_of(uint64_t number)
{
    return 1 + number % WORDS_MAX;
}

static struct slice
write_value(uint64_t words[WORDS_MAX], uint64_t number)
{
    const size_t count = words_of(number);

    for (size_t i = 0; i < count; i++)
        words[i] = number;
    return slice_of((const char *)words, count * sizeof(*words));
}

static uint64_t
read_value(const struct copy *copy)
{
    const uint64_t number = copy->words[0];

    if (copy->len != words_of(number) * sizeof(number))
        return BROKEN;
    for (size_t i = 1; i < words_of(number); i++) {
        if (copy->words[i] != number)
            return BROKEN;
    }
    return number;
}

static void
copy_out(void *ctx, const struct store_view *view)
{
    struct copy *copy = ctx;

    copy->version = view->version;
    copy->len = view->value.len;
    if (copy->len <= sizeof(copy->words))
        memcpy(copy->words, view->value.data, copy->len);
}

/* ---- operations ---- */

static bool
strikes(struct worker *w, enum shim_fault fault)
{
    return w->run->fault == fault && rng_below(&w->rng, SHIM_FAULT_EVERY) == 0;
}

static struct store_key
key_of(const struct linear_op *op, uint8_t db)
{
    return (struct store_key){slice_of((const char *)&op->key, sizeof(op->key)),
                              db};
}

/* Changes what a read found, as the fault has it. */
static void
spoil_read(struct worker *w, struct memory *memory, struct copy *copy,
           bool *found)
{
    if (memory->old_version != 0 && strikes(w, SHIM_STALE_READ)) {
        copy->version = memory->old_version;
        copy->len = write_value(copy->words, memory->old_value).len;
        *found = true;
    }
    if (strikes(w, SHIM_FALSE_MISS))
        *found = false;
    if (*found && copy->len > sizeof(uint64_t) && strikes(w, SHIM_TORN_VALUE))
        copy->words[copy->len / sizeof(uint64_t) - 1] ^= 1;
}

static void
do_get(struct worker *w, struct linear_op *op, bool touch)
{
    struct memory *memory = &w->memory[op->key];
    const struct store_key key = key_of(op, 0);
    struct copy copy = {.len = 0};
    bool found;

    found = touch ? store_get_touch(w->store, key, TTL_MS, copy_out, &copy)
                  : store_get(w->store, key, copy_out, &copy);
    spoil_read(w, memory, &copy, &found);
    op->kind = found ? LINEAR_SEEN : LINEAR_MISS;
    op->version = found ? copy.version : 0;
    op->value = found ? read_value(&copy) : LINEAR_NO_VALUE;
    if (found && op->value != BROKEN && rng_below(&w->rng, 16) == 0) {
        memory->old_version = op->version;
        memory->old_value = op->value;
    }
}

/* What an operation learned that its condition stopped. */
static void
log_refusal(struct linear_op *op, enum mz_err err, struct store_if only_if,
            uint64_t version)
{
    must(err == MZ_EXISTS || err == MZ_STALE || err == MZ_MISSING);
    must(err == MZ_MISSING ? version == 0 : version != 0);
    op->kind = err == MZ_MISSING ? LINEAR_MISS : LINEAR_SEEN;
    op->need = err == MZ_STALE ? LINEAR_OTHER : LINEAR_ANY;
    op->needed = only_if.version;
    op->version = version;
    op->value = LINEAR_NO_VALUE;
}

static uint8_t
need_of(struct store_if only_if)
{
    static const uint8_t needs[] = {
        [STORE_ALWAYS] = LINEAR_ANY,
        [STORE_IF_ABSENT] = LINEAR_ABSENT,
        [STORE_IF_PRESENT] = LINEAR_PRESENT,
        [STORE_IF_VERSION] = LINEAR_VERSION,
    };

    return needs[only_if.condition];
}

static enum mz_err
faulty_set(struct worker *w, struct store_write *write, uint64_t *version)
{
    const bool always = write->only_if.condition == STORE_ALWAYS;
    const struct memory *memory;
    enum mz_err err;
    uint32_t key;

    if (always && strikes(w, SHIM_LOST_WRITE))
        write->key.db = LOST_DB;
    if (!always && strikes(w, SHIM_SKIPPED_CONDITION))
        write->only_if.condition = STORE_ALWAYS;
    err = store_set(w->store, write, version);
    memcpy(&key, write->key.key.data, sizeof(key));
    memory = &w->memory[key];
    if (err == MZ_OK && memory->written_version != 0 &&
        strikes(w, SHIM_REUSED_VERSION))
        *version = memory->written_version;
    return err;
}

static void
do_set(struct worker *w, struct linear_op *op, struct store_if only_if)
{
    uint64_t words[WORDS_MAX];
    struct store_write write = {
        .key = key_of(op, 0),
        .kind = VALUE_BYTES,
        .ttl_ms = rng_below(&w->rng, 2) == 0 ? STORE_NEVER : STORE_KEEP_TTL,
        .only_if = only_if,
    };
    uint64_t version;
    enum mz_err err;

    op->value = w->next_number++;
    write.value = write_value(words, op->value);
    err = faulty_set(w, &write, &version);
    if (err != MZ_OK) {
        log_refusal(op, err, only_if, version);
        return;
    }
    op->kind = LINEAR_WRITE;
    op->need = need_of(only_if);
    op->needed = only_if.version;
    op->version = version;
    w->memory[op->key].written_version = version;
}

/* Takes the value away and puts it back, behind everybody's back. */
static void
resurrect(struct worker *w, const struct linear_op *op)
{
    uint64_t words[WORDS_MAX];
    uint64_t version;
    const struct store_write write = {
        .key = key_of(op, 0),
        .value = write_value(words, w->memory[op->key].old_value),
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
        .only_if = {STORE_IF_ABSENT, 0},
    };
    enum mz_err err = store_set(w->store, &write, &version);

    must(err == MZ_OK || err == MZ_EXISTS);
}

static void
do_del(struct worker *w, struct linear_op *op, struct store_if only_if)
{
    struct copy copy;
    uint64_t version;
    bool removed;
    enum mz_err err = MZ_OK;

    if (only_if.condition == STORE_ALWAYS && strikes(w, SHIM_LOST_DELETE))
        removed = store_get(w->store, key_of(op, 0), copy_out, &copy);
    else
        err = store_del(w->store, key_of(op, 0), only_if, &removed, &version);
    if (err != MZ_OK) {
        must(!removed);
        log_refusal(op, err, only_if, version);
        return;
    }
    if (removed && strikes(w, SHIM_RESURRECTION))
        resurrect(w, op);
    op->kind = removed ? LINEAR_DELETE : LINEAR_MISS;
    op->need =
        only_if.condition == STORE_IF_VERSION ? LINEAR_VERSION : LINEAR_ANY;
    op->needed = only_if.version;
    op->version = 0;
    op->value = LINEAR_NO_VALUE;
}

/* ---- threads ---- */

static void
do_something(struct worker *w, struct linear_op *op)
{
    const uint64_t seen = w->memory[op->key].seen_version;
    const uint64_t dice = rng_below(&w->rng, 100);

    if (dice < 35)
        do_get(w, op, false);
    else if (dice < 45)
        do_get(w, op, true);
    else if (dice < 60)
        do_set(w, op, (struct store_if){STORE_ALWAYS, 0});
    else if (dice < 75)
        do_set(w, op, (struct store_if){STORE_IF_VERSION, seen});
    else if (dice < 85)
        do_set(w, op, (struct store_if){STORE_IF_ABSENT, 0});
    else if (dice < 90)
        do_set(w, op, (struct store_if){STORE_IF_PRESENT, 0});
    else if (dice < 96)
        do_del(w, op, (struct store_if){STORE_ALWAYS, 0});
    else
        do_del(w, op, (struct store_if){STORE_IF_VERSION, seen});
}

static void *
work(void *ctx)
{
    struct worker *w = ctx;

    /* Nobody may be through before the last one has begun. */
    atomic_fetch_add(w->ready, 1);
    while (atomic_load(w->ready) < w->run->threads)
        sched_yield();
    for (size_t i = 0; i < w->run->operations; i++) {
        struct linear_op *op = &w->log[i];

        op->thread = w->id;
        op->key = (uint32_t)rng_below(&w->rng, w->run->keys);
        op->call_ns = clock_mono_ns();
        do_something(w, op);
        op->return_ns = clock_mono_ns();
        w->memory[op->key].seen_version = op->version;
    }
    return NULL;
}

/* What *w shares with the others is set. */
static void
start(struct worker *w, unsigned id)
{
    const struct shim_run *run = w->run;

    w->rng.state = run->seed + id;
    w->id = (uint16_t)id;
    w->next_number = ((uint64_t)id + 1) << THREAD_SHIFT;
    w->memory = mem_alloc_zeroed(run->keys, sizeof(*w->memory));
    must(w->memory != NULL);
    must(pthread_create(&w->thread, NULL, work, w) == 0);
}

struct linear_op *
shim_run(const struct shim_run *run)
{
    const size_t total = run->threads * run->operations;
    struct worker *workers = mem_alloc_zeroed(run->threads, sizeof(*workers));
    struct linear_op *log = mem_alloc_zeroed(total, sizeof(*log));
    _Atomic unsigned ready = 0;
    struct store *store;

    must(workers != NULL && log != NULL);
    must(store_new(NULL, &store) == MZ_OK);
    for (unsigned i = 0; i < run->threads; i++) {
        workers[i] = (struct worker){.run = run,
                                     .store = store,
                                     .ready = &ready,
                                     .log = log + i * run->operations};
        start(&workers[i], i);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        must(pthread_join(workers[i].thread, NULL) == 0);
        mem_free(workers[i].memory);
    }
    store_check(store);
    store_free(store);
    mem_free(workers);
    return log;
}

const char *
shim_fault_text(enum shim_fault fault)
{
    static const char *const texts[SHIM_FAULTS] = {
        "sound",        "stale read",     "false miss",        "torn value",
        "lost write",   "reused version", "skipped condition", "lost delete",
        "resurrection",
    };

    must(fault < SHIM_FAULTS);
    return texts[fault];
}
