/* SPDX-License-Identifier: MIT
 *
 * resp_client.h - what a connection that speaks the Redis protocol carries
 * beside its session.
 *
 * Owned by the connection's thread. Of what CLIENT LIST shows to others the
 * numbers are relaxed atomics, a plain store each, and the names are under a
 * mutex, which the owner takes only to change them.
 */
#ifndef MEMOIZER_SERVICE_RESP_CLIENT_H
#define MEMOIZER_SERVICE_RESP_CLIENT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/lock.h"
#include "service/service.h"
#include "wire/outbox.h"
#include "wire/resp_request.h"

#include <stdbool.h>
#include <stdint.h>

/* What CLIENT REPLY has asked for. */
enum resp_replies {
    RESP_REPLIES_ON,
    RESP_REPLIES_OFF,
    RESP_REPLIES_SKIP, /* that of the next command */
};

/* What other connections may see of this one at any time; the owner writes. */
struct resp_shown {
    _Atomic int64_t last_mono_ms;  /* atomic: when it sent something */
    _Atomic(const char *) command; /* atomic: the last one, static; or NULL */
    _Atomic(const char *) subcommand; /* atomic: the same */
    _Atomic uint8_t db, proto;        /* atomic */
    _Atomic bool no_evict, no_touch;  /* atomic: CLIENT NO-EVICT, NO-TOUCH */
    _Atomic uint32_t channels;        /* atomic: subscriptions */
    _Atomic uint32_t patterns;        /* atomic: the same */
    _Atomic int32_t queued; /* atomic: commands since MULTI; -1: outside */
};

struct resp_client {
    uint8_t proto;           /* 2 or 3 */
    uint64_t id;             /* const: 1 or more, nobody else's ever */
    int64_t started_mono_ms; /* const */
    enum resp_replies replies;
    struct resp_shown shown;
    struct mutex names;                     /* for the next ones */
    struct buf name, lib_name, lib_version; /* lock to write or, by others, to
                                               read; the owner reads freely */
    struct resp_multi *multi;      /* owned, or NULL: see resp_multi.h */
    struct subscriber *subscriber; /* owned; NULL: it listens to nothing */
};

/* A client of RESP2 without a name. MZ_NO_MEMORY leaves *out alone. */
enum mz_err resp_client_new(struct service *service,
                            struct resp_client **out) MZ_CHECK;

/* NULL is fine. */
void resp_client_free(struct resp_client *client);

/* Back to a fresh client of RESP2, as RESET wants it; the id stays. */
void resp_client_reset(struct resp_client *client);

/* Gives one of its names a text, for everybody to see; empty for none.
 * MZ_NO_MEMORY changes nothing. */
enum mz_err resp_client_rename(struct resp_client *client, struct buf *name,
                               struct slice text) MZ_CHECK;

/* The sub-command that runs, a static text, for CLIENT LIST. */
static inline void
resp_client_show_subcommand(struct resp_client *client, const char *name)
{
    atomic_store_explicit(&client->shown.subcommand, name,
                          memory_order_relaxed);
}

/* The client has sent something: any thread may ask for how long it has not. */
static inline void
resp_client_heard(struct resp_client *client, int64_t now_mono_ms)
{
    atomic_store_explicit(&client->shown.last_mono_ms, now_mono_ms,
                          memory_order_relaxed);
}

/* Runs a command and gives its reply to out. */
void resp_run(struct session *session, struct resp_client *client,
              const struct resp_command *command, struct outbox *out);

/* Answers a request that could not be decoded, or that the connection refuses:
 * the text of fault without "-ERR ". */
void resp_refuse_request(struct session *session, struct resp_client *client,
                         const struct fault *fault, struct outbox *out);

#endif
