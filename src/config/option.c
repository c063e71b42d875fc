/* SPDX-License-Identifier: MIT
 *
 * option.c - the tables as rows, and how the user finds a row again: by its
 * long name, its letter, or its name in the environment.
 */
#include "config/option.h"

#include "base/must.h"

const struct option *
option_row(enum option_id id)
{
    static const struct option rows[OPTION_COUNT] = {
#define OPTION(field, name, short_name, type, def, min, max, arg, help)        \
    {{name, short_name, arg, help},                                            \
     OPTION_##type,                                                            \
     offsetof(struct config, field),                                           \
     def,                                                                      \
     min,                                                                      \
     max},
#include "config/options.def"
#undef OPTION
    };

    must((unsigned)id < OPTION_COUNT);
    return &rows[id];
}

const struct option_word *
action_word(enum action_id id)
{
    static const struct option_word words[ACTION_COUNT] = {
#define ACTION(id, name, short_name, arg, help) {name, short_name, arg, help},
#include "config/actions.def"
#undef ACTION
    };

    must((unsigned)id < ACTION_COUNT);
    return &words[id];
}

/* A way to recognise a word. */
typedef bool matches(const struct option_word *word, struct slice text);

static bool
is_name(const struct option_word *word, struct slice text)
{
    return slice_is(text, word->name);
}

static bool
is_short_name(const struct option_word *word, struct slice text)
{
    return word->short_name != 0 && word->short_name == text.data[0];
}

/* Upper case, with _ for -. */
static bool
is_environment_name(const struct option_word *word, struct slice text)
{
    size_t i;

    for (i = 0; i < text.len && word->name[i] != '\0'; i++) {
        char c = word->name[i];

        if (c == '-')
            c = '_';
        else if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (c != text.data[i])
            return false;
    }
    return i == text.len && word->name[i] == '\0';
}

static bool
find_option(matches *match, struct slice text, enum option_id *id)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (match(&option_row((enum option_id)i)->word, text)) {
            *id = (enum option_id)i;
            return true;
        }
    return false;
}

static bool
find_action(matches *match, struct slice text, enum action_id *id)
{
    for (unsigned i = 0; i < ACTION_COUNT; i++)
        if (match(action_word((enum action_id)i), text)) {
            *id = (enum action_id)i;
            return true;
        }
    return false;
}

bool
option_find(struct slice name, enum option_id *id)
{
    return find_option(is_name, name, id);
}

bool
action_find(struct slice name, enum action_id *id)
{
    return find_action(is_name, name, id);
}

bool
option_find_short(char short_name, enum option_id *id)
{
    return find_option(is_short_name, slice_of(&short_name, 1), id);
}

bool
action_find_short(char short_name, enum action_id *id)
{
    return find_action(is_short_name, slice_of(&short_name, 1), id);
}

bool
option_find_environment(struct slice name, enum option_id *id)
{
    return find_option(is_environment_name, name, id);
}

bool
action_find_environment(struct slice name, enum action_id *id)
{
    return find_action(is_environment_name, name, id);
}

/* Without control bytes, which a path may have: a refusal is one line. */
void
option_put_place(const struct loader *loader, size_t line)
{
    for (const char *c = loader->path; *c != '\0'; c++)
        buf_put_char(loader->why,
                     (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
    if (line > 0)
        buf_printf(loader->why, ":%zu", line);
}

static void
put_environment_name(struct buf *why, const char *name)
{
    buf_put_string(why, "MEMOIZER_");
    for (; *name != '\0'; name++) {
        if (*name >= 'a' && *name <= 'z')
            buf_put_char(why, (char)(*name - 'a' + 'A'));
        else
            buf_put_char(why, *name == '-' ? '_' : *name);
    }
}

void
option_put_origin(const struct loader *loader, enum option_id id,
                  struct origin origin)
{
    const char *name = option_row(id)->word.name;

    switch (origin.source) {
    case FROM_FILE:
        option_put_place(loader, origin.line);
        buf_printf(loader->why, ": %s", name);
        break;
    case FROM_ENVIRONMENT:
        put_environment_name(loader->why, name);
        break;
    case FROM_DEFAULT:
        buf_printf(loader->why, "--%s (default)", name);
        break;
    case FROM_COMMAND_LINE:
        buf_printf(loader->why, "--%s", name);
        break;
    }
}

enum mz_err
option_refused(const struct loader *loader)
{
    return loader->why->failed ? MZ_NO_MEMORY : MZ_BAD_REQUEST;
}
