/* SPDX-License-Identifier: MIT
 *
 * gate.h - where the threads of a measurement wait for each other, so that
 * none has a start.
 *
 * Shared by the threads and by the one that opens it; atomics only.
 */
#ifndef MEMOIZER_BENCH_GATE_H
#define MEMOIZER_BENCH_GATE_H

#include <stdbool.h>

/* {0} is a closed one. */
struct gate {
    _Atomic unsigned ready; /* atomic: threads that came, again and again */
    _Atomic int state;      /* atomic: closed, open, or nobody goes */
};

/* In each thread, before it begins. False: it is not to begin. */
bool gate_wait(struct gate *gate);

/* Waits until the threads that were created stand ready; lets them go if all
 * that were wanted are there, and sends them home otherwise. */
void gate_open(struct gate *gate, unsigned created, unsigned wanted);

/* In each of the threads that the gate let go, as often as they like, but in
 * all of them equally often: waits for the others. */
void gate_meet(struct gate *gate, unsigned threads);

#endif
