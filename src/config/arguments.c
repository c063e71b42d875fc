/* SPDX-License-Identifier: MIT
 *
 * arguments.c - the command line: --name value, --name=value, -n value,
 * -nvalue.
 *
 * Not getopt: it keeps its place in globals, prints by itself and takes
 * abbreviations, which turn wrong when an option is added. A struct walk is
 * one pass over argv; each step takes an argument and, where the word wants
 * one, its value. A value may begin with a dash.
 */
#include "config/sources.h"

#include "base/quote.h"

#include <string.h>

struct walk {
    char *const *next; /* the next argument */
    char *const *end;
};

struct argument {
    bool is_action;
    enum option_id option;
    enum action_id action;
    const char *value; /* attached, or the argument behind it, or NULL */
};

static struct walk
walk_over(int argc, char *const *argv)
{
    struct walk walk = {argv, argv};

    if (argc > 1) { /* argv[0] is the program */
        walk.next = argv + 1;
        walk.end = argv + argc;
    }
    return walk;
}

static const struct option_word *
word_of(const struct argument *argument)
{
    return argument->is_action ? action_word(argument->action)
                               : &option_row(argument->option)->word;
}

static bool
find_long(struct slice name, struct argument *argument)
{
    argument->is_action = action_find(name, &argument->action);
    return argument->is_action || option_find(name, &argument->option);
}

static bool
find_short(char name, struct argument *argument)
{
    argument->is_action = action_find_short(name, &argument->action);
    return argument->is_action || option_find_short(name, &argument->option);
}

/* Finds the word of text and the value that is attached to it. */
static bool
find_word(const char *text, struct argument *argument)
{
    const char *equals = strchr(text, '=');

    if (text[0] != '-' || text[1] == '\0')
        return false;
    if (text[1] != '-') {
        argument->value = text[2] != '\0' ? text + 2 : NULL;
        return find_short(text[1], argument);
    }
    text += 2;
    if (equals == NULL)
        return find_long(slice_of_string(text), argument);
    argument->value = equals + 1;
    return find_long(slice_of(text, (size_t)(equals - text)), argument);
}

static enum mz_err
refuse_unknown(struct loader *loader, const char *text)
{
    char quoted[QUOTE_SIZE];

    quote(quoted, slice_of_string(text));
    if (text[0] == '-')
        buf_printf(loader->why, "unknown option \"%s\", see --help", quoted);
    else
        buf_printf(loader->why,
                   "stray argument \"%s\": options begin with a dash, "
                   "see --help",
                   quoted);
    return option_refused(loader);
}

static enum mz_err
refuse_missing(struct loader *loader, const struct argument *argument)
{
    if (!argument->is_action)
        return option_refuse_missing(loader, argument->option,
                                     (struct origin){FROM_COMMAND_LINE, 0});
    buf_printf(loader->why, "--%s: a value is missing, %s",
               word_of(argument)->name, word_of(argument)->arg);
    return option_refused(loader);
}

/* Takes one argument with its value. There is one. */
static enum mz_err
walk_step(struct walk *walk, struct loader *loader, struct argument *argument)
{
    const char *text = *walk->next++;

    *argument = (struct argument){0};
    if (!find_word(text, argument))
        return refuse_unknown(loader, text);
    if (word_of(argument)->arg == NULL) {
        if (argument->value == NULL)
            return MZ_OK;
        buf_printf(loader->why, "--%s: takes no value",
                   word_of(argument)->name);
        return option_refused(loader);
    }
    if (argument->value == NULL && walk->next < walk->end)
        argument->value = *walk->next++;
    if (argument->value == NULL)
        return refuse_missing(loader, argument);
    return MZ_OK;
}

enum mz_err
arguments_read_actions(struct loader *loader, int argc, char *const *argv,
                       struct actions *actions)
{
    struct walk walk = walk_over(argc, argv);
    struct argument argument;

    *actions = (struct actions){0};
    while (walk.next < walk.end) {
        enum mz_err err = walk_step(&walk, loader, &argument);

        if (err != MZ_OK)
            return err;
        if (argument.is_action)
            actions->value[argument.action] =
                argument.value != NULL ? argument.value : "";
    }
    return MZ_OK;
}

enum mz_err
arguments_read_options(struct loader *loader, int argc, char *const *argv)
{
    const struct origin origin = {FROM_COMMAND_LINE, 0};
    struct walk walk = walk_over(argc, argv);
    struct argument argument;
    enum mz_err err = MZ_OK;

    while (err == MZ_OK && walk.next < walk.end) {
        err = walk_step(&walk, loader, &argument);
        if (err == MZ_OK && !argument.is_action)
            err = option_set(loader, argument.option, origin,
                             slice_of_string(argument.value));
    }
    return err;
}
