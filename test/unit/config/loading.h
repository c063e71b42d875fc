/* SPDX-License-Identifier: MIT
 *
 * loading.h - one config_load with everything around it.
 *
 *     struct loading l;
 *     load(&l, "port 1\n", ENV("MEMOIZER_PORT=2"), ARGS("--port", "3"));
 *     ck_assert_int_eq(l.config.port, 3);
 *     unload(&l);
 *
 * The file is a temporary one, handed over as --config in front of the other
 * arguments; FILE in an expected text stands for its path.
 */
#ifndef MEMOIZER_TEST_CONFIG_LOADING_H
#define MEMOIZER_TEST_CONFIG_LOADING_H

#include "base/buf.h"
#include "base/slice.h"
#include "config/config.h"

/* Lists of strings up to a NULL; without arguments: ARGS(NULL). */
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ENV(...)  ((const char *const[]){__VA_ARGS__, NULL})

struct loading {
    enum mz_err err;
    struct config config;
    struct buf why; /* terminated once loaded */
    char path[64];  /* of the file; "" when there is none */
};

/* file may be NULL: none. Ends the test program when the file cannot be
 * written. */
void load(struct loading *loading, const char *file,
          const char *const *environment, const char *const *arguments);

/* The same with any bytes in the file. */
void load_bytes(struct loading *loading, struct slice file,
                const char *const *environment, const char *const *arguments);

/* Only the file is written, for loads under chaos. */
void loading_write_file(struct loading *loading, struct slice file);
void loading_run(struct loading *loading, const char *const *environment,
                 const char *const *arguments);

/* Frees the result, so that loading_run can be called again. */
void loading_clear(struct loading *loading);

/* loading_clear, and removes the file. */
void unload(struct loading *loading);

/* The refusal with FILE for the path. Static until the next call. */
const char *loading_why(struct loading *loading);

#endif
