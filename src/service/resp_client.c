/* SPDX-License-Identifier: MIT
 *
 * resp_client.c - see resp_client.h.
 */
#include "service/resp_client.h"

#include "base/mem.h"
#include "service/resp_multi.h"
#include "service/resp_pubsub.h"

enum mz_err
resp_client_new(struct service *service, struct resp_client **out)
{
    struct resp_client *client = mem_alloc_zeroed(1, sizeof *client);

    if (client == NULL)
        return MZ_NO_MEMORY;
    client->proto = 2;
    client->id = atomic_fetch_add(&service->client_ids, 1) + 1;
    client->started_mono_ms = clock_mono_ms(service->clock);
    mutex_init(&client->names);
    resp_client_heard(client, client->started_mono_ms);
    atomic_store(&client->shown.proto, 2);
    atomic_store(&client->shown.queued, -1);
    *out = client;
    return MZ_OK;
}

void
resp_client_free(struct resp_client *client)
{
    if (client == NULL)
        return;
    resp_client_reset(client);
    mutex_fini(&client->names);
    mem_free(client);
}

void
resp_client_reset(struct resp_client *client)
{
    resp_multi_forget(client);
    resp_client_stop_listening(client);
    mutex_lock(&client->names);
    buf_fini(&client->name);
    buf_fini(&client->lib_name);
    buf_fini(&client->lib_version);
    mutex_unlock(&client->names);
    client->proto = 2;
    client->replies = RESP_REPLIES_ON;
    atomic_store(&client->shown.no_evict, false);
    atomic_store(&client->shown.no_touch, false);
}

enum mz_err
resp_client_rename(struct resp_client *client, struct buf *name,
                   struct slice text)
{
    struct buf fresh = {0}, old;

    buf_put_slice(&fresh, text);
    if (fresh.failed)
        return MZ_NO_MEMORY;
    mutex_lock(&client->names);
    old = *name;
    *name = fresh;
    mutex_unlock(&client->names);
    buf_fini(&old);
    return MZ_OK;
}
