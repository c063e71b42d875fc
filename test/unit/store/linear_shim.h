/* SPDX-License-Identifier: MIT
 *
 * linear_shim.h - threads that use a store and log what it did, with a fault
 * of choice between them and the store.
 *
 * The faults are what a wrong store would do: the checker has to see them.
 */
#ifndef MEMOIZER_TEST_LINEAR_SHIM_H
#define MEMOIZER_TEST_LINEAR_SHIM_H

#include "linear.h"
#include "store/store.h"

/* A fault strikes one operation in SHIM_FAULT_EVERY of those it fits. */
#define SHIM_FAULT_EVERY 64

enum shim_fault {
    SHIM_SOUND,
    SHIM_STALE_READ,        /* a read gives what an older one gave */
    SHIM_FALSE_MISS,        /* a read does not find a key that is there */
    SHIM_TORN_VALUE,        /* half a value is of another write */
    SHIM_LOST_WRITE,        /* a write is confirmed and not done */
    SHIM_REUSED_VERSION,    /* a write is given the version of an older one */
    SHIM_SKIPPED_CONDITION, /* a write is done against its condition */
    SHIM_LOST_DELETE,       /* a delete is confirmed and not done */
    SHIM_RESURRECTION,      /* a deleted value comes back */
    SHIM_FAULTS
};

struct shim_run {
    enum shim_fault fault;
    unsigned threads;
    uint32_t keys;
    size_t operations; /* of each thread */
    uint64_t seed;
};

/* A word for a fault. Static. */
const char *shim_fault_text(enum shim_fault fault);

/* Runs the threads on a store of their own. The log has run->threads *
 * run->operations entries and is the caller's, who frees it with mem_free. */
struct linear_op *shim_run(const struct shim_run *run);

#endif
