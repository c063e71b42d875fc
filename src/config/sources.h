/* SPDX-License-Identifier: MIT
 *
 * sources.h - the three places where options are written. Private to the
 * config layer; config.c calls them from the weakest to the strongest.
 */
#ifndef MEMOIZER_CONFIG_SOURCES_H
#define MEMOIZER_CONFIG_SOURCES_H

#include "base/err.h"
#include "config/option.h"

/* A configuration file larger than this is none. */
#define CONFIG_FILE_MAX ((size_t)16 << 20)

/* The values of actions; NULL: not given, "": given and takes none. */
struct actions {
    const char *value[ACTION_COUNT]; /* lent from argv */
};

/* Finds the actions and refuses what is no option, a value that is missing or
 * too many, and stray arguments. Looks at no value. */
enum mz_err arguments_read_actions(struct loader *loader, int argc,
                                   char *const *argv,
                                   struct actions *actions) MZ_CHECK;

/* Sets the options of a command line that arguments_read_actions took. */
enum mz_err arguments_read_options(struct loader *loader, int argc,
                                   char *const *argv) MZ_CHECK;

/* Sets the options of loader->path. */
enum mz_err file_read(struct loader *loader) MZ_CHECK;

/* Sets the options of the variables MEMOIZER_*, but for MEMOIZER_TEST_*.
 * environment: "NAME=value" up to a NULL, or NULL. */
enum mz_err environment_read(struct loader *loader,
                             char *const *environment) MZ_CHECK;

#endif
