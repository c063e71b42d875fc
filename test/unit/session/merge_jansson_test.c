/* SPDX-License-Identifier: MIT
 *
 * merge_jansson_test.c - random patches on random targets, against RFC 7396 on
 * jansson's trees.
 *
 * Names come from a small set with many spellings, so that both texts share
 * and double them; numbers have spellings that no program would choose.
 */
#include "base/buf.h"
#include "merge_judge.h"
#include "rng.h"
#include "suite.h"

#include <stdio.h>

#if defined(MEMOIZER_SANITIZED)
#define PAIR_COUNT 6000
#else
#define PAIR_COUNT 30000
#endif

#define DEEPEST 5 /* of random values; then scalars only */

static const char *const names[] = {
    "a",        "\\u0061", "b",   "\\u0062",        "ab",
    "a\\u0062", "",        "\\n", "\\u000A",        "\xc3\xa9",
    "\\u00e9",  "\\u00E9", "c",   "\\ud83d\\ude00", "\xf0\x9f\x98\x80",
    "\\/",      "/",       "d",
};

static const char *const scalars[] = {
    "null",
    "null",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1.10",
    "1E1",
    "10",
    "1.0e+1",
    "0.50",
    "9007199254740993",
    "\"\"",
    "\"x\"",
    "[]",
    "[null]",
    "{}",
    "\"\\u0078\"",
    "[ 1 ]",
    "\"}\"",
    "\"\\\\\"",
    "\"\\\"\"",
    "{ }",
    "[{\"a\":null}]",
    "\"null\"",
};

#define PICK(rng, list) ((list)[rng_below(rng, sizeof(list) / sizeof *(list))])

static void
put_blanks(struct buf *out, struct rng *rng)
{
    static const char *const blanks[] = {"", "", "", "", " ", "  ", "\t", "\n"};

    buf_put_string(out, PICK(rng, blanks));
}

static void put_value(struct buf *out, struct rng *rng, unsigned depth);

static void
put_object(struct buf *out, struct rng *rng, unsigned depth)
{
    uint64_t count = rng_below(rng, 7);

    buf_put_char(out, '{');
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            buf_put_char(out, ',');
        put_blanks(out, rng);
        buf_printf(out, "\"%s\"", PICK(rng, names));
        put_blanks(out, rng);
        buf_put_char(out, ':');
        put_value(out, rng, depth + 1);
    }
    buf_put_char(out, '}');
}

static void
put_value(struct buf *out, struct rng *rng, unsigned depth)
{
    put_blanks(out, rng);
    if (depth < DEEPEST && rng_below(rng, 2) == 0)
        put_object(out, rng, depth);
    else
        buf_put_string(out, PICK(rng, scalars));
    put_blanks(out, rng);
}

/* Mostly an object, sometimes anything. */
static void
put_text(struct buf *out, struct rng *rng)
{
    out->len = 0;
    if (rng_below(rng, 8) == 0)
        put_value(out, rng, 0);
    else
        put_object(out, rng, 0);
    ck_assert(!out->failed);
}

START_TEST(agrees_with_jansson)
{
    struct rng rng = {rng_test_seed()};
    struct buf patch = {0}, target = {0};

    for (size_t i = 0; i < PAIR_COUNT; i++) {
        const char *wrong;

        put_text(&patch, &rng);
        put_text(&target, &rng);
        if (rng_below(&rng, 16) == 0)
            target.len = 0;
        ck_assert(merge_judge_takes(buf_slice(&patch)));
        wrong = merge_judge(buf_slice(&patch), buf_slice(&target), i);
        if (wrong != NULL)
            printf("patch  %.*s\ntarget %.*s\n", (int)patch.len, patch.data,
                   (int)target.len, target.data);
        ck_assert_msg(wrong == NULL, "%s", wrong);
    }
    buf_fini(&patch);
    buf_fini(&target);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, agrees_with_jansson);
}

TEST_MAIN("merge_jansson", fill)
