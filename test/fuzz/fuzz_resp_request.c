/* SPDX-License-Identifier: MIT
 *
 * fuzz_resp_request.c - any bytes as a stream of RESP requests: however they
 * are cut on their way, the same comes out.
 *
 * The stream is decoded once whole and several times in random pieces, and
 * what came out is compared. The limits are small and, like the cuts, drawn
 * from a hash of the stream: the input is nothing but the stream, and a finding
 * needs nothing but its file. A command of the words "AUTH" or "RESET" changes
 * whether the client is tame, as the caller would do.
 *
 * Each delivery puts the bytes that are left and the new piece in a fresh
 * block of their exact size: a slice that outlives its time, or a look beyond
 * the end, is seen by the address sanitizer. What comes out is also written as
 * arrays and decoded again: it must be the same commands.
 */
#include "base/buf.h"
#include "base/hash.h"
#include "base/must.h"
#include "rng.h"
#include "wire/resp_request.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELIVERY_COUNT 4 /* in pieces, besides the whole one */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct limits {
    size_t max_bulk, max_total, max_args;
    bool tame;
};

/* What came out: the commands as arrays, and all as text. */
struct outcome {
    struct buf arrays;
    struct buf notes;
};

static bool
is_inside(struct slice s, const char *data, size_t len)
{
    return s.data >= data && s.data + s.len <= data + len;
}

/* What the header promises of every command. */
static void
check_command(const struct resp_command *c, const char *data, size_t used,
              const struct limits *limits)
{
    must(c->count > 0 && c->count <= limits->max_args);
    for (size_t i = 0; i < c->count; i++) {
        must(is_inside(c->args[i], data, used));
        must(i == 0 ||
             c->args[i].data >= c->args[i - 1].data + c->args[i - 1].len);
    }
}

static void
note_command(struct outcome *out, const struct resp_command *c)
{
    buf_printf(&out->arrays, "*%zu\r\n", c->count);
    for (size_t i = 0; i < c->count; i++) {
        buf_printf(&out->arrays, "$%zu\r\n", c->args[i].len);
        buf_put_slice(&out->arrays, c->args[i]);
        buf_put_string(&out->arrays, "\r\n");
        buf_printf(&out->notes, " %zu:", c->args[i].len);
        buf_put_slice(&out->notes, c->args[i]);
    }
    buf_put_char(&out->notes, '\n');
}

static void
note_fault(struct outcome *out, const struct fault *f, enum wire_status status)
{
    must(!f->has_id);
    must(memchr(f->text, '\0', sizeof(f->text)) != NULL);
    for (const char *c = f->text; *c != '\0'; c++)
        must((unsigned char)*c >= 0x20 && *c != 0x7f);
    must(status == WIRE_FATAL ? f->err == MZ_BAD_REQUEST
                              : f->err == MZ_TOO_LARGE);
    buf_printf(&out->notes, "%s\n", f->text);
}

/* Decodes one command. */
static enum wire_status
decode_one(struct resp_request *r, char *data, size_t len,
           const struct limits *limits, struct outcome *out, size_t *used)
{
    struct resp_command command = {0};
    struct fault fault = {.has_id = true};
    enum wire_status status =
        resp_request_next(r, data, len, &command, &fault, used);

    must(*used <= len);
    if (status == WIRE_DONE) {
        must(*used > 0);
        check_command(&command, data, *used, limits);
        note_command(out, &command);
        if (slice_is(command.args[0], "AUTH"))
            r->tame = false;
        else if (slice_is(command.args[0], "RESET"))
            r->tame = true;
    } else if (status == WIRE_BAD || status == WIRE_FATAL) {
        note_fault(out, &fault, status);
    } else if (status == WIRE_CLOSE) {
        buf_put_string(&out->notes, "close\n");
    } else {
        must(resp_request_missing(r) >= 1);
        must(len - *used <= resp_request_left_max(r));
    }
    return status;
}

/* Decodes all that is complete in the *len bytes of block and keeps the rest
 * in it. False: the connection would be closed. */
static bool
decode(struct resp_request *r, char *block, size_t *len,
       const struct limits *limits, struct outcome *out)
{
    enum wire_status status;
    char *data = block;

    do {
        size_t used = 0;

        status = decode_one(r, data, *len - (size_t)(data - block), limits, out,
                            &used);
        data += used;
    } while (status == WIRE_DONE || status == WIRE_BAD);
    *len -= (size_t)(data - block);
    memmove(block, data, *len);
    return status == WIRE_MORE;
}

/* Delivers the stream in pieces of 1 to piece_max bytes and notes what comes
 * out. piece_max 0: whole. */
static void
deliver(struct slice stream, size_t piece_max, struct rng *rng,
        const struct limits *limits, struct outcome *out)
{
    struct resp_request r;
    char *left = malloc(1);
    size_t left_len = 0, done = 0;
    bool open = true;

    must(left != NULL);
    resp_request_init(&r, limits->max_bulk, limits->max_total,
                      limits->max_args);
    r.tame = limits->tame;
    do {
        size_t piece =
            piece_max == 0 ? stream.len : 1 + rng_below(rng, piece_max);
        char *block;

        if (piece > stream.len - done)
            piece = stream.len - done;
        block = malloc(left_len + piece);
        must(block != NULL);
        memcpy(block, left, left_len);
        if (piece > 0)
            memcpy(block + left_len, stream.data + done, piece);
        free(left);
        left = block;
        left_len += piece;
        done += piece;
        open = decode(&r, left, &left_len, limits, out);
        must(r.args_cap <= stream.len + 8);
        if (rng_below(rng, 4) == 0)
            resp_request_shrink(&r);
    } while (open && done < stream.len);
    if (open)
        buf_printf(&out->notes, "left %zu, begun %d, missing %zu\n", left_len,
                   resp_request_in_request(&r, left_len),
                   resp_request_missing(&r));
    free(left);
    resp_request_fini(&r);
    must(!out->notes.failed && !out->arrays.failed);
}

/* The commands that came out come out of their own arrays again. */
static void
check_again(const struct outcome *out)
{
    static const struct limits wide = {1 << 20, 1 << 20, 1 << 20, false};
    struct rng rng = {0};
    struct outcome again = {{0}, {0}};

    deliver(buf_slice(&out->arrays), 0, &rng, &wide, &again);
    must(slice_equal(buf_slice(&out->arrays), buf_slice(&again.arrays)));
    buf_fini(&again.arrays);
    buf_fini(&again.notes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct slice stream = slice_of((const char *)data, len);
    struct rng rng = {hash_bytes(stream, 0)};
    struct limits limits = {0};
    struct outcome whole = {{0}, {0}};

    limits.max_bulk = 1 + rng_below(&rng, 200);
    limits.max_total = 1 + rng_below(&rng, 300);
    limits.max_args = 1 + rng_below(&rng, 40);
    limits.tame = rng_below(&rng, 4) == 0;
    deliver(stream, 0, &rng, &limits, &whole);
    check_again(&whole);
    for (size_t i = 0; i < DELIVERY_COUNT; i++) {
        size_t piece_max = (size_t)1 << (3 * i); /* 1, 8, 64, 512 */
        struct outcome pieces = {{0}, {0}};

        deliver(stream, piece_max, &rng, &limits, &pieces);
        if (!slice_equal(buf_slice(&whole.notes), buf_slice(&pieces.notes))) {
            fprintf(stderr,
                    "fuzz_resp_request: max_bulk %zu, max_total %zu, max_args "
                    "%zu, tame %d\nwhole:\n%.*s\nin pieces of up to "
                    "%zu:\n%.*s\n",
                    limits.max_bulk, limits.max_total, limits.max_args,
                    limits.tame, (int)whole.notes.len, whole.notes.data,
                    piece_max, (int)pieces.notes.len, pieces.notes.data);
            abort();
        }
        buf_fini(&pieces.arrays);
        buf_fini(&pieces.notes);
    }
    buf_fini(&whole.arrays);
    buf_fini(&whole.notes);
    return 0;
}
