/* SPDX-License-Identifier: MIT
 *
 * config.h - the options, from their four sources.
 *
 * Precedence: default < file < environment < command line; for a LIST the
 * highest source that names it replaces the ones below. options.def is the
 * table of options and actions.def that of words for the command line only;
 * --help, the file and the environment come from them. Nothing is printed.
 */
#ifndef MEMOIZER_CONFIG_CONFIG_H
#define MEMOIZER_CONFIG_CONFIG_H

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config_list {
    char **item; /* count terminated strings, owned */
    size_t count;
};

#define CONFIG_TYPE_LIST     struct config_list
#define CONFIG_TYPE_INTEGER  int64_t
#define CONFIG_TYPE_SIZE     uint64_t
#define CONFIG_TYPE_DURATION int64_t
#define CONFIG_TYPE_LEVEL    enum log_level

/* What the command line asks the program to do. */
enum config_action {
    CONFIG_SERVE,
    CONFIG_BENCH,   /* --bench */
    CONFIG_CHECK,   /* --check-config: the options are good */
    CONFIG_HELP,    /* --help */
    CONFIG_VERSION, /* --version */
};

struct config {
#define OPTION(field, name, short_name, type, def, min, max, arg, help)        \
    CONFIG_TYPE_##type field;
#include "config/options.def"
#undef OPTION
    enum config_action action;
    uint64_t bench_operations;
    char *bench_payload; /* owned; NULL: not given */
};

/* Reads all sources. environment: "NAME=value" strings up to a NULL, or NULL.
 * MZ_BAD_REQUEST: *why is one sentence that names the option and, for the
 * file, path:line. MZ_NO_MEMORY: *why is empty. Where the command line asks
 * for help or the version, only its words are checked: no value, no other
 * source. *config is to be given to config_fini in every case. */
enum mz_err config_load(int argc, char *const *argv, char *const *environment,
                        struct config *config, struct buf *why) MZ_CHECK;

void config_fini(struct config *config);

/* Appends what --help prints. */
void config_help(struct buf *out);

#endif
