/* SPDX-License-Identifier: MIT
 *
 * gate.c - see gate.h.
 */
#include "bench/gate.h"

#include <sched.h>
#include <stdatomic.h>

enum state {
    CLOSED,
    OPEN,
    GIVE_UP
};

bool
gate_wait(struct gate *gate)
{
    atomic_fetch_add(&gate->ready, 1);
    while (atomic_load(&gate->state) == CLOSED)
        sched_yield();
    return atomic_load(&gate->state) == OPEN;
}

void
gate_open(struct gate *gate, unsigned created, unsigned wanted)
{
    while (atomic_load(&gate->ready) < created)
        sched_yield();
    atomic_store(&gate->state, created == wanted ? OPEN : GIVE_UP);
}

void
gate_meet(struct gate *gate, unsigned threads)
{
    const unsigned before = atomic_fetch_add(&gate->ready, 1);
    const unsigned rest = threads - before % threads;

    /* By difference, so that it may wrap. */
    while (atomic_load(&gate->ready) - before < rest)
        sched_yield();
}
