/* SPDX-License-Identifier: MIT
 *
 * buf.c - growth by half, so that a long append costs linear time.
 */
#include "base/buf.h"

#include "base/mem.h"
#include "base/must.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#define BUF_MIN 64

void
buf_init(struct buf *buf)
{
    *buf = (struct buf){0};
}

void
buf_fini(struct buf *buf)
{
    mem_free(buf->data);
    buf_init(buf);
}

enum mz_err
buf_reserve(struct buf *buf, size_t extra)
{
    size_t need, cap;
    char *data;

    if (extra <= buf->cap - buf->len)
        return MZ_OK;
    if (__builtin_add_overflow(buf->len, extra, &need))
        return MZ_NO_MEMORY;
    cap = buf->cap > SIZE_MAX / 2 ? need : buf->cap + buf->cap / 2;
    if (cap < need)
        cap = need;
    if (cap < BUF_MIN)
        cap = BUF_MIN;
    data = mem_realloc(buf->data, cap);
    if (data == NULL)
        return MZ_NO_MEMORY;
    buf->data = data;
    buf->cap = cap;
    return MZ_OK;
}

void
buf_put(struct buf *buf, const void *data, size_t len)
{
    if (len == 0 || buf->failed)
        return;
    if (buf_reserve(buf, len) != MZ_OK) {
        buf->failed = true;
        return;
    }
    memcpy(buf->data + buf->len, data, len);
    buf->len += len;
}

void
buf_put_slice(struct buf *buf, struct slice s)
{
    buf_put(buf, s.data, s.len);
}

void
buf_put_string(struct buf *buf, const char *text)
{
    buf_put(buf, text, strlen(text));
}

void
buf_put_char(struct buf *buf, char c)
{
    buf_put(buf, &c, 1);
}

void
buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    must(len >= 0);
    if (buf->failed || buf_reserve(buf, (size_t)len + 1) != MZ_OK) {
        buf->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
    va_end(args);
    buf->len += (size_t)len;
}

void
buf_consume(struct buf *buf, size_t n)
{
    must(n <= buf->len);
    buf->len -= n;
    if (buf->len > 0)
        memmove(buf->data, buf->data + n, buf->len);
}
