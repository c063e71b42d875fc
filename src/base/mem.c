/* SPDX-License-Identifier: MIT
 *
 * mem.c - malloc and mmap behind one front.
 *
 * The hook is the only shared variable that is not owned by an object:
 * an allocator has no context to carry it in, and it is NULL outside tests.
 */
#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARRAY_ALIGN 64
#define HUGE_PAGE   ((size_t)2 << 20)
#define PAGE_SIZE   4096

static const struct mem_hook *_Atomic test_hook;

void
mem_init(void)
{
    /* glibc would give every client's thread an arena of its own, up to eight
     * a processor, and would never return their memory. What is large, the
     * buffers of connections among it, is mapped instead of leaving holes. */
    mallopt(M_ARENA_MAX, 4);
    mallopt(M_MMAP_THRESHOLD, (int)MEM_MAPPED_MIN);
}

void
mem_set_hook(const struct mem_hook *hook)
{
    test_hook = hook;
}

static bool
refused(size_t len)
{
    const struct mem_hook *hook = test_hook;

    return hook != NULL && hook->refuse(hook->ctx, len);
}

void *
mem_alloc(size_t len)
{
    return refused(len) ? NULL : malloc(len > 0 ? len : 1);
}

void *
mem_alloc_zeroed(size_t count, size_t size)
{
    size_t len;

    if (__builtin_mul_overflow(count, size, &len) || refused(len))
        return NULL;
    return calloc(1, len > 0 ? len : 1);
}

void *
mem_realloc(void *block, size_t len)
{
    return refused(len) ? NULL : realloc(block, len > 0 ? len : 1);
}

void
mem_free(void *block)
{
    free(block);
}

/* Mapped memory comes as pages that do not exist yet. */
static void
touch_pages(void *array, size_t len)
{
    volatile char *bytes = array;

    for (size_t i = 0; i < len; i += PAGE_SIZE)
        bytes[i] = 0;
}

void *
mem_alloc_array(size_t len)
{
    void *array;

    if (len > SIZE_MAX - ARRAY_ALIGN || refused(len))
        return NULL;
    if (len < HUGE_PAGE) {
        size_t rounded = (len + ARRAY_ALIGN - 1) & ~(size_t)(ARRAY_ALIGN - 1);

        array = aligned_alloc(ARRAY_ALIGN, rounded);
        if (array != NULL)
            memset(array, 0, len);
        return array;
    }
    array = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
    if (array == MAP_FAILED)
        return NULL;
    /* Only a hint: without huge pages lookups cost some more TLB misses. */
    (void)madvise(array, len, MADV_HUGEPAGE);
    touch_pages(array, len);
    return array;
}

void
mem_free_array(void *array, size_t len)
{
    if (array == NULL)
        return;
    if (len < HUGE_PAGE)
        free(array);
    else
        munmap(array, len);
}
