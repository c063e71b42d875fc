/* SPDX-License-Identifier: MIT
 *
 * session_liar.c - see session_liar.h.
 */
#include "session_liar.h"

#include "base/mem.h"
#include "base/must.h"

static bool
strikes(struct liar *liar, unsigned one_in)
{
    return rng_below(&liar->rng, one_in) == 0;
}

static bool
is_plain(const struct session_request *request, enum session_kind kind)
{
    return request->kind == kind && request->only_if == SESSION_ALWAYS;
}

static struct session_answer
ask_condition(struct liar *liar, uint32_t key,
              const struct session_request *request)
{
    struct session_request sent = *request;

    if (request->kind == SESSION_SET && strikes(liar, 8))
        sent.only_if = SESSION_ALWAYS;
    return session_ask(&liar->server, key, &sent);
}

/* The patch is applied here, to what a get found. */
static struct session_answer
ask_client_merge(struct liar *liar, uint32_t key,
                 const struct session_request *request)
{
    static const struct session_request get = {.kind = SESSION_GET};
    struct session_request set = {.kind = SESSION_SET, .ttl = request->ttl};
    struct session_state state = {.version = 0};

    if (!is_plain(request, SESSION_MERGE))
        return session_ask(&liar->server, key, request);
    state.value = session_ask(&liar->server, key, &get).value;
    (void)session_do(&state, request, 0);
    set.value = state.value;
    if (set.ttl == SESSION_NO_TTL)
        set.ttl = SESSION_KEEP_TTL;
    return session_ask(&liar->server, key, &set);
}

static struct session_answer
ask_old_read(struct liar *liar, uint32_t key,
             const struct session_request *request)
{
    struct liar_cached *cached = &liar->cache[key];
    struct session_answer answer;

    liar->operations++;
    if (request->kind != SESSION_GET || request->ttl != SESSION_NO_TTL)
        return session_ask(&liar->server, key, request);
    if (cached->at != 0 && liar->operations - cached->at >= LIAR_CACHE_AGE &&
        strikes(liar, 8))
        return cached->answer;
    answer = session_ask(&liar->server, key, request);
    *cached = (struct liar_cached){answer, liar->operations};
    return answer;
}

static struct session_answer
ask_incr_twice(struct liar *liar, uint32_t key,
               const struct session_request *request)
{
    if (request->kind == SESSION_INCR && strikes(liar, 16))
        (void)session_ask(&liar->server, key, request);
    return session_ask(&liar->server, key, request);
}

static struct session_answer
ask_undone_del(struct liar *liar, uint32_t key,
               const struct session_request *request)
{
    static const struct session_request get = {.kind = SESSION_GET};
    struct session_request set = {.kind = SESSION_SET};
    struct session_answer before, answer;

    if (request->kind != SESSION_DEL || !strikes(liar, 8))
        return session_ask(&liar->server, key, request);
    before = session_ask(&liar->server, key, &get);
    answer = session_ask(&liar->server, key, request);
    if (before.found && answer.found) {
        set.value = before.value;
        set.ttl = before.expires ? SESSION_TTL : SESSION_NO_TTL;
        (void)session_ask(&liar->server, key, &set);
    }
    return answer;
}

/* Versions are of the server, not of a database: the answer looks well. */
static struct session_answer
ask_lost_set(struct liar *liar, uint32_t key,
             const struct session_request *request)
{
    const bool lost = is_plain(request, SESSION_SET) && strikes(liar, 16);

    return session_ask(lost ? &liar->elsewhere : &liar->server, key, request);
}

static struct session_answer
ask_kept_ttl(struct liar *liar, uint32_t key,
             const struct session_request *request)
{
    struct session_request sent = *request;

    if (request->kind == SESSION_SET && request->ttl == SESSION_NO_TTL &&
        strikes(liar, 8))
        sent.ttl = SESSION_KEEP_TTL;
    return session_ask(&liar->server, key, &sent);
}

static struct session_answer
ask_missed(struct liar *liar, uint32_t key,
           const struct session_request *request)
{
    struct session_answer answer = session_ask(&liar->server, key, request);

    if (request->kind == SESSION_HAS && strikes(liar, 8))
        answer.found = false;
    return answer;
}

static struct session_answer
ask_honestly(struct liar *liar, uint32_t key,
             const struct session_request *request)
{
    return session_ask(&liar->server, key, request);
}

static const struct lie {
    const char *text;
    struct session_answer (*ask)(struct liar *liar, uint32_t key,
                                 const struct session_request *request);
} lies[LIES] = {
    [LIE_NONE] = {"the server as it is", ask_honestly},
    [LIE_CONDITION] = {"sets against their condition", ask_condition},
    [LIE_CLIENT_MERGE] = {"merges by get and set", ask_client_merge},
    [LIE_OLD_READ] = {"gets from an old cache", ask_old_read},
    [LIE_INCR_TWICE] = {"incrs sent twice", ask_incr_twice},
    [LIE_UNDONE_DEL] = {"dels that are undone", ask_undone_del},
    [LIE_LOST_SET] = {"sets that are lost", ask_lost_set},
    [LIE_KEPT_TTL] = {"sets that keep an old ttl", ask_kept_ttl},
    [LIE_MISSED] = {"has that misses keys", ask_missed},
};

void
liar_init(struct liar *liar, enum session_lie lie, uint16_t port, uint32_t keys,
          uint64_t seed)
{
    must(lie < LIES);
    *liar = (struct liar){.lie = lie, .rng = {seed}};
    liar->cache = mem_alloc_zeroed(keys, sizeof(*liar->cache));
    must(liar->cache != NULL);
    session_connect(&liar->server, port);
    session_connect(&liar->elsewhere, port);
    client_ask(&liar->elsewhere.client, "{\"s\":\"select\",\"p\":{\"db\":1}}",
               "ok");
}

void
liar_fini(struct liar *liar)
{
    session_close(&liar->server);
    session_close(&liar->elsewhere);
    mem_free(liar->cache);
}

struct session_answer
liar_ask(struct liar *liar, uint32_t key, const struct session_request *request)
{
    return lies[liar->lie].ask(liar, key, request);
}

const char *
lie_text(enum session_lie lie)
{
    must(lie < LIES);
    return lies[lie].text;
}
