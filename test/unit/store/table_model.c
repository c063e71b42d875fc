/* SPDX-License-Identifier: MIT
 *
 * table_model.c - see table_model.h.
 */
#include "table_model.h"

#include "base/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
model_init(struct model *model, uint32_t key_count, unsigned hash_bits,
           uint64_t seed)
{
    struct table_options options = {seed, hash_bits, 860};

    *model = (struct model){.key_count = key_count, .rng = {seed}};
    table_init(&model->table, &options);
    model->keys = calloc(key_count, sizeof *model->keys);
    must(model->keys != NULL);
    for (uint32_t i = 0; i < key_count; i++)
        snprintf(model->keys[i].text, sizeof model->keys[i].text, "key-%u", i);
}

void
model_fini(struct model *model)
{
    table_fini(&model->table);
    free(model->keys);
}

struct table_key
model_key(const struct model *model, uint32_t i)
{
    struct slice text = slice_of_string(model->keys[i].text);
    uint8_t db = i % ENTRY_DB_COUNT;

    return (struct table_key){text,
                              table_hash(text, db, model->table.options.seed,
                                         model->table.options.hash_bits),
                              db};
}

uint32_t
model_number(const struct entry *entry)
{
    char text[16] = {0};

    memcpy(text, entry->bytes, entry->key_len);
    return (uint32_t)strtoul(text + strlen("key-"), NULL, 10);
}

/* Gives the table a span when it wishes for one. */
static void
give(struct model *model)
{
    struct table_wish wish = table_wish(&model->table);
    struct span span = {0};

    if (wish.group_count == 0)
        return;
    must(span_new(&span, wish.group_count) == MZ_OK);
    table_offer(&model->table, &span,
                wish.reseed ? rng_next(&model->rng) | 1 : 0);
    /* What is wished for is taken. */
    must(span.groups == NULL);
    model->reseeds += wish.reseed;
}

void
model_step(struct model *model, bool give_span)
{
    struct span dead = {0};

    table_move(&model->table, 2, &dead);
    span_free(&dead);
    if (give_span)
        give(model);
}

void
model_set(struct model *model, uint32_t i, int64_t deadline_mono_us)
{
    struct model_key *k = &model->keys[i];
    struct table_key key = model_key(model, i);
    struct entry *entry =
        entry_new(key.key, key.db, slice_of_string("value"), VALUE_BYTES);

    must(entry != NULL);
    if (k->entry != NULL) {
        struct table_pos pos = table_find(&model->table, &key);

        must(pos.group != NULL);
        must(table_replace(pos, entry) == k->entry);
        table_set_deadline(&model->table, pos, deadline_mono_us);
        entry_release(k->entry);
    } else {
        if (!table_has_room(&model->table))
            give(model);
        must(table_has_room(&model->table));
        table_insert(&model->table, &key, entry, deadline_mono_us);
        model->count++;
    }
    k->entry = entry;
    k->deadline_mono_us = deadline_mono_us;
}

bool
model_del(struct model *model, uint32_t i)
{
    struct table_key key = model_key(model, i);
    struct table_pos pos = table_find(&model->table, &key);

    if (pos.group == NULL)
        return false;
    must(table_remove(&model->table, pos) == model->keys[i].entry);
    entry_release(model->keys[i].entry);
    model->keys[i].entry = NULL;
    model->count--;
    return true;
}

void
model_expire(struct model *model, int64_t now_mono_us)
{
    struct table_due due;
    struct table_pos pos;

    do {
        table_due_begin(&due, &model->table, now_mono_us);
        while (table_due_next(&due, 3, &pos)) {
            uint32_t i = model_number(table_entry(pos));
            int64_t deadline = table_deadline(pos);

            must(deadline <= now_mono_us);
            must(deadline == model->keys[i].deadline_mono_us);
            must(table_remove(&model->table, pos) == model->keys[i].entry);
            entry_release(model->keys[i].entry);
            model->keys[i].entry = NULL;
            model->count--;
        }
        table_due_end(&due);
    } while (model->table.due_mono_us <= now_mono_us);
    for (uint32_t i = 0; i < model->key_count; i++)
        if (model->keys[i].entry != NULL)
            must(model->keys[i].deadline_mono_us > now_mono_us);
}

void
model_check(struct model *model)
{
    for (uint32_t i = 0; i < model->key_count; i++) {
        struct table_key key = model_key(model, i);
        struct table_pos pos = table_find(&model->table, &key);

        must((pos.group != NULL) == (model->keys[i].entry != NULL));
        if (pos.group == NULL)
            continue;
        must(table_entry(pos) == model->keys[i].entry);
        must(table_deadline(pos) == model->keys[i].deadline_mono_us);
    }
    must(model->table.count == model->count);
    table_check(&model->table);
}
