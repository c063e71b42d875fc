/* SPDX-License-Identifier: MIT
 *
 * stats.h - counters that cost nothing to bump.
 *
 * Each thread that serves owns a struct counters and is its only writer; a
 * reader sums over all that are attached and over what detached ones left
 * behind. Single counts are exact, a sum is not a snapshot of one moment.
 *
 * Locking: the list of attached counters is under stats->mutex, which comes
 * after the stripes in the lock order. The counters are relaxed atomics.
 */
#ifndef MEMOIZER_STATS_STATS_H
#define MEMOIZER_STATS_STATS_H

#include "base/err.h"
#include "base/lock.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum counter {
#define COUNTER(name, text, help) COUNTER_##name,
#include "stats/metrics.def"
#undef COUNTER
    COUNTER_COUNT
};

/* Room for counts by verb; the wire layer asserts that it suffices. */
#define STATS_VERBS_MAX 192

struct counters {
    _Atomic uint64_t count[COUNTER_COUNT];   /* written by the owner only */
    _Atomic uint64_t verbs[STATS_VERBS_MAX]; /* the same, by enum verb */
    struct counters *next, *prev;            /* lock */
};

struct stats {
    struct mutex mutex;
    struct counters *first; /* lock: attached counters */
    struct counters gone;   /* lock: the sum of detached ones */
};

/* The name of a counter as `stats` prints it. Static. */
const char *counter_name(enum counter which);

void stats_init(struct stats *stats);

/* Nothing may be attached any more. */
void stats_fini(struct stats *stats);

/* Zeroes counters and adds them to the sums. They stay the caller's and must
 * be detached before their storage ends. */
void stats_attach(struct stats *stats, struct counters *counters);
void stats_detach(struct stats *stats, struct counters *counters);

/* Sums everything into *sum (its next and prev are not used). */
void stats_sum(struct stats *stats, struct counters *sum);

/* By the owning thread only: adds n without a locked instruction. */
static inline void
counter_add(struct counters *counters, enum counter which, uint64_t n)
{
    _Atomic uint64_t *c = &counters->count[which];

    atomic_store_explicit(c, atomic_load_explicit(c, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

static inline void
counter_add_verb(struct counters *counters, unsigned verb)
{
    _Atomic uint64_t *c = &counters->verbs[verb];

    atomic_store_explicit(c, atomic_load_explicit(c, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

#endif
