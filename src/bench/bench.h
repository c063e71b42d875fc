/* SPDX-License-Identifier: MIT
 *
 * bench.h - `memoizer --bench`: the store inside the process, no network.
 */
#ifndef MEMOIZER_BENCH_BENCH_H
#define MEMOIZER_BENCH_BENCH_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>
#include <stdio.h>

struct bench_options {
    uint64_t operations;  /* inserts, and as many reads; may be 0 */
    struct slice payload; /* the value, any bytes */
};

/* Runs and prints the report to out. MZ_NO_MEMORY when operations do not fit
 * into memory. Leaves nothing behind. */
enum mz_err bench_run(const struct bench_options *options, FILE *out) MZ_CHECK;

#endif
