/* SPDX-License-Identifier: MIT
 *
 * wire_json_reply.c - the answers of the native protocol.
 *
 * An answer is its result between begin() and end(); in an envelope the
 * version and the rest come between the two as well:
 *
 *     plain                RESULT LF
 *     enveloped  {"i":ID,"r":RESULT,"ver":N,"ttl":SECONDS} LF
 *
 * Nothing here fails: a lost append makes outbox_failed() true, and an answer
 * that was begun is not sent then. Values are valid JSON without an LF, so an
 * answer is one line.
 */
#include "wire/wire_json.h"

#include "base/must.h"
#include "base/num.h"
#include "wire/json_string.h"
#include "wire/scan.h"

/* Without the strlen: the lengths are known to the compiler. */
#define PUT(reply, text) outbox_put((reply)->out, text, sizeof(text) - 1)

static void
put_u64(struct reply *reply, uint64_t n)
{
    char text[NUM_I64_SIZE];

    outbox_put(reply->out, text, num_format_u64(text, n));
}

static void
put_seconds(struct reply *reply, int64_t ms)
{
    char text[NUM_SECONDS_SIZE];

    outbox_put(reply->out, text, num_format_seconds(text, ms));
}

static void
begin_envelope(struct reply *reply)
{
    PUT(reply, "{\"i\":");
    outbox_put_slice(reply->out, reply->id);
}

static void
begin(struct reply *reply)
{
    if (reply->has_id) {
        begin_envelope(reply);
        PUT(reply, ",\"r\":");
    }
}

/* Only in an envelope. */
static void
put_version(struct reply *reply, uint64_t version)
{
    PUT(reply, ",\"ver\":");
    put_u64(reply, version);
}

static void
end(struct reply *reply)
{
    if (reply->has_id)
        PUT(reply, "}\n");
    else
        PUT(reply, "\n");
}

static void
answer(struct reply *reply, struct slice result)
{
    begin(reply);
    outbox_put_slice(reply->out, result);
    end(reply);
}

static void
reply_json_ok(struct reply *reply)
{
    static const struct slice plain = SLICE_LITERAL("ok");
    static const struct slice enveloped = SLICE_LITERAL("true");

    answer(reply, reply->has_id ? enveloped : plain);
}

static void
reply_json_written(struct reply *reply, uint64_t version)
{
    if (!reply->has_id) {
        PUT(reply, "ok\n");
        return;
    }
    begin(reply);
    PUT(reply, "true");
    put_version(reply, version);
    end(reply);
}

static void
reply_json_integer(struct reply *reply, int64_t n)
{
    char text[NUM_I64_SIZE];

    answer(reply, slice_of(text, num_format_i64(text, n)));
}

static void
reply_json_counted(struct reply *reply, int64_t n, uint64_t version)
{
    char text[NUM_I64_SIZE];

    begin(reply);
    outbox_put(reply->out, text, num_format_i64(text, n));
    if (reply->has_id)
        put_version(reply, version);
    end(reply);
}

static void
reply_json_boolean(struct reply *reply, bool yes)
{
    static const struct slice words[] = {SLICE_LITERAL("false"),
                                         SLICE_LITERAL("true")};

    answer(reply, words[yes]);
}

static void
put_value(struct reply *reply, const struct reply_value *value)
{
    if (value->value.len < REPLY_LEND_MIN)
        outbox_put_slice(reply->out, value->value);
    else
        outbox_lend(reply->out, value->value, value->release, value->owner);
}

static void
put_ttl(struct reply *reply, int64_t ttl_left_ms)
{
    PUT(reply, ",\"ttl\":");
    if (ttl_left_ms == COMMAND_TTL_NEVER)
        PUT(reply, "null");
    else
        put_seconds(reply, ttl_left_ms);
}

static void
reply_json_value(struct reply *reply, const struct reply_value *value)
{
    begin(reply);
    put_value(reply, value);
    if (reply->has_id) {
        put_version(reply, value->version);
        put_ttl(reply, value->ttl_left_ms);
    }
    end(reply);
}

static void
reply_json_missing(struct reply *reply)
{
    begin(reply);
    PUT(reply, "null");
    if (reply->has_id)
        put_version(reply, 0);
    end(reply);
}

static void
reply_json_seconds(struct reply *reply, int64_t ms)
{
    begin(reply);
    if (ms == COMMAND_TTL_NEVER)
        PUT(reply, "-1");
    else if (ms == 0)
        PUT(reply, "null");
    else
        put_seconds(reply, ms);
    end(reply);
}

static void
reply_json_json(struct reply *reply, struct slice json)
{
    answer(reply, json);
}

static void
reply_json_begin_array(struct reply *reply, size_t count)
{
    (void)count;
    begin(reply);
    PUT(reply, "[");
}

static void
begin_item(struct reply *reply)
{
    if (reply->has_items)
        PUT(reply, ",");
}

static void
reply_json_item_value(struct reply *reply, const struct reply_value *value)
{
    begin_item(reply);
    put_value(reply, value);
}

static void
reply_json_item_missing(struct reply *reply)
{
    begin_item(reply);
    PUT(reply, "null");
}

static void
reply_json_end_array(struct reply *reply)
{
    PUT(reply, "]");
    end(reply);
}

/* The names that JSON can carry. How many others there are. */
static uint64_t
put_names(struct reply *reply, struct key_list keys)
{
    uint64_t binary = 0;
    bool first = true;
    struct slice key;

    while (key_list_next(&keys, &key)) {
        if (!scan_is_utf8(key)) {
            binary++;
            continue;
        }
        if (!first)
            PUT(reply, ",");
        first = false;
        json_string_put(&reply->out->bytes, key);
    }
    return binary;
}

static void
reply_json_page(struct reply *reply, const struct reply_page *page)
{
    uint64_t binary;

    begin(reply);
    PUT(reply, "{\"keys\":[");
    binary = put_names(reply, page->keys);
    PUT(reply, "],\"next\":");
    if (page->next == 0) {
        PUT(reply, "null");
    } else {
        PUT(reply, "\"");
        put_u64(reply, page->next);
        PUT(reply, "\"");
    }
    if (binary > 0) {
        PUT(reply, ",\"binary\":");
        put_u64(reply, binary);
    }
    PUT(reply, "}");
    end(reply);
}

/* text is printable ASCII: only two of its bytes mean something in JSON. */
static void
put_escaped(struct reply *reply, const char *text)
{
    for (;;) {
        size_t plain = strcspn(text, "\"\\");

        outbox_put(reply->out, text, plain);
        text += plain;
        if (*text == '\0')
            return;
        PUT(reply, "\\");
        outbox_put(reply->out, text, 1);
        text++;
    }
}

static void
enveloped_error(struct reply *reply, enum mz_err err, const char *text,
                uint64_t version)
{
    begin_envelope(reply);
    PUT(reply, ",\"e\":{\"code\":\"");
    outbox_put_slice(reply->out, slice_of_string(err_code(err)));
    PUT(reply, "\",\"text\":\"");
    put_escaped(reply, text);
    PUT(reply, "\"}");
    if (version != REPLY_NO_VERSION)
        put_version(reply, version);
    end(reply);
}

static void
reply_json_error(struct reply *reply, enum mz_err err, const char *text,
                 uint64_t version)
{
    if (text == NULL)
        text = err_text(err);
    if (reply->has_id) {
        enveloped_error(reply, err, text, version);
        return;
    }
    PUT(reply, "error ");
    outbox_put_slice(reply->out, slice_of_string(err_code(err)));
    PUT(reply, " ");
    outbox_put_slice(reply->out, slice_of_string(text));
    end(reply);
}

const struct reply_ops *
wire_json_reply_ops(void)
{
    static const struct reply_ops ops = {
        .ok = reply_json_ok,
        .written = reply_json_written,
        .integer = reply_json_integer,
        .counted = reply_json_counted,
        .boolean = reply_json_boolean,
        .value = reply_json_value,
        .missing = reply_json_missing,
        .seconds = reply_json_seconds,
        .json = reply_json_json,
        .begin_array = reply_json_begin_array,
        .item_value = reply_json_item_value,
        .item_missing = reply_json_item_missing,
        .end_array = reply_json_end_array,
        .page = reply_json_page,
        .error = reply_json_error,
    };

    return &ops;
}
