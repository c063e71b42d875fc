/* SPDX-License-Identifier: MIT
 *
 * session_brute.h - judges a short log of one key by trying every order.
 *
 * The judge of the judge: too slow for more than a handful of operations, and
 * too simple to be wrong.
 */
#ifndef MEMOIZER_TEST_SESSION_BRUTE_H
#define MEMOIZER_TEST_SESSION_BRUTE_H

#include "session_model.h"

#include <stddef.h>

#define SESSION_BRUTE_MAX 8 /* operations */

/* Whether some order explains the log. */
bool session_brute(const struct session_op *ops, size_t count);

#endif
