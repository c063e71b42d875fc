/* SPDX-License-Identifier: MIT
 *
 * peer.h - one client connection of a transcript.
 *
 * All waiting is poll() with a deadline. A send that finds the connection
 * closed is no error here: what the server said before it closed is still to
 * be read, and the transcript tells whether it should have closed.
 */
#ifndef MEMOIZER_TEST_PEER_H
#define MEMOIZER_TEST_PEER_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEER_DEADLINE_MS 10000 /* for the next byte */

struct peer {
    int fd;         /* -1: not open */
    struct buf in;  /* what has come */
    size_t at;      /* of which this much is used up */
    bool ended;     /* the server has closed */
    bool shut;      /* we have closed our sending side */
    bool partial;   /* the last byte sent was no LF */
    bool send_lost; /* a send found the connection closed */
};

enum peer_wait {
    PEER_LINE, /* a line has come */
    PEER_END,  /* the server has closed before a line was complete */
    PEER_LATE, /* neither within the deadline */
};

/* Connects to 127.0.0.1; ends the program when that fails. */
void peer_open(struct peer *peer, uint16_t port);

/* Sends all bytes, in one piece or one byte a send, and takes in what comes
 * meanwhile. False when the server takes nothing for PEER_DEADLINE_MS. */
bool peer_send(struct peer *peer, struct slice bytes, bool one_by_one);

/* Waits for the next line and hands it out without its LF, valid until the
 * next call. At PEER_END *line is what came of an incomplete one. */
enum peer_wait peer_line(struct peer *peer, struct slice *line);

/* Takes in what is there, without waiting, and returns what is not used. */
struct slice peer_pending(struct peer *peer);

void peer_shut(struct peer *peer);

/* with_reset: by an RST, so that the server's next call fails. */
void peer_close(struct peer *peer, bool with_reset);

#endif
