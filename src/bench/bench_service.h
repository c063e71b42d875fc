/* SPDX-License-Identifier: MIT
 *
 * bench_service.h - what requests cost in the service: from a struct command,
 * through service_run() and the native protocol's encoder, into an outbox that
 * is emptied at once. Sockets and the decoding of requests are left out.
 *
 * There are `keys` sessions of 500 bytes in database 0, and as many counters
 * in database 1, none with a lifetime. Requests name keys from memory, in an
 * order that has nothing to do with where entries lie, and every turn leaves
 * the sessions as large as it found them.
 *
 * Owned by one thread, which starts those that a turn needs and waits for
 * them.
 */
#ifndef MEMOIZER_BENCH_BENCH_SERVICE_H
#define MEMOIZER_BENCH_BENCH_SERVICE_H

#include "base/err.h"
#include "bench/latency.h"

#include <stdint.h>

#define BENCH_SESSION_LEN 500 /* bytes of every session */
#define BENCH_MGET_KEYS   50  /* that one mget names */
#define BENCH_THREADS_MAX 64

enum bench_row {
    BENCH_GET,
    BENCH_SET,           /* over a session that is there */
    BENCH_MERGE_REPLACE, /* one member that is there */
    BENCH_MERGE_TOGGLE,  /* one member that is not there, and away again */
    BENCH_MERGE_SHARED,  /* as the first, all threads on one session */
    BENCH_INCR,
    BENCH_MGET,
    BENCH_DEL, /* of sessions that are there */
    BENCH_ROWS
};

/* For a person, and as a part of names of figures. Static. */
const char *bench_row_title(enum bench_row row);
const char *bench_row_name(enum bench_row row);

struct bench_service;

/* Fills the store; key_count > 0. MZ_NO_MEMORY leaves *out alone. */
enum mz_err bench_service_new(uint64_t key_count,
                              struct bench_service **out) MZ_CHECK;
void bench_service_free(struct bench_service *bench); /* NULL is fine */

struct bench_turn {
    enum bench_row row;
    unsigned threads;  /* 1 to BENCH_THREADS_MAX; each on keys of its own */
    uint64_t sessions; /* how many are asked for, with repeats, at least */
};

struct bench_time {
    uint64_t requests; /* by all threads */
    int64_t took_ns;   /* by the slowest of them */
};

/* latency: gets the time of each request, with that of reading the clock in
 * it; NULL: no clock is read between requests. Wants BENCH_MGET_KEYS keys for
 * each thread. After MZ_NO_MEMORY, which also stands for a request that was
 * refused, only bench_service_free() is of use. */
enum mz_err bench_service_take_turn(struct bench_service *bench,
                                    const struct bench_turn *turn,
                                    struct latency *latency,
                                    struct bench_time *time) MZ_CHECK;

/* How many keys are sessions of BENCH_SESSION_LEN bytes now. */
uint64_t bench_service_count_whole(struct bench_service *bench);

#endif
