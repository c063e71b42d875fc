/* SPDX-License-Identifier: MIT
 *
 * slice.h - a run of bytes that somebody else owns.
 *
 * May hold NULs; is not terminated. A slice is valid as long as the buffer it
 * points into is neither freed, moved nor reused.
 */
#ifndef MEMOIZER_BASE_SLICE_H
#define MEMOIZER_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
    const char *data; /* may be NULL when len is 0 */
    size_t len;       /* bytes */
};

/* A slice over a string literal, usable in initialisers. */
#define SLICE_LITERAL(text)                                                    \
    {                                                                          \
        (text), sizeof(text) - 1                                               \
    }

static inline struct slice
slice_of(const char *data, size_t len)
{
    struct slice s = {data, len};
    return s;
}

/* Over a terminated string, without its NUL. */
static inline struct slice
slice_of_string(const char *text)
{
    return slice_of(text, strlen(text));
}

static inline bool
slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool
slice_is(struct slice s, const char *text)
{
    return slice_equal(s, slice_of_string(text));
}

#endif
