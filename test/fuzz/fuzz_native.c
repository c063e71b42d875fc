/* SPDX-License-Identifier: MIT
 *
 * fuzz_native.c - any bytes as a stream of native requests: however they are
 * cut on their way, the same comes out.
 *
 * The stream is decoded once whole and several times in random pieces, and
 * what came out is compared. The limits of the line and of the value are small
 * and, like the cuts, drawn from a hash of the stream: the input is nothing
 * but the stream, and a finding needs nothing but its file.
 *
 * Each delivery puts the bytes that are left and the new piece in a fresh
 * block of their exact size: a slice that outlives its time, or a look beyond
 * the end, is seen by the address sanitizer.
 */
#include "base/buf.h"
#include "base/hash.h"
#include "base/must.h"
#include "rng.h"
#include "wire/scan.h"
#include "wire/wire_json.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELIVERY_COUNT 4 /* in pieces, besides the whole one */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct limits {
    size_t max_request;
    size_t max_value;
};

/* A name, and the bytes with their length: nothing runs together. */
static void
note_slice(struct buf *notes, const char *name, struct slice s)
{
    buf_printf(notes, " %s=%zu:", name, s.len);
    buf_put_slice(notes, s);
}

static bool
is_inside(struct slice s, const char *data, size_t len)
{
    return s.len == 0 || (s.data >= data && s.data + s.len <= data + len);
}

/* What the header and the protocol promise of every command. */
static void
check_command(const struct command *c, const char *data, size_t len,
              const struct limits *limits)
{
    must(c->verb < VERB_TOTAL);
    must(c->key.len <= UINT16_MAX);
    must(c->value.len <= limits->max_value);
    must(c->db < 16);
    must(is_inside(c->id, data, len) && is_inside(c->value, data, len));
    must(memchr(c->value.data == NULL ? "" : c->value.data, '\n',
                c->value.len) == NULL);
    if (c->verb == VERB_SET) {
        char *copy = malloc(c->value.len);
        struct scan s = {copy, copy + c->value.len, NULL};

        must(copy != NULL && c->value.len > 0);
        memcpy(copy, c->value.data, c->value.len);
        must(scan_value(&s, WIRE_JSON_DEPTH_MAX) == MZ_OK && s.at == s.end);
        must(memcmp(copy, c->value.data, c->value.len) == 0);
        free(copy);
    }
}

static void
note_command(struct buf *notes, const struct command *c)
{
    struct key_list keys = c->keys;
    struct slice key;

    buf_printf(notes, "%s ttl=%" PRIi64 " touch=%" PRIi64 " if=%d:%" PRIu64,
               verb_name(c->verb), c->ttl_ms, c->get_touch_ms, c->condition,
               c->if_version);
    buf_printf(notes, " db=%d many=%d id=%d", c->db, c->many, c->has_id);
    if (c->has_id)
        note_slice(notes, "id", c->id);
    note_slice(notes, "value", c->value);
    if (!c->many)
        note_slice(notes, "key", c->key);
    while (c->many && key_list_next(&keys, &key))
        note_slice(notes, "key", key);
    buf_put_char(notes, '\n');
}

static void
note_fault(struct buf *notes, const struct fault *f, enum wire_status status)
{
    must(f->err > MZ_OK && f->err < MZ_ERR_COUNT);
    must(memchr(f->text, '\0', sizeof(f->text)) != NULL);
    for (const char *c = f->text; *c != '\0'; c++)
        must((unsigned char)*c >= 0x20 && *c != 0x7f);
    buf_printf(notes, "%s %s: %s", status == WIRE_FATAL ? "fatal" : "bad",
               err_code(f->err), f->text);
    if (f->has_id)
        note_slice(notes, "id", f->id);
    buf_put_char(notes, '\n');
}

/* Decodes all that is complete in the *len bytes of block and keeps the rest
 * in it. False: the connection would be closed. */
static bool
decode(struct wire_json *w, char *block, size_t *len, bool at_end,
       const struct limits *limits, struct buf *notes)
{
    char *data = block;
    enum wire_status status;

    do {
        size_t left = *len - (size_t)(data - block), used = 0;
        struct command command = {0};
        struct fault fault = {0};

        status =
            wire_json_decode(w, data, left, at_end, &command, &fault, &used);
        must(used <= left);
        must(used > 0 || status == WIRE_MORE || status == WIRE_CLOSE ||
             status == WIRE_FATAL || status == WIRE_BAD);
        if (status == WIRE_DONE) {
            check_command(&command, data, left, limits);
            note_command(notes, &command);
        } else if (status == WIRE_BAD || status == WIRE_FATAL) {
            note_fault(notes, &fault, status);
        }
        data += used;
    } while (status == WIRE_DONE || status == WIRE_BAD);

    *len -= (size_t)(data - block);
    memmove(block, data, *len);
    if (status == WIRE_CLOSE)
        buf_put_string(notes, "close\n");
    return status == WIRE_MORE;
}

/* Delivers the stream in pieces of 1 to piece_max bytes and notes what comes
 * out. piece_max 0: whole. */
static void
deliver(const char *stream, size_t len, size_t piece_max, struct rng *rng,
        const struct limits *limits, struct buf *notes)
{
    struct wire_json w;
    char *left = malloc(1);
    size_t left_len = 0, done = 0;
    bool open = true;

    must(left != NULL);
    wire_json_init(&w, limits->max_request, limits->max_value);
    do {
        size_t piece = piece_max == 0 ? len : 1 + rng_below(rng, piece_max);
        char *block;

        if (piece > len - done)
            piece = len - done;
        block = malloc(left_len + piece);
        must(block != NULL);
        memcpy(block, left, left_len);
        memcpy(block + left_len, stream + done, piece);
        free(left);
        left = block;
        left_len += piece;
        done += piece;
        open = decode(&w, left, &left_len, done == len, limits, notes);
        must(left_len <= limits->max_request + 1 || !open);
    } while (open && done < len);
    free(left);
    must(!notes->failed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *stream = (const char *)data;
    struct rng rng = {hash_bytes(slice_of(stream, len), 0)};
    struct limits limits = {32 + rng_below(&rng, 500), 0};
    struct buf whole = {0};

    limits.max_value = 1 + rng_below(&rng, limits.max_request);
    deliver(stream, len, 0, &rng, &limits, &whole);
    for (size_t i = 0; i < DELIVERY_COUNT; i++) {
        size_t piece_max = (size_t)1 << (3 * i); /* 1, 8, 64, 512 */
        struct buf pieces = {0};

        deliver(stream, len, piece_max, &rng, &limits, &pieces);
        if (!slice_equal(buf_slice(&whole), buf_slice(&pieces))) {
            fprintf(stderr,
                    "fuzz_native: max_request %zu, max_value %zu\n"
                    "whole:\n%.*s\nin pieces of up to %zu:\n%.*s\n",
                    limits.max_request, limits.max_value, (int)whole.len,
                    whole.data, piece_max, (int)pieces.len, pieces.data);
            abort();
        }
        buf_fini(&pieces);
    }
    buf_fini(&whole);
    return 0;
}
