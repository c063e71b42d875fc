/* SPDX-License-Identifier: MIT
 *
 * registry.h - which connections there are, so that a stop reaches them all.
 *
 * Invariant: a descriptor in the registry is open. Only the thread that owns a
 * connection closes its descriptor, and only after it has left the registry;
 * so a shutdown(2) from here never meets a number that the kernel has given to
 * somebody else meanwhile.
 *
 * Locking: everything is under the mutex, which comes before all other locks.
 */
#ifndef MEMOIZER_NET_REGISTRY_H
#define MEMOIZER_NET_REGISTRY_H

#include "base/lock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection's place in the list, within the connection. */
struct registry_entry {
    int fd;                             /* const while registered */
    struct registry_entry *next, *prev; /* lock */
};

struct registry {
    struct mutex mutex;
    struct cond left;             /* signalled when the last one leaves */
    struct registry_entry *first; /* lock */
    size_t count;                 /* lock */
};

void registry_init(struct registry *registry);

/* Nobody may be registered any more. */
void registry_fini(struct registry *registry);

/* entry->fd is set; entry stays the caller's and is not moved until it is
 * removed. */
void registry_add(struct registry *registry, struct registry_entry *entry);

/* The last thing with which a connection may touch what the server shares. */
void registry_remove(struct registry *registry, struct registry_entry *entry);

/* How many are registered at this moment. */
size_t registry_count(struct registry *registry);

/* shutdown(2) with how on every registered descriptor. */
void registry_shutdown(struct registry *registry, int how);

/* Calls visit for every registered connection, under the lock: it must be
 * short. Where it returns true, both directions of the connection are shut
 * down. */
void registry_visit(struct registry *registry,
                    bool (*visit)(void *ctx, struct registry_entry *entry),
                    void *ctx);

/* Waits until nobody is registered, for at most timeout_ms, or for ever when
 * that is negative. False on time-out. */
bool registry_wait_empty(struct registry *registry, int64_t timeout_ms);

#endif
