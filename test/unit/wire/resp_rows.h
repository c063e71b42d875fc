/* SPDX-License-Identifier: MIT
 *
 * resp_rows.h - streams of RESP requests and what becomes of them.
 *
 * A row is decoded whole, byte by byte and cut in two at every place, always
 * against an unreadable page, and the outcome must be the same. Its parts are
 * joined by " | ":
 *
 *     [SET k a\x00b ""]          a command with its words
 *     [GET {70000}]              a word of so many bytes
 *     BAD too_large: ...         a refusal after which it goes on
 *     FATAL Protocol error: ...  the last thing that is said
 *     CLOSE                      the connection is closed
 *     (3)                        at last: bytes that stay behind
 */
#ifndef MEMOIZER_TEST_RESP_ROWS_H
#define MEMOIZER_TEST_RESP_ROWS_H

#include "base/buf.h"
#include "base/slice.h"
#include "wire/resp_request.h"

#include <stdbool.h>
#include <stddef.h>

#define RESP_PING       "*1\r\n$4\r\nPING\r\n"
#define RESP_BAD_COUNT  "FATAL Protocol error: invalid multibulk length"
#define RESP_BAD_LENGTH "FATAL Protocol error: invalid bulk length"

struct resp_row {
    struct slice stream;
    const char *outcome;
};

#define ROW(stream, outcome)                                                   \
    {                                                                          \
        SLICE_LITERAL(stream), outcome                                         \
    }

struct resp_limits {
    size_t max_bulk, max_total, max_args;
    bool tame;
};

/* 1 MiB arguments, 2 MiB commands of 2^20 arguments. */
extern const struct resp_limits resp_usual, resp_tame;

/* A stream on its way. */
struct resp_delivery {
    struct resp_request r;
    struct buf left;    /* came, and is not used yet */
    struct buf outcome; /* as text */
    bool ended;
};

void resp_begin(struct resp_delivery *d, const struct resp_limits *limits);

/* Decodes one command of data and notes what came of it. */
enum wire_status resp_step(struct resp_delivery *d, char *data, size_t len,
                           size_t *used);

/* More bytes of the stream come. */
void resp_deliver(struct resp_delivery *d, struct slice piece);

/* The outcome as text, which the caller frees with mem_free(). */
char *resp_finish(struct resp_delivery *d);

/* The outcome of the stream, whose first piece has `first` bytes and whose
 * others have `piece`. The caller frees it with mem_free(). */
char *resp_outcome(struct slice stream, const struct resp_limits *limits,
                   size_t first, size_t piece);

/* A word as it stands in an outcome. */
void resp_put_word(struct buf *out, struct slice word);

/* Fails the test unless the row has its outcome however it is cut. A long
 * stream is not cut everywhere. */
void resp_check_row(const struct resp_row *row,
                    const struct resp_limits *limits);

/* The same for a stream that was built, which it frees. */
void resp_check_built(struct buf *stream, const struct resp_limits *limits,
                      const char *outcome);

#define CHECK_ROWS(rows, limits)                                               \
    for (size_t row = 0; row < sizeof(rows) / sizeof *(rows); row++)           \
    resp_check_row(&(rows)[row], limits)

void resp_put_times(struct buf *buf, const char *text, size_t count);

#endif
