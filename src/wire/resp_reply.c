/* SPDX-License-Identifier: MIT
 *
 * resp_reply.c - see resp_reply.h.
 */
#include "wire/resp_reply.h"

#include "base/num.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Without the strlen: the lengths are known to the compiler. */
#define PUT(r, text) outbox_put((r)->out, text, sizeof(text) - 1)

/* A type, a number and the end of the line. */
static void
put_head(struct resp_out *r, char type, int64_t n)
{
    char line[1 + NUM_I64_SIZE + 2];
    size_t len;

    line[0] = type;
    len = 1 + num_format_i64(line + 1, n);
    line[len++] = '\r';
    line[len++] = '\n';
    outbox_put(r->out, line, len);
}

void
resp_put_status(struct resp_out *r, const char *text)
{
    PUT(r, "+");
    outbox_put_slice(r->out, slice_of_string(text));
    PUT(r, "\r\n");
}

void
resp_put_ok(struct resp_out *r)
{
    PUT(r, "+OK\r\n");
}

void
resp_put_error(struct resp_out *r, const char *text)
{
    resp_printf_error(r, "%s", text);
}

void
resp_printf_error(struct resp_out *r, const char *format, ...)
{
    char line[RESP_REPLY_RESERVE - 3];
    va_list args;
    size_t len;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    len = strlen(line);
    for (size_t i = 0; i < len; i++) {
        if (line[i] < ' ' || line[i] > '~')
            line[i] = ' ';
    }
    PUT(r, "-");
    outbox_put(r->out, line, len);
    PUT(r, "\r\n");
}

void
resp_put_integer(struct resp_out *r, int64_t n)
{
    put_head(r, ':', n);
}

void
resp_put_bulk(struct resp_out *r, struct slice bytes)
{
    put_head(r, '$', (int64_t)bytes.len);
    outbox_put_slice(r->out, bytes);
    PUT(r, "\r\n");
}

void
resp_put_bulk_string(struct resp_out *r, const char *text)
{
    resp_put_bulk(r, slice_of_string(text));
}

void
resp_put_bulk_u64(struct resp_out *r, uint64_t n)
{
    char text[NUM_I64_SIZE];

    resp_put_bulk(r, slice_of(text, num_format_u64(text, n)));
}

void
resp_put_verbatim(struct resp_out *r, struct slice text)
{
    if (r->proto == 2) {
        resp_put_bulk(r, text);
        return;
    }
    put_head(r, '=', (int64_t)text.len + 4);
    PUT(r, "txt:");
    outbox_put_slice(r->out, text);
    PUT(r, "\r\n");
}

void
resp_put_null(struct resp_out *r)
{
    if (r->proto == 2)
        PUT(r, "$-1\r\n");
    else
        PUT(r, "_\r\n");
}

void
resp_put_null_array(struct resp_out *r)
{
    if (r->proto == 2)
        PUT(r, "*-1\r\n");
    else
        PUT(r, "_\r\n");
}

void
resp_begin_array(struct resp_out *r, size_t items)
{
    put_head(r, '*', (int64_t)items);
}

void
resp_begin_map(struct resp_out *r, size_t pairs)
{
    if (r->proto == 2)
        put_head(r, '*', 2 * (int64_t)pairs);
    else
        put_head(r, '%', (int64_t)pairs);
}

void
resp_begin_set(struct resp_out *r, size_t items)
{
    put_head(r, r->proto == 2 ? '*' : '~', (int64_t)items);
}

void
resp_begin_push(struct resp_out *r, size_t items)
{
    put_head(r, r->proto == 2 ? '*' : '>', (int64_t)items);
}

void
resp_put_value(struct resp_out *r, const struct reply_value *value)
{
    put_head(r, '$', (int64_t)value->value.len);
    if (value->value.len < REPLY_LEND_MIN)
        outbox_put_slice(r->out, value->value);
    else
        outbox_lend(r->out, value->value, value->release, value->owner);
    PUT(r, "\r\n");
}
