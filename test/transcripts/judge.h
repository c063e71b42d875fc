/* SPDX-License-Identifier: MIT
 *
 * judge.h - whether an answer line is what a transcript expects.
 *
 * Every function says true, or false with a static sentence in *why.
 */
#ifndef MEMOIZER_TEST_JUDGE_H
#define MEMOIZER_TEST_JUDGE_H

#include "base/slice.h"
#include "text.h"

#include <stdbool.h>

/* What holds for every answer: valid UTF-8, and no control byte (apart from
 * the CR of a RESP error). */
bool judge_clean(struct slice line, const char **why);

/* line, which is followed by a NUL, matches the extended regular expression as
 * a whole; the groups go into the variables that names lists with blanks
 * between. */
bool judge_regex(struct slice line, struct slice regex, struct slice names,
                 struct vars *vars, const char **why);

/* line is "error CODE TEXT" with some text, in which fragment occurs. */
bool judge_error(struct slice line, struct slice code, struct slice fragment,
                 const char **why);

/* line is the same JSON: members in any order, 1.50 and 1.5 are equal. In
 * expected the strings "*" "#" "?" stand for any string of one or more
 * characters, any number, anything at all. part: objects may have more
 * members. */
bool judge_json(struct slice line, struct slice expected, bool part,
                const char **why);

/* Whether regex and JSON are well-formed. */
bool judge_check_regex(struct slice regex, const char **why);
bool judge_check_json(struct slice json, const char **why);

#endif
