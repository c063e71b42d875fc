/* SPDX-License-Identifier: MIT
 *
 * table.c - one entry: moving on and moving back; and resizing.
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

/* Groups that an insert may pass before a new seed is wanted. At a load of 7/8
 * a good hash passes 32 now and then, and so many never in practice. */
#define PROBE_MAX 128

/* ---- ways through a span ---- */

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
place(struct span *span, uint32_t h23, uint64_t slot_value,
      int64_t deadline_mono_us, uint32_t *passed)
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
    group->deadline_mono_us[slot] = deadline_mono_us;
    if (deadline_mono_us < span->due_mono_us[g / TABLE_DUE_GROUPS])
        span->due_mono_us[g / TABLE_DUE_GROUPS] = deadline_mono_us;
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
