/* SPDX-License-Identifier: MIT
 *
 * table.c - groups, homes, moving on and moving back.
 *
 * Homes grow with h23, so a resize reads the old span from start to end and
 * writes the new one in nearly the same order, and needs neither keys nor
 * entries for it (unless the seed changes).
 *
 * The two spans differ in one thing. In cur a removal closes the gap: someone
 * who passed the group moves back into it. Old is only emptied, group after
 * group; there the overflow counts alone say where a search may end.
 */
#include "store/table.h"

#include "base/mem.h"
#include "base/must.h"
#include "store/table_internal.h"

/* How full a fresh span is, in permille. 720 to about 860 is growth by a fifth;
 * after shrinking there is room for half as many again. */
#define GROW_FILL   720
#define SHRINK_FILL 550
/* A smaller span is wanted below this load. */
#define SHRINK_PERMILLE 300
/* A smaller span has at least a quarter of the groups, so that old is empty
 * before cur can be full, with STRIPE_MOVE_GROUPS moved at each write. */
#define SHRINK_FACTOR_MAX 4

#define GROUP_COUNT_MAX   TABLE_H23_END /* homes for every h23 */

/* Groups that an insert may pass before a new seed is wanted. At a load of 7/8
 * a good hash passes 32 now and then, and so many never in practice. */
#define PROBE_MAX 128

#define PAGE_SIZE 4096

/* ---- spans ---- */

static uint32_t
block_count(const struct span *span)
{
    return (span->group_count + TABLE_DUE_GROUPS - 1) / TABLE_DUE_GROUPS;
}

size_t
span_size(const struct span *span)
{
    return span->group_count * sizeof(struct group) +
           block_count(span) * sizeof(int64_t);
}

/* Large arrays come as pages that do not exist yet. */
static void
touch_pages(void *array, size_t len)
{
    volatile char *bytes = array;

    for (size_t i = 0; i < len; i += PAGE_SIZE)
        bytes[i] = 0;
}

enum mz_err
span_new(struct span *span, uint32_t group_count)
{
    struct span fresh = {.group_count = group_count};

    must(group_count > 0 && group_count <= GROUP_COUNT_MAX);
    fresh.groups = mem_alloc_array(span_size(&fresh));
    if (fresh.groups == NULL)
        return MZ_NO_MEMORY;
    touch_pages(fresh.groups, span_size(&fresh));
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

static size_t
slot_count(const struct span *span)
{
    return (size_t)span->group_count * TABLE_GROUP_SLOTS;
}

/* The group where h23 is at home. */
static uint32_t
home_of(const struct span *span, uint32_t h23)
{
    return (uint32_t)(((uint64_t)h23 * span->group_count) >> TABLE_H23_BITS);
}

static uint32_t
next_group(const struct span *span, uint32_t g)
{
    return g + 1 == span->group_count ? 0 : g + 1;
}

/* Steps from group `from` on to group `to`. */
static uint32_t
distance(const struct span *span, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + (span->group_count - from);
}

/* One who was at home in `home` leaves group g: those between are passed by
 * one less. */
static void
lower_overflow(struct span *span, uint32_t home, uint32_t g)
{
    for (; home != g; home = next_group(span, home)) {
        struct group *group = &span->groups[home];

        must(group->overflow > 0);
        if (group->overflow < OVERFLOW_STUCK)
            group->overflow = (uint8_t)(group->overflow - 1);
    }
}

static void
raise_overflow(struct group *group)
{
    if (group->overflow < OVERFLOW_STUCK)
        group->overflow = (uint8_t)(group->overflow + 1);
}

static void
clear_slot(struct group *group, unsigned slot)
{
    group->tag[slot] = 0;
    group->slot[slot] = 0;
    group->deadline_mono_us[slot] = 0;
}

/* Puts h23 into the first free slot from its home on. There must be one.
 * *passed: how many groups were full. */
static struct table_pos
place(struct span *span, uint32_t h23, uint64_t slot_value, int64_t deadline,
      uint32_t *passed)
{
    uint32_t g = home_of(span, h23);
    struct group *group = &span->groups[g];
    uint32_t used, n = 0;
    unsigned slot;

    while ((used = group_used(group)) == GROUP_TAGS) {
        must(++n < span->group_count);
        raise_overflow(group);
        g = next_group(span, g);
        group = &span->groups[g];
    }
    slot = (unsigned)__builtin_ctz(~used);
    group->tag[slot] = tag_of(h23);
    group->slot[slot] = slot_value;
    group->deadline_mono_us[slot] = deadline;
    if (deadline < span->due_mono_us[g / TABLE_DUE_GROUPS])
        span->due_mono_us[g / TABLE_DUE_GROUPS] = deadline;
    *passed = n;
    return (struct table_pos){group, (uint8_t)slot, false};
}

/* ---- life ---- */

/* The limits that depend on the size of cur. */
static void
set_limits(struct table *table)
{
    size_t slots = slot_count(&table->cur);

    table->grow_above = slots * table->options.load_permille / 1000;
    table->shrink_below =
        table->cur.group_count > 1 ? slots * SHRINK_PERMILLE / 1000 : 0;
}

void
table_init(struct table *table, const struct table_options *options)
{
    must(options->hash_bits >= 1 && options->hash_bits <= 64);
    must(options->load_permille > GROW_FILL && options->load_permille < 1000);
    *table = (struct table){
        .cur.seed = options->seed,
        .due_mono_us = TABLE_NEVER,
        .probe_max = PROBE_MAX,
        .options = *options,
    };
}

static void
free_all(struct span *span)
{
    for (uint32_t g = 0; g < span->group_count; g++) {
        uint32_t used = group_used(&span->groups[g]);

        for (; used != 0; used &= used - 1)
            entry_release(
                entry_at(&span->groups[g], (unsigned)__builtin_ctz(used)));
    }
    span_free(span);
}

void
table_fini(struct table *table)
{
    free_all(&table->cur);
    free_all(&table->old);
    table->count = 0;
}

/* ---- one entry ---- */

/* h23 of a key in a span; new seeds are rare. */
static inline uint32_t
h23_in(const struct table *table, const struct span *span,
       const struct table_key *key)
{
    if (__builtin_expect(span->seed == table->options.seed, 1))
        return table_h23(key->hash);
    return table_h23(
        table_hash(key->key, key->db, span->seed, table->options.hash_bits));
}

static inline bool
has_key(const struct entry *entry, const struct table_key *key)
{
    return entry->db == key->db && slice_equal(entry_key(entry), key->key);
}

/* The four lines of a group are asked for at once. */
static inline void
prefetch_group(const struct group *group)
{
    const char *line = (const char *)group;

    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    __builtin_prefetch(line + 128);
    __builtin_prefetch(line + 192);
}

static inline struct table_pos
find_in(const struct span *span, bool in_old, uint32_t h23,
        const struct table_key *key)
{
    const uint8_t tag = tag_of(h23);
    const uint64_t bits = slot_bits(h23);
    uint32_t g = home_of(span, h23);

    prefetch_group(&span->groups[g]);
    for (uint32_t left = span->group_count; left > 0; left--) {
        struct group *group = &span->groups[g];
        uint32_t match = group_match(group, tag);

        for (; match != 0; match &= match - 1) {
            unsigned slot = (unsigned)__builtin_ctz(match);

            if ((group->slot[slot] ^ bits) >> POINTER_BITS == 0 &&
                has_key(entry_at(group, slot), key))
                return (struct table_pos){group, (uint8_t)slot, in_old};
        }
        if (group->overflow == 0)
            break;
        /* A count that is stuck says little, a free slot in cur says that
         * nobody has passed. */
        if (!in_old && group_used(group) != GROUP_TAGS)
            break;
        g = next_group(span, g);
    }
    return (struct table_pos){NULL, 0, in_old};
}

struct table_pos
table_find(const struct table *table, const struct table_key *key)
{
    struct table_pos pos = {NULL, 0, false};

    if (table->cur.groups != NULL)
        pos = find_in(&table->cur, false, h23_in(table, &table->cur, key), key);
    if (pos.group == NULL && table->old.groups != NULL)
        pos = find_in(&table->old, true, h23_in(table, &table->old, key), key);
    return pos;
}

static uint64_t
slot_value(uint32_t h23, const struct entry *entry)
{
    uint64_t pointer = (uintptr_t)entry;

    must(pointer >> POINTER_BITS == 0);
    return slot_bits(h23) | pointer;
}

struct table_pos
table_insert(struct table *table, const struct table_key *key,
             struct entry *entry, int64_t deadline_mono_us)
{
    uint32_t h23 = h23_in(table, &table->cur, key), passed;
    struct table_pos pos;

    must(table_has_room(table));
    pos = place(&table->cur, h23, slot_value(h23, entry), deadline_mono_us,
                &passed);
    table->count++;
    if (deadline_mono_us < table->due_mono_us)
        table->due_mono_us = deadline_mono_us;
    /* Long ways are no wonder in a table that could not grow. */
    if (passed > table->probe_max && table->count <= table->grow_above)
        table->reseed_wanted = true;
    return pos;
}

struct entry *
table_replace(struct table_pos pos, struct entry *entry)
{
    struct entry *before = table_entry(pos);

    pos.group->slot[pos.slot] = slot_value(h23_at(pos.group, pos.slot), entry);
    return before;
}

/* Finds the nearest entry behind group g that passed it. */
static struct table_pos
find_passer(const struct span *span, uint32_t g)
{
    uint32_t at = next_group(span, g);

    for (uint32_t n = 1; n < span->group_count; n++) {
        struct group *group = &span->groups[at];
        const uint32_t used = group_used(group);

        for (uint32_t m = used; m != 0; m &= m - 1) {
            unsigned slot = (unsigned)__builtin_ctz(m);
            uint32_t home = home_of(span, h23_at(group, slot));

            if (distance(span, home, at) >= n)
                return (struct table_pos){group, (uint8_t)slot, false};
        }
        if (used != GROUP_TAGS || group->overflow == 0)
            break;
        at = next_group(span, at);
    }
    return (struct table_pos){NULL, 0, false};
}

/* Fills the free slot of group g with someone who passed it, then the slot
 * that this one leaves, and so on: as if the removed entry had never been
 * there. */
static void
close_gap(struct span *span, uint32_t g, unsigned slot)
{
    while (span->groups[g].overflow > 0) {
        struct group *to = &span->groups[g];
        struct table_pos from = find_passer(span, g);
        int64_t *due = &span->due_mono_us[g / TABLE_DUE_GROUPS];

        if (from.group == NULL) /* the count is stuck */
            break;
        to->tag[slot] = from.group->tag[from.slot];
        to->slot[slot] = from.group->slot[from.slot];
        to->deadline_mono_us[slot] = from.group->deadline_mono_us[from.slot];
        if (to->deadline_mono_us[slot] < *due)
            *due = to->deadline_mono_us[slot];
        clear_slot(from.group, from.slot);
        slot = from.slot;
        lower_overflow(span, g, (uint32_t)(from.group - span->groups));
        g = (uint32_t)(from.group - span->groups);
    }
}

struct entry *
table_remove(struct table *table, struct table_pos pos)
{
    struct span *span = pos.in_old ? &table->old : &table->cur;
    struct entry *entry = table_entry(pos);
    uint32_t g = (uint32_t)(pos.group - span->groups);

    lower_overflow(span, home_of(span, h23_at(pos.group, pos.slot)), g);
    clear_slot(pos.group, pos.slot);
    if (!pos.in_old)
        close_gap(span, g, pos.slot);
    table->count--;
    return entry;
}

struct entry *
table_entry(struct table_pos pos)
{
    return entry_at(pos.group, pos.slot);
}

int64_t
table_deadline(struct table_pos pos)
{
    return pos.group->deadline_mono_us[pos.slot];
}

void
table_set_deadline(struct table *table, struct table_pos pos,
                   int64_t deadline_mono_us)
{
    struct span *span = pos.in_old ? &table->old : &table->cur;
    uint32_t g = (uint32_t)(pos.group - span->groups);
    int64_t *due = &span->due_mono_us[g / TABLE_DUE_GROUPS];

    pos.group->deadline_mono_us[pos.slot] = deadline_mono_us;
    if (deadline_mono_us < *due)
        *due = deadline_mono_us;
    if (deadline_mono_us < table->due_mono_us)
        table->due_mono_us = deadline_mono_us;
}

/* ---- resizing ---- */

/* The way of one entry from old to cur. Its key is read only for a new seed. */
static void
move_entry(struct table *table, struct group *group, unsigned slot)
{
    uint32_t h23 = h23_at(group, slot), passed;
    struct entry *entry = entry_at(group, slot);
    uint32_t new_h23 = h23;

    if (table->old.seed != table->cur.seed)
        new_h23 =
            table_h23(table_hash(entry_key(entry), entry->db, table->cur.seed,
                                 table->options.hash_bits));
    (void)place(&table->cur, new_h23, slot_value(new_h23, entry),
                group->deadline_mono_us[slot], &passed);
    lower_overflow(&table->old, home_of(&table->old, h23),
                   (uint32_t)(group - table->old.groups));
    clear_slot(group, slot);
}

void
table_move(struct table *table, uint32_t group_max, struct span *dead)
{
    must(dead->groups == NULL);
    for (; table->old.groups != NULL && group_max > 0; group_max--) {
        struct group *group = &table->old.groups[table->moved];
        uint32_t used = group_used(group);

        for (; used != 0; used &= used - 1)
            move_entry(table, group, (unsigned)__builtin_ctz(used));
        if (++table->moved == table->old.group_count) {
            *dead = table->old;
            table->old = (struct span){0};
            table->moved = 0;
        }
    }
}

size_t
table_size(const struct table *table)
{
    return span_size(&table->cur) + span_size(&table->old);
}

/* Groups that hold count entries when they are filled to `permille`. */
static uint32_t
groups_for(size_t count, size_t permille)
{
    size_t per_group = TABLE_GROUP_SLOTS * permille; /* times 1000 */
    size_t groups;

    if (count > (size_t)GROUP_COUNT_MAX * TABLE_GROUP_SLOTS)
        return GROUP_COUNT_MAX;
    groups = (count * 1000 + per_group - 1) / per_group;
    if (groups > GROUP_COUNT_MAX)
        return GROUP_COUNT_MAX;
    return groups > 0 ? (uint32_t)groups : 1;
}

static uint32_t
larger_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

struct table_wish
table_wish(const struct table *table)
{
    const struct table_wish none = {0, false};
    const uint32_t now = table->cur.group_count;
    uint32_t groups;

    if (table->old.groups != NULL)
        return none;
    groups = groups_for(table->count + 1, GROW_FILL);
    if (table->reseed_wanted)
        return (struct table_wish){larger_of(now, groups), true};
    if (table->count > table->grow_above || !table_has_room(table))
        return groups > now ? (struct table_wish){groups, false} : none;
    if (table->count >= table->shrink_below)
        return none;
    groups = groups_for(table->count, SHRINK_FILL);
    groups = larger_of(groups, (now - 1) / SHRINK_FACTOR_MAX + 1);
    return groups < now ? (struct table_wish){groups, false} : none;
}

/* Whether a span that was allocated for an earlier wish still suits. It is
 * filled to 4/5 at most: with some groups of old moved at each insert, old is
 * then empty long before cur is full. */
static bool
suits(const struct table *table, const struct span *span, uint64_t seed)
{
    struct table_wish wish = table_wish(table);
    uint32_t now = table->cur.group_count;

    if (wish.group_count == 0 || table->count * 5 > slot_count(span) * 4)
        return false;
    if (wish.reseed)
        return seed != 0 && span->group_count >= now;
    if (wish.group_count > now)
        return span->group_count > now;
    return span->group_count < now &&
           span->group_count >= (now - 1) / SHRINK_FACTOR_MAX + 1;
}

void
table_offer(struct table *table, struct span *span, uint64_t seed)
{
    if (!suits(table, span, seed))
        return;
    /* A new seed that does not help must not be followed by another at once:
     * each doubles what is put up with. A table that shrinks forgets. */
    if (table->reseed_wanted) {
        span->seed = seed;
        table->epoch++;
        table->reseed_wanted = false;
        if (table->probe_max < GROUP_COUNT_MAX)
            table->probe_max *= 2;
    } else {
        span->seed = table->cur.seed;
        if (span->group_count < table->cur.group_count)
            table->probe_max = PROBE_MAX;
    }
    if (table->cur.groups != NULL)
        table->old = table->cur;
    table->cur = *span;
    *span = (struct span){0};
    set_limits(table);
}

/* ---- walk ---- */

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
table_walk_begin(struct table_walk *walk, const struct table *table,
                 uint32_t from_h23, uint32_t group_max)
{
    const struct span *larger = table->old.group_count > table->cur.group_count
                                    ? &table->old
                                    : &table->cur;
    uint32_t home = home_of(larger, from_h23);

    must(from_h23 < TABLE_H23_END && group_max > 0);
    must(!table_is_reseeding(table));
    *walk = (struct table_walk){.table = table, .from_h23 = from_h23};
    walk->end_h23 = TABLE_H23_END;
    if (larger->group_count - home > group_max)
        walk->end_h23 = first_h23(home + group_max, larger->group_count);
    walk_enter(walk, &table->cur);
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

/* ---- deadlines that are over ---- */

static uint32_t
due_block_end(const struct table_due *due)
{
    uint32_t end = (due->block + 1) * TABLE_DUE_GROUPS;

    return end < due->span->group_count ? end : due->span->group_count;
}

/* On to the next block of the span, from `block` on, in which something may be
 * due. */
static bool
due_find_block(struct table_due *due, uint32_t block)
{
    const uint32_t count = block_count(due->span);

    while (block < count && due->span->due_mono_us[block] > due->now_mono_us)
        block++;
    due->block = block;
    due->group = block * TABLE_DUE_GROUPS;
    due->slot = 0;
    due->survivor_mono_us = TABLE_NEVER;
    return block < count;
}

void
table_due_begin(struct table_due *due, struct table *table, int64_t now_mono_us)
{
    *due = (struct table_due){
        .table = table, .span = &table->cur, .now_mono_us = now_mono_us};
    (void)due_find_block(due, 0);
}

/* The next one that is due in the group. The slot is not left behind: when its
 * entry is removed another may move in. */
static bool
due_in_group(struct table_due *due, struct table_pos *pos)
{
    struct group *group = &due->span->groups[due->group];

    for (; due->slot < TABLE_GROUP_SLOTS; due->slot++) {
        int64_t deadline = group->deadline_mono_us[due->slot];

        if (group->tag[due->slot] == 0)
            continue;
        if (deadline <= due->now_mono_us) {
            *pos = (struct table_pos){group, (uint8_t)due->slot,
                                      due->span == &due->table->old};
            return true;
        }
        if (deadline < due->survivor_mono_us)
            due->survivor_mono_us = deadline;
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
            (void)due_find_block(due, due->block + 1);
        }
        if (due->span == &due->table->old)
            return false;
        due->span = &due->table->old;
        (void)due_find_block(due, 0);
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

/* ---- for tests ---- */

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
    int64_t deadline = group->deadline_mono_us[slot];

    must(h23_at(group, slot) == h23_in(table, span, &key));
    must(pos.group == group && pos.slot == slot);
    must(span->due_mono_us[g / TABLE_DUE_GROUPS] <= deadline);
    must(table->due_mono_us <= deadline);
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
    }
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
