/* SPDX-License-Identifier: MIT
 *
 * bytes.c - slices, buffers, quoted words and hashes.
 */
#include "chaos.h"
#include "guard_page.h"
#include "rng.h"
#include "suite.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/quote.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

START_TEST(slices_compare_all_their_bytes)
{
    static const struct slice literal = SLICE_LITERAL("a\0b");

    ck_assert_uint_eq(literal.len, 3);
    ck_assert(slice_equal(literal, slice_of("a\0b", 3)));
    ck_assert(!slice_equal(literal, slice_of("a\0c", 3)));
    ck_assert(!slice_equal(literal, slice_of("a\0b", 2)));
    ck_assert(slice_equal(slice_of(NULL, 0), slice_of("x", 0)));
    ck_assert(slice_is(slice_of("portal", 4), "port"));
    ck_assert(!slice_is(slice_of("port", 4), "portal"));
    ck_assert(!slice_is(literal, "a"));
    ck_assert(slice_is(slice_of(NULL, 0), ""));
}
END_TEST

START_TEST(buffers_take_what_is_put)
{
    struct buf buf;

    buf_init(&buf);
    buf_put(&buf, NULL, 0);
    ck_assert_ptr_null(buf.data);
    buf_put_string(&buf, "ab");
    buf_put_slice(&buf, slice_of("c\0d", 3));
    buf_put_char(&buf, 'e');
    buf_printf(&buf, "%d-%s", 42, "x");
    ck_assert(slice_equal(buf_slice(&buf), slice_of("abc\0de42-x", 10)));
    buf_consume(&buf, 4);
    ck_assert(slice_is(buf_slice(&buf), "de42-x"));
    buf_consume(&buf, 6);
    ck_assert_uint_eq(buf.len, 0);
    buf_consume(&buf, 0);
    ck_assert(!buf.failed);
    buf_fini(&buf);
    ck_assert_ptr_null(buf.data);
    buf_put_string(&buf, "again");
    ck_assert(slice_is(buf_slice(&buf), "again"));
    buf_fini(&buf);
}
END_TEST

/* Random appends and consumptions against a plain array. */
START_TEST(buffers_behave_like_a_long_array)
{
    struct rng rng = {rng_test_seed()};
    static char model[1 << 20];
    size_t begin = 0, end = 0;
    struct buf buf = {0};

    while (end < sizeof model - 2000) {
        size_t n = rng_below(&rng, 2000);

        for (size_t i = 0; i < n; i++)
            model[end + i] = (char)rng_next(&rng);
        buf_put(&buf, model + end, n);
        end += n;
        if (rng_below(&rng, 3) == 0) {
            n = rng_below(&rng, end - begin + 1);
            buf_consume(&buf, n);
            begin += n;
        }
        ck_assert(
            slice_equal(buf_slice(&buf), slice_of(model + begin, end - begin)));
        ck_assert_uint_le(buf.len, buf.cap);
    }
    buf_fini(&buf);
}
END_TEST

START_TEST(growth_is_linear)
{
    struct buf buf = {0};
    size_t growths = 0, cap = 0;

    for (size_t i = 0; i < 1 << 20; i++) {
        buf_put_char(&buf, 'x');
        growths += buf.cap != cap;
        cap = buf.cap;
    }
    ck_assert_uint_lt(growths, 40);
    buf_fini(&buf);
}
END_TEST

START_TEST(reserving_makes_room)
{
    struct buf buf = {0};
    char *data;

    ck_assert_int_eq(buf_reserve(&buf, 0), MZ_OK);
    ck_assert_int_eq(buf_reserve(&buf, 1000), MZ_OK);
    ck_assert_uint_ge(buf.cap, 1000);
    data = buf.data;
    for (int i = 0; i < 1000; i++)
        buf_put_char(&buf, 'x');
    ck_assert_ptr_eq(buf.data, data);
    ck_assert_int_eq(buf_reserve(&buf, SIZE_MAX), MZ_NO_MEMORY);
    ck_assert_int_eq(buf_reserve(&buf, SIZE_MAX - 999), MZ_NO_MEMORY);
    ck_assert(!buf.failed);
    ck_assert_uint_eq(buf.len, 1000);
    buf_fini(&buf);
}
END_TEST

START_TEST(a_failed_append_is_remembered)
{
    struct buf buf = {0};
    struct chaos chaos;

    buf_put_string(&buf, "kept");
    chaos_limit(&chaos, 100);
    ck_assert_int_eq(buf_reserve(&buf, 1000), MZ_NO_MEMORY);
    ck_assert(!buf.failed);
    buf_printf(&buf, "%1000s", "");
    ck_assert(chaos_end(&chaos));
    ck_assert(buf.failed);
    buf_put_char(&buf, 'x');
    buf_put_string(&buf, "x");
    buf_printf(&buf, "x");
    ck_assert(buf.failed);
    ck_assert(slice_is(buf_slice(&buf), "kept"));
    buf_fini(&buf);
    ck_assert(!buf.failed);
}
END_TEST

START_TEST(quoted_words)
{
    char out[QUOTE_SIZE];

    ck_assert_str_eq(quote(out, slice_of(NULL, 0)), "");
    ck_assert_str_eq(quote(out, slice_of_string("plain ~ word")),
                     "plain ~ word");
    ck_assert_str_eq(quote(out, slice_of("a\0\n\"\\", 5)),
                     "a\\x00\\x0a\\x22\\x5c");
    ck_assert_str_eq(quote(out, slice_of_string("\x7f\x80\xff\x1f ")),
                     "\\x7f\\x80\\xff\\x1f ");
}
END_TEST

START_TEST(long_words_are_cut)
{
    char word[300], out[QUOTE_SIZE], want[QUOTE_SIZE] = "";

    memset(word, 'w', sizeof word);
    quote(out, slice_of(word, QUOTE_WORD_MAX));
    ck_assert(
        slice_equal(slice_of_string(out), slice_of(word, QUOTE_WORD_MAX)));
    quote(out, slice_of(word, QUOTE_WORD_MAX + 1));
    ck_assert_uint_eq(strlen(out), QUOTE_WORD_MAX + 3);
    ck_assert_str_eq(out + QUOTE_WORD_MAX, "...");
    memset(word, '\n', sizeof word);
    for (int i = 0; i < QUOTE_WORD_MAX; i++)
        strcat(want, "\\x0a");
    strcat(want, "...");
    ck_assert_str_eq(quote(out, slice_of(word, sizeof word)), want);
    ck_assert_uint_eq(strlen(out) + 1, QUOTE_SIZE);
}
END_TEST

static bool
is_safe(const char *text)
{
    while (*text >= 0x20 && *text < 0x7f && *text != '"')
        text++;
    return *text == '\0';
}

START_TEST(quoting_never_leaves_a_dangerous_byte)
{
    struct rng rng = {rng_test_seed()};

    for (int round = 0; round < 20000; round++) {
        char word[100], out[QUOTE_SIZE];
        size_t len = rng_below(&rng, sizeof word + 1);

        for (size_t i = 0; i < len; i++)
            word[i] = (char)rng_next(&rng);
        quote(out, slice_of(word, len));
        ck_assert(is_safe(out));
    }
}
END_TEST

START_TEST(hashes_depend_on_every_byte_and_the_seed)
{
    static const struct slice key = SLICE_LITERAL("session:42");
    struct guarded g = guarded_copy(key.data, key.len);
    uint64_t hash = hash_bytes(key, 1);

    ck_assert(hash_bytes(slice_of(g.data, key.len), 1) == hash);
    ck_assert(hash_bytes(key, 2) != hash);
    for (size_t i = 0; i < key.len; i++) {
        g.data[i] ^= 1;
        ck_assert(hash_bytes(slice_of(g.data, key.len), 1) != hash);
        g.data[i] ^= 1;
    }
    ck_assert(hash_bytes(slice_of(key.data, key.len - 1), 1) != hash);
    ck_assert(hash_bytes(slice_of(NULL, 0), 1) ==
              hash_bytes(slice_of("x", 0), 1));
    guarded_free(&g);
}
END_TEST

START_TEST(seeds_are_random)
{
    uint64_t seen[64];

    for (size_t i = 0; i < 64; i++) {
        seen[i] = hash_random_seed();
        for (size_t j = 0; j < i; j++)
            ck_assert_uint_ne(seen[i], seen[j]);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, slices_compare_all_their_bytes);
    tcase_add_test(tc, buffers_take_what_is_put);
    tcase_add_test(tc, buffers_behave_like_a_long_array);
    tcase_add_test(tc, growth_is_linear);
    tcase_add_test(tc, reserving_makes_room);
    tcase_add_test(tc, a_failed_append_is_remembered);
    tcase_add_test(tc, quoted_words);
    tcase_add_test(tc, long_words_are_cut);
    tcase_add_test(tc, quoting_never_leaves_a_dangerous_byte);
    tcase_add_test(tc, hashes_depend_on_every_byte_and_the_seed);
    tcase_add_test(tc, seeds_are_random);
}

TEST_MAIN("bytes", fill)
