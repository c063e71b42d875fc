/* SPDX-License-Identifier: MIT
 *
 * server.h - the network side as one object: sockets that listen, the accept
 * thread, the connection threads, and the ordered stop.
 */
#ifndef MEMOIZER_NET_SERVER_H
#define MEMOIZER_NET_SERVER_H

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "service/service.h"

#include <stddef.h>
#include <stdint.h>

struct server_options {
    const char *const *bind;    /* addresses or host names */
    size_t bind_count;          /* 1 or more */
    uint16_t port;              /* 0: the kernel picks, one for all */
    size_t max_clients;         /* lowered to what descriptors allow */
    int64_t idle_timeout_ms;    /* 0: never */
    int64_t request_timeout_ms; /* > 0 */
    int64_t write_timeout_ms;   /* > 0 */
    int64_t tcp_keepalive_ms;   /* 0: off */
};

struct server;

/* Binds, listens and starts to accept. service is lent until server_stop;
 * service->max_clients is set to the limit in force. options and log are lent
 * as well. On failure *why holds one sentence that names the option and the
 * address, and nothing runs. */
enum mz_err server_start(const struct server_options *options,
                         struct service *service, const struct log *log,
                         struct server **out, struct buf *why) MZ_CHECK;

/* Address i of those listened on, as "127.0.0.1:9091" or "[::1]:9091"; NULL
 * behind the last. Valid until server_stop. */
const char *server_address(const struct server *server, size_t i);

/* The port in force. */
uint16_t server_port(const struct server *server);

/* Stops in order: no new clients, requests in hand are finished and their
 * answers sent, then every connection ends; those that do not within
 * grace_ms are cut. Returns when every thread is gone, and frees. */
void server_stop(struct server *server, int64_t grace_ms);

#endif
