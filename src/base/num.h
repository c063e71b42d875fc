/* SPDX-License-Identifier: MIT
 *
 * num.h - numbers as text, without a locale and without rounding by surprise.
 */
#ifndef MEMOIZER_BASE_NUM_H
#define MEMOIZER_BASE_NUM_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

/* The longest time that the protocols take: ten thousand years. */
#define NUM_TTL_MAX_MS INT64_C(315360000000000)

/* A JSON integer: optional minus, no leading zero, no fraction, no exponent,
 * within 64 bits (signed; unsigned takes no minus but -0). MZ_BAD_REQUEST
 * otherwise, *out unchanged. */
enum mz_err num_parse_i64(struct slice text, int64_t *out) MZ_CHECK;
enum mz_err num_parse_u64(struct slice text, uint64_t *out) MZ_CHECK;

/* A JSON number of seconds, as milliseconds rounded up: "0.0001" is 1,
 * "1.5e1" is 15000. Exact for every length of digits and exponent. MZ_BAD_TTL
 * when text is no JSON number, is not above 0, or is above NUM_TTL_MAX_MS;
 * *ms unchanged. */
enum mz_err num_parse_seconds(struct slice text, int64_t *ms) MZ_CHECK;

/* The same for a time that may be 0. */
enum mz_err num_parse_wait(struct slice text, int64_t *ms) MZ_CHECK;

/* Configuration: a size "512", "64kb", "8mb", "1gb", and sums of them joined
 * by "+" ("8mb+64kb"); units of 1024, any case. MZ_BAD_REQUEST when malformed
 * or above 64 bits. */
enum mz_err num_parse_size(struct slice text, uint64_t *bytes) MZ_CHECK;

/* Configuration: a time "250ms", "10s", "5m", "1h"; a bare number is seconds.
 * No fraction, no sign. MZ_BAD_REQUEST when malformed or over 2^31 seconds. */
enum mz_err num_parse_duration(struct slice text, int64_t *ms) MZ_CHECK;

/* Text sizes, NUL included. */
#define NUM_I64_SIZE     21
#define NUM_SECONDS_SIZE 24

/* Decimal digits; return the length without the NUL. */
size_t num_format_i64(char out[NUM_I64_SIZE], int64_t n);
size_t num_format_u64(char out[NUM_I64_SIZE], uint64_t n);

/* ms >= 0 as seconds with three decimals: 1799250 gives "1799.250". */
size_t num_format_seconds(char out[NUM_SECONDS_SIZE], int64_t ms);

#endif
