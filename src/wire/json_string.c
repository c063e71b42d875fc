/* SPDX-License-Identifier: MIT
 *
 * json_string.c - see json_string.h.
 */
#include "wire/json_string.h"

static bool
is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

static void
put_escape(struct buf *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    static const char with_letter[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *known = c != 0 ? strchr(with_letter, c) : NULL;
    char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    if (known == NULL) {
        buf_put(out, escape, sizeof escape);
        return;
    }
    escape[1] = letters[known - with_letter];
    buf_put(out, escape, 2);
}

void
json_string_put(struct buf *out, struct slice text)
{
    size_t at = 0;

    buf_put(out, "\"", 1);
    while (at < text.len) {
        size_t plain = at;

        while (plain < text.len && is_plain((unsigned char)text.data[plain]))
            plain++;
        buf_put(out, text.data + at, plain - at);
        if (plain < text.len)
            put_escape(out, (unsigned char)text.data[plain++]);
        at = plain;
    }
    buf_put(out, "\"", 1);
}
