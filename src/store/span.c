/* SPDX-License-Identifier: MIT
 *
 * span.c - groups and bounds in one allocation.
 */
#include "store/span.h"

#include "base/mem.h"
#include "base/must.h"
#include "store/table_internal.h"

size_t
span_size(const struct span *span)
{
    return span->group_count * sizeof(struct group) +
           block_count(span) * sizeof(int64_t);
}

enum mz_err
span_new(struct span *span, uint32_t group_count)
{
    struct span fresh = {.group_count = group_count};

    must(group_count > 0 && group_count <= GROUP_COUNT_MAX);
    fresh.groups = mem_alloc_array(span_size(&fresh));
    if (fresh.groups == NULL)
        return MZ_NO_MEMORY;
    fresh.due_mono_us = (int64_t *)(void *)(fresh.groups + group_count);
    for (uint32_t i = 0; i < block_count(&fresh); i++)
        fresh.due_mono_us[i] = TABLE_NEVER;
    *span = fresh;
    return MZ_OK;
}

void
span_free(struct span *span)
{
    mem_free_array(span->groups, span_size(span));
    *span = (struct span){0};
}
