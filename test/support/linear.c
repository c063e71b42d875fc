/* SPDX-License-Identifier: MIT
 *
 * linear.c - see linear.h, which has the algorithm.
 *
 * Gap g lies behind write g (gap 0 before the first), and has four places:
 *
 *     4g: the write   4g + 1: seen   4g + 2: the delete   4g + 3: misses
 */
#include "linear.h"

#include "base/mem.h"
#include "base/must.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINEAR_ROUNDS 4
#define NOWHERE       SIZE_MAX

enum {
    AT_WRITE,
    AT_SEEN,
    AT_DELETE,
    AT_MISS,
    PLACES
};

/* The operations of one key. Arrays are by operation, by place, by gap, or by
 * open gap. */
struct history {
    struct linear_op *ops; /* the writes first, by version */
    size_t count, writes, gaps;
    size_t *place; /* of each operation, or NOWHERE */
    /* By place: who was called last up to it, who returned first from it on;
     * NULL: nobody. */
    const struct linear_op **latest, **earliest;
    const struct linear_op **demand; /* by gap: who wants a delete in it */
    bool *closed;                    /* by gap: it takes no delete */
    size_t *rank;                    /* of each gap among the open ones */
    size_t *open;                    /* the gaps that are not closed; gap 0,
                                        which needs no delete, is the first */
    size_t opens;
};

/* Open gaps first to last; none when first > last. */
struct range {
    size_t first, last;
};

/* A delete and where it can be. */
struct removal {
    const struct linear_op *op;
    struct range range;
    bool placed;
};

static bool
fault(struct linear_verdict *verdict, enum linear_fault what,
      const struct linear_op *a, const struct linear_op *b)
{
    verdict->fault = what;
    verdict->a = *a;
    verdict->b = b != NULL ? *b : *a;
    return false;
}

static void *
array(size_t count, size_t size)
{
    void *block = mem_alloc_zeroed(count, size);

    must(block != NULL);
    return block;
}

/* ---- 1. places ---- */

static int
by_key_and_version(const void *a, const void *b)
{
    const struct linear_op *x = a, *y = b;
    const bool x_writes = x->kind == LINEAR_WRITE;
    const bool y_writes = y->kind == LINEAR_WRITE;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x_writes != y_writes)
        return x_writes ? -1 : 1;
    if (x->version != y->version)
        return x->version < y->version ? -1 : 1;
    return (x->call_ns > y->call_ns) - (x->call_ns < y->call_ns);
}

/* The gap behind the write of version, or 0. */
static size_t
gap_of_version(const struct history *h, uint64_t version)
{
    size_t low = 0, high = h->writes;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (h->ops[middle].version < version)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->writes && h->ops[low].version == version ? low + 1 : 0;
}

static bool
place_write(struct history *h, size_t i, struct linear_verdict *verdict)
{
    const struct linear_op *op = &h->ops[i];
    const size_t before = i; /* the gap that it ends */

    if (i > 0 && op->version == op[-1].version)
        return fault(verdict, LINEAR_REUSED, op, &op[-1]);
    h->place[i] = PLACES * (i + 1) + AT_WRITE;
    if (op->need == LINEAR_ABSENT) {
        h->demand[before] = op;
    } else if (op->need == LINEAR_PRESENT || op->need == LINEAR_VERSION) {
        if (i == 0 ||
            (op->need == LINEAR_VERSION && op[-1].version != op->needed))
            return fault(verdict, LINEAR_CONDITION, op, NULL);
        h->closed[before] = true;
    }
    return true;
}

static bool
place_seen(struct history *h, size_t i, struct linear_verdict *verdict)
{
    const struct linear_op *op = &h->ops[i];
    const size_t gap = gap_of_version(h, op->version);

    if (gap == 0)
        return fault(verdict, LINEAR_UNKNOWN, op, NULL);
    if (op->value != LINEAR_NO_VALUE && op->value != h->ops[gap - 1].value)
        return fault(verdict, LINEAR_FOREIGN, op, &h->ops[gap - 1]);
    if (op->need == LINEAR_OTHER && op->version == op->needed)
        return fault(verdict, LINEAR_CONDITION, op, NULL);
    h->place[i] = PLACES * gap + AT_SEEN;
    return true;
}

/* Gives a place to all that know theirs. */
static bool
place_known(struct history *h, struct linear_verdict *verdict)
{
    for (size_t i = 0; i < h->count; i++) {
        const struct linear_op *op = &h->ops[i];
        size_t gap;

        if (op->return_ns < op->call_ns)
            return fault(verdict, LINEAR_BACKWARDS, op, NULL);
        h->place[i] = NOWHERE;
        if (op->kind == LINEAR_WRITE && !place_write(h, i, verdict))
            return false;
        if (op->kind == LINEAR_SEEN && !place_seen(h, i, verdict))
            return false;
        if (op->kind != LINEAR_DELETE || op->need != LINEAR_VERSION)
            continue;
        gap = gap_of_version(h, op->needed);
        if (gap == 0)
            return fault(verdict, LINEAR_UNKNOWN, op, NULL);
        h->place[i] = PLACES * gap + AT_DELETE;
    }
    return true;
}

static void
list_open_gaps(struct history *h)
{
    for (size_t gap = 0; gap < h->gaps; gap++) {
        h->rank[gap] = NOWHERE;
        if (gap > 0 && h->closed[gap])
            continue;
        h->rank[gap] = h->opens;
        h->open[h->opens++] = gap;
    }
}

static const struct linear_op *
later_call(const struct linear_op *a, const struct linear_op *b)
{
    return a == NULL || (b != NULL && b->call_ns > a->call_ns) ? b : a;
}

static const struct linear_op *
earlier_return(const struct linear_op *a, const struct linear_op *b)
{
    return a == NULL || (b != NULL && b->return_ns < a->return_ns) ? b : a;
}

/* Works out latest and earliest from the places. */
static void
sum_up(struct history *h)
{
    const size_t places = PLACES * h->gaps;

    memset(h->latest, 0, (places + 1) * sizeof(*h->latest));
    memset(h->earliest, 0, (places + 1) * sizeof(*h->earliest));
    for (size_t i = 0; i < h->count; i++) {
        const size_t place = h->place[i];

        if (place == NOWHERE)
            continue;
        h->latest[place] = later_call(h->latest[place], &h->ops[i]);
        h->earliest[place] = earlier_return(h->earliest[place], &h->ops[i]);
    }
    for (size_t p = 1; p < places; p++)
        h->latest[p] = later_call(h->latest[p], h->latest[p - 1]);
    for (size_t p = places; p-- > 0;)
        h->earliest[p] = earlier_return(h->earliest[p], h->earliest[p + 1]);
}

/* Nobody may have returned before somebody of an earlier place was called. */
static bool
check_order(const struct history *h, struct linear_verdict *verdict)
{
    for (size_t p = 1; p < PLACES * h->gaps; p++) {
        const struct linear_op *before = h->latest[p - 1];
        const struct linear_op *behind = h->earliest[p];

        if (before != NULL && behind != NULL &&
            behind->return_ns < before->call_ns)
            return fault(verdict, LINEAR_ORDER, before, behind);
    }
    return true;
}

/* ---- 2. ranges ---- */

/* Whether op, at this kind of place in gap, would return before somebody of an
 * earlier place is called. */
static bool
too_late(const struct history *h, const struct linear_op *op, size_t gap,
         size_t at)
{
    const struct linear_op *before = h->latest[PLACES * gap + at - 1];

    return before != NULL && op->return_ns < before->call_ns;
}

/* Whether it would be called after somebody of a later place returned. */
static bool
too_early(const struct history *h, const struct linear_op *op, size_t gap,
          size_t at)
{
    const struct linear_op *behind = h->earliest[PLACES * gap + at + 1];

    return behind != NULL && behind->return_ns < op->call_ns;
}

/* The open gaps that a delete or a miss without a place can be in. Both ends
 * are binary searches, as latest and earliest only grow. */
static struct range
range_of(const struct history *h, const struct linear_op *op)
{
    const size_t at = op->kind == LINEAR_DELETE ? AT_DELETE : AT_MISS;
    const size_t start = op->kind == LINEAR_DELETE ? 1 : 0;
    struct range range;
    size_t low = start, high = h->opens;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (too_early(h, op, h->open[middle], at))
            low = middle + 1;
        else
            high = middle;
    }
    range.first = low;
    high = h->opens;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (too_late(h, op, h->open[middle], at))
            high = middle;
        else
            low = middle + 1;
    }
    /* low is one past the last; first 1, last 0 says none. */
    range.last = low - 1;
    if (low <= range.first)
        range = (struct range){1, 0};
    return range;
}

/* Places what has only one gap left; *moved says whether anything had. */
static bool
narrow(struct history *h, bool *moved, struct linear_verdict *verdict)
{
    *moved = false;
    for (size_t i = h->writes; i < h->count; i++) {
        const struct linear_op *op = &h->ops[i];
        struct range range;
        size_t gap;

        if (h->place[i] != NOWHERE)
            continue;
        range = range_of(h, op);
        if (range.first > range.last)
            return fault(verdict,
                         op->kind == LINEAR_DELETE ? LINEAR_NO_KEY
                                                   : LINEAR_NO_DELETE,
                         op, NULL);
        if (range.first != range.last)
            continue;
        gap = h->open[range.first];
        h->place[i] = PLACES * gap +
                      (size_t)(op->kind == LINEAR_DELETE ? AT_DELETE : AT_MISS);
        if (op->kind == LINEAR_MISS)
            h->demand[gap] = op;
        *moved = true;
    }
    return true;
}

/* ---- 3. matching ---- */

static int
by_last_gap(const void *a, const void *b)
{
    const struct removal *x = a, *y = b;

    return (x->range.last > y->range.last) - (x->range.last < y->range.last);
}

static int
by_call(const void *a, const void *b)
{
    const struct removal *x = a, *y = b;

    return (x->op->call_ns > y->op->call_ns) -
           (x->op->call_ns < y->op->call_ns);
}

static size_t
list_removals(const struct history *h, struct removal *removals)
{
    size_t count = 0;

    for (size_t i = h->writes; i < h->count; i++) {
        struct removal *r = &removals[count];
        size_t rank;

        if (h->ops[i].kind != LINEAR_DELETE)
            continue;
        r->op = &h->ops[i];
        r->placed = h->place[i] != NOWHERE;
        if (!r->placed) {
            r->range = range_of(h, r->op);
        } else {
            rank = h->rank[h->place[i] / PLACES];
            r->range = rank == NOWHERE ? (struct range){1, 0}
                                       : (struct range){rank, rank};
        }
        count++;
    }
    return count;
}

/* The first free point from i on; next[] skips what is taken. */
static size_t
first_free(size_t *next, size_t i)
{
    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

/* Takes the first free point of a range, NOWHERE when there is none. Ranges
 * that come in order of their ends get as many points as can be had. */
static size_t
take(size_t *next, struct range range)
{
    size_t point;

    if (range.first > range.last)
        return NOWHERE;
    point = first_free(next, range.first);
    if (point > range.last)
        return NOWHERE;
    next[point] = point + 1;
    return point;
}

static void
all_free(size_t *next, size_t count)
{
    for (size_t i = 0; i <= count; i++)
        next[i] = i;
}

/* Whether all deletes find a gap, one each. */
static bool
match_deletes(const struct history *h, const struct removal *removals,
              size_t count, size_t *next, struct linear_verdict *verdict)
{
    all_free(next, h->opens);
    for (size_t i = 0; i < count; i++) {
        if (take(next, removals[i].range) == NOWHERE)
            return fault(verdict, LINEAR_NO_KEY, removals[i].op, NULL);
    }
    return true;
}

/* Whether all gaps that want a delete can have one: the same with only those
 * as points. wanted[i]: how many of them lie before open gap i. */
static bool
match_demands(const struct history *h, const struct removal *removals,
              size_t count, size_t *next, size_t *wanted,
              struct linear_verdict *verdict)
{
    for (size_t i = 0; i < h->opens; i++)
        wanted[i + 1] =
            wanted[i] + (i > 0 && h->demand[h->open[i]] != NULL ? 1 : 0);
    all_free(next, wanted[h->opens]);
    for (size_t i = 0; i < count; i++) {
        const struct range range = removals[i].range;

        if (wanted[range.last + 1] > wanted[range.first])
            (void)take(next, (struct range){wanted[range.first],
                                            wanted[range.last + 1] - 1});
    }
    for (size_t i = 1; i < h->opens; i++) {
        const struct linear_op *op = h->demand[h->open[i]];

        if (op != NULL && next[wanted[i]] == wanted[i])
            return fault(verdict, LINEAR_NO_DELETE, op, NULL);
    }
    return true;
}

/* A demand in a gap that takes no delete. */
static bool
check_closed(const struct history *h, struct linear_verdict *verdict)
{
    for (size_t gap = 1; gap < h->gaps; gap++) {
        if (h->closed[gap] && h->demand[gap] != NULL)
            return fault(verdict, LINEAR_NO_DELETE, h->demand[gap], NULL);
    }
    return true;
}

/* ---- 4. misses ---- */

/* How many of the removals, which are in order of call, were called before op
 * returned and can be in an open gap up to last. */
static size_t
candidates(const struct removal *removals, size_t count,
           const struct linear_op *op, size_t last)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (removals[middle].op->call_ns <= op->return_ns &&
            removals[middle].range.first <= last)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Every miss without a place needs a delete in its range. fixed[i]: placed
 * deletes before open gap i; reach[i]: the last gap that one of the first
 * i + 1 others can be in. */
static bool
match_misses(const struct history *h, const struct removal *removals,
             size_t count, const size_t *fixed, const size_t *reach,
             struct linear_verdict *verdict)
{
    for (size_t i = h->writes; i < h->count; i++) {
        const struct linear_op *op = &h->ops[i];
        struct range range;
        size_t n;

        if (op->kind != LINEAR_MISS || h->place[i] != NOWHERE)
            continue;
        range = range_of(h, op);
        if (range.first > range.last)
            return fault(verdict, LINEAR_NO_DELETE, op, NULL);
        if (range.first == 0 || fixed[range.last + 1] > fixed[range.first])
            continue;
        n = candidates(removals, count, op, range.last);
        if (n == 0 || reach[n - 1] < range.first)
            return fault(verdict, LINEAR_NO_DELETE, op, NULL);
    }
    return true;
}

static bool
check_misses(const struct history *h, struct removal *removals, size_t count,
             struct linear_verdict *verdict)
{
    size_t *fixed = array(h->opens + 1, sizeof(*fixed));
    size_t *reach = array(count + 1, sizeof(*reach));
    size_t loose = 0;
    bool fine;

    for (size_t i = 0; i < count; i++) {
        if (removals[i].placed)
            fixed[removals[i].range.first + 1]++;
        else
            removals[loose++] = removals[i];
    }
    for (size_t i = 0; i < h->opens; i++)
        fixed[i + 1] += fixed[i];
    qsort(removals, loose, sizeof(*removals), by_call);
    for (size_t i = 0; i < loose; i++) {
        reach[i] = removals[i].range.last;
        if (i > 0 && reach[i - 1] > reach[i])
            reach[i] = reach[i - 1];
    }
    fine = match_misses(h, removals, loose, fixed, reach, verdict);
    mem_free(fixed);
    mem_free(reach);
    return fine;
}

static bool
check_removals(const struct history *h, struct linear_verdict *verdict)
{
    struct removal *removals = array(h->count + 1, sizeof(*removals));
    size_t *next = array(h->gaps + 2, sizeof(*next));
    size_t *wanted = array(h->gaps + 2, sizeof(*wanted));
    const size_t count = list_removals(h, removals);
    bool fine;

    qsort(removals, count, sizeof(*removals), by_last_gap);
    fine = match_deletes(h, removals, count, next, verdict) &&
           match_demands(h, removals, count, next, wanted, verdict) &&
           check_misses(h, removals, count, verdict);
    mem_free(removals);
    mem_free(next);
    mem_free(wanted);
    return fine;
}

/* ---- a key, a log ---- */

static bool
check_history(struct history *h, struct linear_verdict *verdict)
{
    bool moved = true;

    if (!place_known(h, verdict))
        return false;
    list_open_gaps(h);
    for (unsigned round = 0; moved && round < LINEAR_ROUNDS; round++) {
        sum_up(h);
        if (!check_order(h, verdict) || !narrow(h, &moved, verdict))
            return false;
    }
    sum_up(h);
    return check_order(h, verdict) && check_closed(h, verdict) &&
           check_removals(h, verdict);
}

static bool
check_key(struct linear_op *ops, size_t count, struct linear_verdict *verdict)
{
    struct history h = {.ops = ops, .count = count};
    bool fine;

    while (h.writes < count && ops[h.writes].kind == LINEAR_WRITE)
        h.writes++;
    h.gaps = h.writes + 1;
    h.place = array(count, sizeof(*h.place));
    h.latest = array(PLACES * h.gaps + 1, sizeof(*h.latest));
    h.earliest = array(PLACES * h.gaps + 1, sizeof(*h.earliest));
    h.demand = array(h.gaps, sizeof(*h.demand));
    h.closed = array(h.gaps, sizeof(*h.closed));
    h.rank = array(h.gaps, sizeof(*h.rank));
    h.open = array(h.gaps, sizeof(*h.open));
    fine = check_history(&h, verdict);
    mem_free(h.place);
    mem_free(h.latest);
    mem_free(h.earliest);
    mem_free(h.demand);
    mem_free(h.closed);
    mem_free(h.rank);
    mem_free(h.open);
    return fine;
}

bool
linear_check(struct linear_op *ops, size_t count,
             struct linear_verdict *verdict)
{
    size_t first = 0;

    *verdict = (struct linear_verdict){.fault = LINEAR_FINE};
    if (count == 0)
        return true;
    qsort(ops, count, sizeof(*ops), by_key_and_version);
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

const char *
linear_fault_text(enum linear_fault what)
{
    static const char *const texts[] = {
        [LINEAR_FINE] = "fine",
        [LINEAR_BACKWARDS] = "returned before it was called",
        [LINEAR_REUSED] = "one version for two writes",
        [LINEAR_UNKNOWN] = "a version that nobody wrote",
        [LINEAR_FOREIGN] = "another value than was written",
        [LINEAR_CONDITION] = "its condition forbids it",
        [LINEAR_ORDER] = "against real time",
        [LINEAR_NO_DELETE] = "missing, and nobody can have deleted it",
        [LINEAR_NO_KEY] = "removed what cannot have been there",
    };

    must((size_t)what < sizeof(texts) / sizeof(texts[0]));
    return texts[what];
}

static void
print_op(const char *name, const struct linear_op *op)
{
    static const char *const kinds[] = {"seen", "miss", "write", "delete"};
    static const char *const needs[] = {"any", "absent", "present", "version",
                                        "other"};

    printf("  %s: key %" PRIu32 " thread %" PRIu16 " %s version %" PRIu64
           " value %" PRIx64 " need %s %" PRIu64 " from %" PRId64 " to %" PRId64
           " ns\n",
           name, op->key, op->thread, kinds[op->kind], op->version, op->value,
           needs[op->need], op->needed, op->call_ns, op->return_ns);
}

void
linear_print(const struct linear_verdict *verdict)
{
    printf("linear: %s\n", linear_fault_text(verdict->fault));
    if (verdict->fault == LINEAR_FINE)
        return;
    print_op("a", &verdict->a);
    print_op("b", &verdict->b);
}
