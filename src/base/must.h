/* SPDX-License-Identifier: MIT
 *
 * must.h - for what cannot happen.
 *
 * must(expr) aborts with the place and the expression when expr is false, in
 * release builds too: a store that goes on after a broken invariant would hand
 * one user's session to another. It is never used on input from outside.
 */
#ifndef MEMOIZER_BASE_MUST_H
#define MEMOIZER_BASE_MUST_H

#define must(expr)                                                             \
    (__builtin_expect(!!(expr), 1)                                             \
         ? (void)0                                                             \
         : must_fail(__FILE__, __LINE__, __func__, #expr))

/* Prints the place to stderr and aborts. */
_Noreturn void must_fail(const char *file, int line, const char *function,
                         const char *expr);

#endif
