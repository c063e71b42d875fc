/* SPDX-License-Identifier: MIT
 *
 * chaos.c - see chaos.h.
 */
#include "chaos.h"

static bool
refuse(void *ctx, size_t len)
{
    struct chaos *chaos = ctx;

    if (len > chaos->size_max || atomic_fetch_sub(&chaos->left, 1) == 1) {
        chaos->struck = true;
        return true;
    }
    return false;
}

static void
begin(struct chaos *chaos, size_t nth, size_t size_max)
{
    chaos->hook = (struct mem_hook){refuse, chaos};
    chaos->left = nth;
    chaos->struck = false;
    chaos->size_max = size_max;
    mem_set_hook(&chaos->hook);
}

void
chaos_begin(struct chaos *chaos, size_t nth)
{
    begin(chaos, nth, (size_t)-1);
}

void
chaos_limit(struct chaos *chaos, size_t size_max)
{
    begin(chaos, 0, size_max);
}

bool
chaos_end(struct chaos *chaos)
{
    mem_set_hook(NULL);
    return chaos->struck;
}
