/* SPDX-License-Identifier: MIT
 *
 * buf.h - a byte buffer that grows.
 *
 * Appending never reports an error: out of memory sets `failed`, further
 * appends do nothing, and whoever wants to use the bytes looks at it once.
 * Owned by one thread.
 */
#ifndef MEMOIZER_BASE_BUF_H
#define MEMOIZER_BASE_BUF_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data;
    size_t len;  /* bytes in use */
    size_t cap;  /* bytes allocated; 0 with data NULL */
    bool failed; /* an append found no memory */
};

/* {0} is an empty buffer as well. */
void buf_init(struct buf *buf);

/* Frees the bytes; the buffer is empty and usable again. */
void buf_fini(struct buf *buf);

/* Makes room for extra more bytes behind len. MZ_NO_MEMORY leaves the content
 * as it was and does not set `failed`. */
enum mz_err buf_reserve(struct buf *buf, size_t extra) MZ_CHECK;

/* Appends len bytes; data may be NULL when len is 0, and must not point into
 * the buffer. */
void buf_put(struct buf *buf, const void *data, size_t len);

void buf_put_slice(struct buf *buf, struct slice s);
void buf_put_string(struct buf *buf, const char *text);
void buf_put_char(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Drops the first n <= len bytes. */
void buf_consume(struct buf *buf, size_t n);

static inline struct slice
buf_slice(const struct buf *buf)
{
    return slice_of(buf->data, buf->len);
}

#endif
