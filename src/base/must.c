/* SPDX-License-Identifier: MIT
 *
 * must.c - the end of a process whose invariant broke.
 */
#include "base/must.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void
must_fail(const char *file, int line, const char *function, const char *expr)
{
    fprintf(stderr,
            "memoizer: bug at %s:%d in %s: %s does not hold. Please report "
            "this line.\n",
            file, line, function, expr);
    abort();
}
