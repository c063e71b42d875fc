/* SPDX-License-Identifier: MIT
 *
 * table_walk.c - meeting the entries of a range of h23.
 *
 * A slice starts at the home of its first h23 and goes on over the homes of its
 * range, and from there as far as somebody was passed on.
 *
 * A removal moves others back: into the slot that the walk is at, which is
 * looked at again, and into slots ahead of it. Nobody who has not been met gets
 * behind it, see the invariants in table.h.
 */
#include "store/table.h"

#include "base/must.h"
#include "store/table_internal.h"

static void
walk_enter(struct table_walk *walk, const struct span *span)
{
    walk->span = span;
    walk->slot = 0;
    walk->met = 0;
    if (span->groups == NULL)
        return;
    walk->group = home_of(span, walk->from_h23);
    walk->home_left = home_of(span, walk->end_h23 - 1) - walk->group;
    walk->left = span->group_count - 1;
}

/* The first h23 that is at home in group g of group_count. */
static uint32_t
first_h23(uint32_t g, uint32_t group_count)
{
    return (uint32_t)((((uint64_t)g << TABLE_H23_BITS) + group_count - 1) /
                      group_count);
}

void
table_walk_begin_range(struct table_walk *walk, const struct table *table,
                       uint32_t from_h23, uint32_t end_h23)
{
    must(from_h23 < end_h23 && end_h23 <= TABLE_H23_END);
    must(!table_is_reseeding(table));
    *walk = (struct table_walk){
        .table = table, .from_h23 = from_h23, .end_h23 = end_h23};
    walk_enter(walk, &table->cur);
}

void
table_walk_begin(struct table_walk *walk, const struct table *table,
                 uint32_t from_h23, uint32_t group_max)
{
    const struct span *larger = table->old.group_count > table->cur.group_count
                                    ? &table->old
                                    : &table->cur;
    uint32_t home = home_of(larger, from_h23), end_h23 = TABLE_H23_END;

    must(group_max > 0);
    if (larger->group_count - home > group_max)
        end_h23 = first_h23(home + group_max, larger->group_count);
    table_walk_begin_range(walk, table, from_h23, end_h23);
}

/* The next entry of the range in this group. A slot whose content has changed
 * since it was given is looked at again: a removal has moved somebody in. */
static bool
walk_group(struct table_walk *walk, struct table_pos *pos)
{
    struct group *group = &walk->span->groups[walk->group];

    for (; walk->slot < TABLE_GROUP_SLOTS; walk->slot++, walk->met = 0) {
        uint32_t h23 = h23_at(group, walk->slot);

        if (group->tag[walk->slot] == 0 ||
            group->slot[walk->slot] == walk->met || h23 < walk->from_h23 ||
            h23 >= walk->end_h23)
            continue;
        walk->met = group->slot[walk->slot];
        *pos = (struct table_pos){group, (uint8_t)walk->slot,
                                  walk->span == &walk->table->old};
        return true;
    }
    return false;
}

/* On to the next group: all homes of the range, and then as far as somebody
 * may have gone who found them full. */
static bool
walk_on(struct table_walk *walk)
{
    if (walk->left == 0)
        return false;
    if (walk->home_left > 0)
        walk->home_left--;
    else if (walk->span->groups[walk->group].overflow == 0)
        return false;
    walk->left--;
    walk->group = next_group(walk->span, walk->group);
    walk->slot = 0;
    return true;
}

bool
table_walk_next(struct table_walk *walk, struct table_pos *pos)
{
    for (;;) {
        if (walk->span->groups != NULL) {
            do {
                if (walk_group(walk, pos))
                    return true;
            } while (walk_on(walk));
        }
        if (walk->span == &walk->table->old)
            return false;
        walk_enter(walk, &walk->table->old);
    }
}
