/* SPDX-License-Identifier: MIT
 *
 * store.c - the operations on one key: conditions, deadlines, versions, and
 * telling the observer. Those on many are in store_many.c.
 *
 * A write looks the key up under the stripe's write lock; a key whose time is
 * over is removed on sight and counts as missing. So what follows knows only
 * living keys and missing ones.
 *
 * The clock is read only for keys that have a deadline and for operations that
 * set one, once and under the lock, so that one key sees times in order.
 *
 * Locking: one stripe at a time, and none while it waits for somebody's hold
 * (store_hold.c) to end. Everything here but the version is const.
 */
#include "store/store.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/must.h"
#include "store/store_internal.h"

/* Stripes grow when they are between 84 and 87.5 % full, each at its own load,
 * since a good hash fills all of them at the same time. */
#define LOAD_PERMILLE_MIN 840
#define LOAD_PERMILLE_MAX 875

/* ---- life ---- */

static unsigned
load_permille(unsigned index)
{
    return LOAD_PERMILLE_MIN + index * (LOAD_PERMILLE_MAX - LOAD_PERMILLE_MIN) /
                                   (STORE_STRIPES - 1);
}

enum mz_err
store_new(const struct store_options *options, struct store **out)
{
    const struct store_options defaults = {0};
    const size_t size = sizeof(struct store) + STRIPE_ALIGN;
    struct store *store;
    void *block = mem_alloc_array(size);
    uintptr_t aligned;

    if (block == NULL)
        return MZ_NO_MEMORY;
    if (options == NULL)
        options = &defaults;
    must(options->hash_bits <= 64);
    aligned =
        ((uintptr_t)block + STRIPE_ALIGN - 1) & ~(uintptr_t)(STRIPE_ALIGN - 1);
    store = (struct store *)aligned;
    store->block = block;
    store->block_size = size;
    store->clock = options->clock != NULL ? options->clock : clock_system();
    store->observer = options->observer;
    store->seed = options->seed != 0 ? options->seed : hash_random_seed();
    store->hash_bits = options->hash_bits != 0 ? options->hash_bits : 64;
    atomic_init(&store->version, 0);
    atomic_init(&store->stopping, false);
    atomic_init(&store->hold_ends, 0);
    mutex_init(&store->hold_lock);
    cond_init(&store->hold_ended);
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        const struct table_options table = {store->seed, store->hash_bits,
                                            load_permille(i)};

        stripe_init(&store->stripes[i], (int)i, &table);
        mutex_init(&store->turns[i]);
    }
    *out = store;
    return MZ_OK;
}

void
store_free(struct store *store)
{
    if (store == NULL)
        return;
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        mutex_fini(&store->turns[i]);
        stripe_fini(&store->stripes[i]);
    }
    cond_fini(&store->hold_ended);
    mutex_fini(&store->hold_lock);
    mem_free_array(store->block, store->block_size);
}

/* ---- keys and times ---- */

static struct stripe *
stripe_of(struct store *store, const struct table_key *key)
{
    return &store->stripes[stripe_index(key)];
}

/* ttl_ms from now; a time that cannot be told is as late as can be told. */
static int64_t
deadline_in(struct moment *now, int64_t ttl_ms)
{
    int64_t ttl_us, deadline_us;

    must(ttl_ms > 0);
    if (ttl_ms == STORE_NEVER)
        return STORE_NEVER;
    if (__builtin_mul_overflow(ttl_ms, 1000, &ttl_us) ||
        __builtin_add_overflow(now_us(now), ttl_us, &deadline_us) ||
        deadline_us == STORE_NEVER)
        return STORE_NEVER - 1;
    return deadline_us;
}

/* What a writer found under a key. */
struct found {
    const struct table_key *key;
    struct table_pos pos;  /* of the living key, or nowhere */
    struct entry *expired; /* removed on sight, to be released; or NULL */
    struct moment now;
};

static struct found
find_living_locked(struct store *store, struct stripe *stripe,
                   const struct table_key *key) NEEDS_WRITE(stripe->lock)
{
    struct found found = {.key = key, .now.clock = store->clock};
    struct table_pos pos = table_find(&stripe->table, key);

    if (pos.group != NULL && time_left_ms(&found.now, table_deadline(pos)) <= 0)
        found.expired = expire_locked(store, stripe, pos);
    else
        found.pos = pos;
    return found;
}

/* ---- reading and touching ---- */

/* Shows the living key that a writer found. */
static void
show_found_locked(struct found *found, store_reader *reader, void *ctx)
{
    show_locked(found->pos,
                time_left_ms(&found->now, table_deadline(found->pos)), reader,
                ctx);
}

/* Asks for the first lines of an entry, before its header has come and before
 * the clock is read, which waits for all that was asked before. */
static inline void
prefetch_value(const struct entry *entry)
{
    const char *bytes = (const char *)entry;

    for (int line = 1; line <= 8; line++)
        __builtin_prefetch(bytes + 64 * line);
}

bool
store_get(struct store *store, struct store_key key, store_reader *reader,
          void *ctx)
{
    const struct table_key hkey = hashed(store, key);
    struct stripe *stripe = stripe_of(store, &hkey);
    struct moment now = {.clock = store->clock};
    struct table_pos pos;
    int64_t left_ms = 0;

    read_for(store, stripe, key.hold);
    pos = table_find(&stripe->table, &hkey);
    if (pos.group != NULL) {
        prefetch_value(table_entry(pos));
        left_ms = time_left_ms(&now, table_deadline(pos));
    }
    if (left_ms > 0)
        show_locked(pos, left_ms, reader, ctx);
    rwlock_drop_read(&stripe->lock);
    return left_ms > 0;
}

static void
set_deadline_locked(struct store *store, struct stripe *stripe,
                    struct table_pos pos, int64_t deadline_mono_us)
    NEEDS_WRITE(stripe->lock)
{
    stripe_set_deadline_locked(stripe, pos, deadline_mono_us);
    tell(store, STORE_CHANGE_TOUCH, table_entry(pos), deadline_mono_us);
}

/* Gives a living key a new deadline. False when there is none. */
static bool
touch_locked(struct store *store, struct stripe *stripe, struct found *found,
             int64_t ttl_ms) NEEDS_WRITE(stripe->lock)
{
    if (found->pos.group == NULL)
        return false;
    set_deadline_locked(store, stripe, found->pos,
                        deadline_in(&found->now, ttl_ms));
    return true;
}

/* A touch that shows the value to reader, if there is one. */
static bool
touch(struct store *store, struct store_key key, int64_t ttl_ms,
      store_reader *reader, void *ctx)
{
    const struct table_key hkey = hashed(store, key);
    struct stripe *stripe = stripe_of(store, &hkey);
    struct found found;
    bool touched;

    enter_for(store, stripe, key.hold);
    found = find_living_locked(store, stripe, &hkey);
    touched = touch_locked(store, stripe, &found, ttl_ms);
    if (touched && reader != NULL)
        show_locked(found.pos, ttl_ms, reader, ctx);
    stripe_leave(stripe, found.expired);
    return touched;
}

bool
store_get_touch(struct store *store, struct store_key key, int64_t ttl_ms,
                store_reader *reader, void *ctx)
{
    return touch(store, key, ttl_ms, reader, ctx);
}

bool
store_touch(struct store *store, struct store_key key, int64_t ttl_ms)
{
    return touch(store, key, ttl_ms, NULL, NULL);
}

/* ---- writing ---- */

/* MZ_OK when the write may go on. pos: of the living key. *version: its
 * version, 0 when it is missing. */
static enum mz_err
check_condition(struct table_pos pos, struct store_if only_if,
                uint64_t *version)
{
    const bool present = pos.group != NULL;

    *version = present ? table_entry(pos)->version : 0;
    switch (only_if.condition) {
    case STORE_ALWAYS:
        return MZ_OK;
    case STORE_IF_ABSENT:
        return present ? MZ_EXISTS : MZ_OK;
    case STORE_IF_PRESENT:
        return present ? MZ_OK : MZ_MISSING;
    case STORE_IF_VERSION:
        if (!present)
            return MZ_MISSING;
        return *version == only_if.version ? MZ_OK : MZ_STALE;
    case STORE_IF_VALUE:
        if (!present)
            return MZ_MISSING;
        return slice_equal(entry_value(table_entry(pos)), only_if.value)
                   ? MZ_OK
                   : MZ_STALE;
    }
    must(false); /* no such condition */
    return MZ_INTERNAL;
}

/* How long what is written is to live. */
struct life {
    int64_t ttl_ms;           /* > 0 from now, STORE_NEVER, or STORE_KEEP_TTL */
    int64_t deadline_mono_us; /* > 0: counts instead */
    bool new_only;            /* a key that is there keeps its deadline */
};

static void
check_life(const struct life *life)
{
    must(life->deadline_mono_us >= 0);
    must(life->deadline_mono_us > 0 || life->ttl_ms > 0 ||
         life->ttl_ms == STORE_KEEP_TTL);
}

static int64_t
deadline_of(const struct life *life, struct found *found)
{
    const bool present = found->pos.group != NULL;

    if (present && life->new_only)
        return table_deadline(found->pos);
    if (life->deadline_mono_us > 0)
        return life->deadline_mono_us;
    if (life->ttl_ms != STORE_KEEP_TTL)
        return deadline_in(&found->now, life->ttl_ms);
    return present ? table_deadline(found->pos) : STORE_NEVER;
}

/* Puts *fresh in the place of what was found, or as a new key when that is
 * missing. *fresh becomes what is to be released: NULL, or what it replaced. */
static void
put_locked(struct store *store, struct stripe *stripe, struct found *found,
           const struct life *life, struct entry **fresh)
    NEEDS_WRITE(stripe->lock)
{
    const int64_t deadline_mono_us = deadline_of(life, found);
    const bool present = found->pos.group != NULL;
    struct entry *entry = *fresh;

    entry->version =
        atomic_fetch_add_explicit(&store->version, 1, memory_order_relaxed) + 1;
    *fresh = NULL;
    if (present)
        *fresh =
            stripe_replace_locked(stripe, found->pos, entry, deadline_mono_us);
    else
        stripe_insert_locked(stripe, found->key, entry, deadline_mono_us);
    tell(store, STORE_CHANGE_SET, entry, deadline_mono_us);
}

/* What came of one attempt at a write, beside its error. */
struct attempt {
    uint64_t version;
    size_t len;   /* update, after MZ_TOO_LARGE: what the value takes */
    bool no_room; /* nothing was done since the table is full: make room and
                     try again */
};

/* Whether the write may go on: its condition holds, and there is room. */
static enum mz_err
judge_locked(const struct stripe *stripe, const struct found *found,
             struct store_if only_if, struct attempt *attempt)
    NEEDS_READ(stripe->lock)
{
    enum mz_err err = check_condition(found->pos, only_if, &attempt->version);

    attempt->no_room = err == MZ_OK && found->pos.group == NULL &&
                       !table_has_room(&stripe->table);
    return attempt->no_room ? MZ_NO_MEMORY : err;
}

/* Computes the new value into *fresh. *len: what it takes, after
 * MZ_TOO_LARGE. */
static enum mz_err
transform_locked(const struct store_update *update, struct table_pos pos,
                 struct entry *fresh, size_t room_cap, size_t *len)
{
    struct store_view view;
    enum mz_err err;

    if (pos.group != NULL)
        view = view_of(pos, 0 /* not known */);
    err = update->transform(update->ctx, pos.group != NULL ? &view : NULL,
                            entry_room(fresh), room_cap, len);
    if (err == MZ_OK) {
        must(*len <= room_cap);
        entry_fix_value(fresh, *len, update->kind);
    }
    return err;
}

/* What an attempt at a write is to do. */
struct put {
    const struct store_hold *hold; /* or NULL */
    struct store_if only_if;
    struct life life;
    store_reader *before; /* of the living value; NULL: nobody */
    void *before_ctx;
    const struct store_update *update; /* NULL: *fresh has its value */
};

static enum mz_err
try_put(struct store *store, const struct table_key *key, const struct put *put,
        struct entry **fresh, struct attempt *attempt)
{
    struct stripe *stripe = stripe_of(store, key);
    struct found found;
    enum mz_err err;

    enter_for(store, stripe, put->hold);
    found = find_living_locked(store, stripe, key);
    if (put->before != NULL && found.pos.group != NULL)
        show_found_locked(&found, put->before, put->before_ctx);
    err = judge_locked(stripe, &found, put->only_if, attempt);
    if (err == MZ_OK && put->update != NULL)
        err = transform_locked(put->update, found.pos, *fresh, attempt->len,
                               &attempt->len);
    if (err == MZ_OK) {
        struct entry *entry = *fresh;

        put_locked(store, stripe, &found, &put->life, fresh);
        attempt->version = entry->version;
    }
    stripe_leave(stripe, found.expired);
    return err;
}

enum mz_err
store_set(struct store *store, const struct store_write *write,
          uint64_t *version)
{
    const struct table_key key = hashed(store, write->key);
    const struct put put = {
        .hold = write->key.hold,
        .only_if = write->only_if,
        .life = {write->ttl_ms, write->deadline_mono_us, false},
        .before = write->before,
        .before_ctx = write->before_ctx,
    };
    struct attempt attempt;
    struct entry *entry;
    enum mz_err err;

    check_life(&put.life);
    *version = 0;
    entry = entry_new(write->key.key, write->key.db, write->value, write->kind);
    if (entry == NULL)
        return MZ_NO_MEMORY;
    do {
        attempt = (struct attempt){0};
        err = try_put(store, &key, &put, &entry, &attempt);
        if (attempt.no_room)
            err = stripe_make_room(stripe_of(store, &key));
    } while (attempt.no_room && err == MZ_OK);
    *version = attempt.version;
    entry_release(entry);
    return err;
}

static struct mutex *
turn_of(struct store *store, struct store_key key)
{
    const struct table_key hkey = hashed(store, key);

    return &store->turns[stripe_index(&hkey)];
}

/* It is given back elsewhere: more than the analysis of clang can follow. */
void
store_turn_begin(struct store *store, struct store_key key)
    LOCK_TS(no_thread_safety_analysis)
{
    must(key.hold == NULL);
    mutex_lock(turn_of(store, key));
}

void
store_turn_end(struct store *store, struct store_key key)
    LOCK_TS(no_thread_safety_analysis)
{
    mutex_unlock(turn_of(store, key));
}

enum mz_err
store_update(struct store *store, const struct store_update *update,
             uint64_t *version)
{
    const struct table_key key = hashed(store, update->key);
    const struct put put = {
        .hold = update->key.hold,
        .only_if = update->only_if,
        .life = {update->ttl_ms, update->deadline_mono_us,
                 update->ttl_new_only},
        .update = update,
    };
    size_t room_cap = update->room_cap;

    check_life(&put.life);
    must(room_cap <= update->value_max);
    for (;;) {
        struct attempt attempt = {.len = room_cap};
        struct entry *fresh =
            entry_new_room(update->key.key, update->key.db, room_cap);
        enum mz_err err;

        *version = 0;
        if (fresh == NULL)
            return MZ_NO_MEMORY;
        err = try_put(store, &key, &put, &fresh, &attempt);
        entry_release(fresh);
        if (attempt.no_room) {
            err = stripe_make_room(stripe_of(store, &key));
            if (err != MZ_OK)
                return err;
        } else if (err == MZ_TOO_LARGE && attempt.len > room_cap &&
                   attempt.len <= update->value_max) {
            room_cap = attempt.len;
        } else {
            *version = attempt.version;
            return err;
        }
    }
}

/* ---- removing, and ending a life ---- */

/* Removes a living key; the caller releases it. */
static struct entry *
delete_locked(struct store *store, struct stripe *stripe, struct table_pos pos)
    NEEDS_WRITE(stripe->lock)
{
    const int64_t deadline_mono_us = table_deadline(pos);
    struct entry *entry = stripe_remove_locked(stripe, pos);

    tell(store, STORE_CHANGE_DELETE, entry, deadline_mono_us);
    return entry;
}

enum mz_err
store_take(struct store *store, struct store_key key, struct store_if only_if,
           store_reader *reader, void *ctx, bool *removed, uint64_t *version)
{
    const struct table_key hkey = hashed(store, key);
    struct stripe *stripe = stripe_of(store, &hkey);
    struct entry *victim;
    struct found found;
    enum mz_err err;

    enter_for(store, stripe, key.hold);
    found = find_living_locked(store, stripe, &hkey);
    victim = found.expired;
    err = check_condition(found.pos, only_if, version);
    if (err == MZ_OK)
        *version = 0;
    *removed = err == MZ_OK && found.pos.group != NULL;
    if (*removed && reader != NULL)
        show_found_locked(&found, reader, ctx);
    if (*removed)
        victim = delete_locked(store, stripe, found.pos);
    stripe_leave(stripe, victim);
    return err;
}

enum mz_err
store_del(struct store *store, struct store_key key, struct store_if only_if,
          bool *removed, uint64_t *version)
{
    return store_take(store, key, only_if, NULL, NULL, removed, version);
}

/* Whether a key with deadline old_us is to get new_us. */
static bool
is_time_for(enum store_expire_when when, int64_t old_us, int64_t new_us)
{
    switch (when) {
    case STORE_EXPIRE_ALWAYS:
        return true;
    case STORE_EXPIRE_IF_NONE:
        return old_us == STORE_NEVER;
    case STORE_EXPIRE_IF_ANY:
        return old_us != STORE_NEVER;
    case STORE_EXPIRE_IF_LATER:
        return new_us > old_us;
    case STORE_EXPIRE_IF_EARLIER:
        return new_us < old_us;
    case STORE_EXPIRE_IF_SHORTER:
        return old_us != STORE_NEVER && new_us < old_us;
    }
    must(false); /* no such time */
    return false;
}

/* *victim: what is to be released. */
static enum store_expired
expire_at_locked(struct store *store, struct stripe *stripe,
                 struct found *found, const struct store_expire *expire,
                 struct entry **victim) NEEDS_WRITE(stripe->lock)
{
    const int64_t deadline_mono_us = expire->deadline_mono_us;
    const struct table_pos pos = found->pos;
    uint64_t version;

    if (pos.group == NULL)
        return STORE_EXPIRE_MISSING;
    if (check_condition(pos, expire->only_if, &version) != MZ_OK ||
        !is_time_for(expire->when, table_deadline(pos), deadline_mono_us))
        return STORE_EXPIRE_REFUSED;
    if (time_left_ms(&found->now, deadline_mono_us) <= 0) {
        *victim = delete_locked(store, stripe, pos);
        return STORE_EXPIRE_DELETED;
    }
    set_deadline_locked(store, stripe, pos, deadline_mono_us);
    return STORE_EXPIRE_SET;
}

enum store_expired
store_expire(struct store *store, struct store_key key,
             const struct store_expire *expire)
{
    const struct table_key hkey = hashed(store, key);
    struct stripe *stripe = stripe_of(store, &hkey);
    enum store_expired result;
    struct entry *victim;
    struct found found;

    must(expire->deadline_mono_us > 0);
    enter_for(store, stripe, key.hold);
    found = find_living_locked(store, stripe, &hkey);
    victim = found.expired;
    if (expire->before != NULL && found.pos.group != NULL)
        show_found_locked(&found, expire->before, expire->before_ctx);
    result = expire_at_locked(store, stripe, &found, expire, &victim);
    stripe_leave(stripe, victim);
    return result;
}
