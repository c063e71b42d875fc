/* SPDX-License-Identifier: MIT
 *
 * scan.c - see scan.h.
 *
 * There is no state variable: where the code stands is the state, and a bit
 * for each open bracket says which kind it is. scan_value() goes round between
 * two places, "a value begins here" and "a value has just ended":
 *
 *              '[' or '{' NAME ':'
 *                  +-------+
 *                  v       |
 *     start ---> VALUE ----+
 *                 ^  |
 *                 |  | a scalar, or '[' ']', or '{' '}'
 *                 |  v
 *                ENDED <---+
 *                  |  |    | ']' or '}'
 *                  |  +----+
 *                  |
 *                  +--> nothing is open: done
 *
 *     from ENDED up to VALUE: ',' in an array, ',' NAME ':' in an object
 *
 * The helpers take the place as an argument and return the new one, so that it
 * stays in a register; they return NULL after fail() has filled s. peek()
 * gives NUL at the end of the text: no rule takes a NUL, so the end needs no
 * test of its own. Nearly all bytes of a text are in strings, and nearly all
 * of these are plain: skip_plain() takes them 16 or 8 at a time.
 */
#include "wire/scan.h"

#include "base/must.h"

#include <stdint.h>
#include <string.h>

/* A test builds the portable way too, on machines that have SSE2. */
#if defined(__SSE2__) && !defined(SCAN_PORTABLE)
#include <emmintrin.h>
#define SCAN_SSE2 1
#else
#define SCAN_SSE2 0
#endif

/* What nearly every byte goes through has no calls in it; what few texts need
 * is kept out of it. */
#define HOT  static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline, cold))
#define SLOW static __attribute__((noinline))

/* The kinds of the open brackets: bit n belongs to level n + 1. */
struct nest {
    uint64_t object[SCAN_DEPTH_MAX / 64];
    unsigned depth;
};

HOT void
nest_enter(struct nest *nest, bool object)
{
    uint64_t *word = &nest->object[nest->depth / 64];
    unsigned shift = nest->depth % 64;

    if (shift == 0)
        *word = 0;
    *word = (*word & ~(UINT64_C(1) << shift)) | (uint64_t)object << shift;
    nest->depth++;
}

/* depth > 0 */
HOT bool
nest_in_object(const struct nest *nest)
{
    unsigned level = nest->depth - 1;

    return nest->object[level / 64] >> level % 64 & 1;
}

COLD char *
fail(struct scan *s, char *at, const char *expected)
{
    s->at = at;
    s->expected = expected;
    return NULL;
}

HOT unsigned char
peek(const struct scan *s, const char *at)
{
    return at < s->end ? (unsigned char)*at : 0;
}

static bool
is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

SLOW char *
blank_run(const struct scan *s, char *at)
{
    for (; is_blank(peek(s, at)); at++) {
        if (*at == '\t' || *at == '\r')
            *at = ' ';
    }
    return at;
}

/* Mostly there is no blank at all. */
HOT char *
blanks(const struct scan *s, char *at)
{
    return peek(s, at) > ' ' ? at : blank_run(s, at);
}

/* Strings */

/* A byte of a string that needs no second look: ASCII but for the quote, the
 * backslash and the control characters. DEL is plain. */
HOT bool
is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

HOT char *
skip_plain_bytes(const struct scan *s, char *at)
{
    while (at < s->end && is_plain((unsigned char)*at))
        at++;
    return at;
}

#if SCAN_SSE2
/* A bit for each of the 16 bytes at `at` that is not plain. As signed numbers
 * the bytes from 0x80 on are below 0x20 too. */
HOT unsigned
odd_bytes(const char *at)
{
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    const __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
    const __m128i odd = _mm_or_si128(_mm_or_si128(quote, backslash), low);

    return (unsigned)_mm_movemask_epi8(odd);
}

HOT char *
skip_plain(const struct scan *s, char *at)
{
    for (; s->end - at >= 16; at += 16) {
        unsigned odd = odd_bytes(at);

        if (odd != 0)
            return at + __builtin_ctz(odd);
    }
    return skip_plain_bytes(s, at);
}
#else
#define ONES UINT64_C(0x0101010101010101)

/* Has a high bit set if a byte of v is below n <= 0x80 or is not ASCII. */
HOT uint64_t
below(uint64_t v, unsigned n)
{
    return (v - ONES * n) | v;
}

/* The byte among 8 that stopped it is found one by one: the machine's byte
 * order does not matter. */
HOT char *
skip_plain(const struct scan *s, char *at)
{
    for (; s->end - at >= 8; at += 8) {
        uint64_t v, odd;

        memcpy(&v, at, sizeof(v));
        odd = below(v, 0x20) | below(v ^ ONES * '"', 1) |
              below(v ^ ONES * '\\', 1);
        if ((odd & ONES * 0x80) != 0)
            break;
    }
    return skip_plain_bytes(s, at);
}
#endif

/* The length of the UTF-8 sequence whose first byte is `at`, which is there
 * and is not ASCII; 0 when it is malformed or cut. The second byte's range
 * keeps out overlong forms, surrogates and what is above U+10FFFF. */
static unsigned
utf8_length(const struct scan *s, const char *at)
{
    unsigned char lead = (unsigned char)*at;
    unsigned char low = 0x80, high = 0xbf;
    unsigned len = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    if (peek(s, at + 1) < low || peek(s, at + 1) > high)
        return 0;
    for (unsigned i = 2; i < len; i++) {
        if ((peek(s, at + i) & 0xc0) != 0x80)
            return 0;
    }
    return len;
}

static char *
utf8_run(struct scan *s, char *at)
{
    while (peek(s, at) >= 0x80) {
        unsigned len = utf8_length(s, at);

        if (len == 0)
            return fail(s, at, "valid UTF-8");
        at += len;
    }
    return at;
}

/* The value of a hex digit, or -1. */
static int
hex_value(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits behind \u. */
static char *
hex4(struct scan *s, char *at, unsigned *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, at++) {
        int digit = hex_value(peek(s, at));

        if (digit < 0)
            return fail(s, at, "a hex digit");
        *unit = *unit << 4 | (unsigned)digit;
    }
    return at;
}

/* At the backslash of a \u. A high surrogate takes its low one with it. */
static char *
unicode_escape(struct scan *s, char *at)
{
    char *begin = at;
    unsigned unit;

    at = hex4(s, at + 2, &unit);
    if (at == NULL || unit < 0xd800 || unit > 0xdfff)
        return at;
    if (unit >= 0xdc00)
        return fail(s, begin, "a high surrogate first");

    begin = at;
    if (peek(s, at) != '\\' || peek(s, at + 1) != 'u')
        return fail(s, begin, "a low surrogate");
    at = hex4(s, at + 2, &unit);
    if (at != NULL && (unit < 0xdc00 || unit > 0xdfff))
        return fail(s, begin, "a low surrogate");
    return at;
}

/* At the backslash. */
static char *
escape(struct scan *s, char *at)
{
    switch (peek(s, at + 1)) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return at + 2;
    case 'u':
        return unicode_escape(s, at);
    default:
        return fail(s, at + 1, "an escape: one of \"\\/bfnrtu");
    }
}

/* The rest of a string, from its first byte on that is not plain. */
SLOW char *
string_rest(struct scan *s, char *at, bool *escaped)
{
    unsigned char c;

    while ((c = peek(s, at)) != '"') {
        if (c == '\\') {
            *escaped = true;
            at = escape(s, at);
        } else if (c >= 0x80) {
            at = utf8_run(s, at);
        } else if (at == s->end) {
            return fail(s, at, "a closing quote");
        } else {
            return fail(s, at, "an escape for the control character");
        }
        if (at == NULL)
            return NULL;
        at = skip_plain(s, at);
    }
    return at + 1;
}

/* Behind the opening quote. */
HOT char *
string(struct scan *s, char *at, bool *escaped)
{
    at = skip_plain(s, at);
    return peek(s, at) == '"' ? at + 1 : string_rest(s, at, escaped);
}

/* Numbers and literals */

HOT bool
is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* One digit or more. */
HOT char *
digits(struct scan *s, char *at)
{
    if (!is_digit(peek(s, at)))
        return fail(s, at, "a digit");
    do
        at++;
    while (is_digit(peek(s, at)));
    return at;
}

/* At a minus or a digit. A number ends where it cannot go on: "01" is a 0,
 * and whoever looks for a comma then finds the 1. */
HOT char *
number(struct scan *s, char *at)
{
    if (*at == '-')
        at++;
    if (peek(s, at) == '0')
        at++;
    else
        at = digits(s, at);
    if (at != NULL && peek(s, at) == '.')
        at = digits(s, at + 1);
    if (at != NULL && (peek(s, at) | 0x20) == 'e') {
        at++;
        if (peek(s, at) == '+' || peek(s, at) == '-')
            at++;
        at = digits(s, at);
    }
    return at;
}

/* At the first letter. */
HOT char *
literal(struct scan *s, char *at, const char *word, size_t len)
{
    size_t same = 1;

    if ((size_t)(s->end - at) >= len && memcmp(at, word, len) == 0)
        return at + len;
    while (peek(s, at + same) == (unsigned char)word[same])
        same++;
    return fail(s, at + same, word);
}

HOT char *
scalar(struct scan *s, char *at)
{
    unsigned char c = peek(s, at);
    bool escaped;

    if (c == '"')
        return string(s, at + 1, &escaped);
    if (c == '-' || is_digit(c))
        return number(s, at);
    switch (c) {
    case 't':
        return literal(s, at, "true", 4);
    case 'f':
        return literal(s, at, "false", 5);
    case 'n':
        return literal(s, at, "null", 4);
    default:
        return fail(s, at, "a value");
    }
}

/* Arrays and objects */

/* A member's name, its colon and the blanks up to its value. */
HOT char *
name(struct scan *s, char *at, const char *expected)
{
    bool escaped;

    if (peek(s, at) != '"')
        return fail(s, at, expected);
    at = string(s, at + 1, &escaped);
    if (at == NULL)
        return NULL;
    at = blanks(s, at);
    if (peek(s, at) != ':')
        return fail(s, at, "':'");
    return blanks(s, at + 1);
}

/* ENDED: closes the brackets that close here and goes to the next value. With
 * nest->depth 0 there is none, and the place is behind the whole. */
HOT char *
next_value(struct scan *s, char *at, struct nest *nest)
{
    while (nest->depth > 0) {
        bool object = nest_in_object(nest);
        unsigned char c;

        at = blanks(s, at);
        c = peek(s, at);
        if (c == ',') {
            at = blanks(s, at + 1);
            return object ? name(s, at, "a string") : at;
        }
        if (c != (object ? '}' : ']'))
            return fail(s, at, object ? "',' or '}'" : "',' or ']'");
        nest->depth--;
        at++;
    }
    return at;
}

/* VALUE at a bracket: opens it and goes to the first value inside, or behind
 * it when it is empty. */
HOT char *
first_value(struct scan *s, char *at, struct nest *nest)
{
    bool object = *at == '{';

    nest_enter(nest, object);
    at = blanks(s, at + 1);
    if (peek(s, at) == (object ? '}' : ']'))
        return next_value(s, at, nest);
    return object ? name(s, at, "a string or '}'") : at;
}

enum mz_err
scan_value(struct scan *s, unsigned depth_max)
{
    struct nest nest;
    char *at = s->at;

    must(depth_max <= SCAN_DEPTH_MAX);
    nest.depth = 0;
    do {
        unsigned char c = peek(s, at);

        if (c == '[' || c == '{') {
            if (nest.depth == depth_max) {
                s->at = at;
                return MZ_TOO_DEEP;
            }
            at = first_value(s, at, &nest);
        } else {
            at = scalar(s, at);
            if (at != NULL)
                at = next_value(s, at, &nest);
        }
    } while (at != NULL && nest.depth > 0);
    if (at == NULL)
        return MZ_BAD_JSON;
    s->at = at;
    return MZ_OK;
}

enum mz_err
scan_string(struct scan *s, bool *escaped)
{
    char *at = s->at;

    *escaped = false;
    if (peek(s, at) == '"')
        at = string(s, at + 1, escaped);
    else
        at = fail(s, at, "a string");
    if (at == NULL)
        return MZ_BAD_JSON;
    s->at = at;
    return MZ_OK;
}

void
scan_blanks(struct scan *s)
{
    while (is_blank(peek(s, s->at)))
        s->at++;
}

/* The first byte from at on that is not ASCII, or end. */
static const char *
skip_ascii(const char *at, const char *end)
{
    uint64_t v;

    for (; end - at >= (ptrdiff_t)sizeof v; at += sizeof v) {
        memcpy(&v, at, sizeof v);
        if ((v & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    while (at < end && (unsigned char)*at < 0x80)
        at++;
    return at;
}

bool
scan_is_utf8(struct slice text)
{
    const char *at = text.data, *end = at + text.len;
    /* utf8_length() only reads. */
    const struct scan s = {.end = (char *)(uintptr_t)end};

    if (text.len == 0)
        return true;
    for (at = skip_ascii(at, end); at < end; at = skip_ascii(at, end)) {
        unsigned len = utf8_length(&s, at);

        if (len == 0)
            return false;
        at += len;
    }
    return true;
}
