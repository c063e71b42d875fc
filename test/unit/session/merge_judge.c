/* SPDX-License-Identifier: MIT
 *
 * merge_judge.c - see merge_judge.h.
 */
#include "merge_judge.h"

#include "base/must.h"
#include "session/json_walk.h"
#include "session/merge.h"

#include <jansson.h>
#include <stdlib.h>

#define FLAGS     (JSON_DECODE_ANY | JSON_ALLOW_NUL)
#define CANARY    0x5a
#define DEPTH_MAX 128

/* ---- RFC 7396, section 2 ---- */

static void merge_members(json_t *object, json_t *patch);

/* MergePatch(target, patch); consumes target, which may be NULL. */
static json_t *
plain_merge(json_t *target, json_t *patch)
{
    if (!json_is_object(patch)) {
        json_decref(target);
        return json_incref(patch);
    }
    if (!json_is_object(target)) {
        json_decref(target);
        target = json_object();
    }
    must(target != NULL);
    merge_members(target, patch);
    return target;
}

static void
merge_members(json_t *object, json_t *patch)
{
    const char *name;
    json_t *value;

    json_object_foreach(patch, name, value)
    {
        if (json_is_null(value)) {
            json_object_del(object, name);
            continue;
        }
        value = plain_merge(json_incref(json_object_get(object, name)), value);
        must(json_object_set_new(object, name, value) == 0);
    }
}

/* ---- texts ---- */

static json_t *
parse(struct slice text)
{
    return json_loadb(text.data, text.len, FLAGS, NULL);
}

static unsigned
depth_of(json_t *json)
{
    json_t *child;
    unsigned depth = 0, below;
    const char *name;
    size_t i;

    json_array_foreach(json, i, child)
    {
        below = depth_of(child);
        depth = below > depth ? below : depth;
    }
    json_object_foreach(json, name, child)
    {
        below = depth_of(child);
        depth = below > depth ? below : depth;
    }
    return json_is_array(json) || json_is_object(json) ? depth + 1 : 0;
}

bool
merge_judge_takes(struct slice text)
{
    json_t *json = text.len == 0 ? NULL : parse(text);
    bool takes = json != NULL && depth_of(json) <= DEPTH_MAX;

    json_decref(json);
    return takes;
}

/* True for what may stand beside a scalar. */
static bool
is_between(char c)
{
    return strchr(" \t\r\n,:[]{}", c) != NULL;
}

static bool
stands_in(struct slice scalar, struct slice text)
{
    const char *at = text.data, *end = text.data + text.len;

    if (text.len == 0)
        return false;
    while ((at = memmem(at, (size_t)(end - at), scalar.data, scalar.len)) !=
           NULL) {
        const char *behind = at + scalar.len;

        if ((at == text.data || is_between(at[-1])) &&
            (behind == end || is_between(*behind)))
            return true;
        at++;
    }
    return false;
}

/* Every string, number and literal of the result, names too, is one of the
 * texts' own. */
static bool
is_made_of(struct slice result, struct slice patch, struct slice target)
{
    struct json_walk walk = {result.data, result.data + result.len};

    while (walk.at < walk.end) {
        struct slice scalar;

        if (is_between(*walk.at)) {
            walk.at++;
            continue;
        }
        /* A name is followed by a colon, at which a number would not end. */
        scalar = json_walk_value(&walk);
        if (!stands_in(scalar, patch) && !stands_in(scalar, target))
            return false;
    }
    return true;
}

/* ---- the judgement ---- */

static const char *
judge_result(struct slice result, struct slice patch, struct slice target)
{
    json_t *p = parse(patch), *t = target.len == 0 ? NULL : parse(target);
    json_t *expected = plain_merge(t, p), *got = parse(result);
    const char *wrong = NULL;

    if (got == NULL)
        wrong = "the result is no JSON";
    else if (!json_equal(expected, got))
        wrong = "the result is not what RFC 7396 says";
    else if (!is_made_of(result, patch, target))
        wrong = "a scalar of the result stands in neither text";
    json_decref(p);
    json_decref(expected);
    json_decref(got);
    return wrong;
}

/* Applies with room for cap bytes of a block of size bytes. */
static const char *
judge_too_small(struct merge_patch *prepared, struct slice target, char *block,
                size_t size, size_t need)
{
    size_t cap = need / 2, len = 0;

    memset(block, CANARY, size);
    if (merge_apply(prepared, target, block, cap, &len) != MZ_TOO_LARGE)
        return "a result that does not fit was taken";
    if (len != need)
        return "the size of a result that does not fit is wrong";
    for (size_t i = cap; i < size; i++) {
        if (block[i] != CANARY)
            return "something was written behind out_cap";
    }
    return NULL;
}

const char *
merge_judge(struct slice patch, struct slice target, size_t seed)
{
    struct merge_patch *prepared;
    const char *wrong = NULL;
    size_t size, len = 0;
    char *block;

    must(merge_patch_new(patch, seed, &prepared) == MZ_OK);
    size = merge_size_max(prepared, target.len);
    block = malloc(size);
    must(block != NULL);
    if (merge_apply(prepared, target, block, size, &len) != MZ_OK)
        wrong = "the result is larger than merge_size_max";
    if (wrong == NULL)
        wrong = judge_result(slice_of(block, len), patch, target);
    if (wrong == NULL)
        wrong = judge_too_small(prepared, target, block, size, len);
    free(block);
    merge_patch_free(prepared);
    return wrong;
}
