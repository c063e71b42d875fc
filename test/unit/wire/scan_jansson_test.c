/* SPDX-License-Identifier: MIT
 *
 * scan_jansson_test.c - the scanner and jansson agree on random texts.
 *
 * Texts of test/data/json, cut, joined, flipped and stuffed with what JSON is
 * made of. What may differ is listed in scan_judge.h.
 */
#include "guard_page.h"
#include "rng.h"
#include "scan_corpus.h"
#include "scan_judge.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX     512 /* longer ones are cut: many short ones find more */
#define FOLDER_COUNT 3

#if defined(MEMOIZER_SANITIZED)
#define MUTATION_COUNT 100000
#else
#define MUTATION_COUNT 400000
#endif

struct text {
    char data[TEXT_MAX];
    size_t len;
};

static const char *const pieces[] = {
    "\"",
    "\\",
    "\\\"",
    "\\u",
    "\\ud800",
    "\\udc00",
    "\\u0000",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "[[[[[[[[",
    ",",
    ":",
    " ",
    "\t",
    "\r",
    "\n",
    "\f",
    "\"a\"",
    "\"a\":",
    "{\"\":",
    "0",
    "-",
    "1.5",
    ".",
    "e",
    "E+",
    "1e999",
    "99999999",
    "true",
    "false",
    "null",
    "\x01",
    "\x1f",
    "\x7f",
    "\x80",
    "\xbf",
    "\xc2",
    "\xe0",
    "\xed",
    "\xf0",
    "\xf4",
    "\xff",
    "\xc3\xa9",
    "\xe2\x82\xac",
    "\xf0\x9f\x98\x80",
    "aaaaaaaaaaaaaaaa",
    "\xef\xbb\xbf",
};

/* Puts what fits of len bytes in at `at`. */
static void
insert(struct text *text, size_t at, const char *data, size_t len)
{
    if (len > TEXT_MAX - text->len)
        len = TEXT_MAX - text->len;
    memmove(text->data + at + len, text->data + at, text->len - at);
    memcpy(text->data + at, data, len);
    text->len += len;
}

static void
insert_piece(struct text *text, size_t at, struct rng *rng)
{
    const size_t count = sizeof(pieces) / sizeof(pieces[0]);
    const char *piece = pieces[rng_below(rng, count)];

    insert(text, at, piece, strlen(piece));
}

static void
mutate(struct text *text, struct rng *rng, const struct corpus_text *other)
{
    size_t at = rng_below(rng, text->len + 1);
    size_t run = rng_below(rng, text->len - at + 1);
    char copy[TEXT_MAX];

    switch (rng_below(rng, 8)) {
    case 0: /* a bit flips */
        if (at < text->len)
            text->data[at] = (char)(text->data[at] ^ 1 << rng_below(rng, 8));
        break;
    case 1: /* any byte */
        if (at < text->len)
            text->data[at] = (char)rng_below(rng, 256);
        break;
    case 2: /* a run is lost */
        run = run < 8 ? run : 1;
        memmove(text->data + at, text->data + at + run, text->len - at - run);
        text->len -= run;
        break;
    case 3: /* a run comes twice */
        memcpy(copy, text->data + at, run);
        insert(text, at, copy, run);
        break;
    case 4: /* the tail is lost */
        text->len = at;
        break;
    case 5: /* something else comes in between */
        insert(text, at, other->data, other->len);
        break;
    default:
        insert_piece(text, at, rng);
        break;
    }
}

static void
print_text(const char *why, const struct text *text)
{
    printf("%s:", why);
    for (size_t i = 0; i < text->len; i++)
        printf(" %02x", (unsigned char)text->data[i]);
    printf("\n%.*s\n", (int)text->len, text->data);
}

/* Any text of any of the three folders. */
static const struct corpus_text *
any_text(const struct corpus corpora[FOLDER_COUNT], struct rng *rng)
{
    const struct corpus *corpus = &corpora[rng_below(rng, FOLDER_COUNT)];

    return &corpus->texts[rng_below(rng, corpus->count)];
}

START_TEST(agrees_with_jansson)
{
    struct corpus corpora[FOLDER_COUNT] = {
        corpus_load("accept"), corpus_load("reject"), corpus_load("either")};
    struct rng rng = {rng_test_seed()};
    char zeros[TEXT_MAX] = {0};
    struct guarded g = guarded_copy(zeros, sizeof(zeros));
    struct text text;

    for (size_t i = 0; i < MUTATION_COUNT; i++) {
        const struct corpus_text *first = any_text(corpora, &rng);
        const char *wrong;

        text.len = 0;
        insert(&text, 0, first->data, first->len);
        for (uint64_t n = rng_below(&rng, 4); n > 0; n--)
            mutate(&text, &rng, any_text(corpora, &rng));
        wrong = scan_disagreement(text.data, text.len,
                                  g.data + TEXT_MAX - text.len);
        if (wrong != NULL)
            print_text(wrong, &text);
        ck_assert_ptr_null(wrong);
    }
    guarded_free(&g);
    for (size_t i = 0; i < FOLDER_COUNT; i++)
        corpus_free(&corpora[i]);
}
END_TEST

/* The corpora themselves, uncut. */
START_TEST(agrees_on_the_corpora)
{
    static const char *const folders[] = {"accept", "reject", "either"};
    char *scratch = malloc(CORPUS_TEXT_MAX);

    ck_assert_ptr_nonnull(scratch);
    for (size_t f = 0; f < FOLDER_COUNT; f++) {
        struct corpus corpus = corpus_load(folders[f]);

        for (size_t i = 0; i < corpus.count; i++) {
            const struct corpus_text *t = &corpus.texts[i];
            const char *wrong = scan_disagreement(t->data, t->len, scratch);

            ck_assert_msg(wrong == NULL, "%s: %s", t->name, wrong);
        }
        corpus_free(&corpus);
    }
    free(scratch);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, agrees_on_the_corpora);
    tcase_add_test(tc, agrees_with_jansson);
}

TEST_MAIN("scan_jansson", fill)
