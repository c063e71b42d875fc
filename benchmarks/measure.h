/* SPDX-License-Identifier: MIT
 *
 * measure.h - what the benchmark programs share: figures over several rounds,
 * and how they are printed.
 *
 * One thread. A program that cannot go on says why and ends.
 */
#ifndef MEMOIZER_BENCHMARKS_MEASURE_H
#define MEMOIZER_BENCHMARKS_MEASURE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MEASURE_ROUNDS_MAX 64

/* One figure, measured once a round. {0} is an empty one. */
struct figure {
    double round[MEASURE_ROUNDS_MAX];
    size_t count;
};

/* The round's value; at most MEASURE_ROUNDS_MAX of them. */
void figure_add(struct figure *figure, double value);

/* 0 when there are none. */
double figure_median(const struct figure *figure);
double figure_min(const struct figure *figure);
double figure_max(const struct figure *figure);

/* Appends "median [min-max]". */
void figure_put(struct buf *out, const struct figure *figure);

/* A flat JSON object, one member a line. */
struct json_out {
    FILE *file; /* NULL: nobody wants it */
    bool begun;
};

void json_begin(struct json_out *json);
void json_number(struct json_out *json, const char *name, double value);

/* Three members: NAME, NAME_min, NAME_max. */
void json_figure(struct json_out *json, const char *name,
                 const struct figure *figure);
void json_end(struct json_out *json);

/* A whole file without the newlines at its end. */
void read_file(const char *path, struct buf *out);

/* Bytes of memory that this process has in use, and that the machine can still
 * give. */
uint64_t memory_resident(void);
uint64_t memory_available(void);

/* Prints one line to stderr and ends the program. */
_Noreturn void give_up(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif
