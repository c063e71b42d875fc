/* SPDX-License-Identifier: MIT
 *
 * num.c - decimal text to integers and back, by integers only.
 *
 * strtol and printf are not used: they know locales, skip blanks, take "+1"
 * and want a NUL behind the text. Every function here reads exactly the bytes
 * of its slice. A struct cursor is what is left of it; a parser succeeds when
 * nothing is left.
 */
#include "base/num.h"

#include "base/must.h"

#include <stdbool.h>

/* An exponent beyond this is beyond every digit string that fits into memory,
 * so it need not be known exactly. */
#define EXPONENT_HUGE INT64_C(100000000000000000)

/* NUM_TTL_MAX_MS has 15 digits, the first of them stands for 10^14. */
#define MS_LEADING_POWER_MAX 14

#define DURATION_MAX_MS      ((UINT64_C(1) << 31) * 1000)

struct cursor {
    const char *at;
    size_t left;
};

/* The pieces of a JSON number. */
struct decimal {
    bool negative;
    struct slice whole;    /* one digit or more */
    struct slice fraction; /* digits behind the point; may be empty */
    int64_t exponent;      /* saturated at +-EXPONENT_HUGE */
};

static struct cursor
cursor_over(struct slice text)
{
    struct cursor c = {text.data, text.len};

    return c;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes one byte when it is c. */
static bool
take(struct cursor *cursor, char c)
{
    if (cursor->left == 0 || *cursor->at != c)
        return false;
    cursor->at++;
    cursor->left--;
    return true;
}

/* Takes as many digits as there are, perhaps none. */
static struct slice
take_digits(struct cursor *cursor)
{
    size_t n = 0;
    struct slice digits;

    while (n < cursor->left && is_digit(cursor->at[n]))
        n++;
    digits = slice_of(cursor->at, n);
    cursor->left -= n;
    if (n > 0)
        cursor->at += n;
    return digits;
}

/* JSON: at least one digit, and no zero in front of another digit. */
static bool
is_json_whole(struct slice digits)
{
    return digits.len == 1 || (digits.len > 1 && digits.data[0] != '0');
}

/* False when digits is empty or the number exceeds 64 bits. */
static bool
digits_to_u64(struct slice digits, uint64_t *out)
{
    uint64_t n = 0;

    if (digits.len == 0)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        uint64_t digit = (uint64_t)(digits.data[i] - '0');

        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, digit, &n))
            return false;
    }
    *out = n;
    return true;
}

/* A JSON integer as sign and magnitude. */
static bool
parse_integer(struct slice text, bool *negative, uint64_t *magnitude)
{
    struct cursor cursor = cursor_over(text);
    struct slice digits;

    *negative = take(&cursor, '-');
    digits = take_digits(&cursor);
    return cursor.left == 0 && is_json_whole(digits) &&
           digits_to_u64(digits, magnitude);
}

enum mz_err
num_parse_i64(struct slice text, int64_t *out)
{
    uint64_t magnitude;
    bool negative;

    if (!parse_integer(text, &negative, &magnitude))
        return MZ_BAD_REQUEST;
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return MZ_BAD_REQUEST;
    if (!negative)
        *out = (int64_t)magnitude;
    else /* in two steps, as -INT64_MIN does not exist */
        *out = magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1;
    return MZ_OK;
}

enum mz_err
num_parse_u64(struct slice text, uint64_t *out)
{
    uint64_t magnitude;
    bool negative;

    if (!parse_integer(text, &negative, &magnitude))
        return MZ_BAD_REQUEST;
    if (negative && magnitude != 0)
        return MZ_BAD_REQUEST;
    *out = magnitude;
    return MZ_OK;
}

static bool
take_exponent(struct cursor *cursor, int64_t *exponent)
{
    struct slice digits;
    int64_t n = 0;
    bool negative;

    negative = take(cursor, '-');
    if (!negative)
        (void)take(cursor, '+');
    digits = take_digits(cursor);
    if (digits.len == 0)
        return false;
    for (size_t i = 0; i < digits.len; i++)
        if (n < EXPONENT_HUGE)
            n = n * 10 + (digits.data[i] - '0');
    if (n > EXPONENT_HUGE)
        n = EXPONENT_HUGE;
    *exponent = negative ? -n : n;
    return true;
}

/* Splits a JSON number; false when text is none. */
static bool
split_decimal(struct slice text, struct decimal *d)
{
    struct cursor cursor = cursor_over(text);

    *d = (struct decimal){0};
    d->negative = take(&cursor, '-');
    d->whole = take_digits(&cursor);
    if (!is_json_whole(d->whole))
        return false;
    if (take(&cursor, '.')) {
        d->fraction = take_digits(&cursor);
        if (d->fraction.len == 0)
            return false;
    }
    if (take(&cursor, 'e') || take(&cursor, 'E'))
        if (!take_exponent(&cursor, &d->exponent))
            return false;
    return cursor.left == 0;
}

/* Digit i of whole and fraction as one row; 0 behind its end. */
static int
digit_at(const struct decimal *d, size_t i)
{
    if (i < d->whole.len)
        return d->whole.data[i] - '0';
    i -= d->whole.len;
    return i < d->fraction.len ? d->fraction.data[i] - '0' : 0;
}

/* seconds > 0 in ms, rounded up. False when above NUM_TTL_MAX_MS. */
static bool
seconds_to_ms(const struct decimal *seconds, size_t first, int64_t *ms)
{
    size_t count = seconds->whole.len + seconds->fraction.len;
    int64_t power; /* the first digit that is not 0 stands for 10^power ms */
    int64_t n = 0;
    size_t i = first;

    power = (int64_t)seconds->whole.len - 1 - (int64_t)first +
            seconds->exponent + 3;
    if (power > MS_LEADING_POWER_MAX)
        return false;
    for (; power >= 0; power--)
        n = n * 10 + digit_at(seconds, i++);
    while (i < count && digit_at(seconds, i) == 0)
        i++;
    if (i < count)
        n++;
    if (n > NUM_TTL_MAX_MS)
        return false;
    *ms = n;
    return true;
}

static enum mz_err
parse_seconds(struct slice text, bool zero_is_fine, int64_t *ms)
{
    struct decimal d;
    size_t first = 0, count;

    if (!split_decimal(text, &d))
        return MZ_BAD_TTL;
    count = d.whole.len + d.fraction.len;
    while (first < count && digit_at(&d, first) == 0)
        first++;
    if (first == count && zero_is_fine) {
        *ms = 0;
        return MZ_OK;
    }
    if (first == count || d.negative || !seconds_to_ms(&d, first, ms))
        return MZ_BAD_TTL;
    return MZ_OK;
}

enum mz_err
num_parse_seconds(struct slice text, int64_t *ms)
{
    return parse_seconds(text, false, ms);
}

enum mz_err
num_parse_wait(struct slice text, int64_t *ms)
{
    return parse_seconds(text, true, ms);
}

/* Takes the two letters of a unit in any case. */
static bool
take_unit(struct cursor *cursor, char first, char second)
{
    if (cursor->left < 2 || (cursor->at[0] | 0x20) != first ||
        (cursor->at[1] | 0x20) != second)
        return false;
    cursor->at += 2;
    cursor->left -= 2;
    return true;
}

/* One summand of a size. */
static bool
take_size(struct cursor *cursor, uint64_t *bytes)
{
    uint64_t n, unit = 1;

    if (!digits_to_u64(take_digits(cursor), &n))
        return false;
    if (take_unit(cursor, 'k', 'b'))
        unit = UINT64_C(1) << 10;
    else if (take_unit(cursor, 'm', 'b'))
        unit = UINT64_C(1) << 20;
    else if (take_unit(cursor, 'g', 'b'))
        unit = UINT64_C(1) << 30;
    return !__builtin_mul_overflow(n, unit, bytes);
}

enum mz_err
num_parse_size(struct slice text, uint64_t *bytes)
{
    struct cursor cursor = cursor_over(text);
    uint64_t sum = 0, part;

    do {
        if (!take_size(&cursor, &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return MZ_BAD_REQUEST;
    } while (take(&cursor, '+'));
    if (cursor.left > 0)
        return MZ_BAD_REQUEST;
    *bytes = sum;
    return MZ_OK;
}

enum mz_err
num_parse_duration(struct slice text, int64_t *ms)
{
    struct cursor cursor = cursor_over(text);
    struct slice unit;
    uint64_t n, unit_ms;

    if (!digits_to_u64(take_digits(&cursor), &n))
        return MZ_BAD_REQUEST;
    unit = slice_of(cursor.at, cursor.left);
    if (unit.len == 0 || slice_is(unit, "s"))
        unit_ms = 1000;
    else if (slice_is(unit, "ms"))
        unit_ms = 1;
    else if (slice_is(unit, "m"))
        unit_ms = 60 * 1000;
    else if (slice_is(unit, "h"))
        unit_ms = 60 * 60 * 1000;
    else
        return MZ_BAD_REQUEST;
    if (n > DURATION_MAX_MS / unit_ms)
        return MZ_BAD_REQUEST;
    *ms = (int64_t)(n * unit_ms);
    return MZ_OK;
}

/* Room for 21 bytes, or 20 behind a sign: INT64_MIN has 19 digits. */
static size_t
write_digits(char *out, uint64_t n)
{
    char reversed[NUM_I64_SIZE];
    size_t len = 0;

    do {
        reversed[len++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    for (size_t i = 0; i < len; i++)
        out[i] = reversed[len - 1 - i];
    out[len] = '\0';
    return len;
}

size_t
num_format_u64(char out[NUM_I64_SIZE], uint64_t n)
{
    return write_digits(out, n);
}

size_t
num_format_i64(char out[NUM_I64_SIZE], int64_t n)
{
    if (n >= 0)
        return write_digits(out, (uint64_t)n);
    out[0] = '-';
    /* unsigned, as -INT64_MIN does not exist */
    return 1 + write_digits(out + 1, 0 - (uint64_t)n);
}

size_t
num_format_seconds(char out[NUM_SECONDS_SIZE], int64_t ms)
{
    size_t len;
    int64_t part;

    must(ms >= 0);
    len = num_format_u64(out, (uint64_t)(ms / 1000));
    part = ms % 1000;
    out[len++] = '.';
    out[len++] = (char)('0' + part / 100);
    out[len++] = (char)('0' + part / 10 % 10);
    out[len++] = (char)('0' + part % 10);
    out[len] = '\0';
    return len;
}
