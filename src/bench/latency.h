/* SPDX-License-Identifier: MIT
 *
 * latency.h - a histogram of times.
 *
 * Exact below 128 ns, within 1/128 above; the largest time is exact. The size
 * does not depend on how many times are put in. Owned by one thread; merge
 * those of several.
 */
#ifndef MEMOIZER_BENCH_LATENCY_H
#define MEMOIZER_BENCH_LATENCY_H

#include <stdint.h>

#define LATENCY_STEP_BITS 7 /* steps for each power of two */
#define LATENCY_BUCKETS   ((65 - LATENCY_STEP_BITS) << LATENCY_STEP_BITS)

/* {0} is an empty one. */
struct latency {
    uint64_t bucket[LATENCY_BUCKETS]; /* times in each step */
    uint64_t count;
    uint64_t max_ns;
};

void latency_add(struct latency *latency, uint64_t ns);
void latency_merge(struct latency *into, const struct latency *from);

/* The time that permille of 1000 operations stay at or below, 1 to 1000; at
 * most one step too large. 0 when there are none. */
uint64_t latency_permille_ns(const struct latency *latency, unsigned permille);

#endif
