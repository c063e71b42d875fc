/* SPDX-License-Identifier: MIT
 *
 * session_linear_test.c - the judge of system_linear is right: short logs with
 * a known verdict, random short logs against a judge that tries every order,
 * many clients on one key, and logs that are too much for it.
 */
#include "session_linear.h"

#include "base/mem.h"
#include "base/must.h"
#include "rng.h"
#include "session_brute.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#if defined(MEMOIZER_SANITIZED)
#define RANDOM_LOGS     30000
#define WIDE_OPERATIONS 20000
#else
#define RANDOM_LOGS     200000
#define WIDE_OPERATIONS 100000
#endif

/* ---- short logs ---- */

/* An operation from a to b; what it asked; what it was answered. */
#define OP(a, b, ...)                                                          \
    {                                                                          \
        .call_ns = (a), .return_ns = (b), __VA_ARGS__                          \
    }
#define ASK(k, ...)   .request = {.kind = SESSION_##k, __VA_ARGS__}
#define SAID(...)     .answer = {.found = true, __VA_ARGS__}
#define REFUSED(c, v) .answer = {.code = SESSION_##c, .version = (v)}
#define NOTHING       .answer = {.code = SESSION_OK}
#define IF(c)         .only_if = SESSION_IF_##c
#define IF_VERSION(v) .only_if = SESSION_IF_VERSION, .if_version = (v)
#define KEEP          .ttl = SESSION_KEEP_TTL
#define TTL           .ttl = SESSION_TTL
#define PLAIN         .ttl = SESSION_NO_TTL
#define VERSION(v)    .version = (v)
#define INTEGER(n)    .value = {.type = SESSION_INTEGER, .number = (n)}
#define OBJECT(x, y)  .value = {.type = SESSION_OBJECT, .members = {x, y}}

/* Common ones. */
#define SET(a, b, n, v)    OP(a, b, ASK(SET, INTEGER(n)), SAID(VERSION(v)))
#define PUT(a, b, x, y, v) OP(a, b, ASK(SET, OBJECT(x, y)), SAID(VERSION(v)))
#define MERGE(a, b, x, y, v)                                                   \
    OP(a, b, ASK(MERGE, OBJECT(x, y)), SAID(VERSION(v)))
#define SEE(a, b, x, y, v)                                                     \
    OP(a, b, ASK(GET, PLAIN), SAID(OBJECT(x, y), VERSION(v)))
#define INCR(a, b, by, n, v)                                                   \
    OP(a, b, ASK(INCR, INTEGER(by)), SAID(INTEGER(n), VERSION(v)))
#define DEL(a, b)       OP(a, b, ASK(DEL, PLAIN), SAID(VERSION(0)))
#define MISS(a, b)      OP(a, b, ASK(GET, PLAIN), NOTHING)

#define GET(a, b, n, v) OP(a, b, ASK(GET, PLAIN), SAID(INTEGER(n), VERSION(v)))

#define SHORT_MAX       6

static const struct {
    const char *what;
    enum session_fault fault;
    struct session_op ops[SHORT_MAX];
    size_t count;
} short_logs[] = {
    /* versions and real time */
    {"miss, set, get",
     SESSION_FINE,
     {MISS(0, 1), SET(2, 3, 7, 1), GET(4, 5, 7, 1)},
     3},
    {"a get while it is overwritten",
     SESSION_FINE,
     {SET(0, 1, 7, 1), SET(2, 9, 8, 2), GET(3, 4, 8, 2), GET(2, 3, 7, 1)},
     4},
    {"new, then old",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), SET(2, 9, 8, 2), GET(3, 4, 8, 2), GET(5, 6, 7, 1)},
     4},
    {"a get that is too old",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), SET(2, 3, 8, 2), GET(4, 5, 7, 1)},
     3},
    {"a get before its set",
     SESSION_NO_ORDER,
     {SET(4, 5, 7, 1), GET(0, 1, 7, 1)},
     2},
    {"a lost set", SESSION_NO_ORDER, {SET(0, 1, 7, 1), MISS(2, 3)}, 2},
    {"versions against time",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 2), SET(2, 3, 8, 1)},
     2},
    {"versions the other way round",
     SESSION_FINE,
     {SET(0, 5, 7, 2), SET(2, 3, 8, 1), GET(6, 7, 7, 2)},
     3},
    {"one version twice",
     SESSION_REUSED,
     {SET(0, 1, 7, 1), SET(2, 3, 8, 1)},
     2},
    {"one version again after a del",
     SESSION_REUSED,
     {SET(0, 1, 7, 1), DEL(2, 3), SET(4, 5, 8, 1)},
     3},
    {"a version from nowhere",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), GET(2, 3, 7, 2)},
     2},
    {"another value", SESSION_NO_ORDER, {SET(0, 1, 7, 1), GET(2, 3, 8, 1)}, 2},
    {"back before it went", SESSION_BACKWARDS, {MISS(5, 4)}, 1},
    /* merge */
    {"two merges, both kept",
     SESSION_FINE,
     {PUT(0, 1, 1, 1, 1), MERGE(2, 9, 2, 0, 2), MERGE(2, 9, 0, 3, 3),
      SEE(10, 11, 2, 3, 3)},
     4},
    {"a merge that is lost to another",
     SESSION_NO_ORDER,
     {PUT(0, 1, 1, 1, 1), MERGE(2, 9, 2, 0, 2), MERGE(2, 9, 0, 3, 3),
      SEE(10, 11, 1, 3, 3)},
     4},
    {"a merge of nothing",
     SESSION_FINE,
     {MERGE(0, 1, 2, SESSION_NULL, 1), SEE(2, 3, 2, 0, 1)},
     2},
    {"a merge that takes a member away",
     SESSION_FINE,
     {PUT(0, 1, 1, 2, 1), MERGE(2, 3, 0, SESSION_NULL, 2), SEE(4, 5, 1, 0, 2)},
     3},
    {"a merge of an integer",
     SESSION_FINE,
     {SET(0, 1, 7, 1), MERGE(2, 3, 4, 0, 2), SEE(4, 5, 4, 0, 2)},
     3},
    {"a del between two merges",
     SESSION_FINE,
     {MERGE(0, 1, 1, 0, 1), DEL(2, 9), MERGE(3, 4, 0, 2, 2),
      SEE(10, 11, 0, 2, 2)},
     4},
    {"a del on either side of a merge",
     SESSION_FINE,
     {MERGE(0, 1, 1, 0, 1), DEL(2, 9), MERGE(3, 4, 0, 2, 2), SEE(5, 6, 1, 2, 2),
      MISS(10, 11)},
     5},
    {"a del that nobody can place",
     SESSION_NO_ORDER,
     {MERGE(0, 1, 1, 0, 1), DEL(2, 9), MERGE(3, 4, 0, 2, 2),
      SEE(10, 11, 1, 2, 2)},
     4},
    {"the del shows two merges later",
     SESSION_NO_ORDER,
     {MERGE(0, 1, 1, 0, 1), DEL(2, 3), MERGE(4, 5, 0, 2, 2),
      MERGE(6, 7, 0, 3, 3), SEE(8, 9, 1, 3, 3)},
     5},
    /* incr */
    {"an incr of nothing",
     SESSION_FINE,
     {INCR(0, 1, 5, 5, 1), INCR(2, 3, -2, 3, 2)},
     2},
    {"two incrs, both counted",
     SESSION_FINE,
     {INCR(0, 9, 1, 2, 2), INCR(0, 9, 1, 1, 1)},
     2},
    {"two incrs, one counted",
     SESSION_NO_ORDER,
     {INCR(0, 9, 1, 1, 1), INCR(0, 9, 1, 1, 2)},
     2},
    {"an incr done twice",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), INCR(2, 3, 1, 9, 3)},
     2},
    {"a del between two incrs",
     SESSION_FINE,
     {INCR(0, 1, 1, 1, 1), INCR(2, 9, 1, 1, 2), DEL(2, 9)},
     3},
    {"an incr of an object",
     SESSION_FINE,
     {PUT(0, 1, 1, 0, 1), SET(2, 9, 3, 2),
      OP(2, 9, ASK(INCR, INTEGER(1)), REFUSED(NOT_INTEGER, 0)),
      INCR(2, 9, 1, 4, 3)},
     4},
    {"no integer, but it is one",
     SESSION_NO_ORDER,
     {SET(0, 1, 3, 1),
      OP(2, 3, ASK(INCR, INTEGER(1)), REFUSED(NOT_INTEGER, 0))},
     2},
    {"counted, but it is an object",
     SESSION_NO_ORDER,
     {PUT(0, 1, 1, 0, 1), INCR(2, 3, 1, 1, 2)},
     2},
    /* conditions */
    {"as absent, absent",
     SESSION_FINE,
     {OP(0, 1, ASK(SET, INTEGER(7), IF(ABSENT)), SAID(VERSION(1)))},
     1},
    {"as absent over a value",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1),
      OP(2, 3, ASK(SET, INTEGER(8), IF(ABSENT)), SAID(VERSION(2)))},
     2},
    {"as absent, refused",
     SESSION_FINE,
     {SET(0, 1, 7, 1),
      OP(2, 3, ASK(SET, INTEGER(8), IF(ABSENT)), REFUSED(EXISTS, 1))},
     2},
    {"as absent, refused for nothing",
     SESSION_NO_ORDER,
     {OP(2, 3, ASK(SET, INTEGER(8), IF(ABSENT)), REFUSED(EXISTS, 1))},
     1},
    {"two as absent, one del",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), DEL(2, 9),
      OP(2, 9, ASK(SET, INTEGER(8), IF(ABSENT)), SAID(VERSION(2))),
      OP(2, 9, ASK(SET, INTEGER(9), IF(ABSENT)), SAID(VERSION(3)))},
     4},
    {"as present over nothing",
     SESSION_NO_ORDER,
     {OP(0, 1, ASK(SET, INTEGER(7), IF(PRESENT)), SAID(VERSION(1)))},
     1},
    {"as present, refused",
     SESSION_FINE,
     {OP(0, 1, ASK(SET, INTEGER(7), IF(PRESENT)), REFUSED(ABSENT, 0))},
     1},
    {"the version that is there",
     SESSION_FINE,
     {SET(0, 1, 7, 1),
      OP(2, 3, ASK(MERGE, OBJECT(3, 0), IF_VERSION(1)), SAID(VERSION(2)))},
     2},
    {"an old version",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), SET(2, 3, 8, 2),
      OP(4, 5, ASK(SET, INTEGER(9), IF_VERSION(1)), SAID(VERSION(3)))},
     3},
    {"an old version, refused",
     SESSION_FINE,
     {SET(0, 1, 7, 1), SET(2, 3, 8, 2),
      OP(4, 5, ASK(SET, INTEGER(9), IF_VERSION(1)), REFUSED(STALE, 2))},
     3},
    {"the right version, refused",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1),
      OP(4, 5, ASK(SET, INTEGER(9), IF_VERSION(1)), REFUSED(STALE, 1))},
     2},
    /* del, has, touch */
    {"a del that removes",
     SESSION_FINE,
     {SET(0, 1, 7, 1), DEL(2, 3), MISS(4, 5)},
     3},
    {"a del that is undone",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), DEL(2, 3), GET(4, 5, 7, 1)},
     3},
    {"removed twice",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), DEL(2, 9), DEL(2, 9)},
     3},
    {"removed nothing, but it is there",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), OP(2, 3, ASK(DEL, PLAIN), NOTHING)},
     2},
    {"removed as an old version",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), SET(2, 3, 8, 2),
      OP(4, 5, ASK(DEL, IF_VERSION(1)), SAID(VERSION(0)))},
     3},
    {"has, and it is there",
     SESSION_FINE,
     {SET(0, 1, 7, 1), OP(2, 3, ASK(HAS, PLAIN), SAID(VERSION(0)))},
     2},
    {"has not, but it is there",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), OP(2, 3, ASK(HAS, PLAIN), NOTHING)},
     2},
    {"touched nothing",
     SESSION_NO_ORDER,
     {OP(2, 3, ASK(TOUCH, TTL), SAID(VERSION(0)))},
     1},
    {"touched",
     SESSION_FINE,
     {SET(0, 1, 7, 1), OP(2, 3, ASK(TOUCH, TTL), SAID(VERSION(0))),
      OP(4, 5, ASK(GET, PLAIN), SAID(INTEGER(7), VERSION(1), .expires = true))},
     3},
    {"touched, and no ttl",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1), OP(2, 3, ASK(TOUCH, TTL), SAID(VERSION(0))),
      GET(4, 5, 7, 1)},
     3},
    /* ttls */
    {"a ttl that a set takes away",
     SESSION_FINE,
     {OP(0, 1, ASK(SET, INTEGER(7), TTL), SAID(VERSION(1))), SET(2, 3, 8, 2),
      GET(4, 5, 8, 2)},
     3},
    {"a ttl that a set leaves",
     SESSION_NO_ORDER,
     {OP(0, 1, ASK(SET, INTEGER(7), TTL), SAID(VERSION(1))), SET(2, 3, 8, 2),
      OP(4, 5, ASK(GET, PLAIN), SAID(INTEGER(8), VERSION(2), .expires = true))},
     3},
    {"a ttl that is kept",
     SESSION_FINE,
     {OP(0, 1, ASK(SET, INTEGER(7), TTL), SAID(VERSION(1))),
      OP(2, 3, ASK(SET, INTEGER(8), KEEP), SAID(VERSION(2))),
      OP(4, 5, ASK(GET, PLAIN), SAID(INTEGER(8), VERSION(2), .expires = true))},
     3},
    {"a merge loses the ttl",
     SESSION_NO_ORDER,
     {OP(0, 1, ASK(SET, OBJECT(1, 0), TTL), SAID(VERSION(1))),
      MERGE(2, 3, 0, 2, 2), SEE(4, 5, 1, 2, 2)},
     3},
    {"an incr gives a ttl to an old key",
     SESSION_NO_ORDER,
     {SET(0, 1, 7, 1),
      OP(2, 3, ASK(INCR, INTEGER(1), TTL), SAID(INTEGER(8), VERSION(2))),
      OP(4, 5, ASK(GET, PLAIN), SAID(INTEGER(8), VERSION(2), .expires = true))},
     3},
    {"a get that touches",
     SESSION_FINE,
     {SET(0, 1, 7, 1),
      OP(2, 9, ASK(GET, TTL), SAID(INTEGER(7), VERSION(1), .expires = true)),
      GET(2, 9, 7, 1),
      OP(10, 11, ASK(GET, PLAIN),
         SAID(INTEGER(7), VERSION(1), .expires = true))},
     4},
};

START_TEST(judges_short_logs)
{
    for (size_t i = 0; i < sizeof(short_logs) / sizeof(short_logs[0]); i++) {
        struct session_op ops[SHORT_MAX];
        struct session_verdict verdict;

        memcpy(ops, short_logs[i].ops, sizeof(ops));
        ck_assert_msg(session_brute(ops, short_logs[i].count) ==
                          (short_logs[i].fault == SESSION_FINE),
                      "%s: the log is not what it says", short_logs[i].what);
        session_check(ops, short_logs[i].count, &verdict);
        if (verdict.fault != short_logs[i].fault)
            session_print(&verdict);
        ck_assert_msg(verdict.fault == short_logs[i].fault, "%s",
                      short_logs[i].what);
    }
}
END_TEST

START_TEST(keeps_keys_apart)
{
    struct session_op ops[] = {SET(0, 1, 7, 1), MISS(2, 3), GET(4, 5, 7, 1)};
    struct session_verdict verdict;

    ck_assert(!session_check(ops, 3, &verdict));
    ops[1].key = 5;
    ck_assert(session_check(ops, 3, &verdict));
    ck_assert(session_check(ops, 0, &verdict));
}
END_TEST

/* ---- random short logs ---- */

/* The next operation of a sound server. Some conditions name old versions. */
static void
draw_op(struct rng *rng, struct session_state *state, uint64_t *counter,
        struct session_op *op)
{
    uint64_t version = state->version;

    if (version > 1 && rng_below(rng, 3) == 0)
        version = 1 + rng_below(rng, version);
    session_draw(rng, version, &op->request);
    op->answer = session_do(state, &op->request, *counter + 1);
    *counter += session_writes(op);
}

static void
spoil_request(struct rng *rng, struct session_request *request)
{
    switch (rng_below(rng, 4)) {
    case 0:
        request->only_if = (uint8_t)rng_below(rng, 4);
        request->if_version = 1 + rng_below(rng, 4);
        break;
    case 1:
        request->ttl = (uint8_t)rng_below(rng, 3);
        break;
    case 2:
        request->value.number += request->value.type == SESSION_INTEGER;
        break;
    default:
        if (request->value.type == SESSION_OBJECT)
            request->value.members[0] = (uint16_t)rng_below(rng, 3);
    }
}

static void
spoil_answer(struct rng *rng, struct session_answer *answer)
{
    switch (rng_below(rng, 5)) {
    case 0:
        if (answer->version != 0)
            answer->version = 1 + rng_below(rng, 4);
        break;
    case 1:
        answer->found = !answer->found;
        break;
    case 2:
        answer->expires = !answer->expires;
        break;
    case 3:
        answer->code = (uint8_t)rng_below(rng, SESSION_NOT_INTEGER + 1);
        break;
    default:
        if (answer->value.type == SESSION_OBJECT)
            answer->value.members[rng_below(rng, SESSION_MEMBERS)] ^= 1;
        else if (answer->value.type == SESSION_INTEGER)
            answer->value.number++;
    }
}

/* One change, which may or may not leave an explanation. */
static void
spoil(struct rng *rng, struct session_op *op)
{
    const int64_t shift = (int64_t)rng_below(rng, 61) - 30;

    switch (rng_below(rng, 3)) {
    case 0:
        op->call_ns += shift;
        op->return_ns += shift;
        break;
    case 1:
        spoil_request(rng, &op->request);
        break;
    default:
        spoil_answer(rng, &op->answer);
    }
}

static size_t
draw_log(struct rng *rng, struct session_op *ops)
{
    const size_t count = 2 + rng_below(rng, SESSION_BRUTE_MAX - 1);
    const uint64_t width = 1 + rng_below(rng, 40);
    struct session_state state = {.version = 0};
    uint64_t counter = 0;

    for (size_t i = 0; i < count; i++) {
        const int64_t at = 100 + 10 * (int64_t)i;

        ops[i] = (struct session_op){.call_ns = at, .return_ns = at};
        ops[i].call_ns -= (int64_t)rng_below(rng, width);
        ops[i].return_ns += (int64_t)rng_below(rng, width);
        draw_op(rng, &state, &counter, &ops[i]);
    }
    for (uint64_t n = rng_below(rng, 3); n > 0; n--)
        spoil(rng, &ops[rng_below(rng, count)]);
    return count;
}

/* The other judge knows less, but is never wrong when it finds a fault. */
static bool
other_judge(const struct session_op *ops, size_t count)
{
    struct linear_op others[SESSION_BRUTE_MAX];
    struct linear_verdict verdict;

    return linear_check(others, session_project(ops, count, others), &verdict);
}

START_TEST(agrees_with_every_order_tried)
{
    struct rng rng = {rng_test_seed()};
    size_t passed = 0, refused = 0, others = 0;

    for (size_t n = 0; n < RANDOM_LOGS; n++) {
        struct session_op ops[SESSION_BRUTE_MAX];
        struct session_verdict verdict;
        const size_t count = draw_log(&rng, ops);
        const bool truth = session_brute(ops, count);
        const bool fine = session_check(ops, count, &verdict);
        const bool others_fine = other_judge(ops, count);

        if (fine != truth || (truth && !others_fine)) {
            for (size_t i = 0; i < count; i++)
                session_print_op(&ops[i]);
            ck_abort_msg("log %zu: %s", n, fine ? "passed" : "a false alarm");
        }
        passed += truth;
        refused += !truth;
        others += !others_fine;
    }
    printf("random logs: %zu sound, %zu faulty, %zu by versions alone\n",
           passed, refused, others);
    ck_assert_uint_gt(passed, RANDOM_LOGS / 10);
    ck_assert_uint_gt(refused, RANDOM_LOGS / 10);
}
END_TEST

/* ---- many operations on one key ---- */

#define WIDE_CLIENTS 12

/* All clients have an operation of one key under way all the time. */
START_TEST(bears_all_clients_on_one_key)
{
    struct session_op *ops = mem_alloc_zeroed(WIDE_OPERATIONS, sizeof(*ops));
    struct rng rng = {rng_test_seed()};
    struct session_state state = {.version = 0};
    struct session_verdict verdict;
    int64_t back_ns[WIDE_CLIENTS] = {0};
    uint64_t counter = 0;

    must(ops != NULL);
    for (size_t i = 0; i < WIDE_OPERATIONS; i++) {
        const int64_t at = 1000 * (int64_t)(i + 1);
        const size_t client = i % WIDE_CLIENTS;

        /* It is called as soon as its client is back. */
        ops[i].call_ns = back_ns[client] + 1;
        ops[i].return_ns =
            at + (int64_t)rng_below(&rng, 1000 * (WIDE_CLIENTS - 1));
        back_ns[client] = ops[i].return_ns;
        draw_op(&rng, &state, &counter, &ops[i]);
    }
    ck_assert(session_check(ops, WIDE_OPERATIONS, &verdict));
    printf("%d clients on one key: at most %zu possibilities\n", WIDE_CLIENTS,
           verdict.possible);
    ck_assert_uint_gt(verdict.overlapping, WIDE_OPERATIONS - 20);
    mem_free(ops);
}
END_TEST

/* There is an order, but the judge must not say that it found one. */
START_TEST(giving_up_is_no_pass)
{
    static const struct session_op first = SET(0, 1, 7, 1);
    struct session_op ops[SESSION_PENDING + 2];
    struct session_verdict verdict;

    ops[0] = first;
    for (size_t i = 1; i <= SESSION_PENDING + 1; i++)
        ops[i] = (struct session_op)OP(
            2, 9, ASK(TOUCH, .ttl = i % 2 == 0 ? SESSION_TTL : SESSION_NO_TTL),
            SAID(VERSION(0)));
    ck_assert(!session_check(ops, 1 + 20, &verdict));
    ck_assert_int_eq(verdict.fault, SESSION_GAVE_UP);
    ck_assert(!session_check(ops, 1 + SESSION_PENDING + 1, &verdict));
    ck_assert_int_eq(verdict.fault, SESSION_GAVE_UP);
    ck_assert(session_check(ops, 1 + 10, &verdict));
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, judges_short_logs);
    tcase_add_test(tc, keeps_keys_apart);
    tcase_add_test(tc, agrees_with_every_order_tried);
    tcase_add_test(tc, bears_all_clients_on_one_key);
    tcase_add_test(tc, giving_up_is_no_pass);
}

TEST_MAIN("session_linear", fill)
