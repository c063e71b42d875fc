/* SPDX-License-Identifier: MIT
 *
 * conn.h - one client: a detached thread that reads requests, has them run and
 * sends the answers.
 *
 *     receive -> decode -> run ... decode -> run -> send -> receive ...
 *
 * Invariants: while more answers wait to be sent than conn_send.c allows
 * nothing more is read, so a client that does not read its answers costs a
 * bounded amount of memory, and all of them together do. Buffers grow with the
 * bytes that came, never with a number that a client announced, and an idle
 * connection has none. docs/NET.md tells the life of a connection.
 *
 * Locking: a connection belongs to its thread, its registry entry apart.
 */
#ifndef MEMOIZER_NET_CONN_H
#define MEMOIZER_NET_CONN_H

#include "base/err.h"
#include "base/log.h"
#include "net/hangup.h"
#include "net/registry.h"
#include "net/server.h"
#include "service/service.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

/* What all connections of a server share. */
struct conn_shared {
    const struct server_options *options; /* const */
    struct service *service;              /* const */
    const struct log *log;                /* const */
    struct hangup *hangup;                /* const, lent */
    pthread_attr_t thread;                /* const: detached, stack size */
    struct registry registry;             /* lock: its own */
    _Atomic size_t unread_left; /* atomic: bytes of answers that may wait beyond
                                   what every connection may keep */
    _Atomic bool stopping;      /* atomic: read no more requests */
    _Atomic bool cut;           /* atomic: run no more either */
};

void conn_shared_init(struct conn_shared *shared,
                      const struct server_options *options,
                      struct service *service, struct hangup *hangup,
                      const struct log *log);

/* How commands see the connections; ctx is shared. */
struct service_clients conn_peers(struct conn_shared *shared);

/* No connection may be left. */
void conn_shared_fini(struct conn_shared *shared);

/* Starts a thread that serves fd, registers it and counts it in
 * service->clients. On success fd belongs to the thread; MZ_NO_MEMORY, for
 * want of memory or of a thread, leaves it to the caller. Never blocks. */
enum mz_err conn_start(struct conn_shared *shared, int fd,
                       const struct sockaddr_storage *peer) MZ_CHECK;

/* Turns fd away with one error line, in the protocol that its first byte tells
 * or, if none has come, in the one that every client library reports. Closes
 * fd. Never blocks. */
void conn_refuse(int fd);

#endif
