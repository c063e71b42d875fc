/* SPDX-License-Identifier: MIT
 *
 * scan_portable.h - wire/scan.h, built for machines without SSE2 and under
 * other names, so that a test can run both builds side by side.
 */
#ifndef MEMOIZER_TEST_SCAN_PORTABLE_H
#define MEMOIZER_TEST_SCAN_PORTABLE_H

#include "wire/scan.h"

#include <stdbool.h>

void scan_blanks_portable(struct scan *s);
enum mz_err scan_value_portable(struct scan *s, unsigned depth_max) MZ_CHECK;
enum mz_err scan_string_portable(struct scan *s, bool *escaped) MZ_CHECK;
bool scan_is_utf8_portable(struct slice text);

#endif
