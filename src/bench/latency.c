/* SPDX-License-Identifier: MIT
 *
 * latency.c - see latency.h.
 *
 * The number of a bucket is the time's exponent and, below it, the bits that
 * follow the leading one. Times below 2^LATENCY_STEP_BITS are their own.
 */
#include "bench/latency.h"

#define STEPS (UINT64_C(1) << LATENCY_STEP_BITS)

static uint64_t
bucket_of(uint64_t ns)
{
    unsigned shift;

    if (ns < STEPS)
        return ns;
    shift = 63 - (unsigned)__builtin_clzll(ns) - LATENCY_STEP_BITS;
    /* ns >> shift has the leading one, which counts for one more STEPS. */
    return ((uint64_t)shift << LATENCY_STEP_BITS) + (ns >> shift);
}

/* The largest time that falls into a bucket. */
static uint64_t
bucket_end_ns(uint64_t bucket)
{
    unsigned shift;

    if (bucket < STEPS)
        return bucket;
    shift = (unsigned)(bucket >> LATENCY_STEP_BITS) - 1;
    return (((bucket & (STEPS - 1)) + STEPS + 1) << shift) - 1;
}

void
latency_add(struct latency *latency, uint64_t ns)
{
    latency->bucket[bucket_of(ns)]++;
    latency->count++;
    if (ns > latency->max_ns)
        latency->max_ns = ns;
}

void
latency_merge(struct latency *into, const struct latency *from)
{
    for (uint64_t i = 0; i < LATENCY_BUCKETS; i++)
        into->bucket[i] += from->bucket[i];
    into->count += from->count;
    if (from->max_ns > into->max_ns)
        into->max_ns = from->max_ns;
}

uint64_t
latency_permille_ns(const struct latency *latency, unsigned permille)
{
    /* Rounded up: of 10 times, 99 % are all 10. count / 1000 first, so that
     * nothing overflows. */
    const uint64_t rest = latency->count % 1000;
    const uint64_t rank =
        latency->count / 1000 * permille + (rest * permille + 999) / 1000;
    uint64_t seen = 0;

    for (uint64_t i = 0; i < LATENCY_BUCKETS && rank > 0; i++) {
        seen += latency->bucket[i];
        if (seen >= rank) {
            const uint64_t end_ns = bucket_end_ns(i);

            return end_ns < latency->max_ns ? end_ns : latency->max_ns;
        }
    }
    return 0;
}
