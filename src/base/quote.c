/* SPDX-License-Identifier: MIT
 *
 * quote.c - see quote.h.
 */
#include "base/quote.h"

const char *
quote(char out[QUOTE_SIZE], struct slice word)
{
    static const char hex[] = "0123456789abcdef";
    size_t shown = word.len < QUOTE_WORD_MAX ? word.len : QUOTE_WORD_MAX;
    char *to = out;

    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)word.data[i];

        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
            *to++ = (char)c;
        } else {
            *to++ = '\\';
            *to++ = 'x';
            *to++ = hex[c >> 4];
            *to++ = hex[c & 15];
        }
    }
    if (shown < word.len) {
        memcpy(to, "...", 3);
        to += 3;
    }
    *to = '\0';
    return out;
}
