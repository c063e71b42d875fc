/* SPDX-License-Identifier: MIT
 *
 * guard_page.c - see guard_page.h.
 */
#include "guard_page.h"

#include "base/must.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guarded
guarded_copy(const void *data, size_t len)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = (len + page - 1) / page * page;
    struct guarded g = {NULL, NULL, body + 2 * page};

    if (body == 0) {
        body = page;
        g.map_len = 3 * page;
    }
    g.map = mmap(NULL, g.map_len, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(g.map != MAP_FAILED);
    must(mprotect(g.map, page, PROT_NONE) == 0);
    must(mprotect((char *)g.map + page + body, page, PROT_NONE) == 0);
    g.data = (char *)g.map + page + body - len;
    if (len > 0)
        memcpy(g.data, data, len);
    return g;
}

void
guarded_free(struct guarded *guarded)
{
    must(munmap(guarded->map, guarded->map_len) == 0);
    guarded->data = NULL;
}
