/* SPDX-License-Identifier: MIT
 *
 * quote.h - a client's own words, made safe for one line of text.
 */
#ifndef MEMOIZER_BASE_QUOTE_H
#define MEMOIZER_BASE_QUOTE_H

#include "base/slice.h"

/* Words are cut to this many bytes before they are escaped. */
#define QUOTE_WORD_MAX 64
/* Room for the worst case: each byte as \xHH, three dots and the NUL. */
#define QUOTE_SIZE (QUOTE_WORD_MAX * 4 + 4)

/* Writes word to out as printable ASCII: other bytes, quotes and backslashes
 * become \xHH, and a word that was cut ends in "...". out is terminated and
 * returned. Never a control byte, so neither an answer nor a log line can be
 * split by it. */
const char *quote(char out[QUOTE_SIZE], struct slice word);

#endif
