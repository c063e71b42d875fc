/* SPDX-License-Identifier: MIT
 *
 * server.c - wires listener, registry and connections together, and stops them
 * in order.
 */
#include "net/server.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/must.h"
#include "net/conn.h"
#include "net/listener.h"
#include "net/sock.h"

#include <inttypes.h>
#include <stdio.h>

/* Descriptors kept back from clients: files, logs, and the connection that is
 * accepted only to be told that there are too many. */
#define DESCRIPTORS_KEPT 32

#define REFUSAL_LOG_MS   1000

struct server {
    struct server_options options; /* const; what it points to is lent */
    struct service *service;       /* const, lent */
    const struct log *log;         /* const, lent */
    struct listener *listener;     /* const, owned */
    struct hangup *hangup;         /* const, owned */
    struct conn_shared shared;
    struct counters counters; /* owner: the accept thread */
    int64_t logged_mono_ms;   /* owner: the accept thread */
};

/* Tells that clients are turned away, but not once for each of them. */
static void
refuse_client(struct server *server, int fd, const char *why)
{
    int64_t now_ms = clock_mono_ms(clock_system());

    counter_add(&server->counters, COUNTER_REJECTED_CLIENTS, 1);
    if (now_ms - server->logged_mono_ms >= REFUSAL_LOG_MS) {
        server->logged_mono_ms = now_ms;
        log_write(server->log, LOG_WARNING, "turning clients away: %s", why);
    }
    conn_refuse(fd);
}

static void
client_accepted(void *ctx, int fd, const struct sockaddr_storage *peer)
{
    struct server *server = ctx;

    if (registry_count(&server->shared.registry) >=
        server->service->max_clients)
        refuse_client(server, fd, "maxclients is reached");
    else if (conn_start(&server->shared, fd, peer) != MZ_OK)
        refuse_client(server, fd, "no memory or thread for one more");
}

/* How many clients the limit of descriptors leaves room for. */
static size_t
clients_within_limit(const struct server *server)
{
    size_t limit = sock_raise_descriptor_limit();
    size_t kept = DESCRIPTORS_KEPT + listener_count(server->listener);
    size_t wanted = server->options.max_clients;
    size_t possible = limit > kept ? limit - kept : 1;

    if (wanted <= possible)
        return wanted;
    log_write(server->log, LOG_WARNING,
              "maxclients is lowered from %zu to %zu: the system allows %zu "
              "open files",
              wanted, possible, limit);
    return possible;
}

/* What commands tell of how the server was started. */
static void
tell_setup(struct server *server)
{
    struct service_setup *setup = &server->service->setup;
    size_t len = 0;

    server->service->peers = conn_peers(&server->shared);
    setup->bind = server->options.bind;
    setup->bind_count = server->options.bind_count;
    setup->port = listener_port(server->listener);
    setup->idle_timeout_ms = server->options.idle_timeout_ms;
    setup->tcp_keepalive_ms = server->options.tcp_keepalive_ms;
    while (len + 1 < sizeof setup->run_id) {
        int n = snprintf(setup->run_id + len, sizeof setup->run_id - len,
                         "%08" PRIx32, (uint32_t)hash_random_seed());

        len += (size_t)n;
    }
}

static enum mz_err
start_accepting(struct server *server)
{
    const struct listener_handler handler = {client_accepted, server};
    enum mz_err err;

    server->service->max_clients = clients_within_limit(server);
    conn_shared_init(&server->shared, &server->options, server->service,
                     server->hangup, server->log);
    tell_setup(server);
    stats_attach(server->service->stats, &server->counters);
    err = listener_start(server->listener, &handler);
    if (err != MZ_OK) {
        stats_detach(server->service->stats, &server->counters);
        conn_shared_fini(&server->shared);
    }
    return err;
}

static void
server_free(struct server *server)
{
    hangup_stop(server->hangup);
    listener_free(server->listener);
    mem_free(server);
}

enum mz_err
server_start(const struct server_options *options, struct service *service,
             const struct log *log, struct server **out, struct buf *why)
{
    const struct listener_options where = {options->bind, options->bind_count,
                                           options->port};
    struct server *server = mem_alloc_zeroed(1, sizeof *server);
    enum mz_err err = MZ_NO_MEMORY;

    if (server != NULL) {
        server->options = *options;
        server->service = service;
        server->log = log;
        server->logged_mono_ms = INT64_MIN / 2;
        err = listener_open(&where, log, &server->listener, why);
        if (err == MZ_OK)
            err = hangup_start(&server->hangup);
        if (err == MZ_OK)
            err = start_accepting(server);
    }
    if (err != MZ_OK) {
        if (why->len == 0)
            buf_put_string(why, "no memory or thread to accept clients");
        if (server != NULL)
            server_free(server);
        return err;
    }
    *out = server;
    return MZ_OK;
}

const char *
server_address(const struct server *server, size_t i)
{
    return listener_address(server->listener, i);
}

uint16_t
server_port(const struct server *server)
{
    return listener_port(server->listener);
}

void
server_stop(struct server *server, int64_t grace_ms)
{
    struct registry *registry = &server->shared.registry;

    atomic_store(&server->shared.stopping, true);
    listener_stop(server->listener);
    log_write(server->log, LOG_NOTICE, "stopping with %zu clients",
              registry_count(registry));
    /* Those that wait for a lease get none. Those that wait for a request wake
     * up and leave; the others finish what they have read first. */
    leases_stop(server->service->leases);
    registry_shutdown(registry, SHUT_RD);
    if (!registry_wait_empty(registry, grace_ms)) {
        log_write(server->log, LOG_WARNING, "cutting off %zu clients",
                  registry_count(registry));
        atomic_store(&server->shared.cut, true);
        registry_shutdown(registry, SHUT_RDWR);
        store_stop_walks(server->service->store);
        (void)registry_wait_empty(registry, -1);
    }
    stats_detach(server->service->stats, &server->counters);
    conn_shared_fini(&server->shared);
    server_free(server);
}
