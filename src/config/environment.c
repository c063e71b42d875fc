/* SPDX-License-Identifier: MIT
 *
 * environment.c - options as MEMOIZER_NAME=value.
 *
 * A variable with our prefix that names no option is refused like any other
 * unknown option: a misspelt limit that is ignored is found too late.
 */
#include "config/sources.h"

#include "base/quote.h"

#include <string.h>

#define PREFIX      "MEMOIZER_"
#define TEST_PREFIX "MEMOIZER_TEST_"

static bool
begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum mz_err
refuse_unknown(struct loader *loader, struct slice name)
{
    char quoted[QUOTE_SIZE];
    enum action_id action;

    buf_printf(loader->why, PREFIX "%s: ", quote(quoted, name));
    if (action_find_environment(name, &action))
        buf_printf(loader->why, "--%s is for the command line only",
                   action_word(action)->name);
    else
        buf_put_string(loader->why, "no option has this name, see --help");
    return option_refused(loader);
}

static enum mz_err
read_variable(struct loader *loader, const char *variable)
{
    const struct origin origin = {FROM_ENVIRONMENT, 0};
    const char *name = variable + strlen(PREFIX);
    const char *equals = strchr(name, '=');
    enum option_id id;

    if (equals == NULL) /* no variable at all */
        return MZ_OK;
    if (!option_find_environment(slice_of(name, (size_t)(equals - name)), &id))
        return refuse_unknown(loader, slice_of(name, (size_t)(equals - name)));
    return option_set(loader, id, origin, slice_of_string(equals + 1));
}

enum mz_err
environment_read(struct loader *loader, char *const *environment)
{
    enum mz_err err = MZ_OK;

    if (environment == NULL)
        return MZ_OK;
    for (; err == MZ_OK && *environment != NULL; environment++)
        if (begins_with(*environment, PREFIX) &&
            !begins_with(*environment, TEST_PREFIX))
            err = read_variable(loader, *environment);
    return err;
}
