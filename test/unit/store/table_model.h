/* SPDX-License-Identifier: MIT
 *
 * table_model.h - a table beside a plain array that knows what must be in it.
 *
 * Key number i is the text "key-i" in database i % 16. The array has the
 * entry and the deadline of each, NULL when it is not there.
 *
 * What must hold is held by must(): Check writes to a file for each of its own
 * assertions, which is too slow for millions of them.
 */
#ifndef MEMOIZER_TEST_TABLE_MODEL_H
#define MEMOIZER_TEST_TABLE_MODEL_H

#include "rng.h"
#include "store/table.h"

struct model_key {
    struct entry *entry; /* the table's */
    int64_t deadline_mono_us;
    char text[16];
};

struct model {
    struct table table;
    struct model_key *keys; /* key_count of them */
    uint32_t key_count;
    size_t count; /* that are there */
    uint32_t reseeds;
    struct rng rng;
};

void model_init(struct model *model, uint32_t key_count, unsigned hash_bits,
                uint64_t seed);
void model_fini(struct model *model);

struct table_key model_key(const struct model *model, uint32_t i);

/* Puts key i, new or in the place of what is there. Gets room when there is
 * none. */
void model_set(struct model *model, uint32_t i, int64_t deadline_mono_us);

/* Removes key i if it is there; says whether it was. */
bool model_del(struct model *model, uint32_t i);

/* Removes all that is due and holds it against the array. */
void model_expire(struct model *model, int64_t now_mono_us);

/* One step of a resize, and a span if one is wished for. */
void model_step(struct model *model, bool give_span);

/* Every key of the array is found with its entry and deadline, every other is
 * not; table_check(). */
void model_check(struct model *model);

/* The number of the key of an entry. */
uint32_t model_number(const struct entry *entry);

#endif
