/* SPDX-License-Identifier: MIT
 *
 * serving.h - a running server with the options of a test.
 */
#ifndef MEMOIZER_TEST_SERVING_H
#define MEMOIZER_TEST_SERVING_H

#include "client.h"
#include "process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sanitizers hold more memory and start slower. */
#ifdef MEMOIZER_SANITIZED
#define SERVING_SANITIZED true
#else
#define SERVING_SANITIZED false
#endif

struct serving {
    struct process process;
    uint16_t port;
};

/* Starts the server on 127.0.0.1 and a free port, with more words up to a
 * NULL (or NULL for none), and waits until it is ready. */
void serving_start(struct serving *s, const char *const *more);
void serving_start_with(struct serving *s, const char *const *more,
                        const struct process_options *options);

/* A request on a new connection is answered: the server is alive. */
void serving_alive(const struct serving *s);

/* Ends it in order and checks that it ended well. */
void serving_stop(struct serving *s);

/* Waits until it has no more than `count` descriptors open. */
void serving_await_descriptors(const struct serving *s, size_t count);

#endif
