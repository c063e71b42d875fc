/* SPDX-License-Identifier: MIT
 *
 * resp_client.c - see resp_client.h.
 */
#include "service/resp_client.h"

#include "base/mem.h"

enum mz_err
resp_client_new(struct service *service, struct resp_client **out)
{
    struct resp_client *client = mem_alloc_zeroed(1, sizeof *client);

    if (client == NULL)
        return MZ_NO_MEMORY;
    client->proto = 2;
    client->id = atomic_fetch_add(&service->client_ids, 1) + 1;
    *out = client;
    return MZ_OK;
}

void
resp_client_free(struct resp_client *client)
{
    if (client == NULL)
        return;
    resp_client_reset(client);
    mem_free(client);
}

void
resp_client_reset(struct resp_client *client)
{
    buf_fini(&client->name);
    buf_fini(&client->lib_name);
    buf_fini(&client->lib_version);
    client->proto = 2;
    client->replies = RESP_REPLIES_ON;
}
