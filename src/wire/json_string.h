/* SPDX-License-Identifier: MIT
 *
 * json_string.h - bytes as a JSON string (RFC 8259 section 7).
 *
 * Only what has to be escaped is: the quote, the backslash and the control
 * characters below U+0020. Everything else stays as it is, so that a reader
 * gets the same bytes back.
 */
#ifndef MEMOIZER_WIRE_JSON_STRING_H
#define MEMOIZER_WIRE_JSON_STRING_H

#include "base/buf.h"
#include "base/slice.h"

#include <stddef.h>

/* The most bytes that a text of len bytes takes, quotes included. */
static inline size_t
json_string_room(size_t len)
{
    return len * 6 + 2;
}

/* Appends text, which is valid UTF-8, with its quotes. */
void json_string_put(struct buf *out, struct slice text);

#endif
