/* SPDX-License-Identifier: MIT
 *
 * script_text_test.c - canonical forms and SHA1.
 */
#include "service/script_text.h"

#include "service/script_run.h"

#include "chaos.h"
#include "guard_page.h"
#include "script_samples.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static enum mz_err
form_of(const char *text, struct buf *out)
{
    out->len = 0;
    return script_text_canonical(slice_of_string(text), out);
}

static void
is_form(const char *text, const char *want)
{
    struct buf out = {0};

    ck_assert_int_eq(form_of(text, &out), MZ_OK);
    buf_put_char(&out, '\0');
    ck_assert_str_eq(out.data, want);
    buf_fini(&out);
}

static void
has_no_form(const char *text)
{
    struct buf out = {0};

    ck_assert_int_eq(form_of(text, &out), MZ_BAD_REQUEST);
    buf_fini(&out);
}

START_TEST(blanks)
{
    is_form("return 1", "return 1");
    is_form("\n\t return\r\n\v\f1 \n", "return 1");
    is_form("a==b", "a == b");
    is_form("a = = b", "a = = b");
    is_form("a~=b<=c>=d<e>f", "a ~= b <= c >= d < e > f");
    is_form("a..b...c.d", "a .. b ... c . d");
    is_form("KEYS[1]", "KEYS [ 1 ]");
    is_form("{a,b;c}", "{ a , b ; c }");
    is_form("a1 b", "a1 b");
    is_form("a 1b", "a 1b");
    is_form("#KEYS-1", "# KEYS - 1");
}
END_TEST

START_TEST(comments)
{
    is_form("a -- b\nc", "a c");
    is_form("a --b\rc", "a c");
    is_form("a--", "a");
    is_form("a --[[ b\n]=] c ]] d", "a d");
    is_form("a --[==[ b ]] ]=] c ]==] d", "a d");
    is_form("a --[=b\nc", "a c");
    is_form("a --[ [b\nc", "a c");
    is_form("a - - b", "a - - b");
    is_form("\"--\" '-- b'", "\"--\" \"-- b\"");
    has_no_form("a --[[ b ] ]");
    has_no_form("a --[=[ b ]]");
}
END_TEST

START_TEST(strings)
{
    is_form("x 'a b'", "x \"a b\"");
    is_form("x \"a'b\"", "x \"a'b\"");
    is_form("x 'a\"b'", "x 'a\"b'");
    is_form("x 'a\\'b' c", "x 'a\\'b' c");
    is_form("x 'a\\\\' c", "x 'a\\\\' c");
    is_form("x ''", "x \"\"");
    has_no_form("x 'a");
    has_no_form("x 'a\\'");
    has_no_form("x '");
    has_no_form("x 'a\nb'");
    has_no_form("x [[a]]");
    has_no_form("x [=[a]=]");
}
END_TEST

START_TEST(names_of_commands)
{
    is_form("redis.call('GET',K)", "redis . call ( \"get\" , K )");
    is_form("redis . pcall ( \"GeT\"", "redis . pcall ( \"get\"");
    is_form("redis.call(\"get\",'GET')", "redis . call ( \"get\" , \"GET\" )");
}
END_TEST

START_TEST(only_names_of_commands)
{
    is_form("redis.call(K,'GET')", "redis . call ( K , \"GET\" )");
    is_form("redis.log('GET')", "redis . log ( \"GET\" )");
    is_form("x.call('GET')", "x . call ( \"GET\" )");
    is_form("call('GET')", "call ( \"GET\" )");
    is_form("redis.call 'GET'", "redis . call \"GET\"");
    is_form("Redis.call('GET')", "Redis . call ( \"GET\" )");
}
END_TEST

START_TEST(what_no_script_has)
{
    struct buf out = {0};

    has_no_form("");
    has_no_form("a ! b");
    has_no_form("a & b");
    has_no_form("a \x80");
    has_no_form("a ~ b");
    has_no_form("#!lua name=x\n`");
    ck_assert_int_eq(script_text_canonical(slice_of("a\0b", 3), &out),
                     MZ_BAD_REQUEST);
    buf_fini(&out);
}
END_TEST

START_TEST(length)
{
    static char text[SCRIPT_TEXT_MAX + 1];
    struct buf out = {0};

    memset(text, ' ', sizeof text);
    text[0] = 'a';
    ck_assert_int_eq(
        script_text_canonical(slice_of(text, SCRIPT_TEXT_MAX), &out), MZ_OK);
    ck_assert(slice_is(buf_slice(&out), "a"));
    ck_assert_int_eq(script_text_canonical(slice_of(text, sizeof text), &out),
                     MZ_BAD_REQUEST);
    buf_fini(&out);
}
END_TEST

/* Every beginning of a text, with an unreadable page behind it. */
START_TEST(cut_anywhere)
{
    static const char text[] = "--[==[x]==] redis.call('GET', \"a\\\"\") == [[";
    struct buf out = {0};

    for (size_t len = 0; len < sizeof text; len++) {
        struct guarded copy = guarded_copy(text, len);

        out.len = 0;
        (void)!script_text_canonical(slice_of(copy.data, len), &out);
        guarded_free(&copy);
    }
    buf_fini(&out);
}
END_TEST

START_TEST(no_memory)
{
    struct chaos chaos;

    for (size_t n = 1;; n++) {
        struct buf out = {0};
        enum mz_err err;

        chaos_begin(&chaos, n);
        err = form_of(REDLOCK_ACQUIRE, &out);
        buf_fini(&out);
        if (!chaos_end(&chaos))
            break;
        ck_assert_int_eq(err, MZ_NO_MEMORY);
    }
}
END_TEST

static const struct {
    const char *text, *sha1;
} samples[] = {
    {PHPREDIS_RELEASE, PHPREDIS_RELEASE_SHA1},
    {REDIS_PY_RELEASE, REDIS_PY_RELEASE_SHA1},
    {REDIS_PY_EXTEND, REDIS_PY_EXTEND_SHA1},
    {REDIS_PY_REACQUIRE, REDIS_PY_REACQUIRE_SHA1},
    {REDLOCK_ACQUIRE, REDLOCK_ACQUIRE_SHA1},
    {REDLOCK_EXTEND, REDLOCK_EXTEND_SHA1},
    {REDLOCK_RELEASE, REDLOCK_RELEASE_SHA1},
    {LIMIT_6, LIMIT_6_SHA1},
    {LIMIT_4_2, LIMIT_4_2_SHA1},
    {LIMIT_3, LIMIT_3_SHA1},
    {LIMIT_GET, LIMIT_GET_SHA1},
    {FLEXIBLE, FLEXIBLE_SHA1},
};

static void
name(const char *text, char hex[SCRIPT_SHA1_TEXT_SIZE])
{
    struct script_sha1 sha1;

    ck_assert_int_eq(script_sha1(slice_of_string(text), &sha1), MZ_OK);
    script_sha1_format(hex, &sha1);
}

START_TEST(names_by_clients)
{
    char hex[SCRIPT_SHA1_TEXT_SIZE];

    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        name(samples[i].text, hex);
        ck_assert_str_eq(hex, samples[i].sha1);
    }
    name("", hex);
    ck_assert_str_eq(hex, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}
END_TEST

static const struct script *
find(const char *text)
{
    struct buf out = {0};
    char hex[SCRIPT_SHA1_TEXT_SIZE];
    struct script_sha1 sha1;

    ck_assert_int_eq(form_of(text, &out), MZ_OK);
    ck_assert_int_eq(script_sha1(buf_slice(&out), &sha1), MZ_OK);
    script_sha1_format(hex, &sha1);
    buf_fini(&out);
    return script_find(slice_of_string(hex));
}

START_TEST(known)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        ck_assert_ptr_nonnull(find(samples[i].text));
    ck_assert_ptr_eq(
        find("if (redis.call('get',KEYS[1]) == ARGV[1]) then return 1 end"),
        NULL);
    ck_assert_ptr_eq(find("return 1"), NULL);
}
END_TEST

/* The same with other blanks, quotes, comments and letters. */
START_TEST(known_in_other_clothes)
{
    const struct script *release = find(PHPREDIS_RELEASE);

    ck_assert_ptr_eq(find("-- mine\nif redis.call('GET', KEYS[ 1 ])==ARGV[1]\n"
                          "then\n\treturn redis.pcall and nil end"),
                     NULL);
    ck_assert_ptr_eq(find("--[[ mine ]] if redis.call('GET', KEYS[ 1 ])\n"
                          "==ARGV[1]\nthen\n\treturn redis.call('Del',KEYS[1])"
                          " --yes\nelse return 0\nend\n"),
                     release);
    /* ... but not with other variables. */
    ck_assert_ptr_eq(find("if redis.call('get',KEYS[1]) == argv[1] then return "
                          "redis.call('del',KEYS[1]) else return 0 end"),
                     NULL);
}
END_TEST

/* The table: each canonical form once. */
START_TEST(rows)
{
    size_t count;
    const struct script *row = script_rows(&count);
    struct script_sha1 sha1;

    for (size_t i = 0; i < count; i++) {
        const struct slice hex = slice_of_string(row[i].canonical);
        char again[SCRIPT_SHA1_TEXT_SIZE];

        ck_assert(script_sha1_parse(hex, &sha1));
        script_sha1_format(again, &sha1);
        ck_assert_str_eq(again, row[i].canonical);
        ck_assert_ptr_eq(script_find(hex), &row[i]);
    }
}
END_TEST

START_TEST(digits)
{
    static const char *const bad[] = {
        "", "da39a3ee5e6b4b0d3255bfef95601890afd8070",
        "da39a3ee5e6b4b0d3255bfef95601890afd807090",
        "da39a3ee5e6b4b0d3255bfef95601890afd8070g",
        "da39a3ee5e6b4b0d3255bfef95601890afd8070@"};
    char hex[SCRIPT_SHA1_TEXT_SIZE];
    struct script_sha1 sha1;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert(!script_sha1_parse(slice_of_string(bad[i]), &sha1));
    ck_assert(script_sha1_parse(
        slice_of_string("DA39a3ee5e6b4b0d3255bfef95601890afd80709"), &sha1));
    script_sha1_format(hex, &sha1);
    ck_assert_str_eq(hex, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, blanks);
    tcase_add_test(tc, comments);
    tcase_add_test(tc, strings);
    tcase_add_test(tc, names_of_commands);
    tcase_add_test(tc, only_names_of_commands);
    tcase_add_test(tc, what_no_script_has);
    tcase_add_test(tc, length);
    tcase_add_test(tc, cut_anywhere);
    tcase_add_test(tc, no_memory);
    tcase_add_test(tc, names_by_clients);
    tcase_add_test(tc, known);
    tcase_add_test(tc, known_in_other_clothes);
    tcase_add_test(tc, rows);
    tcase_add_test(tc, digits);
}

TEST_MAIN("script_text", fill)
