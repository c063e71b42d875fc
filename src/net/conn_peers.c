/* SPDX-License-Identifier: MIT
 *
 * conn_peers.c - what commands see of other connections, through struct
 * service_clients.
 *
 * Everything here runs in the thread of the one that looks, under the
 * registry's lock: whoever is looked at cannot leave meanwhile, and what is
 * read of it is const, atomic, or under a lock of its own.
 */
#include "net/conn_internal.h"

struct look {
    bool (*visit)(void *ctx, const struct service_client_view *view);
    void *ctx;
};

static void
format_local(char out[SOCK_ADDRESS_SIZE], int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;

    if (getsockname(fd, (struct sockaddr *)&address, &len) == 0)
        sock_format_address(out, &address);
    else
        out[0] = '\0';
}

/* True: end it. */
static bool
look_at(void *ctx, struct registry_entry *entry)
{
    const struct look *look = ctx;
    const struct conn *c = (const struct conn *)entry; /* its first member */
    char peer[SOCK_ADDRESS_SIZE], local[SOCK_ADDRESS_SIZE];
    const struct service_client_view view = {
        .client = atomic_load_explicit(&c->seen_client, memory_order_acquire),
        .fd = entry->fd,
        .address = peer,
        .local_address = local,
    };

    if (view.client == NULL)
        return false;
    sock_format_address(peer, &c->peer);
    format_local(local, entry->fd);
    return look->visit(look->ctx, &view);
}

static void
for_each(void *ctx,
         bool (*visit)(void *visit_ctx, const struct service_client_view *view),
         void *visit_ctx)
{
    struct conn_shared *shared = ctx;
    struct look look = {visit, visit_ctx};

    registry_visit(&shared->registry, look_at, &look);
}

struct service_clients
conn_peers(struct conn_shared *shared)
{
    return (struct service_clients){for_each, shared};
}
