/* SPDX-License-Identifier: MIT
 *
 * resp_glob_test.c - patterns of names: by example, against a matcher that is
 * plainly right, and the ones that take others for ever.
 */
#include "service/resp_glob.h"

#include "guard_page.h"
#include "rng.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static bool
fits(const char *pattern, const char *text)
{
    return resp_glob_match(slice_of_string(pattern), slice_of_string(text));
}

START_TEST(knows_its_elements)
{
    static const struct {
        const char *pattern, *text;
        bool fits;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "anything", true},
        {"?", "a", true},
        {"?", "", false},
        {"?", "ab", false},
        {"a*", "a", true},
        {"a*c", "abbbc", true},
        {"a*c", "abbbd", false},
        {"*he*", "the end", true},
        {"*he*", "tend", false},
        {"h?llo", "hello", true},
        {"h[ae]llo", "hallo", true},
        {"h[ae]llo", "hillo", false},
        {"h[^e]llo", "hallo", true},
        {"h[^e]llo", "hello", false},
        {"h[a-b]?", "hax", true},
        {"h[a-b]?", "hcx", false},
        {"h[b-a]?", "hax", true}, /* a range may be the wrong way round */
        {"\\*", "*", true},
        {"\\*", "a", false},
        {"a\\?b", "a?b", true},
        {"a\\?b", "axb", false},
        {"\\", "\\", true}, /* nothing behind it */
        {"a\\", "a\\", true},
        {"[\\]]", "]", true},
        {"[\\^a]", "^", true},
        {"[abc", "b", true}, /* not closed: ends with the pattern */
        {"[abc", "d", false},
        {"[^abc", "d", true},
        {"[", "a", false},
        {"[^", "a", true},
        {"[]", "a", false},
        {"[]a]", "a]", false},
        {"[a-]x", "]", true}, /* "]" is the end of the range */
        {"**", "abc", true},
        {"*a*b*c*", "xxaxxbxxcxx", true},
        {"*a*b*c*", "xxaxxcxxbxx", false},
        {"a*", "A", false},
        {"*\\", "a\\", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(fits(cases[i].pattern, cases[i].text) == cases[i].fits,
                      "\"%s\" and \"%s\"", cases[i].pattern, cases[i].text);
}
END_TEST

START_TEST(is_binary_safe)
{
    const struct slice pattern = SLICE_LITERAL("a\0*\xff");
    const struct slice text = SLICE_LITERAL("a\0\0\n\xff");
    const struct slice other = SLICE_LITERAL("ab\0\n\xff");

    ck_assert(resp_glob_match(pattern, text));
    ck_assert(!resp_glob_match(pattern, other));
    ck_assert(resp_glob_match(slice_of_string("[\x80-\xff]"),
                              slice_of_string("\xc3")));
    ck_assert(
        !resp_glob_match(slice_of_string("[\x80-\xff]"), slice_of_string("a")));
}
END_TEST

START_TEST(any_case)
{
    const struct slice pattern = slice_of_string("MAX[a-C]*\\X");

    ck_assert(resp_glob_match_any_case(pattern, slice_of_string("maxBooox")));
    ck_assert(!resp_glob_match_any_case(pattern, slice_of_string("maxdooox")));
    ck_assert(!resp_glob_match(pattern, slice_of_string("maxBooox")));
}
END_TEST

START_TEST(prefixes)
{
    static const char *const cases[][2] = {
        {"sess:*", "sess:"}, {"plain", "plain"}, {"*", ""},      {"", ""},
        {"a?", "a"},         {"a[b]", "a"},      {"a\\*b", "a"}, {"]a", "]a"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert(slice_is(resp_glob_prefix(slice_of_string(cases[i][0])),
                           cases[i][1]));
    ck_assert_uint_eq(
        resp_glob_prefix((struct slice)SLICE_LITERAL("a\0b*")).len, 3);
}
END_TEST

/* Tries everything that a star could take: right, and slow. Without brackets
 * and backslashes. */
static bool
fits_plainly(struct slice pattern, struct slice text)
{
    const struct slice rest = slice_of(pattern.data + 1, pattern.len - 1);

    if (pattern.len == 0)
        return text.len == 0;
    if (pattern.data[0] == '*') {
        for (size_t took = 0; took <= text.len; took++) {
            if (fits_plainly(rest, slice_of(text.data + took, text.len - took)))
                return true;
        }
        return false;
    }
    if (text.len == 0 ||
        (pattern.data[0] != '?' && pattern.data[0] != text.data[0]))
        return false;
    return fits_plainly(rest, slice_of(text.data + 1, text.len - 1));
}

START_TEST(agrees_with_a_plain_matcher)
{
    struct rng rng = {rng_test_seed()};
    size_t fitting = 0;

    for (int round = 0; round < 200000; round++) {
        char pattern[8], text[8];
        size_t pattern_len = rng_below(&rng, sizeof pattern + 1);
        size_t text_len = rng_below(&rng, sizeof text + 1);
        struct slice p = slice_of(pattern, pattern_len);
        struct slice t = slice_of(text, text_len);
        bool want;

        for (size_t i = 0; i < pattern_len; i++)
            pattern[i] = "ab*?"[rng_below(&rng, 4)];
        for (size_t i = 0; i < text_len; i++)
            text[i] = "ab"[rng_below(&rng, 2)];
        want = fits_plainly(p, t);
        fitting += want;
        ck_assert_msg(resp_glob_match(p, t) == want, "\"%.*s\" and \"%.*s\"",
                      (int)p.len, p.data, (int)t.len, t.data);
    }
    ck_assert_uint_gt(fitting, 10000);
}
END_TEST

/* Whatever a pattern is, nothing behind its end or that of the text is read. */
START_TEST(reads_nothing_else)
{
    struct rng rng = {rng_test_seed()};

    for (int round = 0; round < 20000; round++) {
        char pattern[8], text[4];
        size_t pattern_len = rng_below(&rng, sizeof pattern + 1);
        size_t text_len = rng_below(&rng, sizeof text + 1);
        struct guarded guarded_pattern, guarded_text;

        for (size_t i = 0; i < pattern_len; i++)
            pattern[i] = "a-^[]\\*?"[rng_below(&rng, 8)];
        for (size_t i = 0; i < text_len; i++)
            text[i] = "a-]^"[rng_below(&rng, 4)];
        guarded_pattern = guarded_copy(pattern, pattern_len);
        guarded_text = guarded_copy(text, text_len);
        (void)resp_glob_match(slice_of(guarded_pattern.data, pattern_len),
                              slice_of(guarded_text.data, text_len));
        guarded_free(&guarded_pattern);
        guarded_free(&guarded_text);
    }
}
END_TEST

/* A matcher that tries every star again would need longer than there is. */
START_TEST(many_stars_end)
{
    enum {
        STARS = 1000,
        TEXT = 60000
    };
    char pattern[2 * STARS + 1], *text = malloc(TEXT);

    memset(text, 'a', TEXT);
    for (size_t i = 0; i < STARS; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    pattern[sizeof pattern - 1] = 'b';
    ck_assert(!resp_glob_match(slice_of(pattern, sizeof pattern),
                               slice_of(text, TEXT)));
    text[TEXT - 1] = 'b';
    ck_assert(resp_glob_match(slice_of(pattern, sizeof pattern),
                              slice_of(text, TEXT)));
    free(text);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, knows_its_elements);
    tcase_add_test(tc, is_binary_safe);
    tcase_add_test(tc, any_case);
    tcase_add_test(tc, prefixes);
    tcase_add_test(tc, agrees_with_a_plain_matcher);
    tcase_add_test(tc, reads_nothing_else);
    tcase_add_test(tc, many_stars_end);
}

TEST_MAIN("resp_glob", fill)
