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
    struct stats *stats;       /* const */
    const struct clock *clock; /* const */
    int64_t started_mono_ms;   /* const */
    uint64_t merge_seed;       /* const: a number that clients cannot guess */
    size_t max_value;          /* const, bytes */
    size_t max_request;        /* const, bytes */
    size_t max_clients; /* const once the server has started, which sets it */
    _Atomic uint64_t clients; /* atomic: connections being served */
};

/* What one connection carries from request to request. */
struct session {
    struct service *service;   /* const */
    struct counters *counters; /* const: this thread's own */
    uint8_t db;                /* selected database */
    bool quit;                 /* set by `quit`: close after the answer */
};

/* Runs command and gives exactly one answer to reply. */
void service_run(struct session *session, const struct command *command,
                 struct reply *reply);

/* Answers a request that could not be decoded. */
void service_refuse(struct session *session, const struct fault *fault,
                    struct reply *reply);

#endif
