/* SPDX-License-Identifier: MIT
 *
 * session_linear.h - judges a log of sessions exactly: is there, for each key,
 * one order of its operations that keeps real time and in which every answer is
 * the one that session_model.h gives?
 *
 * Key by key (what each key can explain alone, all can together), the log is
 * walked through in time. What may be the case is a set of possibilities: a
 * state of the key, and which of the operations under way have been done.
 *
 * - A call adds an operation that is under way.
 * - A return wants its operation done. Every possibility that has not done it
 *   is replaced by all those that come of doing operations under way, in any
 *   order, until it is. An answer that does not fit rules the order out, so a
 *   possibility can die; when none is left, no order explains the log.
 * - Operations are done no earlier than at such a return: later is as good. One
 *   that changes nothing is done at once where it fits: earlier is as good.
 * - Writes go in the order of their versions, as the contract has it.
 *
 * (Wing and Gong's search, in Lowe's just-in-time form, with equal
 * possibilities kept once.)
 *
 * Exact: no false alarm, and nothing wrong passes. The time is linear in the
 * length of the log: each return costs (possibilities) * (operations under way)
 * steps of the model. What bounds the possibilities is how many operations are
 * under way on one key, not how many there were: with c of them, 2^c sets of
 * them may be done, times the values that merges which nobody has read since
 * may have led to, one for each delete that may have come between them. The
 * order of the writes and the answers leave about a hundred of them. At most
 * SESSION_POSSIBLE are looked at for one return: beyond that the verdict is
 * SESSION_GAVE_UP, which is not a pass.
 *
 * A key is missing at the start of the log, and all calls have returned.
 */
#ifndef MEMOIZER_TEST_SESSION_LINEAR_H
#define MEMOIZER_TEST_SESSION_LINEAR_H

#include "linear.h"
#include "session_model.h"

#include <stddef.h>

#define SESSION_POSSIBLE 65536

/* Operations under way at a time on one key. */
#define SESSION_PENDING 64

enum session_fault {
    SESSION_FINE,
    SESSION_BACKWARDS, /* op returns before it was called */
    SESSION_REUSED,    /* op was given a version that another write has */
    SESSION_NO_ORDER,  /* no order explains what came up to op's return */
    SESSION_GAVE_UP,   /* too many possibilities at op's return */
};

/* Operations around a fault: those under way, and the last to return. */
#define SESSION_LAST 8
#define SESSION_NEAR (SESSION_PENDING + SESSION_LAST)

struct session_verdict {
    enum session_fault fault;
    struct session_op op;
    struct session_state state; /* one that was possible before op's return */
    struct session_op near[SESSION_NEAR]; /* the rest of its key */
    size_t nears;
    /* Of the whole log, when it is fine. */
    size_t overlapping; /* calls while another of the key was under way */
    size_t possible;    /* the most possibilities that one return had */
};

/* Judges the log; sorts ops as it needs. The first fault found is in
 * *verdict. True when there is none. */
bool session_check(struct session_op *ops, size_t count,
                   struct session_verdict *verdict);

/* Prints a verdict to stdout. */
void session_print(const struct session_verdict *verdict);

/* What linear.h can judge of a log: versions, misses and conditions, without
 * the values. out has room for count; returns how many it took. */
size_t session_project(const struct session_op *ops, size_t count,
                       struct linear_op *out);

#endif
