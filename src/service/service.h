/* SPDX-License-Identifier: MIT
 *
 * service.h - runs commands: one small function a verb.
 *
 * Knows the store and the meaning of commands; knows neither sockets nor how
 * bytes look on the wire.
 */
#ifndef MEMOIZER_SERVICE_SERVICE_H
#define MEMOIZER_SERVICE_SERVICE_H

#include "base/clock.h"
#include "session/leases.h"
#include "stats/stats.h"
#include "store/store.h"
#include "wire/command.h"
#include "wire/reply.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all connections share. The owner keeps it alive and unchanged while
 * any session uses it, `clients` apart. */
struct service {
    struct store *store;       /* const */
    struct leases *leases;     /* const */
    struct stats *stats;       /* const */
    const struct clock *clock; /* const */
    int64_t started_mono_ms;   /* const */
    uint64_t merge_seed;       /* const: a number that clients cannot guess */
    size_t max_value;          /* const, bytes */
    size_t max_request;        /* const, bytes */
    size_t max_clients; /* const once the server has started, which sets it */
    _Atomic uint64_t clients;    /* atomic: connections being served */
    _Atomic uint64_t client_ids; /* atomic: given to RESP clients so far */
};

/* What a connection does for a command that is more than one quick answer.
 * Called by the thread that runs the command. */
struct session_host {
    /* Sends the answers that wait, if they are many; all of them when `all`.
     * False: the connection is over, and the command may give up. */
    bool (*send)(void *ctx, bool all);
    /* The command is about to wait for a lease: sends what waits, and calls
     * lease_abandon() when the client goes meanwhile; until wake(). */
    void (*sleep)(void *ctx);
    void (*wake)(void *ctx);
    void *ctx;
};

/* What one connection carries from request to request. Whoever ends it calls
 * lease_holder_end(). */
struct session {
    struct service *service;         /* const */
    struct counters *counters;       /* const: this thread's own */
    const struct session_host *host; /* const; NULL: nobody sends meanwhile */
    struct lease_holder holder;
    uint8_t db; /* selected database */
    bool quit;  /* set by `quit`: close after the answer */
};

/* Runs command and gives exactly one answer to reply. */
void service_run(struct session *session, const struct command *command,
                 struct reply *reply);

/* Answers a request that could not be decoded. */
void service_refuse(struct session *session, const struct fault *fault,
                    struct reply *reply);

#endif
