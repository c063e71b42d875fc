/* SPDX-License-Identifier: MIT
 *
 * session_model.c - see session_model.h.
 */
#include "session_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- one request after the other ---- */

static bool
present(const struct session_state *state)
{
    return state->value.type != SESSION_NOTHING;
}

static struct session_answer
refusal(enum session_code code, uint64_t version)
{
    return (struct session_answer){.code = (uint8_t)code, .version = version};
}

/* False: the condition stops the request, *answer says how. */
static bool
may_go_on(const struct session_state *state,
          const struct session_request *request, struct session_answer *answer)
{
    if (request->only_if == SESSION_ALWAYS)
        return true;
    if (request->only_if == SESSION_IF_ABSENT) {
        *answer = refusal(SESSION_EXISTS, state->version);
        return !present(state);
    }
    if (!present(state)) {
        *answer = refusal(SESSION_ABSENT, 0);
        return false;
    }
    *answer = refusal(SESSION_STALE, state->version);
    return request->only_if == SESSION_IF_PRESENT ||
           request->if_version == state->version;
}

static struct session_answer
get(struct session_state *state, const struct session_request *request)
{
    struct session_answer answer = {.code = SESSION_OK};

    if (!present(state))
        return answer;
    if (request->ttl == SESSION_TTL)
        state->expires = true;
    answer.found = true;
    answer.value = state->value;
    answer.version = state->version;
    answer.expires = state->expires;
    return answer;
}

/* The state is changed, all but the version. */
static struct session_answer
written(struct session_state *state, uint64_t new_version)
{
    state->version = new_version;
    return (struct session_answer){
        .code = SESSION_OK, .found = true, .version = new_version};
}

static struct session_answer
set(struct session_state *state, const struct session_request *request,
    uint64_t new_version)
{
    const bool kept = present(state) && state->expires;

    state->value = request->value;
    state->expires =
        request->ttl == SESSION_KEEP_TTL ? kept : request->ttl == SESSION_TTL;
    return written(state, new_version);
}

static struct session_answer
merge(struct session_state *state, const struct session_request *request,
      uint64_t new_version)
{
    const bool kept = present(state) && state->expires;
    struct session_value target = {.type = SESSION_OBJECT};

    if (state->value.type == SESSION_OBJECT)
        target = state->value;
    for (int i = 0; i < SESSION_MEMBERS; i++) {
        const uint16_t member = request->value.members[i];

        if (member != 0)
            target.members[i] = member == SESSION_NULL ? 0 : member;
    }
    state->value = target;
    state->expires = request->ttl == SESSION_TTL || kept;
    return written(state, new_version);
}

static struct session_answer
incr(struct session_state *state, const struct session_request *request,
     uint64_t new_version)
{
    struct session_answer answer;

    if (state->value.type == SESSION_OBJECT)
        return refusal(SESSION_NOT_INTEGER, 0);
    if (!present(state))
        state->expires = request->ttl == SESSION_TTL;
    state->value.type = SESSION_INTEGER;
    state->value.number += request->value.number;
    answer = written(state, new_version);
    answer.value = state->value;
    return answer;
}

static struct session_answer
del(struct session_state *state)
{
    const bool found = present(state);

    state->value = (struct session_value){.type = SESSION_NOTHING};
    state->expires = false;
    return (struct session_answer){.code = SESSION_OK, .found = found};
}

static struct session_answer
touch(struct session_state *state, const struct session_request *request)
{
    const bool found = present(state);

    if (found)
        state->expires = request->ttl == SESSION_TTL;
    return (struct session_answer){.code = SESSION_OK, .found = found};
}

struct session_answer
session_do(struct session_state *state, const struct session_request *request,
           uint64_t new_version)
{
    struct session_answer answer = {.code = SESSION_OK};

    if (!may_go_on(state, request, &answer))
        return answer;
    switch ((enum session_kind)request->kind) {
    case SESSION_GET:
        return get(state, request);
    case SESSION_HAS:
        return (struct session_answer){.code = SESSION_OK,
                                       .found = present(state)};
    case SESSION_SET:
        return set(state, request, new_version);
    case SESSION_MERGE:
        return merge(state, request, new_version);
    case SESSION_INCR:
        return incr(state, request, new_version);
    case SESSION_DEL:
        return del(state);
    case SESSION_TOUCH:
        return touch(state, request);
    }
    return answer;
}

/* ---- an operation of a log ---- */

bool
session_writes(const struct session_op *op)
{
    const uint8_t kind = op->request.kind;

    return op->answer.code == SESSION_OK &&
           (kind == SESSION_SET || kind == SESSION_MERGE ||
            kind == SESSION_INCR);
}

bool
session_reads(const struct session_op *op)
{
    if (op->answer.code != SESSION_OK || !op->answer.found)
        return true;
    return op->request.kind == SESSION_HAS ||
           (op->request.kind == SESSION_GET && op->request.ttl != SESSION_TTL);
}

bool
session_same_value(const struct session_value *a, const struct session_value *b)
{
    return a->type == b->type && a->number == b->number &&
           memcmp(a->members, b->members, sizeof(a->members)) == 0;
}

bool
session_same_state(const struct session_state *a, const struct session_state *b)
{
    return a->version == b->version && a->expires == b->expires &&
           session_same_value(&a->value, &b->value);
}

static bool
same_answer(const struct session_answer *a, const struct session_answer *b)
{
    return a->code == b->code && a->found == b->found &&
           a->version == b->version && a->expires == b->expires &&
           session_same_value(&a->value, &b->value);
}

bool
session_step(struct session_state *state, const struct session_op *op)
{
    struct session_state after = *state;
    const struct session_answer answer =
        session_do(&after, &op->request, op->answer.version);

    if (session_writes(op) && op->answer.version <= state->version)
        return false;
    if (!same_answer(&answer, &op->answer))
        return false;
    *state = after;
    return true;
}

/* ---- random requests ---- */

static void
draw_members(struct rng *rng, unsigned in_eight, struct session_value *value)
{
    value->type = SESSION_OBJECT;
    for (int i = 0; i < SESSION_MEMBERS; i++) {
        if (rng_below(rng, 8) < in_eight)
            value->members[i] = (uint16_t)(1 + rng_below(rng, 9999));
    }
}

static void
draw_set(struct rng *rng, struct session_request *request)
{
    const uint64_t dice = rng_below(rng, 8);

    request->kind = SESSION_SET;
    if (rng_below(rng, 5) < 2)
        request->value = (struct session_value){
            .type = SESSION_INTEGER, .number = (int64_t)rng_below(rng, 100000)};
    else
        draw_members(rng, 6, &request->value);
    request->only_if = (uint8_t)(dice < 4 ? SESSION_ALWAYS : dice - 4);
    request->ttl = (uint8_t)rng_below(rng, 3);
}

static void
draw_merge(struct rng *rng, struct session_request *request)
{
    const uint64_t dice = rng_below(rng, 16);

    request->kind = SESSION_MERGE;
    draw_members(rng, 3, &request->value);
    if (rng_below(rng, 4) == 0)
        request->value.members[rng_below(rng, SESSION_MEMBERS)] = SESSION_NULL;
    request->only_if = (uint8_t)(dice < 12 ? SESSION_ALWAYS : dice - 12);
    request->ttl = rng_below(rng, 4) == 0 ? SESSION_TTL : SESSION_NO_TTL;
}

static void
draw_incr(struct rng *rng, struct session_request *request)
{
    request->kind = SESSION_INCR;
    request->value.type = SESSION_INTEGER;
    request->value.number = (int64_t)rng_below(rng, 19) - 9;
    request->ttl = rng_below(rng, 4) == 0 ? SESSION_TTL : SESSION_NO_TTL;
}

static void
draw_del(struct rng *rng, struct session_request *request)
{
    static const uint8_t conditions[] = {
        SESSION_ALWAYS, SESSION_ALWAYS, SESSION_IF_PRESENT, SESSION_IF_VERSION};

    request->kind = SESSION_DEL;
    request->only_if = conditions[rng_below(rng, sizeof(conditions))];
}

void
session_draw(struct rng *rng, uint64_t seen_version,
             struct session_request *request)
{
    const uint64_t dice = rng_below(rng, 100);

    *request = (struct session_request){.kind = SESSION_GET};
    if (dice < 25)
        request->ttl = rng_below(rng, 4) == 0 ? SESSION_TTL : SESSION_NO_TTL;
    else if (dice < 30)
        request->kind = SESSION_HAS;
    else if (dice < 58)
        draw_set(rng, request);
    else if (dice < 74)
        draw_merge(rng, request);
    else if (dice < 87)
        draw_incr(rng, request);
    else if (dice < 95)
        draw_del(rng, request);
    else
        *request = (struct session_request){
            .kind = SESSION_TOUCH,
            .ttl = (uint8_t)(rng_below(rng, 2) == 0 ? SESSION_TTL
                                                    : SESSION_NO_TTL)};
    if (request->only_if == SESSION_IF_VERSION) {
        if (seen_version == 0)
            request->only_if = SESSION_IF_PRESENT;
        else
            request->if_version = seen_version;
    }
}

/* ---- reports ---- */

static void
print_value(const struct session_value *value)
{
    if (value->type == SESSION_INTEGER)
        printf(" %" PRId64, value->number);
    if (value->type != SESSION_OBJECT)
        return;
    printf(" {");
    for (int i = 0; i < SESSION_MEMBERS; i++) {
        const uint16_t member = value->members[i];

        if (member == SESSION_NULL)
            printf(" %c:null", 'a' + i);
        else if (member != 0)
            printf(" %c:%" PRIu16, 'a' + i, member);
    }
    printf(" }");
}

void
session_print_op(const struct session_op *op)
{
    static const char *const kinds[] = {"get",  "has", "set",  "merge",
                                        "incr", "del", "touch"};
    static const char *const conditions[] = {"", " absent", " present",
                                             " version"};
    static const char *const ttls[] = {"", " ttl", " keep_ttl"};
    static const char *const codes[] = {"ok", "exists", "missing", "stale",
                                        "not_integer"};
    const struct session_request *request = &op->request;
    const struct session_answer *answer = &op->answer;

    printf("  key %" PRIu32 " thread %" PRIu16 " from %" PRId64 " to %" PRId64
           " ns: %s",
           op->key, op->thread, op->call_ns, op->return_ns,
           kinds[request->kind]);
    print_value(&request->value);
    printf("%s%s", ttls[request->ttl], conditions[request->only_if]);
    if (request->only_if == SESSION_IF_VERSION)
        printf(" %" PRIu64, request->if_version);
    printf(" -> %s%s", codes[answer->code], answer->found ? "" : " nothing");
    print_value(&answer->value);
    printf(" version %" PRIu64 "%s\n", answer->version,
           answer->expires ? " expires" : "");
}

void
session_print_state(const struct session_state *state)
{
    printf("  state: %s",
           state->value.type == SESSION_NOTHING ? "missing" : "value");
    print_value(&state->value);
    printf(" last version %" PRIu64 "%s\n", state->version,
           state->expires ? " expires" : "");
}
