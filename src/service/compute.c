/* SPDX-License-Identifier: MIT
 *
 * compute.c - see compute.h.
 *
 * A merge is computed without any lock, from a copy of what is there, and put
 * in place if nobody has written meanwhile. One that came too late takes turns
 * with other merges of the same key, so that only writes of another kind can
 * get in between; and after a few tries that came too late all the same it is
 * computed under the stripe's lock, so that it ends whatever the others do. A
 * large one is patient for longer, as others wait for that lock.
 */
#include "service/compute.h"

#include "base/mem.h"
#include "base/num.h"
#include "service/native_value.h"
#include "session/merge.h"

/* Tries without the lock when it is one's turn, of a result that is smaller or
 * larger than so many bytes. */
#define PATIENT_FROM  ((size_t)64 << 10)
#define TRIES         3
#define TRIES_PATIENT 30

static struct store_key
key_of(const struct session *session, const struct command *command)
{
    return (struct store_key){command->key, session->db};
}

/* ---- incr ---- */

struct incr {
    int64_t by;
    int64_t n;
};

static enum mz_err
add(void *ctx, const struct store_view *view, char *room, size_t room_cap,
    size_t *len)
{
    struct incr *incr = ctx;
    char text[NUM_I64_SIZE];

    incr->n = 0;
    if (view != NULL && num_parse_i64(view->value, &incr->n) != MZ_OK)
        return MZ_NOT_INTEGER;
    if (__builtin_add_overflow(incr->n, incr->by, &incr->n))
        return MZ_OVERFLOW;
    *len = num_format_i64(text, incr->n);
    if (*len > room_cap)
        return MZ_TOO_LARGE;
    memcpy(room, text, *len);
    return MZ_OK;
}

enum mz_err
compute_incr(const struct session *session, const struct command *command,
             int64_t *n, uint64_t *version)
{
    struct incr incr = {command->by, 0};
    const struct service *service = session->service;
    const size_t room = NUM_I64_SIZE - 1;
    const struct store_update update = {
        .key = key_of(session, command),
        .value_max = service->max_value,
        .room_cap = service->max_value < room ? service->max_value : room,
        .kind = VALUE_JSON,
        .ttl_ms = command->ttl_ms,
        .ttl_new_only = true,
        .transform = add,
        .ctx = &incr,
    };
    enum mz_err err = store_update(service->store, &update, version);

    *n = incr.n;
    return err;
}

/* ---- merge ---- */

/* What a merge starts from: a copy of the value, or a reference to it. */
struct target {
    struct buf copy;
    struct entry *shared; /* a reference, or NULL */
    struct buf json;      /* what bytes of the Redis protocol are as JSON */
    struct slice text;    /* in one of the three */
    uint64_t version;     /* 0: the key is missing */
    bool is_bytes;        /* by the Redis protocol: text is not judged yet */
};

/* A store_reader: the room for the copy was reserved before. */
static void
take_target(void *ctx, const struct store_view *view)
{
    struct target *target = ctx;

    target->version = view->version;
    target->is_bytes = view->kind != VALUE_JSON;
    if (entry_is_shared(view->entry)) {
        entry_retain(view->entry);
        target->shared = view->entry;
        target->text = view->value;
    } else {
        buf_put_slice(&target->copy, view->value);
        target->text = buf_slice(&target->copy);
    }
}

static void
target_drop(struct target *target)
{
    entry_release(target->shared);
    target->shared = NULL;
    target->copy.len = 0;
    target->json.len = 0;
    target->text = slice_of(NULL, 0);
    target->version = 0;
    target->is_bytes = false;
}

static void
target_fini(struct target *target)
{
    target_drop(target);
    buf_fini(&target->copy);
    buf_fini(&target->json);
}

/* Bytes that are JSON are as good as a value that is known to be. */
static enum mz_err
judge_target(struct target *target)
{
    enum mz_err err = MZ_OK;

    if (target->is_bytes) {
        err = native_json(target->text, &target->json);
        target->text = buf_slice(&target->json);
    }
    return err;
}

/* The condition that the client set, on what was read. */
static enum mz_err
check_condition(const struct command *command, uint64_t version)
{
    switch (command->condition) {
    case COMMAND_IF_ABSENT:
        return version != 0 ? MZ_EXISTS : MZ_OK;
    case COMMAND_IF_PRESENT:
        return version == 0 ? MZ_MISSING : MZ_OK;
    case COMMAND_IF_VERSION:
        if (version == 0)
            return MZ_MISSING;
        return version == command->if_version ? MZ_OK : MZ_STALE;
    case COMMAND_ALWAYS:
        break;
    }
    return MZ_OK;
}

/* Puts the result in the place of what it was made from. *late: somebody else
 * was quicker. */
static enum mz_err
put_result(const struct session *session, const struct command *command,
           const struct target *target, struct slice result, uint64_t *version,
           bool *late)
{
    const struct store_write write = {
        .key = key_of(session, command),
        .value = result,
        .kind = VALUE_JSON,
        .ttl_ms = command->ttl_ms,
        .only_if = {target->version == 0 ? STORE_IF_ABSENT : STORE_IF_VERSION,
                    target->version},
    };
    enum mz_err err = store_set(session->service->store, &write, version);

    *late = err == MZ_EXISTS || err == MZ_MISSING || err == MZ_STALE;
    return err;
}

static enum mz_err
apply(struct merge_patch *patch, const struct target *target, size_t max_value,
      struct buf *result)
{
    size_t len;
    enum mz_err err;

    result->len = 0;
    err = buf_reserve(result, merge_size_max(patch, target->text.len));
    if (err != MZ_OK)
        return err;
    err = merge_apply(patch, target->text, result->data, result->cap, &len);
    if (err != MZ_OK)
        return err;
    if (len > max_value)
        return MZ_TOO_LARGE;
    result->len = len;
    return MZ_OK;
}

/* One attempt without a lock; target and result are empty, or to be used
 * again. */
static enum mz_err
try_merge(const struct session *session, const struct command *command,
          struct merge_patch *patch, struct target *target, struct buf *result,
          uint64_t *version, bool *late)
{
    struct store *store = session->service->store;
    enum mz_err err = buf_reserve(&target->copy, ENTRY_SHARED_MIN);

    *late = false;
    if (err != MZ_OK)
        return err;
    (void)store_get(store, key_of(session, command), take_target, target);
    *version = target->version;
    err = check_condition(command, target->version);
    if (err == MZ_OK)
        err = judge_target(target);
    if (err == MZ_OK)
        err = apply(patch, target, session->service->max_value, result);
    if (err == MZ_OK)
        err = put_result(session, command, target, buf_slice(result), version,
                         late);
    target_drop(target);
    return err;
}

/* A merge under the lock. */
struct last_try {
    struct merge_patch *patch;
    bool met_bytes; /* which cannot be judged there: without the lock again */
};

/* A store_transform. */
static enum mz_err
merge_locked(void *ctx, const struct store_view *view, char *room,
             size_t room_cap, size_t *len)
{
    const struct slice nothing = {NULL, 0};
    struct last_try *last = ctx;

    last->met_bytes = view != NULL && view->kind != VALUE_JSON;
    if (last->met_bytes)
        return MZ_NOT_JSON;
    return merge_apply(last->patch, view != NULL ? view->value : nothing, room,
                       room_cap, len);
}

static enum mz_err
merge_at_last(const struct session *session, const struct command *command,
              struct merge_patch *patch, size_t room, uint64_t *version,
              bool *met_bytes)
{
    const struct service *service = session->service;
    struct last_try last = {patch, false};
    const struct store_update update = {
        .key = key_of(session, command),
        .value_max = service->max_value,
        .room_cap = room < service->max_value ? room : service->max_value,
        .kind = VALUE_JSON,
        .ttl_ms = command->ttl_ms,
        .only_if = {(enum store_condition)command->condition,
                    command->if_version},
        .transform = merge_locked,
        .ctx = &last,
    };
    enum mz_err err = store_update(service->store, &update, version);

    *met_bytes = last.met_bytes;
    return err;
}

/* It is this merge's turn: tries until it is not late. */
static enum mz_err
try_on(const struct session *session, const struct command *command,
       struct merge_patch *patch, struct target *target, struct buf *result,
       uint64_t *version)
{
    enum mz_err err = MZ_INTERNAL;
    bool late = true, again;

    do {
        int tries = result->len < PATIENT_FROM ? TRIES : TRIES_PATIENT;

        for (int i = 0; i < tries && late; i++)
            err = try_merge(session, command, patch, target, result, version,
                            &late);
        again = false;
        if (late)
            err = merge_at_last(session, command, patch, result->len, version,
                                &again);
    } while (again);
    return err;
}

static enum mz_err
merge_in_turn(const struct session *session, const struct command *command,
              struct merge_patch *patch, struct target *target,
              struct buf *result, uint64_t *version)
{
    struct store *store = session->service->store;
    enum mz_err err;

    store_turn_begin(store, key_of(session, command));
    err = try_on(session, command, patch, target, result, version);
    store_turn_end(store, key_of(session, command));
    return err;
}

enum mz_err
compute_merge(const struct session *session, const struct command *command,
              uint64_t *version)
{
    struct merge_patch *patch;
    struct target target = {0};
    struct buf result = {0};
    bool late;
    enum mz_err err =
        merge_patch_new(command->value, session->service->merge_seed, &patch);

    *version = 0;
    if (err != MZ_OK)
        return err;
    err = try_merge(session, command, patch, &target, &result, version, &late);
    if (late)
        err = merge_in_turn(session, command, patch, &target, &result, version);
    target_fini(&target);
    buf_fini(&result);
    merge_patch_free(patch);
    return err;
}
