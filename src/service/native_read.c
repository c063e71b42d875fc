/* SPDX-License-Identifier: MIT
 *
 * native_read.c - see native_read.h.
 *
 * A value that the native protocol has written is JSON on one line already: it
 * goes from the store into the outbox in one copy, as the reader that the store
 * calls under the stripe's lock is the protocol's encoder. Bytes that the Redis
 * protocol has written are taken aside under the lock and looked at after it.
 */
#include "service/native_read.h"

#include "base/mem.h"
#include "service/native_value.h"

struct read {
    struct reply *reply;
    enum native_answer how;
    bool is_aside;            /* the value is bytes, and not answered yet */
    bool wants_room;          /* ... for which `copy` has none */
    struct buf copy;          /* of it, if it was not lent */
    struct reply_value value; /* aside */
};

static void
release_entry(void *entry)
{
    entry_release(entry);
}

static void
answer(struct reply *reply, enum native_answer how,
       const struct reply_value *value)
{
    if (how == NATIVE_ITEM)
        reply_item_value(reply, value);
    else
        reply_value(reply, value);
}

/* A store_reader. */
static void
take_view(void *ctx, const struct store_view *view)
{
    struct read *read = ctx;
    const bool is_lent = entry_is_shared(view->entry);
    const bool is_json = view->kind == VALUE_JSON;

    _Static_assert(REPLY_LEND_MIN == ENTRY_SHARED_MIN,
                   "whatever is lent must count its references");
    read->value = (struct reply_value){
        .value = view->value,
        .version = view->version,
        .ttl_left_ms = view->ttl_left_ms,
        .owner = view->entry,
        .release = release_entry,
    };
    read->is_aside = !is_json;
    read->wants_room = !is_json && !is_lent && read->copy.cap < view->value.len;
    if (read->wants_room)
        return;
    if (is_lent)
        entry_retain(view->entry);
    if (is_json)
        answer(read->reply, read->how, &read->value);
    else if (!is_lent)
        buf_put_slice(&read->copy, view->value);
}

static void
release_text(void *text)
{
    mem_free(text);
}

/* Answers with what is aside, which is done with then. */
static enum mz_err
answer_aside(struct read *read)
{
    const bool is_lent = read->value.value.len >= REPLY_LEND_MIN;
    struct slice bytes = is_lent ? read->value.value : buf_slice(&read->copy);
    struct reply_value value = read->value;
    struct buf text = {0};
    enum mz_err err = native_value(bytes, &text);

    if (is_lent)
        entry_release(read->value.owner);
    if (err == MZ_OK) {
        value.value = buf_slice(&text);
        value.owner = text.data;
        value.release = release_text;
        answer(read->reply, read->how, &value);
    }
    if (err != MZ_OK || value.value.len < REPLY_LEND_MIN)
        buf_fini(&text);
    return err;
}

enum mz_err
native_read(struct session *session, struct store_key key, int64_t touch_ms,
            struct reply *reply, enum native_answer how, bool *found)
{
    struct store *store = session->service->store;
    struct read read = {.reply = reply, .how = how};
    enum mz_err err = MZ_OK;

    do {
        if (read.wants_room)
            err = buf_reserve(&read.copy, REPLY_LEND_MIN);
        if (err != MZ_OK)
            break;
        read.is_aside = read.wants_room = false;
        *found = touch_ms > 0
                     ? store_get_touch(store, key, touch_ms, take_view, &read)
                     : store_get(store, key, take_view, &read);
    } while (read.wants_room);
    if (err == MZ_OK && read.is_aside)
        err = answer_aside(&read);
    buf_fini(&read.copy);
    return err;
}
