/* SPDX-License-Identifier: MIT
 *
 * linear_brute.h - judges a short log of one key by trying every order.
 *
 * The judge of the judge: too slow for more than a handful of operations, and
 * too simple to be wrong.
 */
#ifndef MEMOIZER_TEST_LINEAR_BRUTE_H
#define MEMOIZER_TEST_LINEAR_BRUTE_H

#include "linear.h"

#define BRUTE_MAX 8 /* operations */

/* Whether some order explains the log, with versions that only grow. */
bool brute_check(const struct linear_op *ops, size_t count);

#endif
