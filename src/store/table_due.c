/* SPDX-License-Identifier: MIT
 *
 * table_due.c - finding the entries whose deadline is over.
 *
 * The earliest deadline of a block is a lower bound: whoever puts an entry or
 * moves one back lowers it. Here it is made exact, by looking at the whole
 * block, which is done only when something in it may be due.
 *
 * Each removal moves others back into the slot that is being looked at and into
 * slots ahead. Nobody who has not been looked at gets behind, see the
 * invariants in table.h; and wherever somebody gets to, the bound of that block
 * is lowered.
 */
#include "store/table.h"

#include "store/table_internal.h"

static uint32_t
due_block_end(const struct table_due *due)
{
    uint32_t end = (due->block + 1) * TABLE_DUE_GROUPS;

    return end < due->span->group_count ? end : due->span->group_count;
}

/* On to the next block of the span, from `block` on, in which something may be
 * due. */
static void
due_find_block(struct table_due *due, uint32_t block)
{
    const uint32_t count = block_count(due->span);

    while (block < count && due->span->due_mono_us[block] > due->now_mono_us)
        block++;
    due->block = block;
    due->group = block * TABLE_DUE_GROUPS;
    due->slot = 0;
    due->survivor_mono_us = TABLE_NEVER;
}

void
table_due_begin(struct table_due *due, struct table *table, int64_t now_mono_us)
{
    *due = (struct table_due){
        .table = table, .span = &table->cur, .now_mono_us = now_mono_us};
    due_find_block(due, 0);
}

/* The next one that is due in the group. The slot is not left behind: when its
 * entry is removed another may move in. */
static bool
due_in_group(struct table_due *due, struct table_pos *pos)
{
    struct group *group = &due->span->groups[due->group];

    for (; due->slot < TABLE_GROUP_SLOTS; due->slot++) {
        int64_t deadline_mono_us = group->deadline_mono_us[due->slot];

        if (group->tag[due->slot] == 0)
            continue;
        if (deadline_mono_us <= due->now_mono_us) {
            *pos = (struct table_pos){group, (uint8_t)due->slot,
                                      due->span == &due->table->old};
            return true;
        }
        if (deadline_mono_us < due->survivor_mono_us)
            due->survivor_mono_us = deadline_mono_us;
    }
    due->slot = 0;
    due->group++;
    due->groups_seen++;
    return false;
}

bool
table_due_next(struct table_due *due, uint32_t group_max, struct table_pos *pos)
{
    for (;;) {
        while (due->block < block_count(due->span)) {
            /* A block is finished once begun, so that its bound gets on. */
            if (due->group == due->block * TABLE_DUE_GROUPS &&
                due->groups_seen >= group_max)
                return false;
            while (due->group < due_block_end(due))
                if (due_in_group(due, pos))
                    return true;
            due->span->due_mono_us[due->block] = due->survivor_mono_us;
            due_find_block(due, due->block + 1);
        }
        if (due->span == &due->table->old)
            return false;
        due->span = &due->table->old;
        due_find_block(due, 0);
    }
}

static int64_t
earliest_due(const struct span *span, int64_t earliest)
{
    for (uint32_t i = 0; i < block_count(span); i++)
        if (span->due_mono_us[i] < earliest)
            earliest = span->due_mono_us[i];
    return earliest;
}

void
table_due_end(struct table_due *due)
{
    struct table *table = due->table;

    table->due_mono_us =
        earliest_due(&table->old, earliest_due(&table->cur, TABLE_NEVER));
}
