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

struct events;
struct resp_client;
struct script_cache;
struct topics;

/* A connection that speaks the Redis protocol, as others see it: lent for one
 * call. */
struct service_client_view {
    struct resp_client *client; /* what of it others may read */
    int fd;
    const char *address, *local_address; /* "127.0.0.1:9091" */
};

/* The connections, for commands that look at others. visit() is called for each
 * under a lock of theirs, so it must be short and must not call the store, a
 * lease or this again; where it returns true the connection is ended. NULL:
 * there are none. */
struct service_clients {
    void (*for_each)(void *ctx,
                     bool (*visit)(void *visit_ctx,
                                   const struct service_client_view *view),
                     void *visit_ctx);
    void *ctx;
};

/* How the server was started, for INFO and CONFIG GET. The server fills it, and
 * it is const from then on. */
struct service_setup {
    const char *const *bind; /* lent; bind_count of them */
    size_t bind_count;
    uint16_t port;
    int64_t idle_timeout_ms;  /* 0: never */
    int64_t tcp_keepalive_ms; /* 0: off */
    char run_id[41];          /* 40 hex digits, of this run only */
};

/* What INFO has counted up to the last CONFIG RESETSTAT: it tells what came
 * since. All atomic; zero at first. */
struct service_past {
    _Atomic uint64_t counts[COUNTER_COUNT];
    _Atomic uint64_t verbs[STATS_VERBS_MAX];
    _Atomic uint64_t expired_keys;
};

/* What all connections share. The owner keeps it alive and unchanged while
 * any session uses it, what is atomic apart. */
struct service {
    struct store *store;          /* const */
    struct leases *leases;        /* const */
    struct script_cache *scripts; /* const; or NULL */
    struct topics *topics;        /* const: who listens to which channel */
    struct events *events;     /* const: tells of changes; NULL: nobody does */
    struct stats *stats;       /* const */
    const struct clock *clock; /* const */
    int64_t started_mono_ms;   /* const */
    uint64_t merge_seed;       /* const: a number that clients cannot guess */
    size_t max_value;          /* const, bytes */
    size_t max_request;        /* const, bytes */
    size_t max_clients; /* const once the server has started, which sets it */
    _Atomic uint64_t clients;      /* atomic: connections being served */
    _Atomic uint64_t client_ids;   /* atomic: given to RESP clients so far */
    _Atomic int64_t wall_ahead_us; /* atomic: of the monotonic clock; for
                                      service/resp_time.c alone */
    struct service_clients peers;  /* const once the server has started */
    struct service_setup setup;    /* the same */
    struct service_past past;      /* atomic */
    _Atomic uint64_t memory_peak;  /* atomic: bytes, as INFO has seen them */
    _Atomic int64_t rate_mono_ms;  /* atomic: when INFO last told of commands */
    _Atomic uint64_t rate_commands; /* atomic: and how many it were by then */
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
    /* The client begins to listen to channels: from now on wake_up() may be
     * called. On MZ_NO_MEMORY it cannot. */
    enum mz_err (*listen)(void *ctx);
    /* By any thread: messages have come for it, or with cut, it has left so
     * many unread that the connection is to end. Does not wait. */
    void (*wake_up)(void *ctx, bool cut);
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
