/* SPDX-License-Identifier: MIT
 *
 * wire_json_rows.c - see wire_json_rows.h.
 */
#include "wire_json_rows.h"

#include "chaos.h"
#include "guard_page.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/must.h"
#include "wire/wire_json.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

#define MAX_REQUEST ((size_t)1 << 20)
#define MAX_VALUE   ((size_t)100)
#define UNTOUCHED   0xa5

static void
put_word(struct buf *out, const char *name, struct slice word)
{
    char quoted[QUOTE_SIZE];

    buf_printf(out, " %s=%s", name, quote(quoted, word));
}

static void
put_ms(struct buf *out, const char *name, int64_t ms)
{
    if (ms == COMMAND_TTL_KEEP)
        buf_printf(out, " %s=keep", name);
    else
        buf_printf(out, " %s=%" PRId64, name, ms);
}

static void
put_keys(struct buf *out, struct key_list keys)
{
    struct slice key = {NULL, 0};

    buf_printf(out, " keys=%zu", keys.count);
    while (key_list_next(&keys, &key))
        put_word(out, "k", key);
    ck_assert_uint_eq(keys.packed.len, 0);
}

static void
put_command(struct buf *out, const struct command *c)
{
    static const char *const conditions[] = {"", " absent", " present",
                                             " version"};

    buf_put_string(out, verb_name(c->verb));
    if (c->many)
        put_keys(out, c->keys);
    if (c->key.data != NULL)
        put_word(out, "k", c->key);
    if (c->value.data != NULL) {
        buf_put_string(out, " v=");
        buf_put_slice(out, c->value);
    }
    if (c->ttl_ms != COMMAND_TTL_NEVER)
        put_ms(out, "ttl", c->ttl_ms);
    if (c->get_touch_ms != 0)
        put_ms(out, "touch", c->get_touch_ms);
    buf_put_string(out, conditions[c->condition]);
    if (c->condition == COMMAND_IF_VERSION)
        buf_printf(out, "=%" PRIu64, c->if_version);
    if (c->prefix.data != NULL)
        put_word(out, "prefix", c->prefix);
    if (c->cursor != 0)
        buf_printf(out, " after=%" PRIu64, c->cursor);
    if (c->verb == VERB_SCAN)
        buf_printf(out, " count=%u", (unsigned)c->page_count);
    if (c->verb == VERB_LOCK)
        put_ms(out, "wait", c->wait_ms);
    if (c->verb == VERB_UNLOCK)
        buf_printf(out, " token=%" PRId64, c->token);
    if (c->verb == VERB_SELECT)
        buf_printf(out, " db=%d", c->db);
    if (c->has_id) {
        buf_put_string(out, " i=");
        buf_put_slice(out, c->id);
    }
}

static void
put_fault(struct buf *out, const struct fault *fault)
{
    ck_assert_ptr_nonnull(memchr(fault->text, '\0', FAULT_TEXT_SIZE));
    if (fault->has_id) {
        buf_put_string(out, "i=");
        buf_put_slice(out, fault->id);
        buf_put_string(out, " ");
    }
    buf_printf(out, "%s: %s", err_code(fault->err), fault->text);
}

/* ck_assert writes a mark each time: too slow for what is done every byte. */
#define ASSERT(expr)                                                           \
    do {                                                                       \
        if (!(expr))                                                           \
            ck_abort_msg("%s", #expr);                                         \
    } while (0)

static bool
is_untouched(const void *block, size_t len)
{
    const unsigned char *bytes = block;

    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != UNTOUCHED)
            return false;
    }
    return true;
}

/* One call of the decoder, which takes no memory of ours; false when there is
 * nothing more to decode. */
static bool
decode_one(struct wire_json *w, char *data, size_t len, bool at_end,
           struct buf *out, size_t *used)
{
    struct command command;
    struct fault fault;
    enum wire_status status;
    struct chaos chaos;

    memset(&command, UNTOUCHED, sizeof(command));
    memset(&fault, UNTOUCHED, sizeof(fault));
    *used = SIZE_MAX;
    chaos_begin(&chaos, 1);
    status = wire_json_decode(w, data, len, at_end, &command, &fault, used);
    ASSERT(!chaos_end(&chaos));
    ASSERT(*used <= len);
    if (status != WIRE_DONE)
        ASSERT(is_untouched(&command, sizeof(command)));
    if (status != WIRE_BAD)
        ASSERT(is_untouched(&fault, sizeof(fault)));
    if (status == WIRE_MORE)
        return false;
    if (out->len > 0)
        buf_put_string(out, " | ");
    if (status == WIRE_DONE)
        put_command(out, &command);
    else if (status == WIRE_BAD)
        put_fault(out, &fault);
    else
        buf_put_string(out, status == WIRE_CLOSE ? "CLOSE" : "FATAL");
    return status == WIRE_DONE || status == WIRE_BAD;
}

/* Decodes the len bytes at data, as far as they are complete, and says how many
 * are done with. False: closed. */
static bool
decode_all(struct wire_json *w, char *data, size_t len, bool at_end,
           struct buf *out, size_t *done)
{
    size_t used;
    bool closed;

    *done = 0;
    while (decode_one(w, data + *done, len - *done, at_end, out, &used))
        *done += used;
    *done += used;
    closed = out->len >= 5 && memcmp(out->data + out->len - 5, "CLOSE", 5) == 0;
    if (!closed) {
        size_t left = len - *done;

        ASSERT(left <= w->max_request);
        ASSERT(wire_json_in_request(w, left) == (left > 0 || w->discarding));
    }
    return !closed;
}

/* What is left and the next piece always lie at the end of the page. */
char *
rows_outcome(struct slice stream, const struct delivery *delivery)
{
    struct guarded g = guarded_copy(stream.data, stream.len);
    char *page_end = g.data + stream.len;
    size_t piece = delivery->piece == 0 ? stream.len : delivery->piece;
    size_t left = 0, done = 0, taken;
    struct wire_json w;
    struct buf out = {0};
    bool open = true;

    wire_json_init(&w, delivery->max_request, delivery->max_value);
    do {
        size_t len = piece < stream.len - done ? piece : stream.len - done;
        char *data = page_end - left - len;

        memmove(data, page_end - left, left);
        if (len > 0)
            memcpy(data + left, stream.data + done, len);
        done += len;
        left += len;
        open = decode_all(&w, data, left,
                          delivery->at_end && done == stream.len, &out, &taken);
        left -= taken;
    } while (open && done < stream.len);
    if (open && left > 0)
        buf_printf(&out, "%s(%zu)", out.len > 0 ? " | " : "", left);
    buf_put_char(&out, '\0');
    must(!out.failed);
    guarded_free(&g);
    return out.data;
}

static bool
matches(const char *text, const char *pattern)
{
    const char *star = NULL, *behind = NULL; /* the last one, and its text */

    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            behind = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++behind;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

void
rows_check_match(const char *stream, const char *text, const char *pattern)
{
    ck_assert_msg(matches(text, pattern), "%s\n  gave:     %s\n  expected: %s",
                  stream, text, pattern);
}

static void
check(struct slice stream, const struct row *row, struct delivery delivery)
{
    static const size_t pieces[] = {1, 7};
    char *whole = rows_outcome(stream, &delivery);

    rows_check_match(row->stream, whole, row->outcome);
    for (size_t i = 0; i < 2; i++) {
        char *cut;

        delivery.piece = pieces[i];
        cut = rows_outcome(stream, &delivery);
        ck_assert_str_eq(whole, cut);
        mem_free(cut);
    }
    mem_free(whole);
}

static struct buf
with_quotes(const char *text)
{
    struct buf stream = {0};

    buf_put_string(&stream, text);
    for (size_t i = 0; i < stream.len; i++) {
        if (stream.data[i] == '\'')
            stream.data[i] = '"';
    }
    return stream;
}

void
rows_check_line(const struct row *row)
{
    const struct delivery delivery = {MAX_REQUEST, MAX_VALUE, 0, false};
    struct buf stream = with_quotes(row->stream);

    buf_put_char(&stream, '\n');
    check(buf_slice(&stream), row, delivery);
    buf_fini(&stream);
}

void
rows_check_stream(const struct row *row, size_t max_request, bool at_end)
{
    const struct delivery delivery = {max_request, MAX_VALUE, 0, at_end};
    struct buf stream = with_quotes(row->stream);

    check(buf_slice(&stream), row, delivery);
    buf_fini(&stream);
}
