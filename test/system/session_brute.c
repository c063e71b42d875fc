/* SPDX-License-Identifier: MIT
 *
 * session_brute.c - see session_brute.h.
 */
#include "session_brute.h"

#include "base/must.h"

struct brute {
    const struct session_op *ops;
    size_t count;
};

/* Whether nobody who is still to come had returned before op was called. */
static bool
may_be_next(const struct brute *b, unsigned left, const struct session_op *op)
{
    for (size_t i = 0; i < b->count; i++) {
        if ((left >> i & 1) != 0 && b->ops[i].return_ns < op->call_ns)
            return false;
    }
    return true;
}

static bool
explain(const struct brute *b, unsigned left, struct session_state state)
{
    if (left == 0)
        return true;
    for (size_t i = 0; i < b->count; i++) {
        struct session_state after = state;

        if ((left >> i & 1) != 0 && may_be_next(b, left, &b->ops[i]) &&
            session_step(&after, &b->ops[i]) &&
            explain(b, left & ~(1U << i), after))
            return true;
    }
    return false;
}

bool
session_brute(const struct session_op *ops, size_t count)
{
    const struct brute b = {ops, count};

    must(count <= SESSION_BRUTE_MAX);
    for (size_t i = 0; i < count; i++) {
        if (ops[i].return_ns < ops[i].call_ns)
            return false;
    }
    return explain(&b, (1U << count) - 1, (struct session_state){.version = 0});
}
