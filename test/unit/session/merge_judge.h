/* SPDX-License-Identifier: MIT
 *
 * merge_judge.h - the merge of session/merge.h against a plain one.
 *
 * The plain one is RFC 7396's own few lines on jansson's trees. jansson keeps
 * the last of doubled members, as merge.h promises where it matters. Beyond
 * the result as JSON, it is checked that every scalar of it stands byte by
 * byte in one of the two texts, that merge_size_max() is kept, that nothing is
 * written behind out_cap, and that a result which does not fit is refused with
 * its true size.
 */
#ifndef MEMOIZER_TEST_MERGE_JUDGE_H
#define MEMOIZER_TEST_MERGE_JUDGE_H

#include "base/slice.h"

#include <stdbool.h>

/* Whether text is JSON that both can judge: jansson reads it, and it is nested
 * at most 128 deep. */
bool merge_judge_takes(struct slice text);

/* Merges patch into target (length 0: missing), both taken by the above, in
 * both ways, under a seed. NULL when all is well, else one static sentence. */
const char *merge_judge(struct slice patch, struct slice target, size_t seed);

#endif
