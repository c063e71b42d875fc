/* SPDX-License-Identifier: MIT
 *
 * resp_peer.h - a client of the Redis protocol over a socket.
 *
 *     peer_ask(&p, "*2 +OK $1 x", "EXEC");
 *
 * A reply is told as its lines, joined by blanks; so bulks without LF in them.
 * Whatever goes wrong ends the test. Owned by one thread.
 */
#ifndef MEMOIZER_TEST_RESP_PEER_H
#define MEMOIZER_TEST_RESP_PEER_H

#include "client.h"

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct peer {
    struct client client;
    struct buf reply; /* the last one, with a NUL behind it */
};

void peer_connect(struct peer *p, uint16_t port);

/* In order; and with a reset. */
void peer_close(struct peer *p);
void peer_reset(struct peer *p);

/* Sends a command, its words to NULL. */
void peer_say(struct peer *p, ...) __attribute__((sentinel));

/* The next reply, valid until the one after; NULL: the connection has ended. */
const char *peer_hear(struct peer *p);

/* The next reply is this one. */
void peer_expect(struct peer *p, const char *want);

/* Sends a command, and its reply is `want`. */
#define peer_ask(p, want, ...)                                                 \
    do {                                                                       \
        peer_say(p, __VA_ARGS__, NULL);                                        \
        peer_expect(p, want);                                                  \
    } while (0)

#endif
