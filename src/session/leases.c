/* SPDX-License-Identifier: MIT
 *
 * leases.c - taking, giving, standing in line.
 *
 * A lease is in the table as long as somebody holds it, and nobody stands in
 * line for one that is not in the table. So a lease that has a line is never
 * freed: whoever ends it passes it on to the first in line instead
 * (pass_on_locked). Between that and the next unlock, a lease without a holder
 * may exist; who made it so gives it a new one or removes it.
 *
 * A waiter lives on the stack of its thread, which cannot leave before it has
 * the mutex back; so it is signalled under the mutex.
 */
#include "session/leases.h"

#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/must.h"
#include "base/num.h"
#include "session/lease_table.h"

#include <sched.h>
#include <stdatomic.h>

/* Buckets that one lease_take() cleans; see leases.h for what follows. */
#define TAKE_BUCKETS 4
/* Buckets, or leases of a holder, between two unlocks. */
#define SLICE_BUCKETS 64
#define SLICE_LEASES  64
/* Between two of them: a thread that was woken is there after fewer. */
#define YIELDS_MAX 1000
/* No condition variable is asked to wait for longer at a time. */
#define SLEEP_MAX_US ((int64_t)24 * 3600 * 1000000)

_Static_assert(NUM_TTL_MAX_MS <= INT64_MAX / 1000, "fits as microseconds");

struct leases {
    const struct clock *clock; /* const */
    uint64_t seed;             /* const: of the names' hashes */
    struct mutex lock;
    struct lease_table table; /* lock */
    size_t hand;              /* lock: takers have cleaned from here on */
    size_t waiter_count;      /* lock */
    size_t lease_bytes;       /* lock: of all in the table */
    int64_t next_token;       /* lock */
    bool stopping;            /* lock: nobody waits any more */
    _Atomic unsigned wanting; /* atomic: callers on their way to the lock */
};

/* Somebody in line. Everything is guarded by the lock. */
struct waiter {
    struct waiter *next, *prev; /* in line */
    struct lease *lease;        /* only to be looked at while in line */
    struct lease_holder *holder;
    struct cond turn; /* signalled when it should look again */
    int64_t ttl_ms;
    int64_t deadline_mono_us; /* until then it waits */
    int64_t token;            /* 0: has not been served */
    bool in_line;             /* and holder->waiter points to it */
};

/* 0 <= ms <= NUM_TTL_MAX_MS from now; a time that cannot be told is as late as
 * can be told. */
static int64_t
deadline_in(int64_t now_mono_us, int64_t ms)
{
    int64_t deadline_mono_us;

    if (__builtin_add_overflow(now_mono_us, ms * 1000, &deadline_mono_us))
        return INT64_MAX;
    return deadline_mono_us;
}

/* ---- the lock ---- */

/* Takes the lock for something short, before a clean-up goes on. */
static void
enter(struct leases *leases) LOCK_TS(acquire_capability(leases->lock))
{
    atomic_fetch_add_explicit(&leases->wanting, 1, memory_order_relaxed);
    mutex_lock(&leases->lock);
    atomic_fetch_sub_explicit(&leases->wanting, 1, memory_order_relaxed);
}

/* Between two slices of a clean-up: a mutex goes to whoever is quickest, which
 * is the thread that has just given it back. Not for ever, as somebody may be
 * waiting for what is to be cleaned up. */
static void
let_others_in(struct leases *leases)
{
    for (int i = 0; i < YIELDS_MAX; i++) {
        if (atomic_load_explicit(&leases->wanting, memory_order_relaxed) == 0)
            return;
        sched_yield();
    }
}

/* ---- the lines ---- */

static void
join_line_locked(struct leases *leases, struct waiter *w)
    NEEDS_MUTEX(leases->lock)
{
    struct lease *lease = w->lease;

    must(w->holder->waiter == NULL);
    w->prev = lease->last;
    if (lease->last == NULL)
        lease->first = w;
    else
        lease->last->next = w;
    lease->last = w;
    w->in_line = true;
    w->holder->waiter = w;
    leases->waiter_count++;
}

static void
leave_line_locked(struct leases *leases, struct waiter *w)
    NEEDS_MUTEX(leases->lock)
{
    struct lease *lease = w->lease;

    if (w->prev == NULL)
        lease->first = w->next;
    else
        w->prev->next = w->next;
    if (w->next == NULL)
        lease->last = w->prev;
    else
        w->next->prev = w->prev;
    w->in_line = false;
    w->holder->waiter = NULL;
    leases->waiter_count--;
}

/* The first in line is to keep an eye on the deadline of the lease. It may
 * have become first only now, and the deadline may be new. */
static void
tell_first_locked(struct leases *leases, struct lease *lease)
    NEEDS_MUTEX(leases->lock)
{
    (void)leases;
    if (lease->first != NULL &&
        lease->deadline_mono_us < lease->first->deadline_mono_us)
        cond_signal(&lease->first->turn);
}

/* A waiter leaves the line without the lease. */
static void
give_up_locked(struct leases *leases, struct waiter *w)
    NEEDS_MUTEX(leases->lock)
{
    bool was_first = w->prev == NULL;

    leave_line_locked(leases, w);
    if (was_first)
        tell_first_locked(leases, w->lease);
}

/* ---- holding ---- */

/* The lease, which nobody holds, is taken. */
static void
hold_locked(struct leases *leases, struct lease *lease,
            struct lease_holder *holder, int64_t deadline_mono_us)
    NEEDS_MUTEX(leases->lock)
{
    must(lease->held_link == NULL && leases->next_token < INT64_MAX);
    lease->token = leases->next_token++;
    lease->deadline_mono_us = deadline_mono_us;
    lease->held_next = holder->first;
    if (lease->held_next != NULL)
        lease->held_next->held_link = &lease->held_next;
    lease->held_link = &holder->first;
    holder->first = lease;
}

/* The holder holds it no more. */
static void
let_go_locked(struct leases *leases, struct lease *lease)
    NEEDS_MUTEX(leases->lock)
{
    (void)leases;
    *lease->held_link = lease->held_next;
    if (lease->held_next != NULL)
        lease->held_next->held_link = lease->held_link;
    lease->held_link = NULL;
}

/* Takes the lease from its holder and hands it to the first in line. False
 * when nobody is: then nobody holds it. */
static bool
pass_on_locked(struct leases *leases, struct lease *lease, int64_t now_mono_us)
    NEEDS_MUTEX(leases->lock)
{
    struct waiter *w = lease->first;

    let_go_locked(leases, lease);
    if (w == NULL)
        return false;
    leave_line_locked(leases, w);
    hold_locked(leases, lease, w->holder, deadline_in(now_mono_us, w->ttl_ms));
    w->token = lease->token;
    cond_signal(&w->turn);
    tell_first_locked(leases, lease);
    return true;
}

/* Whether somebody holds the lease, now that its time may be over and the
 * first in line may have it. After false nobody does. */
static bool
is_held_locked(struct leases *leases, struct lease *lease, int64_t now_mono_us)
    NEEDS_MUTEX(leases->lock)
{
    return lease->deadline_mono_us > now_mono_us ||
           pass_on_locked(leases, lease, now_mono_us);
}

/* ---- removing ---- */

static size_t
lease_size(const struct lease *lease)
{
    return sizeof *lease + lease->name_len;
}

/* Moves the lease that *link points to, which nobody holds, from the table to
 * a list of those that are to be freed without the lock. */
static void
bury_locked(struct leases *leases, struct lease **link, struct lease **dead)
    NEEDS_MUTEX(leases->lock)
{
    struct lease *lease = lease_table_unlink(&leases->table, link);

    leases->lease_bytes -= lease_size(lease);
    lease->next = *dead;
    *dead = lease;
}

static void
free_all(struct lease *dead)
{
    while (dead != NULL) {
        struct lease *next = dead->next;

        mem_free(dead);
        dead = next;
    }
}

/* Cleans up to bucket_max buckets below *hand, which goes down with them. Down,
 * since a table that shrinks under the hand moves leases down: so none gets
 * behind it. */
static void
clean_locked(struct leases *leases, size_t *hand, size_t bucket_max,
             struct lease **dead) NEEDS_MUTEX(leases->lock)
{
    int64_t now_mono_us = clock_mono_us(leases->clock);

    if (*hand > leases->table.bucket_count)
        *hand = leases->table.bucket_count;
    for (; bucket_max > 0 && *hand > 0; bucket_max--) {
        struct lease **link = lease_table_bucket(&leases->table, --*hand);

        while (*link != NULL) {
            if (is_held_locked(leases, *link, now_mono_us))
                link = &(*link)->next;
            else
                bury_locked(leases, link, dead);
        }
    }
    lease_table_shrink(&leases->table);
}

/* The share of cleaning that each taker does. */
static void
clean_some_locked(struct leases *leases, struct lease **dead)
    NEEDS_MUTEX(leases->lock)
{
    if (leases->hand == 0)
        leases->hand = leases->table.bucket_count;
    clean_locked(leases, &leases->hand, TAKE_BUCKETS, dead);
}

void
leases_sweep(struct leases *leases)
{
    size_t hand = SIZE_MAX;

    while (hand > 0) {
        struct lease *dead = NULL;

        mutex_lock(&leases->lock);
        clean_locked(leases, &hand, SLICE_BUCKETS, &dead);
        mutex_unlock(&leases->lock);
        free_all(dead);
        let_others_in(leases);
    }
}

/* ---- life ---- */

enum mz_err
leases_new(const struct clock *clock, int64_t first_token, struct leases **out)
{
    struct leases *leases = mem_alloc_zeroed(1, sizeof *leases);

    must(first_token >= 1);
    if (leases == NULL)
        return MZ_NO_MEMORY;
    leases->clock = clock;
    leases->seed = hash_random_seed();
    leases->next_token = first_token;
    mutex_init(&leases->lock);
    lease_table_init(&leases->table);
    *out = leases;
    return MZ_OK;
}

void
leases_free(struct leases *leases)
{
    struct lease *dead = NULL;

    if (leases == NULL)
        return;
    mutex_lock(&leases->lock);
    must(leases->waiter_count == 0);
    for (size_t i = 0; i < leases->table.bucket_count; i++) {
        struct lease **bucket = lease_table_bucket(&leases->table, i);

        while (*bucket != NULL)
            bury_locked(leases, bucket, &dead);
    }
    mutex_unlock(&leases->lock);
    free_all(dead);
    lease_table_fini(&leases->table);
    mutex_fini(&leases->lock);
    mem_free(leases);
}

/* ---- taking ---- */

static uint64_t
hash_name(const struct leases *leases, struct lease_name name)
{
    uint64_t seed = leases->seed + name.db * UINT64_C(0x9e3779b97f4a7c15);

    return hash_bytes(name.name, seed);
}

/* A lease of that name which is in no table and held by nobody; or NULL. */
static struct lease *
lease_new(const struct leases *leases, struct lease_name name)
{
    struct lease *lease = mem_alloc(sizeof *lease + name.name.len);

    if (lease == NULL)
        return NULL;
    *lease = (struct lease){
        .hash = hash_name(leases, name),
        .name_len = (uint32_t)name.name.len,
        .db = name.db,
    };
    if (name.name.len > 0)
        memcpy(lease->name, name.name.data, name.name.len);
    return lease;
}

/* How long w, which is in line, may sleep. */
static int64_t
sleep_us(const struct waiter *w, int64_t now_mono_us)
{
    int64_t until_mono_us = w->deadline_mono_us;

    if (w->prev == NULL && w->lease->deadline_mono_us < until_mono_us)
        until_mono_us = w->lease->deadline_mono_us;
    until_mono_us -= now_mono_us;
    return until_mono_us < SLEEP_MAX_US ? until_mono_us : SLEEP_MAX_US;
}

/* A waiter in line looks at the clock. False when it is not in line any more:
 * the lease has been passed on to it, or it has run out of patience. */
static bool
must_sleep_locked(struct leases *leases, struct waiter *w, int64_t *us)
    NEEDS_MUTEX(leases->lock)
{
    int64_t now_mono_us = clock_mono_us(leases->clock);

    must(is_held_locked(leases, w->lease, now_mono_us));
    if (!w->in_line)
        return false;
    *us = sleep_us(w, now_mono_us);
    if (now_mono_us < w->deadline_mono_us)
        return true;
    give_up_locked(leases, w);
    return false;
}

/* Stands in line for a lease that is held. A token, or 0. Out of the line the
 * waiter must not look at the lease any more: even if it was served, its time
 * may have been over, and the lease freed, before it woke up. */
static int64_t
wait_locked(struct leases *leases, struct lease *lease,
            struct lease_holder *holder, const struct lease_ask *ask)
    NEEDS_MUTEX(leases->lock)
{
    struct waiter w = {
        .lease = lease,
        .holder = holder,
        .ttl_ms = ask->ttl_ms,
        .deadline_mono_us =
            deadline_in(clock_mono_us(leases->clock), ask->wait_ms),
    };
    int64_t us;

    cond_init(&w.turn);
    join_line_locked(leases, &w);
    while (w.in_line && must_sleep_locked(leases, &w, &us))
        (void)cond_wait_us(&w.turn, &leases->lock, us);
    cond_fini(&w.turn);
    return w.token;
}

/* Takes the lease named by *fresh, which comes into the table if there is none
 * of that name. A token, or 0. */
static int64_t
take_locked(struct leases *leases, struct lease_holder *holder,
            const struct lease_ask *ask, struct lease **fresh)
    NEEDS_MUTEX(leases->lock)
{
    int64_t now_mono_us = clock_mono_us(leases->clock);
    struct lease *lease =
        *lease_table_find(&leases->table, ask->name, (*fresh)->hash);

    if (lease == NULL) {
        lease = *fresh;
        *fresh = NULL;
        lease_table_insert(&leases->table, lease);
        leases->lease_bytes += lease_size(lease);
    } else if (is_held_locked(leases, lease, now_mono_us)) {
        if (ask->wait_ms == 0 || leases->stopping || holder->abandoned)
            return 0;
        return wait_locked(leases, lease, holder, ask);
    }
    hold_locked(leases, lease, holder, deadline_in(now_mono_us, ask->ttl_ms));
    return lease->token;
}

enum mz_err
lease_take(struct leases *leases, struct lease_holder *holder,
           const struct lease_ask *ask, int64_t *token)
{
    struct lease *fresh, *dead = NULL;

    must(ask->name.name.len <= LEASE_NAME_MAX);
    must(ask->ttl_ms > 0 && ask->ttl_ms <= NUM_TTL_MAX_MS);
    must(ask->wait_ms >= 0 && ask->wait_ms <= NUM_TTL_MAX_MS);
    *token = 0;
    fresh = lease_new(leases, ask->name);
    if (fresh == NULL)
        return MZ_NO_MEMORY;
    holder->has_taken = true;
    enter(leases);
    clean_some_locked(leases, &dead);
    *token = take_locked(leases, holder, ask, &fresh);
    mutex_unlock(&leases->lock);
    mem_free(fresh);
    free_all(dead);
    return MZ_OK;
}

/* ---- giving ---- */

bool
lease_give(struct leases *leases, struct lease_name name, int64_t token)
{
    uint64_t hash = hash_name(leases, name);
    struct lease **link, *dead = NULL;
    bool given = false;
    int64_t now_mono_us;

    enter(leases);
    now_mono_us = clock_mono_us(leases->clock);
    link = lease_table_find(&leases->table, name, hash);
    if (*link != NULL) {
        bool held = is_held_locked(leases, *link, now_mono_us);

        given = held && (*link)->token == token;
        if (given)
            held = pass_on_locked(leases, *link, now_mono_us);
        if (!held)
            bury_locked(leases, link, &dead);
        lease_table_shrink(&leases->table);
    }
    mutex_unlock(&leases->lock);
    free_all(dead);
    return given;
}

/* Ends one lease of a holder that is going. */
static void
end_locked(struct leases *leases, struct lease *lease, int64_t now_mono_us,
           struct lease **dead) NEEDS_MUTEX(leases->lock)
{
    struct lease_name name = {slice_of(lease->name, lease->name_len),
                              lease->db};

    if (pass_on_locked(leases, lease, now_mono_us))
        return;
    bury_locked(leases, lease_table_find(&leases->table, name, lease->hash),
                dead);
}

void
lease_holder_end(struct leases *leases, struct lease_holder *holder)
{
    while (holder->has_taken || holder->abandoned) {
        struct lease *dead = NULL;

        mutex_lock(&leases->lock);
        for (size_t i = 0; i < SLICE_LEASES && holder->first != NULL; i++)
            end_locked(leases, holder->first, clock_mono_us(leases->clock),
                       &dead);
        lease_table_shrink(&leases->table);
        holder->has_taken = holder->first != NULL;
        holder->abandoned = false;
        mutex_unlock(&leases->lock);
        free_all(dead);
        let_others_in(leases);
    }
}

void
lease_abandon(struct leases *leases, struct lease_holder *holder)
{
    enter(leases);
    holder->abandoned = true;
    if (holder->waiter != NULL) {
        cond_signal(&holder->waiter->turn);
        give_up_locked(leases, holder->waiter);
    }
    mutex_unlock(&leases->lock);
}

/* ---- everybody in line ---- */

/* Signals all waiters; with `dismiss`, takes them out of their lines. */
static void
wake_all_locked(struct leases *leases, bool dismiss) NEEDS_MUTEX(leases->lock)
{
    for (size_t i = 0; i < leases->table.bucket_count; i++) {
        struct lease *lease = *lease_table_bucket(&leases->table, i);

        for (; lease != NULL; lease = lease->next) {
            struct waiter *next, *w;

            for (w = lease->first; w != NULL; w = next) {
                next = w->next;
                cond_signal(&w->turn);
                if (dismiss)
                    leave_line_locked(leases, w);
            }
        }
    }
}

void
leases_stop(struct leases *leases)
{
    enter(leases);
    leases->stopping = true;
    wake_all_locked(leases, true);
    mutex_unlock(&leases->lock);
}

void
leases_poke(struct leases *leases)
{
    enter(leases);
    wake_all_locked(leases, false);
    mutex_unlock(&leases->lock);
}

void
leases_totals(struct leases *leases, struct leases_totals *totals)
{
    leases_sweep(leases);
    enter(leases);
    totals->held = leases->table.count;
    totals->waiters = leases->waiter_count;
    totals->memory_bytes =
        sizeof *leases + leases->lease_bytes + lease_table_size(&leases->table);
    mutex_unlock(&leases->lock);
}
