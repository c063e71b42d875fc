/* SPDX-License-Identifier: MIT
 *
 * session_linear.c - see session_linear.h, which has the method.
 *
 * An operation under way has a slot, whose bit in `done` says that a
 * possibility has it behind it.
 */
#include "session_linear.h"

#include "base/mem.h"
#include "base/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct possibility {
    struct session_state state;
    uint64_t done; /* bits of slots */
};

/* Different possibilities, in the order in which they came, and a hash table
 * of their numbers. A bucket whose stamp is not the pool's is free, so that
 * clearing costs nothing. */
struct pool {
    struct possibility *items;
    size_t count, capacity;
    struct bucket {
        uint32_t stamp, item;
    } * buckets;
    size_t bucket_count; /* a power of two, at least twice the capacity */
    uint32_t stamp;
    bool full; /* more than SESSION_POSSIBLE came */
};

/* An operation under way. */
struct pending {
    const struct session_op *op;
    uint64_t previous; /* a write: the version that must be the last one */
    bool reads, writes;
};

/* The walk through one key. Arrays are by operation. */
struct walk {
    struct session_op *ops; /* by call */
    size_t count;
    const struct session_op **returns; /* by return */
    uint64_t *previous;
    uint8_t *slots;
    struct pending pending[SESSION_PENDING];
    uint64_t used;   /* slots */
    size_t returned; /* how many of returns have been handled */
    struct pool now, next;
    struct session_verdict *verdict;
};

static void *
array(size_t count, size_t size)
{
    void *block = mem_alloc_zeroed(count, size);

    must(block != NULL);
    return block;
}

/* ---- pools ---- */

static uint64_t
mixed(uint64_t hash, uint64_t word)
{
    struct rng rng = {hash ^ word};

    return rng_next(&rng);
}

static uint64_t
hash_of(const struct possibility *p)
{
    const struct session_value *value = &p->state.value;
    uint64_t hash = mixed(p->done, p->state.version);

    hash = mixed(hash, (uint64_t)value->number);
    for (int i = 0; i < SESSION_MEMBERS; i++)
        hash = mixed(hash, value->members[i]);
    return mixed(hash, value->type + (p->state.expires ? 256U : 0));
}

/* The bucket that has *p, or the free one where it belongs. */
static struct bucket *
bucket_of(const struct pool *pool, const struct possibility *p)
{
    size_t i = hash_of(p) & (pool->bucket_count - 1);

    while (pool->buckets[i].stamp == pool->stamp) {
        const struct possibility *other = &pool->items[pool->buckets[i].item];

        if (other->done == p->done &&
            session_same_state(&other->state, &p->state))
            break;
        i = (i + 1) & (pool->bucket_count - 1);
    }
    return &pool->buckets[i];
}

static void
pool_grow(struct pool *pool)
{
    pool->capacity = pool->capacity == 0 ? 32 : 2 * pool->capacity;
    pool->items =
        mem_realloc(pool->items, pool->capacity * sizeof(*pool->items));
    must(pool->items != NULL);
    mem_free(pool->buckets);
    pool->bucket_count = 2 * pool->capacity;
    pool->buckets = array(pool->bucket_count, sizeof(*pool->buckets));
    pool->stamp = 1;
    for (size_t i = 0; i < pool->count; i++)
        *bucket_of(pool, &pool->items[i]) = (struct bucket){1, (uint32_t)i};
}

static void
pool_add(struct pool *pool, const struct possibility *p)
{
    const struct possibility copy = *p; /* may be one of pool->items */
    struct bucket *bucket;

    if (pool->count == pool->capacity)
        pool_grow(pool);
    bucket = bucket_of(pool, &copy);
    if (bucket->stamp == pool->stamp)
        return;
    if (pool->count == SESSION_POSSIBLE) {
        pool->full = true;
        return;
    }
    *bucket = (struct bucket){pool->stamp, (uint32_t)pool->count};
    pool->items[pool->count++] = copy;
}

static void
pool_clear(struct pool *pool)
{
    pool->count = 0;
    pool->full = false;
    if (++pool->stamp == 0) {
        memset(pool->buckets, 0, pool->bucket_count * sizeof(*pool->buckets));
        pool->stamp = 1;
    }
}

static void
pool_fini(struct pool *pool)
{
    mem_free(pool->items);
    mem_free(pool->buckets);
}

/* ---- calls and returns ---- */

static bool
fault(struct walk *w, enum session_fault what, const struct session_op *op)
{
    struct session_verdict *verdict = w->verdict;
    const size_t last = w->returned < SESSION_LAST ? w->returned : SESSION_LAST;

    verdict->fault = what;
    verdict->op = *op;
    verdict->state = (struct session_state){.version = 0};
    if (w->now.count > 0)
        verdict->state = w->now.items[0].state;
    for (size_t i = w->returned - last; i < w->returned; i++)
        verdict->near[verdict->nears++] = *w->returns[i];
    for (uint64_t left = w->used; left != 0; left &= left - 1) {
        const struct session_op *other = w->pending[__builtin_ctzll(left)].op;

        if (other != op)
            verdict->near[verdict->nears++] = *other;
    }
    return false;
}

/* Does every operation under way that fits and changes nothing. */
static void
do_reads(const struct walk *w, struct possibility *p)
{
    for (uint64_t left = w->used & ~p->done; left != 0; left &= left - 1) {
        const struct pending *pending = &w->pending[__builtin_ctzll(left)];

        if (pending->reads && session_step(&p->state, pending->op))
            p->done |= left & -left;
    }
}

/* Adds what *p becomes by each operation that may be next and changes
 * something. */
static void
branch(struct walk *w, const struct possibility *p)
{
    for (uint64_t left = w->used & ~p->done; left != 0; left &= left - 1) {
        const struct pending *pending = &w->pending[__builtin_ctzll(left)];
        struct possibility after = *p;

        if (pending->reads ||
            (pending->writes && pending->previous != p->state.version) ||
            !session_step(&after.state, pending->op))
            continue;
        after.done |= left & -left;
        pool_add(&w->now, &after);
    }
}

static size_t
index_of(const struct walk *w, const struct session_op *op)
{
    return (size_t)(op - w->ops);
}

static bool
handle_call(struct walk *w, const struct session_op *op)
{
    const size_t i = index_of(w, op);
    unsigned slot;

    if (w->used == UINT64_MAX)
        return fault(w, SESSION_GAVE_UP, op);
    w->verdict->overlapping += w->used != 0;
    slot = (unsigned)__builtin_ctzll(~w->used);
    w->pending[slot] = (struct pending){op, w->previous[i], session_reads(op),
                                        session_writes(op)};
    w->slots[i] = (uint8_t)slot;
    w->used |= UINT64_C(1) << slot;
    return true;
}

/* Turns the possibilities in w->now into those in w->next, which have the
 * operation with this bit behind them and do not speak of it any more. */
static void
settle(struct walk *w, uint64_t bit)
{
    pool_clear(&w->next);
    /* branch() adds to w->now. */
    for (size_t i = 0; i < w->now.count; i++) {
        struct possibility p = w->now.items[i];

        if ((p.done & bit) == 0)
            do_reads(w, &p);
        if ((p.done & bit) == 0) {
            branch(w, &p);
        } else {
            p.done &= ~bit;
            pool_add(&w->next, &p);
        }
    }
}

static bool
handle_return(struct walk *w, const struct session_op *op)
{
    const uint64_t bit = UINT64_C(1) << w->slots[index_of(w, op)];
    struct pool swapped;

    settle(w, bit);
    if (w->now.count > w->verdict->possible)
        w->verdict->possible = w->now.count;
    if (w->now.full)
        return fault(w, SESSION_GAVE_UP, op);
    if (w->next.count == 0)
        return fault(w, SESSION_NO_ORDER, op);
    swapped = w->now;
    w->now = w->next;
    w->next = swapped;
    w->used &= ~bit;
    w->returned++;
    return true;
}

/* ---- a key, a log ---- */

static int
by_key_and_call(const void *a, const void *b)
{
    const struct session_op *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->call_ns > y->call_ns) - (x->call_ns < y->call_ns);
}

static int
by_return(const void *a, const void *b)
{
    const struct session_op *const *x = a, *const *y = b;

    return ((*x)->return_ns > (*y)->return_ns) -
           ((*x)->return_ns < (*y)->return_ns);
}

static int
by_version(const void *a, const void *b)
{
    const struct session_op *const *x = a, *const *y = b;
    const uint64_t v = (*x)->answer.version, u = (*y)->answer.version;

    return (v > u) - (v < u);
}

/* Finds for each write the version before it. */
static bool
chain_writes(struct walk *w)
{
    const struct session_op **writes = w->returns; /* not in use yet */
    size_t count = 0;

    for (size_t i = 0; i < w->count; i++) {
        if (w->ops[i].return_ns < w->ops[i].call_ns)
            return fault(w, SESSION_BACKWARDS, &w->ops[i]);
        if (session_writes(&w->ops[i]))
            writes[count++] = &w->ops[i];
    }
    qsort(writes, count, sizeof(*writes), by_version);
    for (size_t i = 1; i < count; i++) {
        const uint64_t previous = writes[i - 1]->answer.version;

        if (writes[i]->answer.version == previous)
            return fault(w, SESSION_REUSED, writes[i]);
        w->previous[index_of(w, writes[i])] = previous;
    }
    return true;
}

/* Calls and returns in order of time; of the same moment the calls first, as
 * they do overlap. */
static bool
walk_through(struct walk *w)
{
    const struct possibility start = {.done = 0};
    size_t call = 0;

    for (size_t i = 0; i < w->count; i++)
        w->returns[i] = &w->ops[i];
    qsort(w->returns, w->count, sizeof(*w->returns), by_return);
    pool_add(&w->now, &start);
    for (size_t i = 0; i < w->count; i++) {
        while (call < w->count &&
               w->ops[call].call_ns <= w->returns[i]->return_ns) {
            if (!handle_call(w, &w->ops[call++]))
                return false;
        }
        if (!handle_return(w, w->returns[i]))
            return false;
    }
    return true;
}

static bool
check_key(struct session_op *ops, size_t count, struct session_verdict *verdict)
{
    struct walk w = {.ops = ops, .count = count, .verdict = verdict};
    bool fine;

    w.returns = array(count, sizeof(*w.returns));
    w.previous = array(count, sizeof(*w.previous));
    w.slots = array(count, sizeof(*w.slots));
    fine = chain_writes(&w) && walk_through(&w);
    mem_free(w.returns);
    mem_free(w.previous);
    mem_free(w.slots);
    pool_fini(&w.now);
    pool_fini(&w.next);
    return fine;
}

bool
session_check(struct session_op *ops, size_t count,
              struct session_verdict *verdict)
{
    size_t first = 0;

    *verdict = (struct session_verdict){.fault = SESSION_FINE};
    if (count == 0)
        return true;
    qsort(ops, count, sizeof(*ops), by_key_and_call);
    while (first < count) {
        size_t end = first + 1;

        while (end < count && ops[end].key == ops[first].key)
            end++;
        if (!check_key(ops + first, end - first, verdict))
            return false;
        first = end;
    }
    return true;
}

void
session_print(const struct session_verdict *verdict)
{
    static const char *const texts[] = {
        [SESSION_FINE] = "fine",
        [SESSION_BACKWARDS] = "returned before it was called",
        [SESSION_REUSED] = "one version for two writes",
        [SESSION_NO_ORDER] = "no order explains it",
        [SESSION_GAVE_UP] = "GAVE UP, too many possibilities",
    };

    must((size_t)verdict->fault < sizeof(texts) / sizeof(texts[0]));
    printf("sessions: %s\n", texts[verdict->fault]);
    if (verdict->fault == SESSION_FINE)
        return;
    session_print_op(&verdict->op);
    session_print_state(&verdict->state);
    printf("  around it:\n");
    for (size_t i = 0; i < verdict->nears; i++)
        session_print_op(&verdict->near[i]);
}

/* ---- for the other judge ---- */

static const uint8_t needs[] = {
    [SESSION_ALWAYS] = LINEAR_ANY,
    [SESSION_IF_ABSENT] = LINEAR_ABSENT,
    [SESSION_IF_PRESENT] = LINEAR_PRESENT,
    [SESSION_IF_VERSION] = LINEAR_VERSION,
};

/* A refusal, or a read that found nothing or a version. False: it tells of no
 * version and of no missing key. */
static bool
project_read(const struct session_op *op, struct linear_op *out)
{
    const struct session_answer *answer = &op->answer;
    const bool missed = answer->code == SESSION_ABSENT ||
                        (answer->code == SESSION_OK && !answer->found);

    if (!missed && answer->version == 0)
        return false;
    out->kind = missed ? LINEAR_MISS : LINEAR_SEEN;
    out->need = answer->code == SESSION_STALE ? LINEAR_OTHER : LINEAR_ANY;
    return true;
}

static bool
project(const struct session_op *op, struct linear_op *out)
{
    *out = (struct linear_op){.version = op->answer.version,
                              .needed = op->request.if_version,
                              .value = LINEAR_NO_VALUE,
                              .call_ns = op->call_ns,
                              .return_ns = op->return_ns,
                              .key = op->key,
                              .thread = op->thread};
    if (session_writes(op)) {
        out->kind = LINEAR_WRITE;
        out->need = needs[op->request.only_if];
        return true;
    }
    if (op->request.kind == SESSION_DEL && op->answer.found) {
        out->kind = LINEAR_DELETE;
        out->need = op->request.only_if == SESSION_IF_VERSION ? LINEAR_VERSION
                                                              : LINEAR_ANY;
        return true;
    }
    return project_read(op, out);
}

size_t
session_project(const struct session_op *ops, size_t count,
                struct linear_op *out)
{
    size_t taken = 0;

    for (size_t i = 0; i < count; i++)
        taken += project(&ops[i], &out[taken]);
    return taken;
}
