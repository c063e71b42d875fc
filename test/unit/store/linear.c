/* SPDX-License-Identifier: MIT
 *
 * linear.c - the store is linearizable for each key; and the checker that says
 * so would see it if it were not.
 *
 * Three times: short logs with a known verdict, random short logs against a
 * judge that tries every order, and threads on a real store, sound and with
 * faults put in.
 */
#include "linear.h"

#include "base/mem.h"
#include "linear_brute.h"
#include "linear_shim.h"
#include "rng.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define THREADS 8
#define KEYS    6

#if defined(MEMOIZER_THREAD_SANITIZER)
#define OPERATIONS        12500 /* of each thread */
#define FAULTY_OPERATIONS 4000
#define RANDOM_LOGS       20000
#elif defined(MEMOIZER_SANITIZED)
#define OPERATIONS        60000
#define FAULTY_OPERATIONS 8000
#define RANDOM_LOGS       50000
#else
#define OPERATIONS        125000
#define FAULTY_OPERATIONS 8000
#define RANDOM_LOGS       200000
#endif

/* ---- short logs ---- */

/* An operation from a to b; the value of version v is 100 + v. */
#define OP(k, v, a, b, ...)                                                    \
    {                                                                          \
        .kind = LINEAR_##k, .version = (v), .value = 100 + (v),                \
        .call_ns = (a), .return_ns = (b), __VA_ARGS__                          \
    }
#define NEED(n, v)          .need = LINEAR_##n, .needed = (v)
#define WRITE(v, a, b, ...) OP(WRITE, v, a, b, __VA_ARGS__)
#define SEEN(v, a, b, ...)  OP(SEEN, v, a, b, __VA_ARGS__)
#define MISS(a, b)          OP(MISS, 0, a, b, .thread = 0)
#define DEL(a, b, ...)      OP(DELETE, 0, a, b, __VA_ARGS__)

#define SHORT_MAX           6

static const struct {
    const char *what;
    enum linear_fault fault;
    struct linear_op ops[SHORT_MAX];
    size_t count;
} short_logs[] = {
    {"miss, write, read",
     LINEAR_FINE,
     {MISS(0, 1), WRITE(1, 2, 3, .thread = 0), SEEN(1, 4, 5, .thread = 0)},
     3},
    {"a read while it is overwritten",
     LINEAR_FINE,
     {WRITE(1, 0, 1, .thread = 0), WRITE(2, 2, 9, .thread = 0),
      SEEN(2, 3, 4, .thread = 0), SEEN(2, 5, 6, .thread = 0),
      SEEN(1, 2, 3, .thread = 0)},
     5},
    {"new, then old",
     LINEAR_ORDER,
     {WRITE(1, 0, 1, .thread = 0), WRITE(2, 2, 9, .thread = 0),
      SEEN(2, 3, 4, .thread = 0), SEEN(1, 5, 6, .thread = 0)},
     4},
    {"overwritten before the read",
     LINEAR_ORDER,
     {WRITE(1, 0, 1, .thread = 0), WRITE(2, 2, 3, .thread = 0),
      SEEN(1, 4, 5, .thread = 0)},
     3},
    {"read before it was written",
     LINEAR_ORDER,
     {WRITE(1, 4, 5, .thread = 0), SEEN(1, 0, 1, .thread = 0)},
     2},
    {"versions against time",
     LINEAR_ORDER,
     {WRITE(2, 0, 1, .thread = 0), WRITE(1, 2, 3, .thread = 0)},
     2},
    {"one version twice",
     LINEAR_REUSED,
     {WRITE(1, 0, 1, .thread = 0), WRITE(1, 2, 3, .thread = 0)},
     2},
    {"a version from nowhere", LINEAR_UNKNOWN, {SEEN(1, 0, 1, .thread = 0)}, 1},
    {"a value of another version",
     LINEAR_FOREIGN,
     {WRITE(1, 0, 1, .thread = 0),
      {.kind = LINEAR_SEEN,
       .version = 1,
       .value = 5,
       .call_ns = 2,
       .return_ns = 3}},
     2},
    {"a delete explains a miss",
     LINEAR_FINE,
     {WRITE(1, 0, 1, .thread = 0), DEL(2, 9, .thread = 0), MISS(3, 4)},
     3},
    {"a miss without a delete",
     LINEAR_NO_DELETE,
     {WRITE(1, 0, 1, .thread = 0), MISS(3, 4)},
     2},
    {"a miss before the delete",
     LINEAR_ORDER,
     {WRITE(1, 0, 1, .thread = 0), MISS(3, 4), DEL(5, 6, .thread = 0)},
     3},
    {"a miss before the delete of a version",
     LINEAR_NO_DELETE,
     {WRITE(1, 0, 1, .thread = 0), MISS(3, 4), DEL(5, 6, NEED(VERSION, 1))},
     3},
    {"read after the delete",
     LINEAR_NO_KEY,
     {WRITE(1, 0, 1, .thread = 0), DEL(2, 3, .thread = 0),
      SEEN(1, 4, 5, .thread = 0)},
     3},
    {"removed twice",
     LINEAR_NO_KEY,
     {WRITE(1, 0, 1, .thread = 0), DEL(2, 9, .thread = 0),
      DEL(2, 9, .thread = 0)},
     3},
    {"removed twice, written between",
     LINEAR_FINE,
     {WRITE(1, 0, 1, .thread = 0), DEL(2, 9, .thread = 0),
      DEL(2, 9, .thread = 0), WRITE(2, 2, 9, NEED(ABSENT, 0))},
     4},
    {"put as absent over a value",
     LINEAR_NO_DELETE,
     {WRITE(1, 0, 1, .thread = 0), WRITE(2, 2, 3, NEED(ABSENT, 0))},
     2},
    {"two puts as absent, one delete",
     LINEAR_NO_DELETE,
     {WRITE(1, 0, 1, .thread = 0), WRITE(2, 2, 9, NEED(ABSENT, 0)),
      WRITE(3, 2, 9, NEED(ABSENT, 0)), DEL(2, 9, .thread = 0)},
     4},
    {"put over an old version",
     LINEAR_CONDITION,
     {WRITE(1, 0, 1, .thread = 0), WRITE(2, 2, 3, .thread = 0),
      WRITE(3, 4, 5, NEED(VERSION, 1))},
     3},
    {"put as present over nothing",
     LINEAR_CONDITION,
     {WRITE(1, 0, 1, NEED(PRESENT, 0))},
     1},
    {"a delete where the next write found the key",
     LINEAR_NO_KEY,
     {WRITE(1, 0, 1, .thread = 0), DEL(2, 3, .thread = 0),
      WRITE(2, 4, 5, NEED(VERSION, 1))},
     3},
    {"stale, with the version that was wanted",
     LINEAR_CONDITION,
     {WRITE(1, 0, 1, .thread = 0), SEEN(1, 2, 3, NEED(OTHER, 1))},
     2},
    {"a delete of a version that came later",
     LINEAR_ORDER,
     {WRITE(1, 4, 5, .thread = 0), DEL(0, 1, NEED(VERSION, 1))},
     2},
    {"back before it went", LINEAR_BACKWARDS, {MISS(5, 4)}, 1},
};

START_TEST(judges_short_logs)
{
    const size_t count = sizeof(short_logs) / sizeof(short_logs[0]);

    for (size_t i = 0; i < count; i++) {
        struct linear_op ops[SHORT_MAX];
        struct linear_verdict verdict;

        memcpy(ops, short_logs[i].ops, sizeof(ops));
        ck_assert_msg(brute_check(ops, short_logs[i].count) ==
                          (short_logs[i].fault == LINEAR_FINE),
                      "%s: the log is not what it says", short_logs[i].what);
        linear_check(ops, short_logs[i].count, &verdict);
        ck_assert_msg(verdict.fault == short_logs[i].fault, "%s: %s",
                      short_logs[i].what, linear_fault_text(verdict.fault));
    }
}
END_TEST

START_TEST(keeps_keys_apart)
{
    struct linear_op ops[] = {WRITE(1, 0, 1, .key = 7), MISS(2, 3),
                              SEEN(1, 4, 5, .key = 7)};
    struct linear_verdict verdict;

    ck_assert(linear_check(ops, 3, &verdict));
    ck_assert(linear_check(ops, 0, &verdict));
}
END_TEST

/* ---- random short logs ---- */

/* A key as one thread would see it, to draw logs that have an explanation. */
struct model {
    uint64_t version, counter;
    bool present;
};

static void
draw_write(struct rng *rng, struct model *model, struct linear_op *op)
{
    op->kind = LINEAR_WRITE;
    if (rng_below(rng, 2) == 0)
        op->need = model->present ? LINEAR_PRESENT : LINEAR_ABSENT;
    if (model->present && rng_below(rng, 3) == 0)
        op->need = LINEAR_VERSION;
    op->needed = model->version;
    model->version = ++model->counter;
    model->present = true;
    op->version = model->version;
}

static void
draw_op(struct rng *rng, struct model *model, struct linear_op *op)
{
    const uint64_t dice = rng_below(rng, 10);

    if (dice < 4) {
        draw_write(rng, model, op);
    } else if (dice < 7 && model->present) {
        op->kind = LINEAR_DELETE;
        op->need = rng_below(rng, 3) == 0 ? LINEAR_VERSION : LINEAR_ANY;
        op->needed = model->version;
        model->present = false;
    } else {
        op->kind = model->present ? LINEAR_SEEN : LINEAR_MISS;
        op->version = model->present ? model->version : 0;
    }
    op->value = 100 + op->version;
}

/* One change, which may or may not leave an explanation. */
static void
spoil(struct rng *rng, struct linear_op *op)
{
    const int64_t shift = (int64_t)rng_below(rng, 61) - 30;

    switch (rng_below(rng, 4)) {
    case 0:
        op->call_ns += shift;
        op->return_ns += shift;
        break;
    case 1:
        op->version = 1 + rng_below(rng, 3);
        op->value = 100 + op->version;
        break;
    case 2:
        op->kind = rng_below(rng, 2) == 0 ? LINEAR_DELETE : LINEAR_MISS;
        op->need = LINEAR_ANY;
        break;
    default:
        if (op->kind == LINEAR_WRITE) {
            op->need = (uint8_t)rng_below(rng, LINEAR_OTHER);
            op->needed = rng_below(rng, 4);
        }
    }
}

static size_t
draw_log(struct rng *rng, struct linear_op *ops)
{
    const size_t count = 2 + rng_below(rng, BRUTE_MAX - 1);
    const uint64_t width = 1 + rng_below(rng, 40);
    struct model model = {0};

    for (size_t i = 0; i < count; i++) {
        const int64_t at = 100 + 10 * (int64_t)i;

        ops[i] = (struct linear_op){.call_ns = at, .return_ns = at};
        ops[i].call_ns -= (int64_t)rng_below(rng, width);
        ops[i].return_ns += (int64_t)rng_below(rng, width);
        draw_op(rng, &model, &ops[i]);
    }
    for (uint64_t n = rng_below(rng, 3); n > 0; n--)
        spoil(rng, &ops[rng_below(rng, count)]);
    return count;
}

static bool
has_misses(const struct linear_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (ops[i].kind == LINEAR_MISS)
            return true;
    }
    return false;
}

static void
print_log(const struct linear_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        linear_print(&(struct linear_verdict){LINEAR_ORDER, ops[i], ops[i]});
}

START_TEST(agrees_with_every_order_tried)
{
    struct rng rng = {rng_test_seed()};
    size_t refused = 0, passed = 0, missed = 0;

    for (size_t n = 0; n < RANDOM_LOGS; n++) {
        struct linear_op ops[BRUTE_MAX];
        struct linear_verdict verdict;
        const size_t count = draw_log(&rng, ops);
        const bool truth = brute_check(ops, count);
        const bool fine = linear_check(ops, count, &verdict);

        if (fine != truth && (truth || !has_misses(ops, count))) {
            linear_print(&verdict);
            print_log(ops, count);
            ck_abort_msg("log %zu: %s", n, fine ? "passed" : "a false alarm");
        }
        missed += fine && !truth;
        refused += !truth;
        passed += truth;
    }
    printf("random logs: %zu sound, %zu faulty, of these %zu not seen\n",
           passed, refused, missed);
    ck_assert_uint_gt(passed, RANDOM_LOGS / 10);
    ck_assert_uint_gt(refused, RANDOM_LOGS / 10);
    /* Only misses that would have to be placed together get through. */
    ck_assert_uint_lt(missed, refused / 100);
}
END_TEST

/* ---- threads on a store ---- */

static bool
run(enum shim_fault fault, size_t operations, uint64_t seed)
{
    const struct shim_run shim = {fault, THREADS, KEYS, operations, seed};
    struct linear_verdict verdict;
    struct linear_op *log = shim_run(&shim);
    const int64_t begin_ns = clock_mono_ns();
    const bool fine = linear_check(log, THREADS * operations, &verdict);

    printf("%s: %zu operations, judged in %d ms: ", shim_fault_text(fault),
           THREADS * operations, (int)((clock_mono_ns() - begin_ns) / 1000000));
    linear_print(&verdict);
    mem_free(log);
    return fine;
}

START_TEST(store_is_linearizable)
{
    ck_assert(run(SHIM_SOUND, OPERATIONS, rng_test_seed()));
}
END_TEST

START_TEST(each_fault_is_seen)
{
    const uint64_t seed = rng_test_seed();

    for (int fault = SHIM_SOUND + 1; fault < SHIM_FAULTS; fault++)
        ck_assert_msg(!run((enum shim_fault)fault, FAULTY_OPERATIONS, seed),
                      "%s is not seen",
                      shim_fault_text((enum shim_fault)fault));
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, judges_short_logs);
    tcase_add_test(tc, keeps_keys_apart);
    tcase_add_test(tc, agrees_with_every_order_tried);
    tcase_add_test(tc, store_is_linearizable);
    tcase_add_test(tc, each_fault_is_seen);
}

TEST_MAIN("linear", fill)
