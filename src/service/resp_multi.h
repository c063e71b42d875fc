/* SPDX-License-Identifier: MIT
 *
 * resp_multi.h - the transaction of a client: what it queues between MULTI and
 * EXEC, and which keys it watches.
 *
 * EXEC runs the queue as one step against everybody else: it holds the stripes
 * of all keys (see store/store_hold.h), looks whether a watched key has
 * another version than it had, and runs the handlers under the hold. Their
 * replies are collected, as nothing is sent while a hold lasts.
 *
 * A command that looks at whole databases (RESP_WHOLE) cannot run under a
 * hold: a transaction with such a command in it is one step up to it, and one
 * step after it.
 *
 * Owned by the connection's thread.
 */
#ifndef MEMOIZER_SERVICE_RESP_MULTI_H
#define MEMOIZER_SERVICE_RESP_MULTI_H

#include "service/resp_call.h"

#include <stdbool.h>

/* client->multi, which is NULL when a client neither queues nor watches. */
struct resp_multi;

/* NULL is fine. */
void resp_multi_free(struct resp_multi *multi);

/* Whether the client has said MULTI. */
bool resp_multi_is_open(const struct resp_client *client);

/* A command was refused that should have been queued: EXEC will refuse all. Of
 * no effect outside MULTI. */
void resp_multi_spoil(struct resp_client *client);

/* Ends the transaction without running it, and watches nothing more. */
void resp_multi_forget(struct resp_client *client);

/* Puts the command into the queue, and replies. */
void resp_multi_queue(struct resp_call *call);

#endif
