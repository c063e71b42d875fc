/* SPDX-License-Identifier: MIT
 *
 * guard_page.h - bytes that end where the readable memory ends.
 *
 * A parser that looks one byte too far, in either direction, faults.
 */
#ifndef MEMOIZER_TEST_GUARD_PAGE_H
#define MEMOIZER_TEST_GUARD_PAGE_H

#include <stddef.h>

struct guarded {
    char *data; /* len bytes; data[len] is unreadable */
    void *map;
    size_t map_len;
};

/* Copies len bytes to the very end of readable memory. Ends the test program
 * when there is no memory. */
struct guarded guarded_copy(const void *data, size_t len);
void guarded_free(struct guarded *guarded);

#endif
