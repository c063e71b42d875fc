/* SPDX-License-Identifier: MIT
 *
 * resp_glob.c - see resp_glob.h.
 *
 * A pattern is read element by element: a star, or something that takes exactly
 * one byte. After a mismatch the last star takes one byte more, and what comes
 * behind it is tried again. Earlier stars need not be: whatever they could give
 * the last one can take as well.
 */
#include "service/resp_glob.h"

#include <stddef.h>
#include <string.h>

static unsigned char
fold(unsigned char byte, bool any_case)
{
    return any_case && byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

/* Whether byte is in the set whose "[" stands at *at, which moves behind its
 * "]". */
static bool
in_set(struct slice pattern, size_t *at, unsigned char byte, bool any_case)
{
    const unsigned char *p = (const unsigned char *)pattern.data;
    size_t i = *at + 1;
    bool negated = i < pattern.len && p[i] == '^';
    bool found = false;

    byte = fold(byte, any_case);
    for (i += negated; i < pattern.len && p[i] != ']'; i++) {
        unsigned char low, high;

        if (p[i] == '\\' && i + 1 < pattern.len) {
            low = high = fold(p[++i], any_case);
        } else if (i + 2 < pattern.len && p[i + 1] == '-') {
            low = fold(p[i], any_case);
            high = fold(p[i + 2], any_case);
            i += 2;
        } else {
            low = high = fold(p[i], any_case);
        }
        if (low > high) {
            unsigned char swap = low;

            low = high;
            high = swap;
        }
        found |= byte >= low && byte <= high;
    }
    *at = i < pattern.len ? i + 1 : i;
    return found != negated;
}

/* Whether byte fits the element at *at, no star, which moves behind it. */
static bool
fits(struct slice pattern, size_t *at, unsigned char byte, bool any_case)
{
    const unsigned char *p = (const unsigned char *)pattern.data;

    switch (p[*at]) {
    case '?':
        ++*at;
        return true;
    case '[':
        return in_set(pattern, at, byte, any_case);
    case '\\':
        *at += *at + 1 < pattern.len;
        break;
    default:
        break;
    }
    return fold(p[(*at)++], any_case) == fold(byte, any_case);
}

static bool
matches(struct slice pattern, struct slice text, bool any_case)
{
    size_t at = 0, i = 0;
    size_t behind_star = 0, star_took = 0; /* where to go on after a mismatch */
    bool star = false;

    while (i < text.len) {
        if (at < pattern.len && pattern.data[at] == '*') {
            star = true;
            behind_star = ++at;
            star_took = i;
        } else if (at < pattern.len &&
                   fits(pattern, &at, (unsigned char)text.data[i], any_case)) {
            i++;
        } else if (star) {
            at = behind_star;
            i = ++star_took;
        } else {
            return false;
        }
    }
    while (at < pattern.len && pattern.data[at] == '*')
        at++;
    return at == pattern.len;
}

bool
resp_glob_match(struct slice pattern, struct slice text)
{
    return matches(pattern, text, false);
}

bool
resp_glob_match_any_case(struct slice pattern, struct slice text)
{
    return matches(pattern, text, true);
}

struct slice
resp_glob_prefix(struct slice pattern)
{
    size_t len = 0;

    while (len < pattern.len && memchr("*?[\\", pattern.data[len], 4) == NULL)
        len++;
    return slice_of(pattern.data, len);
}
