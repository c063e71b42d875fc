/* SPDX-License-Identifier: MIT
 *
 * chaos.h - lets allocations fail.
 *
 *     for (size_t n = 1; ; n++) {
 *         struct chaos chaos;
 *         chaos_begin(&chaos, n);        the nth allocation fails
 *         err = thing_new(&thing);
 *         if (!chaos_end(&chaos))        it did not get that far
 *             break;
 *         ck_assert_int_eq(err, MZ_NO_MEMORY);
 *     }
 */
#ifndef MEMOIZER_TEST_CHAOS_H
#define MEMOIZER_TEST_CHAOS_H

#include "base/mem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct chaos {
    struct mem_hook hook;
    _Atomic size_t left; /* allocations until the one that fails */
    _Atomic bool struck;
    size_t size_max; /* chaos_limit: larger ones fail */
};

/* The nth >= 1 allocation from now on fails, later ones do not. */
void chaos_begin(struct chaos *chaos, size_t nth);

/* Every allocation of more than size_max bytes fails. */
void chaos_limit(struct chaos *chaos, size_t size_max);

/* Allocations work again; returns whether one was made to fail. */
bool chaos_end(struct chaos *chaos);

#endif
