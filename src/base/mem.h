/* SPDX-License-Identifier: MIT
 *
 * mem.h - the one front to the allocator.
 *
 * All memory of ours comes through here, so that a test can let the Nth
 * allocation fail and see every unwind. Alignment is malloc's.
 */
#ifndef MEMOIZER_BASE_MEM_H
#define MEMOIZER_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* After mem_init(), blocks from this size on have pages of their own, which go
 * back to the system when they are freed. */
#define MEM_MAPPED_MIN ((size_t)64 << 10)

/* Sets the allocator up for a server; before the first allocation. Tests do
 * without. */
void mem_init(void);

/* len bytes, uninitialised, or NULL when the system gives none. The caller
 * frees with mem_free. len 0 gives a unique pointer. */
void *mem_alloc(size_t len) __attribute__((malloc, warn_unused_result));

/* count * size bytes, zeroed; NULL also when the product overflows. */
void *mem_alloc_zeroed(size_t count, size_t size)
    __attribute__((malloc, warn_unused_result));

/* Like realloc: NULL leaves the old block as it was. */
void *mem_realloc(void *block, size_t len) __attribute__((warn_unused_result));

/* block from the functions above, or NULL. */
void mem_free(void *block);

/* len > 0 zeroed bytes for a large array, aligned to at least 64 bytes; from
 * 2 MiB on with pages of its own, for which huge pages are requested. All pages
 * exist already: whoever uses them under a lock does not wait for them. NULL
 * when the system gives none. Freed with mem_free_array and the same len. */
void *mem_alloc_array(size_t len) __attribute__((malloc, warn_unused_result));
void mem_free_array(void *array, size_t len);

/* For tests only: while set, every allocation asks refuse(ctx, len) first and
 * fails when it says true. refuse is called from any thread. NULL ends it.
 * Not to be changed while other threads allocate. */
struct mem_hook {
    bool (*refuse)(void *ctx, size_t len);
    void *ctx;
};
void mem_set_hook(const struct mem_hook *hook);

#endif
