/* SPDX-License-Identifier: MIT
 *
 * text.h - the escapes of a transcript, and its variables.
 *
 *     \r \n \t \\ \xHH      one byte
 *     \{TEXT*N}             TEXT N times: \{x*70000}, \{{"a":*129}
 *     \{$V} \{$V+N} \{$V-N} what `=> V` has caught, with arithmetic if wanted
 *     \{$I}                 inside `repeat N`: 1 to N
 *
 * Any other backslash is a mistake, so the JSON escape \u0000 is written
 * \\u0000. TEXT ends at the first "*N}" behind its first byte and may hold the
 * one-byte escapes.
 */
#ifndef MEMOIZER_TEST_TEXT_H
#define MEMOIZER_TEST_TEXT_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct var {
    struct buf name, value;
};

struct vars {
    struct var *list;
    size_t count;
    uint64_t index;  /* $I, 0 outside `repeat` */
    bool any_is_one; /* every variable is "1": for checking the syntax */
};

void vars_fini(struct vars *vars);

/* Sets or replaces; both are copied. */
void vars_set(struct vars *vars, struct slice name, struct slice value);

/* Appends text with its escapes replaced. On a mistake false, and *why says
 * what it is (static). */
bool text_expand(struct buf *out, struct slice text, const struct vars *vars,
                 const char **why);

#endif
