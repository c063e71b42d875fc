/* SPDX-License-Identifier: MIT
 *
 * native_value.c - see native_value.h.
 */
#include "service/native_value.h"

#include "wire/json_string.h"
#include "wire/scan.h"
#include "wire/wire_json.h"

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct slice
trim(struct slice s)
{
    while (s.len > 0 && is_blank(s.data[0])) {
        s.data++;
        s.len--;
    }
    while (s.len > 0 && is_blank(s.data[s.len - 1]))
        s.len--;
    return s;
}

/* Whether the len bytes at text are one JSON value. The scanner makes blanks of
 * CR and TAB; an LF that is valid lies between tokens as well. */
static bool
make_json(char *text, size_t len)
{
    struct scan scan = {text, text + len, NULL};

    if (scan_value(&scan, WIRE_JSON_DEPTH_MAX) != MZ_OK ||
        scan.at != text + len)
        return false;
    for (char *lf = memchr(text, '\n', len); lf != NULL;
         lf = memchr(lf, '\n', (size_t)(text + len - lf)))
        *lf = ' ';
    return true;
}

enum mz_err
native_json(struct slice bytes, struct buf *text)
{
    size_t before = text->len;

    bytes = trim(bytes);
    if (buf_reserve(text, bytes.len) != MZ_OK)
        return MZ_NO_MEMORY;
    buf_put_slice(text, bytes);
    if (make_json(text->data + before, bytes.len))
        return MZ_OK;
    text->len = before;
    return MZ_NOT_JSON;
}

enum mz_err
native_value(struct slice bytes, struct buf *text)
{
    enum mz_err err = native_json(bytes, text);

    if (err != MZ_NOT_JSON || !scan_is_utf8(bytes))
        return err;
    if (buf_reserve(text, json_string_room(bytes.len)) != MZ_OK)
        return MZ_NO_MEMORY;
    json_string_put(text, bytes);
    return MZ_OK;
}
