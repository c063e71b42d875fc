/* SPDX-License-Identifier: MIT
 *
 * option.h - the tables of options and actions, and where values come from.
 *
 * Private to the config layer. The tables are options.def and actions.def as
 * constant rows; a struct loader is one run of config_load. Every refusal
 * begins with the place where the user wrote the fault:
 *
 *     --port: "x" is not a number from 0 to 65535
 *     MEMOIZER_PORT: "x" is not ...
 *     /etc/memoizer.conf:3: port: "x" is not ...
 */
#ifndef MEMOIZER_CONFIG_OPTION_H
#define MEMOIZER_CONFIG_OPTION_H

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"
#include "config/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
    OPTION_LIST,
    OPTION_INTEGER,
    OPTION_SIZE,
    OPTION_DURATION,
    OPTION_LEVEL,
};

enum option_id {
#define OPTION(field, name, short_name, type, def, min, max, arg, help)        \
    OPTION_ID_##field,
#include "config/options.def"
#undef OPTION
    OPTION_COUNT
};

enum action_id {
#define ACTION(id, name, short_name, arg, help) ACTION_##id,
#include "config/actions.def"
#undef ACTION
    ACTION_COUNT
};

/* What options and actions have in common. */
struct option_word {
    const char *name; /* without dashes */
    char short_name;  /* or 0 */
    const char *arg;  /* what --help calls the value; NULL: takes none */
    const char *help;
};

struct option {
    struct option_word word;
    enum option_type type;
    size_t offset; /* of the field in struct config */
    const char *def;
    int64_t min, max; /* in the field's unit */
};

/* In rising precedence. */
enum option_source {
    FROM_DEFAULT,
    FROM_FILE,
    FROM_ENVIRONMENT,
    FROM_COMMAND_LINE,
};

struct origin {
    enum option_source source;
    size_t line; /* FROM_FILE: counted from 1 */
};

struct loader {
    struct config *config;              /* lent: filled */
    struct buf *why;                    /* lent: the refusal */
    const char *path;                   /* lent: the file, or NULL */
    struct origin origin[OPTION_COUNT]; /* of each value in force */
};

/* Rows of the tables; static. */
const struct option *option_row(enum option_id id);
const struct option_word *action_word(enum action_id id);

/* By exact name; false when there is none. */
bool option_find(struct slice name, enum option_id *id);
bool action_find(struct slice name, enum action_id *id);
bool option_find_short(char short_name, enum option_id *id);
bool action_find_short(char short_name, enum action_id *id);

/* The name behind MEMOIZER_ in the environment: "max-value" is MAX_VALUE. */
bool option_find_environment(struct slice name, enum option_id *id);
bool action_find_environment(struct slice name, enum action_id *id);

/* Parses text and stores it. A LIST takes one or more items separated by
 * commas or blanks; they are added to those of the same source and replace
 * those of a lower one. MZ_BAD_REQUEST with why, or MZ_NO_MEMORY. */
enum mz_err option_set(struct loader *loader, enum option_id id,
                       struct origin origin, struct slice text) MZ_CHECK;

/* Refuses an option without its value. */
enum mz_err option_refuse_missing(struct loader *loader, enum option_id id,
                                  struct origin origin) MZ_CHECK;

/* Appends to why how the user wrote the option at origin. */
void option_put_origin(const struct loader *loader, enum option_id id,
                       struct origin origin);

/* Appends to why "PATH:LINE", or PATH alone when line is 0, on one line
 * whatever the path holds. */
void option_put_place(const struct loader *loader, size_t line);

/* MZ_BAD_REQUEST once why is written, MZ_NO_MEMORY when it did not fit. */
enum mz_err option_refused(const struct loader *loader) MZ_CHECK;

/* Frees the items. */
void option_list_clear(struct config_list *list);

/* The field of a LIST option. */
struct config_list *option_list(struct config *config, enum option_id id);

#endif
