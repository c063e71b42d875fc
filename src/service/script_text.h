/* SPDX-License-Identifier: MIT
 *
 * script_text.h - the text of a script: what it is called by, and what is left
 * of it when only its meaning counts.
 *
 * Clients name a script by the SHA1 of its bytes. A new release of a client may
 * send the same script with other blanks, comments or quotes, and so under
 * another SHA1. Its canonical form stays: the words and signs of the text, one
 * blank between two of them, without comments; strings in double quotes; and
 * the name of a command in redis.call() in lower case.
 *
 *     -- mine?                         if redis . call ( "get" , KEYS [ 1 ] )
 *     if redis.call('GET',KEYS[1])     == ARGV [ 1 ] then
 *        ==ARGV[1] then
 *
 * Two texts with the same canonical form do the same, as no sign is lost.
 */
#ifndef MEMOIZER_SERVICE_SCRIPT_TEXT_H
#define MEMOIZER_SERVICE_SCRIPT_TEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>

/* Longer texts are none of those that are known. */
#define SCRIPT_TEXT_MAX  ((size_t)16 << 10)

#define SCRIPT_SHA1_SIZE 20

struct script_sha1 {
    unsigned char bytes[SCRIPT_SHA1_SIZE];
};

/* 40 digits and a NUL. */
#define SCRIPT_SHA1_TEXT_SIZE (2 * SCRIPT_SHA1_SIZE + 1)

/* Appends the canonical form to out. MZ_BAD_REQUEST: it has none, because it is
 * too long, or has what no script that is known has: a sign that Lua does not
 * use, a string in brackets, a string or a comment without an end.
 * MZ_NO_MEMORY. What was appended on an error means nothing. */
enum mz_err script_text_canonical(struct slice text, struct buf *out) MZ_CHECK;

/* MZ_NO_MEMORY leaves *out alone. */
enum mz_err script_sha1(struct slice bytes, struct script_sha1 *out) MZ_CHECK;

/* 40 hex digits, in any case. False when hex is something else. */
bool script_sha1_parse(struct slice hex, struct script_sha1 *out);

/* In lower case. */
void script_sha1_format(char out[SCRIPT_SHA1_TEXT_SIZE],
                        const struct script_sha1 *sha1);

#endif
