/* SPDX-License-Identifier: MIT
 *
 * stats.c - see stats.h.
 */
#include "stats/stats.h"

#include "base/must.h"

#include <string.h>

const char *
counter_name(enum counter which)
{
    static const char *const names[COUNTER_COUNT] = {
#define COUNTER(name, text, help) text,
#include "stats/metrics.def"
#undef COUNTER
    };

    must((unsigned)which < COUNTER_COUNT);
    return names[which];
}

static uint64_t
load(const _Atomic uint64_t *c)
{
    return atomic_load_explicit(c, memory_order_relaxed);
}

static void
add_all(struct counters *to, const struct counters *from)
{
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        atomic_store_explicit(&to->count[i],
                              load(&to->count[i]) + load(&from->count[i]),
                              memory_order_relaxed);
    for (size_t i = 0; i < STATS_VERBS_MAX; i++)
        atomic_store_explicit(&to->verbs[i],
                              load(&to->verbs[i]) + load(&from->verbs[i]),
                              memory_order_relaxed);
}

void
stats_init(struct stats *stats)
{
    memset(stats, 0, sizeof *stats);
    mutex_init(&stats->mutex);
}

void
stats_fini(struct stats *stats)
{
    must(stats->first == NULL);
    mutex_fini(&stats->mutex);
}

void
stats_attach(struct stats *stats, struct counters *counters)
{
    memset(counters, 0, sizeof *counters);
    mutex_lock(&stats->mutex);
    counters->next = stats->first;
    if (stats->first != NULL)
        stats->first->prev = counters;
    stats->first = counters;
    mutex_unlock(&stats->mutex);
}

void
stats_detach(struct stats *stats, struct counters *counters)
{
    mutex_lock(&stats->mutex);
    if (counters->prev != NULL)
        counters->prev->next = counters->next;
    else
        stats->first = counters->next;
    if (counters->next != NULL)
        counters->next->prev = counters->prev;
    add_all(&stats->gone, counters);
    mutex_unlock(&stats->mutex);
}

void
stats_sum(struct stats *stats, struct counters *sum)
{
    memset(sum, 0, sizeof *sum);
    mutex_lock(&stats->mutex);
    add_all(sum, &stats->gone);
    for (const struct counters *c = stats->first; c != NULL; c = c->next)
        add_all(sum, c);
    mutex_unlock(&stats->mutex);
}
