/* SPDX-License-Identifier: MIT
 *
 * scan_test.c - places, expectations, depth and blanks of the scanner.
 *
 * Every text is put against an unreadable page, and every test runs both
 * builds of the scanner (scan_judge.h).
 */
#include "wire/scan.h"

#include "guard_page.h"
#include "rng.h"
#include "scan_judge.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text, and what becomes of it at a depth of 4. */
struct place_case {
    const char *text;
    size_t at;
    const char *expected; /* NULL: valid, `at` is behind the value */
};

static const struct place_case place_cases[] = {
    /* values and what ends them */
    {"", 0, "a value"},
    {"?", 0, "a value"},
    {"]", 0, "a value"},
    {"}", 0, "a value"},
    {",", 0, "a value"},
    {" 1", 0, "a value"},
    {"'a'", 0, "a value"},
    {"+1", 0, "a value"},
    {".5", 0, "a value"},
    {"NaN", 0, "a value"},
    {"\xef\xbb\xbf[]", 0, "a value"},
    {"1", 1, NULL},
    {"1 2", 1, NULL},
    {"12}", 2, NULL},
    {"01", 1, NULL},
    {"-0,", 2, NULL},
    {"\"a\"x", 3, NULL},
    {"[] ", 2, NULL},
    {"{}{}", 2, NULL},
    {"true1", 4, NULL},
    {"nullnull", 4, NULL},
    {"1.5e+10 ", 7, NULL},
    /* literals */
    {"t", 1, "true"},
    {"tru", 3, "true"},
    {"trux", 3, "true"},
    {"tRue", 1, "true"},
    {"fals", 4, "false"},
    {"falze", 3, "false"},
    {"nul", 3, "null"},
    {"nil", 1, "null"},
    {"[n]", 2, "null"},
    /* numbers */
    {"-", 1, "a digit"},
    {"-a", 1, "a digit"},
    {"--1", 1, "a digit"},
    {"-.5", 1, "a digit"},
    {"1.", 2, "a digit"},
    {"1.e5", 2, "a digit"},
    {"1e", 2, "a digit"},
    {"1E+", 3, "a digit"},
    {"1e-x", 3, "a digit"},
    {"0.0e", 4, "a digit"},
    {"[1.]", 3, "a digit"},
    {"[01]", 2, "',' or ']'"},
    {"[-00]", 3, "',' or ']'"},
    {"[1a]", 2, "',' or ']'"},
    {"[0x1]", 2, "',' or ']'"},
    {"[1e5.5]", 4, "',' or ']'"},
    {"{\"a\":1.2.3}", 8, "',' or '}'"},
    /* arrays */
    {"[", 1, "a value"},
    {"[,", 1, "a value"},
    {"[ ", 2, "a value"},
    {"[}", 1, "a value"},
    {"[1", 2, "',' or ']'"},
    {"[1 ", 3, "',' or ']'"},
    {"[1 2]", 3, "',' or ']'"},
    {"[1}", 2, "',' or ']'"},
    {"[1:2]", 2, "',' or ']'"},
    {"[[]", 3, "',' or ']'"},
    {"[[]]]", 4, NULL},
    {"[1,", 3, "a value"},
    {"[1,]", 3, "a value"},
    {"[1,,2]", 3, "a value"},
    {"[1,}", 3, "a value"},
    {"[\f]", 1, "a value"},
    {"[1\v]", 2, "',' or ']'"},
    {"[\xc2\xa0]", 1, "a value"},
    /* objects */
    {"{", 1, "a string or '}'"},
    {"{ ", 2, "a string or '}'"},
    {"{]", 1, "a string or '}'"},
    {"{,", 1, "a string or '}'"},
    {"{a:1}", 1, "a string or '}'"},
    {"{1:1}", 1, "a string or '}'"},
    {"{\"a\"", 4, "':'"},
    {"{\"a\"}", 4, "':'"},
    {"{\"a\" 1}", 5, "':'"},
    {"{\"a\",1}", 4, "':'"},
    {"{\"a\":", 5, "a value"},
    {"{\"a\":}", 5, "a value"},
    {"{\"a\"::1}", 5, "a value"},
    {"{\"a\":1", 6, "',' or '}'"},
    {"{\"a\":1]", 6, "',' or '}'"},
    {"{\"a\":[]]", 7, "',' or '}'"},
    {"{\"a\":1 \"b\":2}", 7, "',' or '}'"},
    {"{\"a\":1,", 7, "a string"},
    {"{\"a\":1,}", 7, "a string"},
    {"{\"a\":1,,", 7, "a string"},
    {"{\"a\":1,b:2}", 7, "a string"},
    {"[{\"a\":[1,{}]},2]", 16, NULL},
    {"[{\"a\":[1,{}}]", 11, "',' or ']'"},
    /* strings */
    {"\"", 1, "a closing quote"},
    {"\"abc", 4, "a closing quote"},
    {"{\"a", 3, "a closing quote"},
    {"\"a\tb\"", 2, "an escape for the control character"},
    {"\"a\nb\"", 2, "an escape for the control character"},
    {"\"\x1f\"", 1, "an escape for the control character"},
    {"\"\x7f\"", 3, NULL},
    {"\"0123456789abcdef\x01ghijklmnopqrstuv\"", 17,
     "an escape for the control character"},
    {"\"\\", 2, "an escape: one of \"\\/bfnrtu"},
    {"\"\\x41\"", 2, "an escape: one of \"\\/bfnrtu"},
    {"\"ab\\'\"", 4, "an escape: one of \"\\/bfnrtu"},
    {"\"\\u", 3, "a hex digit"},
    {"\"\\u12", 5, "a hex digit"},
    {"\"\\u12\"", 5, "a hex digit"},
    {"\"\\u00g0\"", 5, "a hex digit"},
    {"\"\\u0041\"", 8, NULL},
    {"\"\\ud800\"", 7, "a low surrogate"},
    {"\"\\ud800", 7, "a low surrogate"},
    {"\"\\ud800\\", 7, "a low surrogate"},
    {"\"\\ud800\\n\"", 7, "a low surrogate"},
    {"\"\\ud800\\u0041\"", 7, "a low surrogate"},
    {"\"\\ud800\\ud800\"", 7, "a low surrogate"},
    {"\"\\ud800\\ue000\"", 7, "a low surrogate"},
    {"\"\\ud800\\udc0", 12, "a hex digit"},
    {"\"\\ud800\\udc00\"", 14, NULL},
    {"\"\\udbff\\udfff\"", 14, NULL},
    {"\"\\udc00\"", 1, "a high surrogate first"},
    {"\"\\udfff\"", 1, "a high surrogate first"},
    {"\"a\\udc00\\ud800\"", 2, "a high surrogate first"},
    {"\"\\ud7ff\\ue000\"", 14, NULL},
    /* UTF-8 */
    {"\"\x80\"", 1, "valid UTF-8"},
    {"\"\xc1\xbf\"", 1, "valid UTF-8"},
    {"\"\xc2\"", 1, "valid UTF-8"},
    {"\"\xc2", 1, "valid UTF-8"},
    {"\"a\xe2\x82\"", 2, "valid UTF-8"},
    {"\"\xe0\x9f\xbf\"", 1, "valid UTF-8"},
    {"\"\xe0\xa0\x80\"", 5, NULL},
    {"\"\xed\x9f\xbf\"", 5, NULL},
    {"\"\xed\xa0\x80\"", 1, "valid UTF-8"},
    {"\"\xee\x80\x80\"", 5, NULL},
    {"\"\xf0\x8f\xbf\xbf\"", 1, "valid UTF-8"},
    {"\"\xf0\x90\x80\x80\"", 6, NULL},
    {"\"\xf4\x8f\xbf\xbf\"", 6, NULL},
    {"\"\xf4\x90\x80\x80\"", 1, "valid UTF-8"},
    {"\"\xf5\x80\x80\x80\"", 1, "valid UTF-8"},
    {"\"\xf0\x9f\x98", 1, "valid UTF-8"},
    {"\"\xe2\x82\xac\xff\"", 4, "valid UTF-8"},
};

static void
check_place(const struct scanner *scanner, const struct place_case *c)
{
    struct guarded g = guarded_copy(c->text, strlen(c->text));
    struct scan s = {g.data, g.data + strlen(c->text), NULL};
    enum mz_err err = scanner->value(&s, 4);

    ck_assert_msg(err == (c->expected == NULL ? MZ_OK : MZ_BAD_JSON),
                  "%s: %s gives %s", scanner->name, c->text, err_code(err));
    ck_assert_msg(s.at == g.data + c->at, "%s: %s: at %td", scanner->name,
                  c->text, s.at - g.data);
    if (c->expected != NULL)
        ck_assert_msg(strcmp(s.expected, c->expected) == 0,
                      "%s: %s: expected %s", scanner->name, c->text,
                      s.expected);
    guarded_free(&g);
}

START_TEST(says_where_and_what)
{
    for (size_t i = 0; i < sizeof(place_cases) / sizeof(place_cases[0]); i++) {
        for (size_t k = 0; k < SCANNER_COUNT; k++)
            check_place(&scanners[k], &place_cases[i]);
    }
}
END_TEST

/* A NUL is a byte like any other, not the end. */
START_TEST(nul_is_no_end)
{
    static const struct {
        const char *text;
        size_t len, at;
        const char *expected;
    } cases[] = {
        {"\0", 1, 0, "a value"},
        {"[\0]", 3, 1, "a value"},
        {"[1\0]", 4, 2, "',' or ']'"},
        {"{\0}", 3, 1, "a string or '}'"},
        {"{\"a\"\0:1}", 8, 4, "':'"},
        {"\"\0\"", 3, 1, "an escape for the control character"},
        {"\"a\0", 3, 2, "an escape for the control character"},
        {"nul\0", 4, 3, "null"},
        {"-\0", 2, 1, "a digit"},
        {"\"\\\0\"", 4, 2, "an escape: one of \"\\/bfnrtu"},
        {"\"\\u\0\"", 5, 3, "a hex digit"},
        {"\"\xc3\0\"", 4, 1, "valid UTF-8"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t k = 0; k < SCANNER_COUNT; k++) {
            struct guarded g = guarded_copy(cases[i].text, cases[i].len);
            struct scan s = {g.data, g.data + cases[i].len, NULL};

            ck_assert_int_eq(scanners[k].value(&s, 4), MZ_BAD_JSON);
            ck_assert_uint_eq((size_t)(s.at - g.data), cases[i].at);
            ck_assert_str_eq(s.expected, cases[i].expected);
            guarded_free(&g);
        }
    }
}
END_TEST

/* levels times open (which ends in its bracket's first value), then inner,
 * then the brackets closed again. Freed by the caller. */
static char *
nested(size_t levels, const char *open, const char *inner, size_t *len)
{
    size_t open_len = strlen(open), inner_len = strlen(inner);
    char *text = malloc(levels * (open_len + 2) + inner_len + 1);
    char *at = text;

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < levels; i++, at += open_len)
        memcpy(at, open, open_len);
    memcpy(at, inner, inner_len);
    at += inner_len;
    for (size_t i = 0; i < levels; i++) {
        if (strcmp(open, "[{\"a\":") == 0)
            *at++ = '}';
        *at++ = open[0] == '[' ? ']' : '}';
    }
    *len = (size_t)(at - text);
    return text;
}

/* levels counts brackets; too_deep_at: the place, if it is too deep. */
static void
check_depth(size_t levels, const char *open, size_t brackets_in_open,
            size_t cut, unsigned depth_max, size_t too_deep_at)
{
    size_t len;
    char *text = nested(levels / brackets_in_open, open, "0", &len);
    enum mz_err right = levels <= depth_max ? MZ_OK : MZ_TOO_DEEP;

    len = cut < len ? cut : len;
    for (size_t k = 0; k < SCANNER_COUNT; k++) {
        struct guarded g = guarded_copy(text, len);
        struct scan s = {g.data, g.data + len, NULL};

        ck_assert_int_eq(scanners[k].value(&s, depth_max), right);
        ck_assert_uint_eq((size_t)(s.at - g.data),
                          right == MZ_OK ? len : too_deep_at);
        ck_assert_int_eq(memcmp(g.data, text, len), 0);
        guarded_free(&g);
    }
    free(text);
}

START_TEST(depth_has_a_limit)
{
    static const size_t levels[] = {1, 126, 127, 128, 129, 130, 1000, 1000000};

    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        size_t n = levels[i];

        check_depth(n, "[", 1, SIZE_MAX, 128, 128);
        check_depth(n, "{\"a\":", 1, SIZE_MAX, 128, 128 * 5);
        if (n % 2 == 0)
            check_depth(n, "[{\"a\":", 2, SIZE_MAX, 128, 64 * 6);
        check_depth(n, "[", 1, SIZE_MAX, SCAN_DEPTH_MAX, SCAN_DEPTH_MAX);
    }
    check_depth(256, "{\"a\":", 1, SIZE_MAX, SCAN_DEPTH_MAX, 0);
    check_depth(257, "{\"a\":", 1, SIZE_MAX, SCAN_DEPTH_MAX, 256 * 5);
    check_depth(258, "[{\"a\":", 2, SIZE_MAX, SCAN_DEPTH_MAX, 128 * 6);
    check_depth(1, "[", 1, SIZE_MAX, 0, 0);
    check_depth(1, "{\"a\":", 1, SIZE_MAX, 0, 0);
    check_depth(2, "[", 1, SIZE_MAX, 1, 1);
}
END_TEST

/* The bracket that is too much decides, whatever follows or is missing. */
START_TEST(too_deep_comes_first)
{
    check_depth(1000, "[", 1, 129, 128, 128);
    check_depth(1000000, "[", 1, 1000000, 128, 128);
    check_depth(1000, "{\"a\":", 1, 128 * 5 + 1, 128, 128 * 5);
}
END_TEST

START_TEST(depth_zero_takes_scalars)
{
    static const char *const texts[] = {"1", "\"a\"", "null", "-0.5e1"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (size_t k = 0; k < SCANNER_COUNT; k++) {
            struct guarded g = guarded_copy(texts[i], strlen(texts[i]));
            struct scan s = {g.data, g.data + strlen(texts[i]), NULL};

            ck_assert_int_eq(scanners[k].value(&s, 0), MZ_OK);
            ck_assert_ptr_eq(s.at, s.end);
            guarded_free(&g);
        }
    }
}
END_TEST

/* Levels that were left do not count. */
START_TEST(depth_is_not_a_sum)
{
    char text[] = "[[[],[],{}],{\"a\":[{}],\"b\":[[]]},[[1]]]";

    for (size_t k = 0; k < SCANNER_COUNT; k++) {
        struct scan s = {text, text + sizeof(text) - 1, NULL};

        ck_assert_int_eq(scanners[k].value(&s, 4), MZ_OK);
        s.at = text;
        ck_assert_int_eq(scanners[k].value(&s, 3), MZ_TOO_DEEP);
        ck_assert_ptr_eq(s.at, strstr(text, "{}],\"b\""));
    }
}
END_TEST

/* Writes depth random brackets and closes them, the level `wrong` (from the
 * outside, 1 to depth, or 0) with the other kind. Returns the length; *bad is
 * the place of that bracket. */
static size_t
random_nest(struct rng *rng, char *out, size_t depth, size_t wrong, size_t *bad)
{
    char closers[SCAN_DEPTH_MAX];
    char *at = out;

    for (size_t i = 0; i < depth; i++) {
        bool object = rng_below(rng, 2) == 0;

        closers[i] = object ? '}' : ']';
        at = stpcpy(at, object ? "{\"\":" : "[");
    }
    *at++ = '7';
    for (size_t i = depth; i-- > 0;) {
        if (i + 1 == wrong) {
            *bad = (size_t)(at - out);
            closers[i] = closers[i] == ']' ? '}' : ']';
        }
        *at++ = closers[i];
    }
    return (size_t)(at - out);
}

START_TEST(every_level_knows_its_bracket)
{
    struct rng rng = {rng_test_seed()};
    char text[SCAN_DEPTH_MAX * 5 + 1];

    for (size_t i = 0; i < 20000; i++) {
        size_t depth = 1 + rng_below(&rng, SCAN_DEPTH_MAX);
        size_t wrong = rng_below(&rng, depth + 1);
        size_t bad = 0;
        size_t len = random_nest(&rng, text, depth, wrong, &bad);
        const struct scanner *scanner = &scanners[i % SCANNER_COUNT];
        struct scan s = {text, text + len, NULL};

        ck_assert_int_eq(scanner->value(&s, SCAN_DEPTH_MAX),
                         wrong == 0 ? MZ_OK : MZ_BAD_JSON);
        ck_assert_uint_eq((size_t)(s.at - text), wrong == 0 ? len : bad);
    }
}
END_TEST

START_TEST(blanks_of_a_value_are_rewritten)
{
    static const char before[] =
        "{\t\"a\\t\"\r:\t[\r1\t,\n2 ]\r,\"b\":\r\"c\"\t}\t";
    static const char after[] = "{ \"a\\t\" : [ 1 ,\n2 ] ,\"b\": \"c\" }\t";

    for (size_t k = 0; k < SCANNER_COUNT; k++) {
        struct guarded g = guarded_copy(before, sizeof(before) - 1);
        struct scan s = {g.data, g.data + sizeof(before) - 1, NULL};

        ck_assert_int_eq(scanners[k].value(&s, 4), MZ_OK);
        ck_assert_ptr_eq(s.at, s.end - 1);
        ck_assert_mem_eq(g.data, after, sizeof(before) - 1);
        guarded_free(&g);
    }
}
END_TEST

START_TEST(blanks_are_skipped)
{
    static const char text[] = " \t\r\n \r\r\t\n1\t";

    for (size_t k = 0; k < SCANNER_COUNT; k++) {
        struct guarded g = guarded_copy(text, sizeof(text) - 1);
        struct scan s = {g.data, g.data + sizeof(text) - 1, NULL};

        scanners[k].blanks(&s);
        ck_assert_int_eq(*s.at, '1');
        scanners[k].blanks(&s);
        ck_assert_int_eq(*s.at, '1');
        s.at++;
        scanners[k].blanks(&s);
        ck_assert_ptr_eq(s.at, s.end);
        scanners[k].blanks(&s);
        ck_assert_ptr_eq(s.at, s.end);
        ck_assert_mem_eq(g.data, text, sizeof(text) - 1);
        guarded_free(&g);
    }
}
END_TEST

START_TEST(strings_are_scanned_alone)
{
    static const struct {
        const char *text;
        enum mz_err err;
        size_t at;
        bool escaped;
        const char *expected;
    } cases[] = {
        {"\"\"", MZ_OK, 2, false, NULL},
        {"\"abc\": 1", MZ_OK, 5, false, NULL},
        {"\"\\n\"", MZ_OK, 4, true, NULL},
        {"\"a long string with an escape, here: \\u0041\"x", MZ_OK, 44, true,
         NULL},
        {"\"\xc3\xa9\xc3\xa8\"", MZ_OK, 6, false, NULL},
        {"\"\xc3\xa9\\\\\"", MZ_OK, 6, true, NULL},
        {"", MZ_BAD_JSON, 0, false, "a string"},
        {"1", MZ_BAD_JSON, 0, false, "a string"},
        {" \"a\"", MZ_BAD_JSON, 0, false, "a string"},
        {"\"a", MZ_BAD_JSON, 2, false, "a closing quote"},
        {"\"a\\q\"", MZ_BAD_JSON, 3, true, "an escape: one of \"\\/bfnrtu"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t k = 0; k < SCANNER_COUNT; k++) {
            size_t len = strlen(cases[i].text);
            struct guarded g = guarded_copy(cases[i].text, len);
            struct scan s = {g.data, g.data + len, NULL};
            bool escaped = !cases[i].escaped;

            ck_assert_int_eq(scanners[k].string(&s, &escaped), cases[i].err);
            ck_assert_uint_eq((size_t)(s.at - g.data), cases[i].at);
            ck_assert_int_eq(escaped, cases[i].escaped);
            if (cases[i].expected != NULL)
                ck_assert_str_eq(s.expected, cases[i].expected);
            guarded_free(&g);
        }
    }
}
END_TEST

/* A string of `body` points with byte c in place i, at the end of memory. */
static void
check_byte(const struct scanner *scanner, char *end, size_t body, size_t i,
           unsigned char c)
{
    char *text = end - (body + 2);
    struct scan s = {text, end, NULL};
    bool right = c >= 0x20 && c < 0x80 && c != '\\';
    char *place = text + i + 1;
    enum mz_err err;

    memset(text, '.', body + 2);
    text[0] = text[body + 1] = '"';
    *place = (char)c;
    if (c == '"')
        place++;
    else if (c == '\\')
        place = i + 1 < body ? place + 1 : end;
    else if (right)
        place = end;
    err = scanner->value(&s, 1);
    if (err != (right ? MZ_OK : MZ_BAD_JSON) || s.at != place)
        ck_abort_msg("%s: byte %02x at %zu of %zu", scanner->name, c, i, body);
}

/* Strings around the sizes of the blocks that are looked at together. */
START_TEST(every_byte_at_every_place)
{
    char points[42] = {0};
    struct guarded g = guarded_copy(points, sizeof(points));
    char *end = g.data + sizeof(points);

    for (size_t body = 0; body <= 40; body++) {
        for (size_t i = 0; i < body; i++) {
            for (unsigned c = 0; c < 256; c++) {
                for (size_t k = 0; k < SCANNER_COUNT; k++)
                    check_byte(&scanners[k], end, body, i, (unsigned char)c);
            }
        }
    }
    guarded_free(&g);
}
END_TEST

/* Whether the bytes are one code point in its shortest form: by the
 * definition, unlike the scanner. */
static bool
is_utf8(const unsigned char *bytes, unsigned len)
{
    static const unsigned lead_bits[] = {0, 0, 0xc0, 0xe0, 0xf0};
    static const unsigned lead_mask[] = {0, 0, 0xe0, 0xf0, 0xf8};
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned code = bytes[0] & ~lead_mask[len] & 0xff;

    if ((bytes[0] & lead_mask[len]) != lead_bits[len])
        return false;
    for (unsigned i = 1; i < len; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return false;
        code = code << 6 | (bytes[i] & 0x3fU);
    }
    return code >= least[len] && code <= 0x10ffff &&
           (code < 0xd800 || code > 0xdfff);
}

static bool
is_utf8_text(const unsigned char *bytes, unsigned len)
{
    for (unsigned n; len > 0; bytes += n, len -= n) {
        n = 1;
        if (bytes[0] >= 0x80) {
            do
                n++;
            while (n <= 4 && (n > len || !is_utf8(bytes, n)));
        }
        if (n > 4)
            return false;
    }
    return true;
}

static void
check_sequence(const struct scanner *scanner, const unsigned char *bytes,
               unsigned len)
{
    char text[6] = {'"'};
    struct scan s = {text, text + len + 2, NULL};
    bool right = is_utf8_text(bytes, len);

    memcpy(text + 1, bytes, len);
    text[len + 1] = '"';
    if (scan_is_utf8(slice_of(text + 1, len)) != right)
        ck_abort_msg("%u of %02x %02x %02x %02x", len, bytes[0], bytes[1],
                     bytes[2], bytes[3]);
    if ((scanner->value(&s, 1) == MZ_OK) != right)
        ck_abort_msg("%s: %u of %02x %02x %02x %02x", scanner->name, len,
                     bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* All pairs of a lead byte and a second one, with the edges behind them. */
static void
check_sequences(const struct scanner *scanner, unsigned len)
{
    static const unsigned char edges[] = {0x7f, 0x80, 0xbf, 0xc0, 0xff};
    const unsigned count = sizeof(edges);
    const unsigned thirds = len > 2 ? count : 1, fourths = len > 3 ? count : 1;

    for (unsigned pair = 0; pair < 128 * 160; pair++) {
        for (unsigned i = 0; i < thirds * fourths; i++) {
            const unsigned char bytes[] = {
                (unsigned char)(0x80 + pair / 160),
                (unsigned char)(0x60 + pair % 160),
                edges[i % thirds],
                edges[i / thirds],
            };

            check_sequence(scanner, bytes, len);
        }
    }
}

START_TEST(utf8_is_exact)
{
    for (unsigned len = 2; len <= 4; len++) {
        for (size_t k = 0; k < SCANNER_COUNT; k++)
            check_sequences(&scanners[k], len);
    }
}
END_TEST

/* Around the sizes of what is looked at together, at the end of memory. */
START_TEST(texts_are_utf8_or_not)
{
    static const char euro[] = "\xe2\x82\xac";

    ck_assert(scan_is_utf8(slice_of(NULL, 0)));
    for (size_t before = 0; before < 20; before++) {
        for (size_t after = 0; after < 20; after++) {
            size_t len = before + 3 + after;
            char text[64];
            struct guarded g;

            memset(text, 'x', sizeof text);
            memcpy(text + before, euro, 3);
            g = guarded_copy(text, len);
            ck_assert(scan_is_utf8(slice_of(g.data, len)));
            ck_assert(!scan_is_utf8(slice_of(g.data, before + 1)));
            ck_assert(!scan_is_utf8(slice_of(g.data, before + 2)));
            g.data[before + 2] = 'x';
            ck_assert(!scan_is_utf8(slice_of(g.data, len)));
            guarded_free(&g);
        }
    }
}
END_TEST

/* Every value of \uXXXX alone, and every pair of them around the edges. */
START_TEST(surrogates_are_paired)
{
    static const unsigned edges[] = {0,      0xd7ff, 0xd800, 0xd801, 0xdbff,
                                     0xdc00, 0xdc01, 0xdfff, 0xe000, 0xffff};
    const size_t count = sizeof(edges) / sizeof(edges[0]);
    char text[16];

    for (unsigned unit = 0; unit <= 0xffff; unit++) {
        struct scan s = {text, text + 8, NULL};

        snprintf(text, sizeof(text), "\"\\u%04x\"", unit);
        ck_assert_int_eq(scanners[unit % SCANNER_COUNT].value(&s, 1) == MZ_OK,
                         unit < 0xd800 || unit > 0xdfff);
    }
    for (size_t i = 0; i < count * count; i++) {
        unsigned a = edges[i / count], b = edges[i % count];
        bool lone =
            (a >= 0xd800 && a <= 0xdfff) || (b >= 0xd800 && b <= 0xdfff);
        bool pair = a >= 0xd800 && a <= 0xdbff && b >= 0xdc00 && b <= 0xdfff;
        struct scan s = {text, text + 14, NULL};

        snprintf(text, sizeof(text), "\"\\u%04X\\u%04X\"", a, b);
        ck_assert_int_eq(scanners[0].value(&s, 1) == MZ_OK, pair || !lone);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, says_where_and_what);
    tcase_add_test(tc, nul_is_no_end);
    tcase_add_test(tc, depth_has_a_limit);
    tcase_add_test(tc, too_deep_comes_first);
    tcase_add_test(tc, depth_zero_takes_scalars);
    tcase_add_test(tc, depth_is_not_a_sum);
    tcase_add_test(tc, every_level_knows_its_bracket);
    tcase_add_test(tc, blanks_of_a_value_are_rewritten);
    tcase_add_test(tc, blanks_are_skipped);
    tcase_add_test(tc, strings_are_scanned_alone);
    tcase_add_test(tc, every_byte_at_every_place);
    tcase_add_test(tc, utf8_is_exact);
    tcase_add_test(tc, texts_are_utf8_or_not);
    tcase_add_test(tc, surrogates_are_paired);
}

TEST_MAIN("scan", fill)
