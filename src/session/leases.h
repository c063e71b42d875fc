/* SPDX-License-Identifier: MIT
 *
 * leases.h - named leases with fencing tokens: who may work on something now.
 *
 *     connection A             leases                     connection B
 *       | lease_take(k)          |                              |
 *       | <- token 7             |                              |
 *       |                        |    lease_take(k, wait) ->    | in line
 *       | lease_give(k, 7)       |                              :
 *       |   -> passed on to B    | token 8, signal ------------>: wakes
 *
 * A lease is held from the moment it is taken until the first of these:
 * lease_give() with its token; its deadline, which is the moment of taking
 * plus its ttl; lease_holder_end() of the connection that took it. It is not
 * tied to a thread or to a connection in any other way: whoever knows the
 * token can give it back, and the holder that asks again waits like anybody.
 * Leases are in memory only.
 *
 * Tokens rise with every taking of any lease, so a resource that remembers the
 * highest one it has seen can refuse a holder whose time was over unnoticed.
 *
 * Waiting. Each lease has a line, served strictly first come first served:
 * whoever ends a lease makes the first in line its holder in the same step, so
 * that nobody who comes later can get in between. The ttl of the new holder
 * runs from that step on. A waiter sleeps on a condition variable of its own
 * until it is served, or until its own deadline, or, as the first in line,
 * until the deadline of the lease; nobody polls and nobody is woken for
 * nothing, except the new first in line, once, if the lease may end before its
 * patience. A waiter leaves the line itself, or by lease_abandon() when its
 * client has gone: one that is still in it when the lease becomes free gets it,
 * even at the very moment when its wait is over or when it is about to wake up
 * late.
 *
 * Time. Deadlines are microseconds of the monotonic clock, so a lease is held
 * for its ttl and neither shorter nor longer. At its deadline it is over, even
 * if nobody has noticed: the next taker gets it at once, and lease_give() with
 * the old token is false. There is no timer thread. Whoever meets a lease whose
 * time is over cleans up after its holder, and each lease_take() looks at the
 * next few buckets of the table for others: it has gone round when a quarter as
 * many leases have been taken as there are buckets, so names that nobody asks
 * for again never make up more than a third of what the table would be without
 * them (plus a few). What is left when nobody takes any lease is removed by
 * leases_sweep() and leases_totals().
 *
 * Locking: one mutex guards everything, the lists in the holders as well. In
 * the order of locks it comes after registry and hangup, before the stripes; no
 * other lock is taken while it is held. Under it are: a few steps on one
 * lease, or a bounded slice of a clean-up. The table grows and shrinks by one
 * bucket at a time, so no caller waits for a rehash.
 */
#ifndef MEMOIZER_SESSION_LEASES_H
#define MEMOIZER_SESSION_LEASES_H

#include "base/clock.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEASE_NAME_MAX 65535 /* bytes, as for keys of the store */

struct leases;
struct lease;
struct waiter;

/* What a connection holds, within the connection. {0} is one that holds
 * nothing. It is not moved until lease_holder_end(). */
struct lease_holder {
    struct lease *first;    /* lock */
    struct waiter *waiter;  /* lock: its owner in line; or NULL */
    _Atomic bool abandoned; /* atomic: written under lock */
    bool has_taken;         /* owner: since the last lease_holder_end() */
};

/* The name of a lease: each database has its own. */
struct lease_name {
    struct slice name; /* at most LEASE_NAME_MAX bytes, any bytes */
    uint8_t db;
};

/* All leases of all databases, none held. clock is lent. first_token >= 1 is
 * the token of the first one; a number that no earlier run has reached, so
 * that tokens rise across restarts. MZ_NO_MEMORY leaves *out alone. */
enum mz_err leases_new(const struct clock *clock, int64_t first_token,
                       struct leases **out) MZ_CHECK;

/* Nobody may be in a function of it, and holders that still hold something
 * must not be used any more. NULL is fine. */
void leases_free(struct leases *leases);

/* A wish for a lease. Both times are at most NUM_TTL_MAX_MS. */
struct lease_ask {
    struct lease_name name;
    int64_t ttl_ms;  /* > 0: how long it may be held */
    int64_t wait_ms; /* >= 0: how long to stand in line; 0: not at all */
};

/* Takes the lease for holder, waiting if it is held. MZ_OK with *token >= 1:
 * it is taken. MZ_OK with *token 0: it was still held after wait_ms, or
 * leases_stop() or lease_abandon() ended the waiting. MZ_NO_MEMORY: nothing has
 * changed, *token is 0. Only the thread that owns holder may call it. */
enum mz_err lease_take(struct leases *leases, struct lease_holder *holder,
                       const struct lease_ask *ask, int64_t *token) MZ_CHECK;

/* Ends the lease if it is held under this token, and passes it on. False when
 * it is not, or not any more: nothing has changed then. Any thread. */
bool lease_give(struct leases *leases, struct lease_name name, int64_t token);

/* The connection ends: all that it holds is passed on or over. Holder is as
 * good as new. Only the thread that owns holder, which is not waiting. Takes
 * no lock when nothing was ever taken and holder was not abandoned. */
void lease_holder_end(struct leases *leases, struct lease_holder *holder);

/* The client of holder has gone and no answer will reach it: if the owner of
 * holder stands in line it leaves it at once, and its lease_take() gives token
 * 0; and so will every later one that would have to wait, until
 * lease_holder_end(). The others in line keep their order. What holder holds,
 * or has been served before, stays its own until lease_holder_end(). Any
 * thread, as often as it likes; not at the same time as, or after, the last
 * lease_holder_end(). */
void lease_abandon(struct leases *leases, struct lease_holder *holder);

/* The server stops: everybody in line is woken and gets no lease, and from now
 * on nobody waits. Taking a free lease and giving still work. */
void leases_stop(struct leases *leases);

/* The clock has been set forward by more than time has passed: everybody in
 * line looks at it again. The machine's monotonic clock does no such thing; a
 * clock that a test turns does. */
void leases_poke(struct leases *leases);

/* Removes all leases whose time is over, or passes them on, in slices: others
 * get the lock in between. Leases that move because the table grows meanwhile
 * may be left for the next time. Any thread. */
void leases_sweep(struct leases *leases);

struct leases_totals {
    size_t held;         /* leases whose time is not over */
    size_t waiters;      /* callers in line, for all of them */
    size_t memory_bytes; /* leases and their table */
};

/* The figures for `stats`, after a leases_sweep(). */
void leases_totals(struct leases *leases, struct leases_totals *totals);

#endif
