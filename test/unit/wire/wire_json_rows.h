/* SPDX-License-Identifier: MIT
 *
 * wire_json_rows.h - streams of request lines and what becomes of them.
 *
 * A stream is decoded whole and in pieces, always against an unreadable page,
 * and the outcome must be the same. It is written as text, so that a test is a
 * row of two strings. In a stream ' stands for ". In the outcome, where parts
 * are joined by " | ":
 *
 *     get k=a touch=1500 i=7           a command with its fields
 *     bad_request: unknown member "x"  a refusal
 *     i=7 too_deep: ...                a refusal that carries an id
 *     CLOSE                            the connection is closed
 *     (3)                              at last: bytes that stay behind
 *
 * In an expected outcome * stands for any text.
 */
#ifndef MEMOIZER_TEST_WIRE_JSON_ROWS_H
#define MEMOIZER_TEST_WIRE_JSON_ROWS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct row {
    const char *stream;
    const char *outcome;
};

struct delivery {
    size_t max_request, max_value;
    size_t piece; /* bytes at a time; 0: all at once */
    bool at_end;  /* the last piece is the end of input */
};

/* Decodes the stream as it is (no ' for "). The caller frees the text with
 * mem_free(). */
char *rows_outcome(struct slice stream, const struct delivery *delivery);

/* Fails the test unless the stream, to which an LF is added, has the outcome
 * whole, byte by byte and in pieces of 7. 1 MiB requests, 100 byte values. */
void rows_check_line(const struct row *row);

/* The same without an LF added, with these limits. */
void rows_check_stream(const struct row *row, size_t max_request, bool at_end);

/* Fails the test unless text has the form of the pattern. */
void rows_check_match(const char *stream, const char *text,
                      const char *pattern);

#define ROWS_CHECK_LINES(rows)                                                 \
    for (size_t row = 0; row < sizeof(rows) / sizeof(*(rows)); row++)          \
    rows_check_line(&(rows)[row])

#endif
