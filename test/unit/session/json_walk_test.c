/* SPDX-License-Identifier: MIT
 *
 * json_walk_test.c - spans of values and members, and what names mean. Every
 * text ends where the readable memory ends.
 */
#include "guard_page.h"
#include "rng.h"
#include "session/json_walk.h"
#include "suite.h"

#include <stdio.h>

#define NAME_MAX_LEN 1000

/* Values and what may follow them. */
static const char *const values[] = {
    "1",
    "-0.5e+10",
    "true",
    "null",
    "\"\"",
    "\"a\"",
    "\"\\\"\"",
    "\"\\\\\"",
    "\"\\\\\\\"\"",
    "\"]}\\\",\"",
    "[]",
    "{}",
    "[1,[2,{\"a\":\"]\"}],\"}\"]",
    "{\"a\\\"}\":{\"b\":[1]},\"c\":\"\\\\\"}",
    "[ 1 , 2 ]",
};

static const char *const tails[] = {
    "", " ", ",1", "}", "]", "\n", "\t,", "\r\n",
};

START_TEST(finds_the_end_of_values)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (size_t j = 0; j < sizeof tails / sizeof tails[0]; j++) {
            char text[100];
            size_t len = (size_t)snprintf(text, sizeof text, "%s%s", values[i],
                                          tails[j]);
            struct guarded g = guarded_copy(text, len);
            struct json_walk walk = {g.data, g.data + len};
            struct slice value = json_walk_value(&walk);

            ck_assert_msg(slice_is(value, values[i]), "%s", text);
            ck_assert_ptr_eq(walk.at, g.data + strlen(values[i]));
            guarded_free(&g);
        }
    }
}
END_TEST

START_TEST(walks_over_members)
{
    static const char text[] = " \t\r\n{ \"a\" : 1 ,\"b\":{\"a\":2},\n"
                               "\"\\u0063\"\t:\"x\\\"y\" , \"\":[] } ";
    static const char *const expected[] = {
        "a", "1", "b", "{\"a\":2}", "\\u0063", "\"x\\\"y\"", "", "[]",
    };
    struct guarded g = guarded_copy(text, strlen(text));
    struct json_walk walk = json_walk_begin(slice_of(g.data, strlen(text)));
    struct slice name;
    size_t i = 0;

    ck_assert(json_walk_at_object(&walk));
    json_walk_enter(&walk);
    while (json_walk_member(&walk, &name)) {
        ck_assert(slice_is(name, expected[i]));
        ck_assert(slice_is(json_walk_value(&walk), expected[i + 1]));
        i += 2;
    }
    ck_assert_uint_eq(i, 8);
    ck_assert_int_eq(walk.at[-1], '}');
    guarded_free(&g);
}
END_TEST

START_TEST(an_empty_object_has_no_members)
{
    static const char *const texts[] = {"{}", "{ }", "{\n\n}"};

    for (size_t i = 0; i < 3; i++) {
        struct guarded g = guarded_copy(texts[i], strlen(texts[i]));
        struct json_walk walk = {g.data, g.data + strlen(texts[i])};
        struct slice name;

        json_walk_enter(&walk);
        ck_assert(!json_walk_member(&walk, &name));
        ck_assert_ptr_eq(walk.at, walk.end);
        guarded_free(&g);
    }
}
END_TEST

/* Spellings of one name each, with bytes given where they hold a NUL. */
static const char *const spellings[][4] = {
    {"a", "\\u0061", "\\u0061", "a"},
    {"ab", "a\\u0062", "\\u0061b", "\\u0061\\u0062"},
    {"/", "\\/", "\\u002f", "\\u002F"},
    {"\\\"", "\\u0022", "\\\"", "\\u0022"},
    {"\\\\", "\\u005c", "\\u005C", "\\\\"},
    {"\\b\\f\\n\\r\\t", "\\u0008\\u000c\\u000a\\u000d\\u0009",
     "\\u0008\\f\\u000A\\r\\u0009", "\\b\\u000C\\n\\u000D\\t"},
    {"\\u0000", "\\u0000", "\\u0000", "\\u0000"},
    {"x\\u0000y", "\\u0078\\u0000y", "x\\u0000\\u0079", "x\\u0000y"},
    {"\xc3\xa9", "\\u00e9", "\\u00E9", "\xc3\xa9"},
    {"\xe2\x82\xac", "\\u20ac", "\\u20AC", "\xe2\x82\xac"},
    {"\xef\xbf\xbf", "\\uffff", "\\uFFFF", "\xef\xbf\xbf"},
    {"\xf0\x9f\x98\x80", "\\ud83d\\ude00", "\\uD83D\\uDE00",
     "\xf0\x9f\x98\x80"},
    {"\xf0\x90\x80\x80", "\\ud800\\udc00", "\\uD800\\udc00",
     "\xf0\x90\x80\x80"},
    {"\xf4\x8f\xbf\xbf", "\\udbff\\udfff", "\\uDBFF\\uDFFF",
     "\xf4\x8f\xbf\xbf"},
    {"\x7f", "\\u007f", "\\u007F", "\x7f"},
    {"\xc2\x80", "\\u0080", "\\u0080", "\xc2\x80"},
    {"\xdf\xbf", "\\u07ff", "\\u07FF", "\xdf\xbf"},
    {"\xe0\xa0\x80", "\\u0800", "\\u0800", "\xe0\xa0\x80"},
    {"", "", "", ""},
};

START_TEST(names_are_what_they_mean)
{
    const size_t count = sizeof spellings / sizeof spellings[0];

    for (size_t i = 0; i < 4 * count; i++) {
        struct slice a = slice_of_string(spellings[i / 4][i % 4]);
        struct guarded g = guarded_copy(a.data, a.len);

        a.data = g.data;
        for (size_t j = 0; j < 4 * count; j++) {
            struct slice b = slice_of_string(spellings[j / 4][j % 4]);
            bool same = i / 4 == j / 4;

            ck_assert_int_eq(json_name_equal(a, b), same);
            ck_assert_int_eq(json_name_equal(b, a), same);
            ck_assert_int_eq(json_name_hash(a, 7) == json_name_hash(b, 7),
                             same);
        }
        guarded_free(&g);
    }
}
END_TEST

/* Spells len letters with some of them as escapes. */
static size_t
spell(char *out, size_t len, struct rng *rng, unsigned one_of)
{
    size_t at = 0;

    for (size_t i = 0; i < len; i++) {
        char letter = (char)('a' + i % 26);

        if (one_of > 0 && rng_below(rng, one_of) == 0)
            at += (size_t)sprintf(out + at, "\\u%04x", (unsigned)letter);
        else
            out[at++] = letter;
    }
    return at;
}

/* Around every multiple of the block that is hashed at a time. */
START_TEST(long_names_hash_the_same_in_any_spelling)
{
    static char plain[NAME_MAX_LEN], mixed[6 * NAME_MAX_LEN];
    struct rng rng = {rng_test_seed()};
    uint64_t last = 0;

    for (size_t len = 0; len < NAME_MAX_LEN; len++) {
        struct slice a = {plain, spell(plain, len, &rng, 0)};
        struct slice b = {mixed, spell(mixed, len, &rng, 5)};
        uint64_t hash = json_name_hash(a, 1);

        ck_assert_uint_eq(hash, json_name_hash(b, 1));
        ck_assert(json_name_equal(a, b));
        ck_assert_uint_ne(hash, last);
        ck_assert_uint_ne(hash, json_name_hash(a, 2));
        last = hash;
        if (len > 0) {
            a.len--;
            ck_assert(!json_name_equal(a, b));
        }
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, finds_the_end_of_values);
    tcase_add_test(tc, walks_over_members);
    tcase_add_test(tc, an_empty_object_has_no_members);
    tcase_add_test(tc, names_are_what_they_mean);
    tcase_add_test(tc, long_names_hash_the_same_in_any_spelling);
}

TEST_MAIN("json_walk", fill)
