/* SPDX-License-Identifier: MIT
 *
 * session_liar.h - a connection that does requests as a faulty server would.
 *
 * It stands between whoever logs requests and a sound server, and sends other
 * requests than it was given, or more, or none, or gives another answer. What
 * gets into the log is what an innocent client of a server with that bug would
 * have seen.
 */
#ifndef MEMOIZER_TEST_SESSION_LIAR_H
#define MEMOIZER_TEST_SESSION_LIAR_H

#include "session_model.h"
#include "session_wire.h"

/* The bugs. How often one strikes is chosen so that it is rare, but not too
 * rare for a short run. */
enum session_lie {
    LIE_NONE,
    LIE_CONDITION,    /* a conditional set is done whatever its condition */
    LIE_CLIENT_MERGE, /* a merge is a get, a computation and a set */
    LIE_OLD_READ,     /* a get is served from a cache of the connection, 5 or
                       * more operations old */
    LIE_INCR_TWICE,   /* an incr whose answer got lost is sent again */
    LIE_UNDONE_DEL,   /* a del is reported as done, and its value put back */
    LIE_LOST_SET,     /* a set is reported as done and not done */
    LIE_KEPT_TTL,     /* a set without a ttl lets the old one stand */
    LIE_MISSED,       /* has says that there is no such key */
    LIES
};

#define LIAR_CACHE_AGE 5 /* operations of the connection */

/* What the cache has of a key. */
struct liar_cached {
    struct session_answer answer;
    uint64_t at; /* the operation that got it, 0: nothing */
};

/* Owned by one thread. */
struct liar {
    enum session_lie lie;
    struct session_conn server;
    struct session_conn elsewhere; /* where lost sets go: another database */
    struct rng rng;
    struct liar_cached *cache; /* by key */
    uint64_t operations;
};

/* Connects; keys: how many there are, numbered from 0. */
void liar_init(struct liar *liar, enum session_lie lie, uint16_t port,
               uint32_t keys, uint64_t seed);
void liar_fini(struct liar *liar);

/* The answer to the request. */
struct session_answer liar_ask(struct liar *liar, uint32_t key,
                               const struct session_request *request);

/* What the bug is. Static. */
const char *lie_text(enum session_lie lie);

#endif
