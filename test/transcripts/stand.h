/* SPDX-License-Identifier: MIT
 *
 * stand.h - a whole server inside the test's process, with a clock that is
 * turned by hand and memory that can run out.
 *
 * There is no sweeper thread: who turns the clock says whether it sweeps.
 */
#ifndef MEMOIZER_TEST_STAND_H
#define MEMOIZER_TEST_STAND_H

#include "base/mem.h"
#include "base/slice.h"
#include "net/server.h"
#include "service/service.h"
#include "stats/stats.h"
#include "support/fake_clock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stand {
    struct fake_clock fake;
    struct store *store;
    struct stats stats;
    struct service service;
    struct server_options options;
    struct server *server;
    struct mem_hook hook;
    pthread_t runner; /* whose allocations never fail */
    _Atomic size_t alloc_max;
};

/* The defaults of options.def. */
void stand_init(struct stand *stand);

/* Sets an option by its name on the command line, before stand_start(); false
 * when name or value is unknown. */
bool stand_option(struct stand *stand, struct slice name, struct slice value);

/* Starts to listen; ends the program when that fails. */
void stand_start(struct stand *stand);

uint16_t stand_port(const struct stand *stand);

/* Turns the clock, and sweeps out what has expired if told so. */
void stand_advance(struct stand *stand, int64_t ms, bool sweep);

/* From now on other threads get no block larger than size_max; SIZE_MAX ends
 * it. */
void stand_limit(struct stand *stand, size_t size_max);

/* Bytes that the server has received so far, on all connections. */
uint64_t stand_received(struct stand *stand);

/* Waits until the server has n connections; false after ten seconds. */
bool stand_await_clients(struct stand *stand, uint64_t n);

/* The same for callers that stand in line for a lease. */
bool stand_await_waiters(struct stand *stand, uint64_t n);

/* Stops the server in order, checks the store and frees everything. */
void stand_fini(struct stand *stand);

#endif
