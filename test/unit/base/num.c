/* SPDX-License-Identifier: MIT
 *
 * num.c - numbers as text: tables of cases against an unreadable page, a
 * comparison with a slow exact reference, and the way there and back.
 */
#include "guard_page.h"
#include "rng.h"
#include "suite.h"

#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD          INT64_MIN /* stands for a refusal in the tables */
#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ZEROS10      "0000000000"
#define ZEROS50      ZEROS10 ZEROS10 ZEROS10 ZEROS10 ZEROS10

struct row {
    const char *text;
    int64_t value;
};

typedef enum mz_err parse_i64(struct slice text, int64_t *out);

/* Parses text where the byte behind it cannot be read. */
static void
check_row(parse_i64 *parse, const struct row *row, enum mz_err bad)
{
    struct guarded g = guarded_copy(row->text, strlen(row->text));
    int64_t out = -77;
    enum mz_err err = parse(slice_of(g.data, strlen(row->text)), &out);

    ck_assert_msg(err == (row->value == BAD ? bad : MZ_OK), "\"%s\" gives %s",
                  row->text, err_code(err));
    ck_assert_msg(out == (row->value == BAD ? -77 : row->value),
                  "\"%s\" is %" PRId64, row->text, out);
    guarded_free(&g);
}

static const struct row integers[] = {
    {"0", 0},
    {"-0", 0},
    {"7", 7},
    {"-7", -7},
    {"10", 10},
    {"9223372036854775807", INT64_MAX},
    {"-9223372036854775807", -INT64_MAX},
    {"9223372036854775808", BAD},
    {"-9223372036854775809", BAD},
    {"18446744073709551615", BAD},
    {"18446744073709551616", BAD},
    {"99999999999999999999", BAD},
    {"-99999999999999999999", BAD},
    {"", BAD},
    {"-", BAD},
    {"--1", BAD},
    {"+1", BAD},
    {"00", BAD},
    {"01", BAD},
    {"-00", BAD},
    {"-01", BAD},
    {"1.0", BAD},
    {"1e1", BAD},
    {" 1", BAD},
    {"1 ", BAD},
    {"1a", BAD},
    {"a", BAD},
    {"0x1", BAD},
    {"/", BAD},
    {":", BAD},
};

START_TEST(signed_integers)
{
    int64_t n = 0;

    for (size_t i = 0; i < COUNT(integers); i++)
        check_row(num_parse_i64, &integers[i], MZ_BAD_REQUEST);
    /* BAD itself, which the table cannot hold */
    ck_assert_int_eq(num_parse_i64(slice_of_string("-9223372036854775808"), &n),
                     MZ_OK);
    ck_assert_int_eq(n, INT64_MIN);
    ck_assert_int_eq(num_parse_i64(slice_of(NULL, 0), &n), MZ_BAD_REQUEST);
    ck_assert_int_eq(num_parse_i64(slice_of("1\0", 2), &n), MZ_BAD_REQUEST);
}
END_TEST

START_TEST(unsigned_integers)
{
    static const struct {
        const char *text;
        enum mz_err err;
        uint64_t value;
    } rows[] = {
        {"0", MZ_OK, 0},
        {"-0", MZ_OK, 0},
        {"42", MZ_OK, 42},
        {"9223372036854775808", MZ_OK, UINT64_C(1) << 63},
        {"18446744073709551615", MZ_OK, UINT64_MAX},
        {"18446744073709551616", MZ_BAD_REQUEST, 0},
        {"18446744073709551620", MZ_BAD_REQUEST, 0},
        {"184467440737095516150", MZ_BAD_REQUEST, 0},
        {"-1", MZ_BAD_REQUEST, 0},
        {"-", MZ_BAD_REQUEST, 0},
        {"", MZ_BAD_REQUEST, 0},
        {"007", MZ_BAD_REQUEST, 0},
        {"1.", MZ_BAD_REQUEST, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t n = 77;

        ck_assert_int_eq(num_parse_u64(slice_of_string(rows[i].text), &n),
                         rows[i].err);
        ck_assert_uint_eq(n, rows[i].err == MZ_OK ? rows[i].value : 77);
    }
}
END_TEST

static const struct row seconds[] = {
    {"1", 1000},
    {"0.0001", 1},
    {"1.5e1", 15000},
    {"1E2", 100000},
    {"1e+2", 100000},
    {"1e-2", 10},
    {"1e00002", 100000},
    {"0.001", 1},
    {"0.0010000", 1},
    {"0.0011", 2},
    {"0.0010000000000000000000001", 2},
    {"1.9990000", 1999},
    {"1.9990001", 2000},
    {"0.05", 50},
    {"0.000e5", BAD},
    {"3000000000", 3000000000000},
    /* the largest */
    {"315360000000", NUM_TTL_MAX_MS},
    {"315360000000.000", NUM_TTL_MAX_MS},
    {"315360000000.0000000000000000", NUM_TTL_MAX_MS},
    {"3.1536e11", NUM_TTL_MAX_MS},
    {"0.00031536e15", NUM_TTL_MAX_MS},
    {"315360000000000000000000000000e-18", NUM_TTL_MAX_MS},
    {"315359999999.9999", NUM_TTL_MAX_MS},
    {"315360000000.0001", BAD},
    {"315360000000.001", BAD},
    {"315360000001", BAD},
    {"999999999999", BAD},
    {"1000000000000", BAD},
    {"9223372036854775807", BAD},
    {"18446744073709551617", BAD},
    {"1e400", BAD},
    /* digits and exponents that outweigh each other */
    {"1" ZEROS50 "e-50", 1000},
    {"0." ZEROS50 "1e51", 1000},
    {"0." ZEROS50 "1e48", 1},
    {"0." ZEROS50 "1e47", 1},
    {"1" ZEROS50 "1e-53", 11},
    {"1" ZEROS50 "e-53", 1},
    {"1" ZEROS50 "e-52", 10},
    {"1e-400", 1},
    {"1e-99999999999999999999999999", 1},
    {"1e99999999999999999999999999", BAD},
    {"1e-9223372036854775808", 1},
    {"1e9223372036854775807", BAD},
    /* nothing */
    {"0", BAD},
    {"0.0", BAD},
    {"0." ZEROS50, BAD},
    {"0e999999999999", BAD},
    {"0e-999999999999", BAD},
    {"-0", BAD},
    {"-1", BAD},
    {"-1e-400", BAD},
    /* no JSON */
    {"", BAD},
    {"01", BAD},
    {"00", BAD},
    {"-", BAD},
    {"1.", BAD},
    {".5", BAD},
    {"1.e1", BAD},
    {"1e", BAD},
    {"1e+", BAD},
    {"1e-", BAD},
    {"1e+-1", BAD},
    {"1e1.5", BAD},
    {"1.5.5", BAD},
    {"+1", BAD},
    {" 1", BAD},
    {"1 ", BAD},
    {"1s", BAD},
    {"Infinity", BAD},
    {"NaN", BAD},
    {"null", BAD},
    {"\"1\"", BAD},
    {"0x10", BAD},
    {"1,5", BAD},
};

START_TEST(times_in_seconds)
{
    for (size_t i = 0; i < COUNT(seconds); i++)
        check_row(num_parse_seconds, &seconds[i], MZ_BAD_TTL);
}
END_TEST

START_TEST(a_wait_may_be_zero)
{
    static const struct row zero[] = {
        {"0", 0}, {"-0", 0}, {"0.000", 0}, {"0e999", 0}, {"-0.0E-1", 0},
    };
    static const struct row others[] = {
        {"0.0001", 1}, {"1.5", 1500}, {"-0.0001", BAD}, {"-1", BAD},
        {"", BAD},     {"x", BAD},    {"00", BAD},      {"315360000000.1", BAD},
    };

    for (size_t i = 0; i < COUNT(zero); i++) {
        check_row(num_parse_wait, &zero[i], MZ_BAD_TTL);
        check_row(num_parse_seconds, &(struct row){zero[i].text, BAD},
                  MZ_BAD_TTL);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        check_row(num_parse_wait, &others[i], MZ_BAD_TTL);
}
END_TEST

/* ms of digits * 10^exponent seconds by counting the digits in a long row of
 * zeros: slow, and written another way than num.c. BAD for refused. */
static int64_t
reference_ms(const char *digits, int exponent)
{
    char row[512];
    int len = (int)strlen(digits), cut = 200 + len + exponent + 3;
    int64_t ms = 0;
    bool rest = false, above = false;

    memset(row, '0', sizeof row);
    memcpy(row + 200, digits, strlen(digits));
    for (int i = 0; i < cut; i++) {
        ms = above ? ms : ms * 10 + (row[i] - '0');
        above = above || ms > NUM_TTL_MAX_MS;
    }
    for (int i = cut; i < (int)sizeof row; i++)
        rest = rest || row[i] != '0';
    ms += rest;
    return above || ms > NUM_TTL_MAX_MS || ms == 0 ? BAD : ms;
}

START_TEST(times_agree_with_a_slow_reference)
{
    struct rng rng = {rng_test_seed()};

    for (int round = 0; round < 100000; round++) {
        char digits[32], text[80];
        size_t len = 1 + rng_below(&rng, 24), point = 1 + rng_below(&rng, len);
        int exponent = (int)rng_below(&rng, 60) - 30;
        struct row row;

        for (size_t i = 0; i < len; i++)
            digits[i] = "0000123456789"[rng_below(&rng, 13)];
        digits[len] = '\0';
        if (digits[0] == '0')
            point = 1;
        snprintf(text, sizeof text, "%.*s%s%se%d", (int)point, digits,
                 point < len ? "." : "", digits + point, exponent);
        row = (struct row){text,
                           reference_ms(digits, exponent - (int)(len - point))};
        check_row(num_parse_seconds, &row, MZ_BAD_TTL);
    }
}
END_TEST

/* Ten million digits must cost a walk, not a square. */
START_TEST(endless_digits_are_exact)
{
    size_t len = 10 << 20;
    char *text = malloc(len);
    int64_t ms = 0;

    ck_assert_ptr_nonnull(text);
    memset(text, '0', len);
    text[1] = '.';
    text[len - 1] = '1';
    ck_assert_int_eq(num_parse_seconds(slice_of(text, len), &ms), MZ_OK);
    ck_assert_int_eq(ms, 1);
    text[0] = '1';
    ck_assert_int_eq(num_parse_seconds(slice_of(text, len), &ms), MZ_OK);
    ck_assert_int_eq(ms, 1001);
    ck_assert_int_eq(num_parse_seconds(slice_of(text, len - 1), &ms), MZ_OK);
    ck_assert_int_eq(ms, 1000);
    text[1] = '0';
    ck_assert_int_eq(num_parse_seconds(slice_of(text, len), &ms), MZ_BAD_TTL);
    /* 2 and 10,485,750 zeros, and an exponent that takes them away */
    memcpy(text + len - 10, "e-10485749", 10);
    text[0] = '2';
    ck_assert_int_eq(num_parse_seconds(slice_of(text, len), &ms), MZ_OK);
    ck_assert_int_eq(ms, 2000);
    free(text);
}
END_TEST

static enum mz_err
parse_size(struct slice text, int64_t *out)
{
    uint64_t size;
    enum mz_err err = num_parse_size(text, &size);

    if (err == MZ_OK)
        *out = (int64_t)size;
    return err;
}

START_TEST(sizes)
{
    static const struct row rows[] = {
        {"0", 0},
        {"512", 512},
        {"64kb", 65536},
        {"64KB", 65536},
        {"64Kb", 65536},
        {"8mb", 8388608},
        {"1gB", 1073741824},
        {"8mb+64kb", 8454144},
        {"1+1+1kb", 1026},
        {"9007199254740991kb", INT64_C(9223372036854774784)},
        {"18014398509481983kb", -1024}, /* 2^64 - 1 kb */
        {"18446744073709551615", -1},
        {"18446744073709551616", BAD},
        {"18014398509481984kb", BAD},
        {"18446744073709551615+1", BAD},
        {"17179869184gb", BAD},
        {"", BAD},
        {"kb", BAD},
        {"1k", BAD},
        {"1b", BAD},
        {"1tb", BAD},
        {"1kbb", BAD},
        {"1 kb", BAD},
        {"1kb ", BAD},
        {"1.5mb", BAD},
        {"-1", BAD},
        {"+1", BAD},
        {"1+", BAD},
        {"1++1", BAD},
        {"1kb,1", BAD},
        {"1k\002", BAD}, /* '\002' | 0x20 is '"' */
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        check_row(parse_size, &rows[i], MZ_BAD_REQUEST);
}
END_TEST

START_TEST(durations)
{
    static const struct row rows[] = {
        {"0", 0},
        {"10", 10000},
        {"10s", 10000},
        {"250ms", 250},
        {"5m", 300000},
        {"1h", 3600000},
        {"2147483648", 2147483648000},
        {"2147483648s", 2147483648000},
        {"2147483648000ms", 2147483648000},
        {"35791394m", 2147483640000},
        {"596523h", 2147482800000},
        {"2147483649", BAD},
        {"2147483648001ms", BAD},
        {"35791395m", BAD},
        {"596524h", BAD},
        {"18446744073709551615h", BAD},
        {"18446744073709551616", BAD},
        {"", BAD},
        {"s", BAD},
        {"1.5s", BAD},
        {"-1", BAD},
        {"+1", BAD},
        {"1 s", BAD},
        {"1S", BAD},
        {"1d", BAD},
        {"1mss", BAD},
        {"1h30m", BAD},
        {"1e3", BAD},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        check_row(num_parse_duration, &rows[i], MZ_BAD_REQUEST);
}
END_TEST

static void
check_format(int64_t n)
{
    char text[NUM_I64_SIZE], want[32];
    int64_t back = ~n;

    snprintf(want, sizeof want, "%" PRId64, n);
    ck_assert_uint_eq(num_format_i64(text, n), strlen(want));
    ck_assert_str_eq(text, want);
    ck_assert_int_eq(num_parse_i64(slice_of_string(text), &back), MZ_OK);
    ck_assert_int_eq(back, n);
    snprintf(want, sizeof want, "%" PRIu64, (uint64_t)n);
    ck_assert_uint_eq(num_format_u64(text, (uint64_t)n), strlen(want));
    ck_assert_str_eq(text, want);
}

START_TEST(formatting_is_printf_s)
{
    struct rng rng = {rng_test_seed()};

    check_format(0);
    check_format(INT64_MAX);
    check_format(INT64_MIN);
    check_format(-1);
    for (int64_t n = 1; n < INT64_MAX / 10; n *= 10) {
        check_format(n);
        check_format(n - 1);
        check_format(-n);
    }
    for (int i = 0; i < 10000; i++)
        check_format((int64_t)(rng_next(&rng) >> rng_below(&rng, 64)));
}
END_TEST

START_TEST(seconds_have_three_decimals)
{
    static const struct row rows[] = {
        {"0.000", 0},
        {"0.001", 1},
        {"0.010", 10},
        {"0.999", 999},
        {"1.000", 1000},
        {"1799.250", 1799250},
        {"100.000", 100000},
        {"315360000000.000", NUM_TTL_MAX_MS},
        {"9223372036854775.807", INT64_MAX},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[NUM_SECONDS_SIZE];

        ck_assert_uint_eq(num_format_seconds(text, rows[i].value),
                          strlen(rows[i].text));
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, signed_integers);
    tcase_add_test(tc, unsigned_integers);
    tcase_add_test(tc, times_in_seconds);
    tcase_add_test(tc, a_wait_may_be_zero);
    tcase_add_test(tc, times_agree_with_a_slow_reference);
    tcase_add_test(tc, endless_digits_are_exact);
    tcase_add_test(tc, sizes);
    tcase_add_test(tc, durations);
    tcase_add_test(tc, formatting_is_printf_s);
    tcase_add_test(tc, seconds_have_three_decimals);
}

TEST_MAIN("num", fill)
