/* SPDX-License-Identifier: MIT
 *
 * resp_inline.h - an inline command of the Redis protocol: a line to words.
 *
 * Words are separated by blanks, a CR before the LF included. In double quotes
 * \n \r \t \b \a and \xHH are escapes, and a backslash takes its meaning from
 * any other byte; in single quotes only \' is one. As in Redis.
 */
#ifndef MEMOIZER_WIRE_RESP_INLINE_H
#define MEMOIZER_WIRE_RESP_INLINE_H

#include "base/slice.h"

/* What is left of a line, without its LF. */
struct resp_inline {
    char *at;
    const char *end;
};

enum resp_word {
    RESP_WORD,
    RESP_WORD_NONE,       /* the line is over */
    RESP_WORD_UNBALANCED, /* a quote does not close, or not at a blank */
};

/* Takes the next word off the line. It is decoded in place: no word is longer
 * than what stands for it. */
enum resp_word resp_inline_next(struct resp_inline *line, struct slice *word);

#endif
