/* SPDX-License-Identifier: MIT
 *
 * resp_rows.c - see resp_rows.h.
 */
#include "resp_rows.h"

#include "guard_page.h"

#include "base/mem.h"

#include <check.h>
#include <stdint.h>

#define WORD_SHOWN   64  /* longer words show their length */
#define ALL_CUTS_MAX 400 /* longer streams are not cut everywhere */

#define MAX_BULK     ((size_t)1 << 20)
#define MAX_TOTAL    ((size_t)2 << 20)
#define MAX_ARGS     ((size_t)1 << 20)

const struct resp_limits resp_usual = {MAX_BULK, MAX_TOTAL, MAX_ARGS, false};
const struct resp_limits resp_tame = {MAX_BULK, MAX_TOTAL, MAX_ARGS, true};

void
resp_begin(struct resp_delivery *d, const struct resp_limits *limits)
{
    *d = (struct resp_delivery){.ended = false};
    resp_request_init(&d->r, limits->max_bulk, limits->max_total,
                      limits->max_args);
    d->r.tame = limits->tame;
}

static void
part(struct resp_delivery *d)
{
    if (d->outcome.len > 0)
        buf_put_string(&d->outcome, " | ");
}

void
resp_put_word(struct buf *out, struct slice word)
{
    if (word.len == 0)
        buf_put_string(out, "\"\"");
    if (word.len > WORD_SHOWN) {
        buf_printf(out, "{%zu}", word.len);
        return;
    }
    for (size_t i = 0; i < word.len; i++) {
        unsigned char c = (unsigned char)word.data[i];

        if (c > ' ' && c < 0x7f)
            buf_put_char(out, (char)c);
        else
            buf_printf(out, "\\x%02x", c);
    }
}

static void
note_command(struct resp_delivery *d, const struct resp_command *command)
{
    part(d);
    ck_assert_uint_gt(command->count, 0);
    for (size_t i = 0; i < command->count; i++) {
        buf_put_char(&d->outcome, i == 0 ? '[' : ' ');
        resp_put_word(&d->outcome, command->args[i]);
    }
    buf_put_char(&d->outcome, ']');
}

/* Decodes one command of data and notes what came of it. */
enum wire_status
resp_step(struct resp_delivery *d, char *data, size_t len, size_t *used)
{
    struct resp_command command = {0};
    struct fault fault = {.err = MZ_INTERNAL, .has_id = true};
    enum wire_status status =
        resp_request_next(&d->r, data, len, &command, &fault, used);

    ck_assert_uint_le(*used, len);
    if (status == WIRE_DONE)
        note_command(d, &command);
    if (status == WIRE_BAD || status == WIRE_FATAL) {
        part(d);
        ck_assert(!fault.has_id);
        buf_printf(&d->outcome, "%s%s%s%s", status == WIRE_BAD ? "BAD " : "",
                   status == WIRE_BAD ? err_code(fault.err) : "FATAL",
                   status == WIRE_BAD ? ": " : " ", fault.text);
    }
    if (status == WIRE_FATAL)
        ck_assert_int_eq(fault.err, MZ_BAD_REQUEST);
    if (status == WIRE_CLOSE) {
        part(d);
        buf_put_string(&d->outcome, "CLOSE");
    }
    d->ended = status == WIRE_FATAL || status == WIRE_CLOSE;
    return status;
}

/* More bytes of the stream come. */
void
resp_deliver(struct resp_delivery *d, struct slice piece)
{
    enum wire_status status = WIRE_MORE;
    struct guarded block;
    size_t done = 0;

    if (d->ended)
        return;
    buf_put_slice(&d->left, piece);
    ck_assert(!d->left.failed);
    block = guarded_copy(d->left.data, d->left.len);
    do {
        size_t used = 0;

        status = resp_step(d, block.data + done, d->left.len - done, &used);
        done += used;
    } while (status == WIRE_DONE || status == WIRE_BAD);
    buf_consume(&d->left, done);
    /* What the decoder wrote on the bytes that stay must stay, too. */
    if (d->left.len > 0)
        memcpy(d->left.data, block.data + done, d->left.len);
    guarded_free(&block);
    if (status == WIRE_MORE) {
        ck_assert_uint_ge(resp_request_missing(&d->r), 1);
        ck_assert_uint_le(d->left.len, resp_request_left_max(&d->r));
    }
}

/* The outcome as text, which the caller frees with mem_free(). */
char *
resp_finish(struct resp_delivery *d)
{
    if (!d->ended && d->left.len > 0) {
        part(d);
        buf_printf(&d->outcome, "(%zu)", d->left.len);
    }
    buf_put_char(&d->outcome, '\0');
    ck_assert(!d->outcome.failed);
    resp_request_fini(&d->r);
    buf_fini(&d->left);
    return d->outcome.data;
}

/* The stream, the first piece of `first` bytes and the others of `piece`. */
char *
resp_outcome(struct slice stream, const struct resp_limits *limits,
             size_t first, size_t piece)
{
    struct resp_delivery d;
    size_t at = 0, n = first;

    resp_begin(&d, limits);
    do {
        if (n > stream.len - at)
            n = stream.len - at;
        resp_deliver(&d, slice_of(stream.data + at, n));
        at += n;
        n = piece;
    } while (at < stream.len);
    return resp_finish(&d);
}

static void
check_cut(const struct resp_row *row, const struct resp_limits *limits,
          size_t first, size_t piece)
{
    char *outcome = resp_outcome(row->stream, limits, first, piece);

    if (strcmp(outcome, row->outcome) != 0)
        ck_abort_msg("%.*s\nfirst %zu, then by %zu: %s\nexpected: %s",
                     (int)(row->stream.len < 200 ? row->stream.len : 200),
                     row->stream.data, first, piece, outcome, row->outcome);
    mem_free(outcome);
}

void
resp_check_row(const struct resp_row *row, const struct resp_limits *limits)
{
    size_t len = row->stream.len;

    check_cut(row, limits, len, 1);
    if (len <= ALL_CUTS_MAX) {
        check_cut(row, limits, 1, 1);
        for (size_t first = 0; first < len; first++)
            check_cut(row, limits, first, len);
    } else {
        check_cut(row, limits, len / 3, len / 7 + 1);
        for (size_t first = len - 8; first < len; first++)
            check_cut(row, limits, first, 1);
    }
}

void
resp_put_times(struct buf *buf, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_put_string(buf, text);
}

void
resp_check_built(struct buf *stream, const struct resp_limits *limits,
                 const char *outcome)
{
    struct resp_row row = {buf_slice(stream), outcome};

    ck_assert(!stream->failed);
    resp_check_row(&row, limits);
    buf_fini(stream);
}
