/* SPDX-License-Identifier: MIT
 *
 * session_wire.h - a request of session_model.h over the native protocol.
 *
 * Every request has an id, so that the answers come with versions. An answer
 * that the protocol does not have, or whose id is another's, fails the test.
 */
#ifndef MEMOIZER_TEST_SESSION_WIRE_H
#define MEMOIZER_TEST_SESSION_WIRE_H

#include "client.h"
#include "session_model.h"

/* The ttl of requests that give one: longer than any test. */
#define SESSION_WIRE_TTL "86400"

/* A connection. Owned by one thread. */
struct session_conn {
    struct client client;
    uint64_t id; /* of the last request */
};

void session_connect(struct session_conn *conn, uint16_t port);
void session_close(struct session_conn *conn);

/* Sends the request for this key and waits for the answer. */
struct session_answer session_ask(struct session_conn *conn, uint32_t key,
                                  const struct session_request *request);

#endif
