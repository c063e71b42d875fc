/* SPDX-License-Identifier: MIT
 *
 * table_check.c - the invariants of table.h, looked at one by one, and the mean
 * length of a search. For tests.
 */
#include "store/table.h"

#include "base/mem.h"
#include "base/must.h"
#include "store/table_internal.h"

static uint64_t
probe_sum(const struct span *span)
{
    uint64_t sum = 0;

    for (uint32_t g = 0; g < span->group_count; g++) {
        const struct group *group = &span->groups[g];
        uint32_t used = group_used(group);

        for (; used != 0; used &= used - 1) {
            unsigned slot = (unsigned)__builtin_ctz(used);
            uint32_t home = home_of(span, h23_at(group, slot));

            sum += distance(span, home, g) + 1;
        }
    }
    return sum;
}

uint64_t
table_probe_sum(const struct table *table)
{
    return probe_sum(&table->cur) + probe_sum(&table->old);
}

/* One entry: its bits are those of its key, it is found where it lies, and its
 * block knows of its deadline. Adds its way to passed[]. */
static void
check_entry(const struct table *table, const struct span *span, uint32_t g,
            unsigned slot, uint32_t *passed)
{
    const struct group *group = &span->groups[g];
    const struct entry *entry = entry_at(group, slot);
    const struct table_key key = {entry_key(entry),
                                  table_hash(entry_key(entry), entry->db,
                                             table->options.seed,
                                             table->options.hash_bits),
                                  entry->db};
    const struct table_pos pos = table_find(table, &key);
    int64_t deadline_mono_us = group->deadline_mono_us[slot];

    must(h23_at(group, slot) == h23_in(table, span, &key));
    must(pos.group == group && pos.slot == slot);
    must(span->due_mono_us[g / TABLE_DUE_GROUPS] <= deadline_mono_us);
    must(table->due_mono_us <= deadline_mono_us);
    for (uint32_t at = home_of(span, h23_at(group, slot)); at != g;
         at = next_group(span, at))
        passed[at]++;
}

static size_t
check_span(const struct table *table, const struct span *span)
{
    const bool is_cur = span == &table->cur;
    uint32_t *passed = mem_alloc_zeroed(span->group_count + 1u, sizeof *passed);
    size_t count = 0;
    bool some_unpassed = span->group_count == 0;

    must(passed != NULL);
    for (uint32_t g = 0; g < span->group_count; g++) {
        uint32_t used = group_used(&span->groups[g]);

        must(used == 0 || is_cur || g >= table->moved);
        count += (size_t)__builtin_popcount(used);
        for (; used != 0; used &= used - 1)
            check_entry(table, span, g, (unsigned)__builtin_ctz(used), passed);
    }
    for (uint32_t g = 0; g < span->group_count; g++) {
        const struct group *group = &span->groups[g];

        must(group->overflow == OVERFLOW_STUCK || group->overflow == passed[g]);
        must(!is_cur || passed[g] == 0 || group_used(group) == GROUP_TAGS);
        some_unpassed = some_unpassed || passed[g] == 0;
    }
    must(some_unpassed);
    mem_free(passed);
    return count;
}

void
table_check(const struct table *table)
{
    must(table->cur.groups != NULL || table->old.groups == NULL);
    must(table->count ==
         check_span(table, &table->cur) + check_span(table, &table->old));
    must(table->count <= slot_count(&table->cur));
    must(table->moved < table->old.group_count || table->old.groups == NULL);
}
