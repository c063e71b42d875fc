/* SPDX-License-Identifier: MIT
 *
 * resp_glob.h - patterns of names, as KEYS, SCAN MATCH, CONFIG GET and
 * PSUBSCRIBE take them:
 *
 *     *        any bytes, also none
 *     ?        any byte
 *     [abc]    one of these, [^abc] none of these, [a-c] a range
 *     \x       the byte x, also within [ ]
 *
 * As in Redis, a bracket that is not closed ends with the pattern, and a
 * backslash at its end stands for itself. Binary safe.
 *
 * Bounded: a pattern with n stars costs no more than pattern times text, since
 * only the last star that was met is ever tried again.
 */
#ifndef MEMOIZER_SERVICE_RESP_GLOB_H
#define MEMOIZER_SERVICE_RESP_GLOB_H

#include "base/slice.h"

#include <stdbool.h>

/* Whether all of text fits pattern. */
bool resp_glob_match(struct slice pattern, struct slice text);

/* The same whatever the case of ASCII letters. */
bool resp_glob_match_any_case(struct slice pattern, struct slice text);

/* The bytes with which every text begins that fits: the pattern up to its first
 * special one. Lent from pattern. */
struct slice resp_glob_prefix(struct slice pattern);

#endif
