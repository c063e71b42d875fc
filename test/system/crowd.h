/* SPDX-License-Identifier: MIT
 *
 * crowd.h - many clients at once.
 *
 *     crowd_start(port, n, fn)      n connections, each with a thread
 *       :                           ... all are served: the start
 *       :                           fn(client 0) ... fn(client n - 1)
 *     crowd_end()                   all have come back
 *
 * A client is owned by its thread while fn runs.
 */
#ifndef MEMOIZER_TEST_CROWD_H
#define MEMOIZER_TEST_CROWD_H

#include "talk.h"

#include <stddef.h>
#include <stdint.h>

struct crowd;

struct crowd_client {
    struct talker talker; /* connected */
    size_t number;        /* from 0 */
    void *ctx;            /* the same for all */
    struct crowd *crowd;
};

typedef void crowd_fn(struct crowd_client *client);

/* Starts count clients, at the same moment. */
struct crowd *crowd_start(uint16_t port, size_t count, crowd_fn *fn, void *ctx);

/* Waits until all have come back; how many ms after the start that was. */
int64_t crowd_end(struct crowd *crowd);

/* Both. */
int64_t crowd_run(uint16_t port, size_t count, crowd_fn *fn, void *ctx);

#endif
