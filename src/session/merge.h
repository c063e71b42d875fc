/* SPDX-License-Identifier: MIT
 *
 * merge.h - JSON merge patch (RFC 7396) on texts.
 *
 * A patch is prepared once, which allocates, and then applied to a target as
 * often as it takes, which allocates nothing: it can run under a lock.
 *
 *     target    {"cart":[1, 2], "seen":1.10}       what is stored
 *     patch     {"cart":null,"user":{"id":7}}      what the client sent
 *     result    {"seen":1.10,"user":{"id":7}}
 *
 * Nothing is turned into numbers or strings and back. The result is made of
 * runs of bytes of both texts:
 *
 * - A member that the patch does not touch keeps its bytes from the first
 *   quote of its name to the end of its value, blanks within included. All
 *   such members stay, also those that occur twice, in their order.
 * - A member that the patch touches keeps its place and the bytes of its name.
 *   Its value is the one of the patch, as sent. If it occurs more than once,
 *   the first place gets the new value and the others go; where objects are
 *   merged, the last one counts, as it does for most readers.
 * - New members come last, in the order and with the bytes of the patch. Where
 *   the patch itself names a member twice, its last one counts and the others
 *   are as if they had not been sent.
 * - null removes. In an object that is new, null members are left out at every
 *   depth of objects; within arrays they stay. An object without any (and
 *   without doubled names) is copied as sent, with its blanks.
 * - Names are compared as what they mean: "a" is "\u0061".
 * - Where an object is put together anew, no blanks are between its members.
 *   Blanks within what is kept stay, a LF too if there was one.
 *
 * Both texts must be valid JSON by the rules of wire/scan.h, blanks around
 * them allowed, with objects nested at most MERGE_DEPTH_MAX deep. That is the
 * caller's to see to; what is no JSON aborts (must) or gives nonsense, but
 * never reads or writes out of bounds.
 *
 * A prepared patch belongs to one thread at a time: applying it takes notes
 * within it.
 */
#ifndef MEMOIZER_SESSION_MERGE_H
#define MEMOIZER_SESSION_MERGE_H

#include "base/err.h"
#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

#define MERGE_DEPTH_MAX 128               /* objects within objects */
#define MERGE_TEXT_MAX  ((size_t)1 << 31) /* bytes of each text */

struct merge_patch;

/* Prepares patch, whose bytes are lent until merge_patch_free(). seed is any
 * number that clients cannot guess, e.g. hash_random_seed() of the start: it
 * keeps them from choosing names that all meet in one place. Costs time and
 * memory in proportion to the patch, 64 to 72 bytes for each of its members.
 * MZ_NO_MEMORY leaves *out alone; so does MZ_TOO_LARGE, for a patch of more
 * than MERGE_TEXT_MAX bytes. */
enum mz_err merge_patch_new(struct slice patch, uint64_t seed,
                            struct merge_patch **out) MZ_CHECK;

/* NULL is fine. */
void merge_patch_free(struct merge_patch *patch);

/* No result for a target of target_len bytes (0: missing) is longer than
 * this. */
size_t merge_size_max(const struct merge_patch *patch, size_t target_len);

/* Writes the result of patch on target to out. A target of length 0 is a
 * missing one. Costs time in proportion to both texts, at any depth and with
 * any doubled names, and less than 64 KiB of stack.
 *
 * *out_len is the length of the result, also when MZ_TOO_LARGE says that it is
 * more than out_cap; then out holds no result, and nothing behind out_cap has
 * been touched. out may be NULL when out_cap is 0, and must not overlap the
 * texts. A target of more than MERGE_TEXT_MAX bytes is MZ_TOO_LARGE with
 * *out_len SIZE_MAX. */
enum mz_err merge_apply(struct merge_patch *patch, struct slice target,
                        char *out, size_t out_cap, size_t *out_len) MZ_CHECK;

#endif
