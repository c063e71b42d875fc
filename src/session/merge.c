/* SPDX-License-Identifier: MIT
 *
 * merge.c - a patch as a flat tree, and two walks over the target.
 *
 * The members of all objects of the patch, those in arrays apart, lie in one
 * array in the order of the text, each with the index of the member that it is
 * in (owner) and of the next one in the same object (next). Index 0 is the
 * patch as a whole. One hash table over all of them finds a member by its
 * owner and name.
 *
 *     {"a":{"b":1},"c":2}
 *
 *     index  0 (whole)   1 "a"       2 "b"       3 "c"
 *     owner  -           0           1           0
 *     first  1           2           0           0
 *     next   0           3           0           0
 *
 * The first walk over the target finds, for every member of the patch that
 * the target has, its last value there. The second one writes. Each walk steps
 * over every byte of the target once: what the first has found, the second
 * jumps over.
 *
 * An object of the target that occurs twice is matched twice, and what was
 * noted for the first is stale. So each matching of an object has a number,
 * and a note counts only if it bears the number that its owner has now.
 */
#include "session/merge.h"

#include "base/mem.h"
#include "base/must.h"
#include "session/json_walk.h"

#include <stdbool.h>

/* Texts are at most 2 GiB, so 32 bits hold an offset, and a count. */
struct member {
    uint32_t name, name_len;   /* const: in the patch, between the quotes */
    uint32_t value, value_len; /* const: in the patch */
    uint32_t owner;            /* const: the member it is in */
    uint32_t first;            /* const: its first member, or 0 */
    uint32_t next;             /* const: the next of its owner, or 0 */
    uint32_t hash;             /* const: of owner and name */
    bool is_object, is_null;   /* const: the kind of value */
    bool is_doubled;           /* const: a later one of that name counts */
    bool is_clean;             /* const: an object to be copied as it is */

    /* Notes of one merge_apply(), with numbers of matchings, 0: none. */
    uint32_t matching;         /* an object: the last one of it */
    uint32_t found_in;         /* it is in the target object of this one */
    uint32_t written_in;       /* its place has been written in this one */
    uint32_t found, found_end; /* the last value, in the target */
};

struct merge_patch {
    const char *text; /* const, lent */
    size_t text_len;  /* const */
    uint64_t seed;    /* const */
    struct member *members;
    uint32_t count;  /* of members */
    uint32_t *slots; /* the hash table: indexes of members, 0: free */
    uint32_t slot_mask;
    uint32_t matchings; /* so far in this merge_apply() */
};

/* Where the result goes. Counts on when it is full. */
struct sink {
    char *data;
    size_t cap;
    size_t len; /* may be above cap */
};

/* One merge_apply(). */
struct merge {
    struct merge_patch *patch;
    struct slice target;
    struct sink sink;
};

static struct slice
name_of(const struct merge_patch *patch, const struct member *m)
{
    return slice_of(patch->text + m->name, m->name_len);
}

static struct slice
value_of(const struct merge_patch *patch, const struct member *m)
{
    return slice_of(patch->text + m->value, m->value_len);
}

/* ---- the index ---- */

/* The same name in two objects gives two hashes. */
static uint32_t
hash_member(const struct merge_patch *patch, uint32_t owner, struct slice name)
{
    uint64_t seed = patch->seed + owner * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)json_name_hash(name, seed);
}

/* The slot of the member of that name, or the free one where it belongs. */
static uint32_t *
find_slot(const struct merge_patch *patch, uint32_t owner, struct slice name,
          uint32_t hash)
{
    uint32_t at = hash & patch->slot_mask;

    while (patch->slots[at] != 0) {
        const struct member *m = &patch->members[patch->slots[at]];

        if (m->hash == hash && m->owner == owner &&
            json_name_equal(name_of(patch, m), name))
            break;
        at = (at + 1) & patch->slot_mask;
    }
    return &patch->slots[at];
}

/* The member of the patch that bears name in the object `owner`, or NULL. */
static struct member *
find_member(const struct merge_patch *patch, const struct member *owner,
            struct slice name)
{
    uint32_t index = (uint32_t)(owner - patch->members);
    uint32_t hash = hash_member(patch, index, name);
    uint32_t found = *find_slot(patch, index, name, hash);

    return found == 0 ? NULL : &patch->members[found];
}

/* The object of that index, and all that it is in, cannot be copied as sent. */
static void
mark_unclean(struct merge_patch *patch, uint32_t index)
{
    while (patch->members[index].is_clean) {
        patch->members[index].is_clean = false;
        index = patch->members[index].owner;
    }
}

static enum mz_err
build_index(struct merge_patch *patch)
{
    uint32_t slot_count = 2;

    while (slot_count / 2 < patch->count)
        slot_count *= 2;
    patch->slots = mem_alloc_zeroed(slot_count, sizeof *patch->slots);
    if (patch->slots == NULL)
        return MZ_NO_MEMORY;
    patch->slot_mask = slot_count - 1;
    for (uint32_t i = 1; i < patch->count; i++) {
        struct member *m = &patch->members[i];
        struct slice name = name_of(patch, m);
        uint32_t *slot;

        m->hash = hash_member(patch, m->owner, name);
        slot = find_slot(patch, m->owner, name, m->hash);
        if (*slot != 0)
            patch->members[*slot].is_doubled = true;
        if (*slot != 0 || m->is_null)
            mark_unclean(patch, m->owner);
        *slot = i;
    }
    return MZ_OK;
}

/* ---- reading the patch ---- */

/* Steps over the value at walk->at and counts the members in it, those in
 * arrays apart. */
static uint32_t
count_members(struct json_walk *walk, unsigned depth)
{
    struct slice name;
    uint32_t count = 0;

    if (!json_walk_at_object(walk)) {
        (void)json_walk_value(walk);
        return 0;
    }
    must(depth < MERGE_DEPTH_MAX);
    json_walk_enter(walk);
    while (json_walk_member(walk, &name))
        count += 1 + count_members(walk, depth + 1);
    return count;
}

static void add_value(struct merge_patch *patch, struct json_walk *walk,
                      uint32_t owner, struct slice name);

/* Adds all members of the object at walk->at, which is member `owner`. */
static void
add_members(struct merge_patch *patch, struct json_walk *walk, uint32_t owner)
{
    struct slice name;
    uint32_t last = 0;

    json_walk_enter(walk);
    while (json_walk_member(walk, &name)) {
        uint32_t index = patch->count;

        add_value(patch, walk, owner, name);
        if (last == 0)
            patch->members[owner].first = index;
        else
            patch->members[last].next = index;
        last = index;
    }
}

/* Adds the member whose value is at walk->at, and all that is in it. */
static void
add_value(struct merge_patch *patch, struct json_walk *walk, uint32_t owner,
          struct slice name)
{
    struct member *m = &patch->members[patch->count];
    const char *from = walk->at;

    *m = (struct member){
        .name = (uint32_t)(name.data - patch->text),
        .name_len = (uint32_t)name.len,
        .value = (uint32_t)(from - patch->text),
        .owner = owner,
        .is_object = json_walk_at_object(walk),
        .is_clean = json_walk_at_object(walk),
        .is_null = *from == 'n',
    };
    patch->count++;
    if (m->is_object)
        add_members(patch, walk, patch->count - 1);
    else
        (void)json_walk_value(walk);
    m->value_len = (uint32_t)(walk->at - from);
}

/* Fills patch, which has its text and nothing else. */
static enum mz_err
read_patch(struct merge_patch *patch)
{
    struct slice text = slice_of(patch->text, patch->text_len);
    struct json_walk walk = json_walk_begin(text);
    struct json_walk ahead = walk;
    size_t count = 1 + count_members(&ahead, 0);

    patch->members = mem_alloc(count * sizeof *patch->members);
    if (patch->members == NULL)
        return MZ_NO_MEMORY;
    add_value(patch, &walk, 0, slice_of(patch->text, 0));
    must(patch->count == count);
    return build_index(patch);
}

enum mz_err
merge_patch_new(struct slice patch, uint64_t seed, struct merge_patch **out)
{
    struct merge_patch *made;
    enum mz_err err;

    if (patch.len > MERGE_TEXT_MAX)
        return MZ_TOO_LARGE;
    made = mem_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return MZ_NO_MEMORY;
    made->text = patch.data;
    made->text_len = patch.len;
    made->seed = seed;
    err = read_patch(made);
    if (err != MZ_OK) {
        merge_patch_free(made);
        return err;
    }
    *out = made;
    return MZ_OK;
}

void
merge_patch_free(struct merge_patch *patch)
{
    if (patch == NULL)
        return;
    mem_free(patch->slots);
    mem_free(patch->members);
    mem_free(patch);
}

/* Each member of the result stands with its name and value in one of the two
 * texts. Two braces less than in both together make up for the comma between
 * the members of the one and those of the other. */
size_t
merge_size_max(const struct merge_patch *patch, size_t target_len)
{
    size_t sum;

    return __builtin_add_overflow(patch->text_len, target_len, &sum) ? SIZE_MAX
                                                                     : sum;
}

/* ---- writing ---- */

static void
put(struct sink *sink, const char *data, size_t len)
{
    if (sink->len <= sink->cap && len <= sink->cap - sink->len && len > 0)
        memcpy(sink->data + sink->len, data, len);
    sink->len += len;
}

static void
put_slice(struct sink *sink, struct slice s)
{
    put(sink, s.data, s.len);
}

/* The comma before every member but the first one. */
static void
put_separator(struct sink *sink, bool *any)
{
    if (*any)
        put(sink, ",", 1);
    *any = true;
}

/* A name with the quotes around it, and the colon. */
static void
put_name(struct sink *sink, struct slice name)
{
    put(sink, name.data - 1, name.len + 2);
    put(sink, ":", 1);
}

/* Whether this member adds something to an object. */
static bool
adds(const struct member *m)
{
    return !m->is_doubled && !m->is_null;
}

/* Writes the value of m as RFC 7396 has it on an empty target. */
static void
write_fresh(struct merge *merge, const struct member *m)
{
    const struct member *members = merge->patch->members;
    bool any = false;

    if (!m->is_object || m->is_clean) {
        put_slice(&merge->sink, value_of(merge->patch, m));
        return;
    }
    put(&merge->sink, "{", 1);
    for (uint32_t i = m->first; i != 0; i = members[i].next) {
        if (!adds(&members[i]))
            continue;
        put_separator(&merge->sink, &any);
        put_name(&merge->sink, name_of(merge->patch, &members[i]));
        write_fresh(merge, &members[i]);
    }
    put(&merge->sink, "}", 1);
}

/* ---- the first walk ---- */

/* Walks through the object at walk->at, to which the object `owner` of the
 * patch is going to be applied, and notes what both have. */
static void
match_object(struct merge *merge, struct member *owner, struct json_walk *walk)
{
    struct slice name;

    owner->matching = ++merge->patch->matchings;
    json_walk_enter(walk);
    while (json_walk_member(walk, &name)) {
        struct member *m = find_member(merge->patch, owner, name);

        if (m == NULL) {
            (void)json_walk_value(walk);
            continue;
        }
        m->found_in = owner->matching;
        m->found = (uint32_t)(walk->at - merge->target.data);
        if (m->is_object && json_walk_at_object(walk))
            match_object(merge, m, walk);
        else
            (void)json_walk_value(walk);
        m->found_end = (uint32_t)(walk->at - merge->target.data);
    }
}

/* ---- the second walk ---- */

static void write_object(struct merge *merge, struct member *owner,
                         struct json_walk *walk);

/* Writes the value of a member that the target has, too. */
static void
write_value(struct merge *merge, struct member *m)
{
    struct json_walk walk = {merge->target.data + m->found,
                             merge->target.data + merge->target.len};

    if (m->is_object && json_walk_at_object(&walk))
        write_object(merge, m, &walk);
    else
        write_fresh(merge, m);
}

/* Steps over the value at walk->at, which is one of those that m is in the
 * target. Where the last one ends is known, and so none is stepped over byte
 * by byte that write_value() has gone through. */
static void
skip_found(const struct merge *merge, const struct member *m,
           struct json_walk *walk)
{
    if (walk->at == merge->target.data + m->found)
        walk->at = merge->target.data + m->found_end;
    else
        (void)json_walk_value(walk);
}

/* Writes those members of owner that the target has not, and says that some
 * were written. */
static void
write_new_members(struct merge *merge, const struct member *owner, bool any)
{
    const struct member *members = merge->patch->members;

    for (uint32_t i = owner->first; i != 0; i = members[i].next) {
        if (!adds(&members[i]) || members[i].found_in == owner->matching)
            continue;
        put_separator(&merge->sink, &any);
        put_name(&merge->sink, name_of(merge->patch, &members[i]));
        write_fresh(merge, &members[i]);
    }
}

/* Writes the object at walk->at with the object `owner` of the patch applied,
 * as match_object() has prepared it. */
static void
write_object(struct merge *merge, struct member *owner, struct json_walk *walk)
{
    struct slice name;
    bool any = false;

    put(&merge->sink, "{", 1);
    json_walk_enter(walk);
    while (json_walk_member(walk, &name)) {
        struct member *m = find_member(merge->patch, owner, name);

        if (m == NULL) {
            const char *from = name.data - 1;

            (void)json_walk_value(walk);
            put_separator(&merge->sink, &any);
            put(&merge->sink, from, (size_t)(walk->at - from));
            continue;
        }
        if (m->written_in != owner->matching && !m->is_null) {
            put_separator(&merge->sink, &any);
            put_name(&merge->sink, name);
            write_value(merge, m);
        }
        m->written_in = owner->matching;
        skip_found(merge, m, walk);
    }
    write_new_members(merge, owner, any);
    put(&merge->sink, "}", 1);
}

/* ---- applying ---- */

/* The numbers of matchings start anew each time, so that they never run out;
 * so the notes that bear them have to go. */
static void
forget_notes(struct merge_patch *patch)
{
    patch->matchings = 0;
    for (uint32_t i = 0; i < patch->count; i++) {
        patch->members[i].matching = 0;
        patch->members[i].found_in = 0;
        patch->members[i].written_in = 0;
    }
}

static bool
is_object(struct slice target)
{
    struct json_walk walk;

    if (target.len == 0)
        return false;
    walk = json_walk_begin(target);
    return json_walk_at_object(&walk);
}

/* Both are objects. */
static void
write_merged(struct merge *merge, struct member *whole)
{
    struct json_walk walk = json_walk_begin(merge->target);
    struct json_walk again = walk;

    forget_notes(merge->patch);
    match_object(merge, whole, &walk);
    write_object(merge, whole, &again);
}

enum mz_err
merge_apply(struct merge_patch *patch, struct slice target, char *out,
            size_t out_cap, size_t *out_len)
{
    struct merge merge = {patch, target, {out, out_cap, 0}};
    struct member *whole = &patch->members[0];

    if (target.len > MERGE_TEXT_MAX) {
        *out_len = SIZE_MAX;
        return MZ_TOO_LARGE;
    }
    if (whole->is_object && is_object(target))
        write_merged(&merge, whole);
    else
        write_fresh(&merge, whole);
    *out_len = merge.sink.len;
    return merge.sink.len <= out_cap ? MZ_OK : MZ_TOO_LARGE;
}
