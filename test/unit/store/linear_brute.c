/* SPDX-License-Identifier: MIT
 *
 * linear_brute.c - see linear_brute.h.
 */
#include "linear_brute.h"

#include "base/must.h"

struct brute {
    const struct linear_op *ops;
    size_t count;
};

/* What the key is between two operations. */
struct state {
    uint64_t version, value; /* of the last write */
    bool present;
};

/* Whether nobody who is still to come had returned before op was called. */
static bool
may_be_next(const struct brute *b, unsigned left, const struct linear_op *op)
{
    for (size_t i = 0; i < b->count; i++) {
        if ((left >> i & 1) != 0 && b->ops[i].return_ns < op->call_ns)
            return false;
    }
    return true;
}

static bool
meets_need(const struct state *state, const struct linear_op *op)
{
    switch ((enum linear_need)op->need) {
    case LINEAR_ANY:
        return true;
    case LINEAR_ABSENT:
        return !state->present;
    case LINEAR_PRESENT:
        return state->present;
    case LINEAR_VERSION:
        return state->present && state->version == op->needed;
    case LINEAR_OTHER:
        return state->present && state->version != op->needed;
    }
    return false;
}

static bool
apply(struct state *state, const struct linear_op *op)
{
    if (!meets_need(state, op))
        return false;
    switch ((enum linear_kind)op->kind) {
    case LINEAR_SEEN:
        return state->present && state->version == op->version &&
               (op->value == LINEAR_NO_VALUE || op->value == state->value);
    case LINEAR_MISS:
        return !state->present;
    case LINEAR_WRITE:
        if (op->version <= state->version)
            return false;
        *state = (struct state){op->version, op->value, true};
        return true;
    case LINEAR_DELETE:
        if (!state->present)
            return false;
        state->present = false;
        return true;
    }
    return false;
}

static bool
explain(const struct brute *b, unsigned left, struct state state)
{
    if (left == 0)
        return true;
    for (size_t i = 0; i < b->count; i++) {
        struct state after = state;

        if ((left >> i & 1) != 0 && may_be_next(b, left, &b->ops[i]) &&
            apply(&after, &b->ops[i]) && explain(b, left & ~(1U << i), after))
            return true;
    }
    return false;
}

bool
brute_check(const struct linear_op *ops, size_t count)
{
    const struct brute b = {ops, count};

    must(count <= BRUTE_MAX);
    for (size_t i = 0; i < count; i++) {
        if (ops[i].return_ns < ops[i].call_ns)
            return false;
    }
    return explain(&b, (1U << count) - 1, (struct state){0});
}
