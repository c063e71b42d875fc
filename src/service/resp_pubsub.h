/* SPDX-License-Identifier: MIT
 *
 * resp_pubsub.h - a client that listens to channels.
 *
 * Its connection waits for its socket and for messages at once: it is woken by
 * session_host's wake_up(), takes a batch of them with resp_client_deliver(),
 * and sends it. Owned by the connection's thread.
 */
#ifndef MEMOIZER_SERVICE_RESP_PUBSUB_H
#define MEMOIZER_SERVICE_RESP_PUBSUB_H

#include "service/resp_client.h"

#include <stdbool.h>

/* Whether messages may come without a request. */
static inline bool
resp_client_listens(const struct resp_client *client)
{
    return client->subscriber != NULL;
}

/* Whether it is served only what a client of RESP2 may ask while it listens. */
bool resp_client_is_confined(const struct resp_client *client);

/* Moves a batch of messages to out; true when more wait. */
bool resp_client_deliver(struct resp_client *client, struct outbox *out);

/* Whether it has left so many messages unread that it gets no more. */
bool resp_client_is_cut(struct resp_client *client);

/* Leaves everything, and drops what waits. Afterwards wake_up() is not called,
 * and not running. */
void resp_client_stop_listening(struct resp_client *client);

#endif
