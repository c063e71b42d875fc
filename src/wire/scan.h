/* SPDX-License-Identifier: MIT
 *
 * scan.h - a validating scanner for JSON (RFC 8259).
 *
 * A session store need not know what is in a value, only that it is valid and
 * where it ends. The scanner walks a text once, builds nothing, allocates
 * nothing, and yields spans. It holds texts to the same rules as jansson with
 * JSON_DECODE_ANY and JSON_ALLOW_NUL, which judges it in a fuzz test: strict
 * grammar, valid UTF-8, no lone surrogate escapes, no raw control characters
 * in strings. What differs, and is right here: numbers of any size are valid,
 * as they are kept as text; a \u0000 may stand in the name of a member; the
 * depth limit is the caller's; and a NUL byte right behind a number or literal
 * is refused like any other, where jansson overlooks it.
 */
#ifndef MEMOIZER_WIRE_SCAN_H
#define MEMOIZER_WIRE_SCAN_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

#define SCAN_DEPTH_MAX 256 /* the largest depth_max */

/* A place in a text. The bytes are writable since scan_value() turns a raw CR
 * or TAB between tokens into a blank: a value must fit on one line. */
struct scan {
    char *at;             /* the next byte */
    char *end;            /* one past the last byte; never read */
    const char *expected; /* after MZ_BAD_JSON: what was wanted at `at` */
};

/* Skips blanks, TAB, CR and LF. */
void scan_blanks(struct scan *s);

/* Scans the one value that begins at s->at (no leading blanks), nested at most
 * depth_max <= SCAN_DEPTH_MAX arrays and objects deep, and leaves s->at behind
 * its last byte; what follows is the caller's to judge. MZ_BAD_JSON leaves
 * s->at where s->expected was wanted, MZ_TOO_DEEP at the opening bracket of
 * level depth_max + 1; a CR or TAB before it may be a blank now. */
enum mz_err scan_value(struct scan *s, unsigned depth_max) MZ_CHECK;

/* Scans the string that begins at s->at (its opening quote) and leaves s->at
 * behind the closing quote; *escaped says whether it held a backslash. Errors
 * as for scan_value(). */
enum mz_err scan_string(struct scan *s, bool *escaped) MZ_CHECK;

/* Whether all bytes are valid UTF-8. */
bool scan_is_utf8(struct slice text);

#endif
