/* SPDX-License-Identifier: MIT
 *
 * listener.h - the sockets that listen, and the thread that accepts.
 *
 * One thread polls all listening sockets and an event descriptor. It never
 * dies and never spins: when descriptors or memory run out it pauses, since a
 * connection that cannot be accepted keeps its socket readable.
 *
 * Locking: none. After listener_start the thread reads what listener_open
 * wrote; listener_stop joins it before anything is changed.
 */
#ifndef MEMOIZER_NET_LISTENER_H
#define MEMOIZER_NET_LISTENER_H

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct listener_options {
    const char *const *bind; /* addresses or host names, lent for the call */
    size_t bind_count;       /* 1 or more */
    uint16_t port;           /* 0: the kernel picks, one for all */
};

/* Takes over fd, a connection from peer. Runs on the accept thread: must not
 * block. */
struct listener_handler {
    void (*accepted)(void *ctx, int fd, const struct sockaddr_storage *peer);
    void *ctx;
};

struct listener;

/* Resolves, binds and listens; connections queue up from now on. log is lent.
 * On failure *why holds one sentence with option, address and reason. */
enum mz_err listener_open(const struct listener_options *options,
                          const struct log *log, struct listener **out,
                          struct buf *why) MZ_CHECK;

/* How many sockets listen: 1 or more. */
size_t listener_count(const struct listener *listener);

/* Address i as "127.0.0.1:9091"; NULL behind the last. */
const char *listener_address(const struct listener *listener, size_t i);

uint16_t listener_port(const struct listener *listener);

/* Starts the accept thread. handler is copied; its ctx is lent until
 * listener_stop. MZ_NO_MEMORY: no thread to be had. */
enum mz_err listener_start(struct listener *listener,
                           const struct listener_handler *handler) MZ_CHECK;

/* Ends the accept thread, if it runs, and closes the sockets: connections that
 * were not accepted yet are reset. Returns when handler is not in use any
 * more. */
void listener_stop(struct listener *listener);

/* Stops and frees. NULL is fine. */
void listener_free(struct listener *listener);

#endif
