/* SPDX-License-Identifier: MIT
 *
 * registry.c - a doubly linked list under one mutex.
 */
#include "net/registry.h"

#include "base/clock.h"
#include "base/must.h"

#include <sys/socket.h>

void
registry_init(struct registry *registry)
{
    mutex_init(&registry->mutex);
    cond_init(&registry->left);
    registry->first = NULL;
    registry->count = 0;
}

void
registry_fini(struct registry *registry)
{
    must(registry->first == NULL && registry->count == 0);
    cond_fini(&registry->left);
    mutex_fini(&registry->mutex);
}

void
registry_add(struct registry *registry, struct registry_entry *entry)
{
    mutex_lock(&registry->mutex);
    entry->prev = NULL;
    entry->next = registry->first;
    if (entry->next != NULL)
        entry->next->prev = entry;
    registry->first = entry;
    registry->count++;
    mutex_unlock(&registry->mutex);
}

void
registry_remove(struct registry *registry, struct registry_entry *entry)
{
    mutex_lock(&registry->mutex);
    if (entry->prev != NULL)
        entry->prev->next = entry->next;
    else
        registry->first = entry->next;
    if (entry->next != NULL)
        entry->next->prev = entry->prev;
    must(registry->count > 0);
    if (--registry->count == 0)
        cond_broadcast(&registry->left);
    mutex_unlock(&registry->mutex);
}

size_t
registry_count(struct registry *registry)
{
    size_t count;

    mutex_lock(&registry->mutex);
    count = registry->count;
    mutex_unlock(&registry->mutex);
    return count;
}

void
registry_shutdown(struct registry *registry, int how)
{
    mutex_lock(&registry->mutex);
    for (struct registry_entry *e = registry->first; e != NULL; e = e->next)
        (void)shutdown(e->fd, how); /* the peer may have gone already */
    mutex_unlock(&registry->mutex);
}

void
registry_visit(struct registry *registry,
               bool (*visit)(void *ctx, struct registry_entry *entry),
               void *ctx)
{
    mutex_lock(&registry->mutex);
    for (struct registry_entry *e = registry->first; e != NULL; e = e->next) {
        if (visit(ctx, e))
            (void)shutdown(e->fd, SHUT_RDWR); /* the peer may have gone */
    }
    mutex_unlock(&registry->mutex);
}

bool
registry_wait_empty(struct registry *registry, int64_t timeout_ms)
{
    int64_t deadline_ms = clock_mono_ms(clock_system()) + timeout_ms;
    bool empty;

    mutex_lock(&registry->mutex);
    while (registry->count > 0) {
        int64_t left_ms = deadline_ms - clock_mono_ms(clock_system());

        if (timeout_ms < 0)
            cond_wait(&registry->left, &registry->mutex);
        else if (left_ms <= 0)
            break;
        else
            (void)cond_wait_ms(&registry->left, &registry->mutex, left_ms);
    }
    empty = registry->count == 0;
    mutex_unlock(&registry->mutex);
    return empty;
}
