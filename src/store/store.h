/* SPDX-License-Identifier: MIT
 *
 * store.h - the sessions: 16 databases of keys with values, versions and
 * deadlines, spread over 64 stripes.
 *
 * A key lives in exactly one stripe, picked by the top 6 bits of its hash.
 * Every function here takes the stripe's lock itself and is linearizable for
 * each key: it takes effect at one moment between call and return.
 * An operation on a key may have to wait for somebody's hold to end (see
 * store/store_hold.h), so it is called with no lock held.
 *
 *     caller                        store                         stripe
 *       | store_set(key, value) ->    | entry_new                   |
 *       |                             | write lock ---------------> |
 *       |                             | condition, version, swap    |
 *       |                             | observer                    |
 *       |                             | unlock -------------------> |
 *       | <- version                  | release the old entry       |
 *
 * Nothing allocates, frees or does I/O under a stripe lock.
 */
#ifndef MEMOIZER_STORE_STORE_H
#define MEMOIZER_STORE_STORE_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/slice.h"
#include "store/entry.h"

#include <stdbool.h>
#include <stdint.h>

#define STORE_STRIPES 64
#define STORE_DBS     ENTRY_DB_COUNT

/* A deadline of a key that never expires. */
#define STORE_NEVER INT64_MAX

struct store;
struct store_hold; /* see store/store_hold.h */

/* A key within a database. key.len <= ENTRY_KEY_MAX, db < STORE_DBS. */
struct store_key {
    struct slice key;
    uint8_t db;
    struct store_hold *hold; /* that covers the key and is the caller's; NULL:
                                none, and the operation waits while somebody
                                else's does */
};

/* What happened to a key, told to the observer under the stripe's write lock,
 * so that the order of tellings for one key is the order of its changes. */
enum store_change_kind {
    STORE_CHANGE_SET,    /* entry is the new value */
    STORE_CHANGE_TOUCH,  /* entry is unchanged, its deadline is new */
    STORE_CHANGE_DELETE, /* entry is leaving: del, take, drop or reset, or a
                            deadline in the past was given to it */
    STORE_CHANGE_EXPIRE, /* entry is leaving: its time was over */
};

struct store_change {
    enum store_change_kind kind;
    const struct entry *entry; /* lent for the call */
    int64_t deadline_mono_us;  /* STORE_NEVER: none */
};

/* The hook for the log and for events. changed() must be short, and must not
 * allocate, block, do I/O or call the store. */
struct store_observer {
    void (*changed)(void *ctx, const struct store_change *change);
    void *ctx;
};

struct store_options {
    const struct clock *clock;             /* NULL: the system's; lent */
    const struct store_observer *observer; /* NULL: nobody; lent */
    uint64_t seed;                         /* 0: random. Tests fix it */
    unsigned hash_bits; /* 0: all 64. Tests keep few, to make keys collide */
};

/* options may be NULL. MZ_NO_MEMORY leaves *out alone. */
enum mz_err store_new(const struct store_options *options,
                      struct store **out) MZ_CHECK;

/* Nobody may use the store any more; retained entries stay valid. NULL is
 * fine. */
void store_free(struct store *store);

/* What a read found. Lent for the call of the reader. */
struct store_view {
    struct slice key;
    struct slice value;
    enum value_kind kind;
    uint64_t version;         /* 1 or more */
    int64_t ttl_left_ms;      /* 1 or more; STORE_NEVER: does not expire */
    int64_t deadline_mono_us; /* the same as a moment; STORE_NEVER: none */
    struct entry *entry;      /* for entry_retain() when it is shared */
};

/* Called at most once, under the stripe's lock: copies what it needs, or
 * retains a shared entry, and returns. Must not allocate, block or call the
 * store. */
typedef void store_reader(void *ctx, const struct store_view *view);

/* Reads key: true after one call of reader, false when it is missing or
 * expired. */
bool store_get(struct store *store, struct store_key key, store_reader *reader,
               void *ctx);

/* The same, and in the same step gives the key ttl_ms > 0 from now to live.
 * The version stays. */
bool store_get_touch(struct store *store, struct store_key key, int64_t ttl_ms,
                     store_reader *reader, void *ctx);

/* Gives a living key ttl_ms > 0 from now, or STORE_NEVER for no deadline.
 * False when it is missing. Value and version stay. */
bool store_touch(struct store *store, struct store_key key, int64_t ttl_ms);

/* Deadlines that clients give as a moment. Where one may be given instead of a
 * lifetime it is `deadline_mono_us`: 0 when the lifetime counts, else a moment
 * of the store's clock, or STORE_NEVER. It may be over already: 1 is as long
 * ago as can be. */

/* A condition on a write, checked in the same step. */
enum store_condition {
    STORE_ALWAYS,
    STORE_IF_ABSENT,  /* MZ_EXISTS otherwise */
    STORE_IF_PRESENT, /* MZ_MISSING otherwise */
    STORE_IF_VERSION, /* MZ_MISSING or MZ_STALE otherwise */
    STORE_IF_VALUE,   /* the same; byte by byte, whatever its kind */
};

struct store_if {
    enum store_condition condition;
    uint64_t version;   /* for STORE_IF_VERSION */
    struct slice value; /* for STORE_IF_VALUE: lent */
};

/* STORE_KEEP_TTL as ttl_ms: a living key keeps its deadline. */
#define STORE_KEEP_TTL INT64_C(-1)

struct store_write {
    struct store_key key;
    struct slice value; /* copied; at most ENTRY_VALUE_MAX bytes */
    enum value_kind kind;
    int64_t ttl_ms; /* > 0 from now, STORE_NEVER, or STORE_KEEP_TTL */
    struct store_if only_if;
    int64_t deadline_mono_us; /* see above; when it is over, the key is written
                                 and has expired */
    store_reader *before;     /* sees the living value that was there before,
                                 also when a condition failed; NULL: nobody */
    void *before_ctx;
};

/* Puts the value. *version is the new version, or where a condition failed
 * (MZ_EXISTS, MZ_MISSING, MZ_STALE) that of the living key, 0 when missing.
 * MZ_NO_MEMORY: *version is 0. On every error nothing has changed. */
enum mz_err store_set(struct store *store, const struct store_write *write,
                      uint64_t *version) MZ_CHECK;

/* Computes a value from the one that is there. view: what is there, NULL when
 * the key is missing. Writes the new value to room and its length to *len.
 * MZ_TOO_LARGE: it does not fit into room_cap bytes, and *len is what it takes;
 * any other error refuses the write. Called under the stripe's lock, perhaps
 * several times: it must not allocate, block or call the store, and its time
 * must be bounded by the sizes of both values. */
typedef enum mz_err store_transform(void *ctx, const struct store_view *view,
                                    char *room, size_t room_cap, size_t *len);

struct store_update {
    struct store_key key;
    size_t value_max; /* larger results are MZ_TOO_LARGE */
    size_t room_cap;  /* what is tried first, at most value_max */
    enum value_kind kind;
    int64_t ttl_ms;    /* as in store_write */
    bool ttl_new_only; /* a key that is there keeps its deadline */
    struct store_if only_if;
    store_transform *transform;
    void *ctx;
    int64_t deadline_mono_us; /* as in store_write */
};

/* Reads, computes and writes in one step against all other writers. Errors and
 * *version as in store_set, and those of the transform. On every error nothing
 * has changed. */
enum mz_err store_update(struct store *store, const struct store_update *update,
                         uint64_t *version) MZ_CHECK;

/* Taking turns: whoever computes a value without the lock, from a copy, and
 * puts it in place if the version is still the same, comes too late when many
 * do so at once. Between these two, nobody else has the turn of this key (and
 * of a 64th of all keys). Writers that do not ask for it are not kept out. One
 * turn at a time, not within a hold. */
void store_turn_begin(struct store *store, struct store_key key);
void store_turn_end(struct store *store, struct store_key key);

/* Removes the key: *removed says whether a living one was there. Errors and
 * *version as in store_set, but 0 on success; no error without a condition. */
enum mz_err store_del(struct store *store, struct store_key key,
                      struct store_if only_if, bool *removed,
                      uint64_t *version) MZ_CHECK;

/* The same, and reader sees the value that it removes; NULL: nobody. */
enum mz_err store_take(struct store *store, struct store_key key,
                       struct store_if only_if, store_reader *reader, void *ctx,
                       bool *removed, uint64_t *version) MZ_CHECK;

/* Which deadlines give way to a new one. No deadline is later than any. */
enum store_expire_when {
    STORE_EXPIRE_ALWAYS,
    STORE_EXPIRE_IF_NONE,    /* the key has none */
    STORE_EXPIRE_IF_ANY,     /* it has one */
    STORE_EXPIRE_IF_LATER,   /* the new one is later than its own */
    STORE_EXPIRE_IF_EARLIER, /* the new one is earlier */
    STORE_EXPIRE_IF_SHORTER, /* it has one, and the new one is earlier */
};

struct store_expire {
    int64_t deadline_mono_us; /* > 0, or STORE_NEVER */
    enum store_expire_when when;
    struct store_if only_if;
    store_reader *before; /* sees the living key with the deadline that it had,
                             whatever comes of it; NULL: nobody */
    void *before_ctx;
};

enum store_expired {
    STORE_EXPIRE_MISSING, /* no such key */
    STORE_EXPIRE_REFUSED, /* `when` or `only_if` does not hold */
    STORE_EXPIRE_SET,     /* it has the new deadline */
    STORE_EXPIRE_DELETED, /* which was over: it has been removed */
};

/* Gives a living key another deadline, or none; value and version stay. */
enum store_expired store_expire(struct store *store, struct store_key key,
                                const struct store_expire *expire);

/* Shows some living key of db to reader, each with about the same chance, also
 * one that somebody's hold covers. False when there is none. It takes 64 looks
 * and a few slices, and where keys of db are rare in the table a walk over a
 * part of it, a bounded slice at a time. */
bool store_random(struct store *store, uint8_t db, store_reader *reader,
                  void *ctx);

/* Which keys a scan is after, and how many of them. */
struct store_scan {
    uint8_t db;          /* < STORE_DBS */
    struct slice prefix; /* that they begin with; may be empty */
    size_t key_max;      /* 1 to STORE_SCAN_KEY_MAX */
};

#define STORE_SCAN_KEY_MAX 10000

/* Cursors are below this, so that every client library can carry them as a
 * number. */
#define STORE_CURSOR_END (UINT64_C(1) << 53)

/* One page of a walk over the keys of a database. *cursor is where it begins, 0
 * at first, and then where the next page does, 0 when the walk is over. Keys
 * are appended to *keys, each as two bytes of length, low byte first, and its
 * bytes.
 *
 * A walk names every key that lives from its beginning to its end at least
 * once, whatever grows, shrinks, is deleted or hashed anew meanwhile; a cursor
 * is all it needs, from any thread. Twice only when a stripe has got a new
 * seed, and never twice in a page. A key that has expired is not named.
 *
 * A page is short, or empty, when its keys have reached STORE_SCAN_BYTES or
 * when many others had to be looked at. It is longer than key_max only by keys
 * whose hashes agree in 47 bits, since no cursor tells them apart.
 *
 * MZ_BAD_REQUEST: no walk gives such a cursor. MZ_NO_MEMORY. On both, *cursor
 * and *keys are as before. */
enum mz_err store_scan(struct store *store, const struct store_scan *scan,
                       uint64_t *cursor, struct buf *keys) MZ_CHECK;

#define STORE_SCAN_BYTES ((size_t)1 << 20)

/* How many living keys of db begin with prefix; a bounded slice at a time. With
 * an empty prefix it looks at no key but those that it finds expired, which it
 * removes. */
uint64_t store_count(struct store *store, uint8_t db, struct slice prefix);

/* Removes every key of db that begins with prefix and was there when it began,
 * a bounded slice at a time; keys written meanwhile may stay or go. Returns how
 * many living keys it removed: those that it finds expired are told and counted
 * as such. */
uint64_t store_drop(struct store *store, uint8_t db, struct slice prefix);

/* The same for all keys of db. */
void store_reset(struct store *store, uint8_t db);

/* Removes what has expired, a bounded slice under a lock at a time, and
 * returns how many keys it was. Any thread; store/sweeper.h calls it. */
uint64_t store_sweep(struct store *store);

/* Counts and drops, those under way too, end at their next slice from now on:
 * the server stops, and nobody will see what they return. Any thread. */
void store_stop_walks(struct store *store);

struct store_totals {
    uint64_t keys;         /* of db; expired ones count until swept */
    uint64_t expires;      /* those of them that have a deadline */
    uint64_t expired_keys; /* removed by time so far, all databases */
    uint64_t memory_bytes; /* entries and tables, all databases */
};

/* Sums over the stripes, one after the other. db < STORE_DBS. */
void store_totals(struct store *store, uint8_t db, struct store_totals *totals);

/* Aborts unless every stripe is consistent: counts, bytes, every key found
 * from its home. Takes each stripe's lock in turn. For tests. */
void store_check(struct store *store);

#endif
