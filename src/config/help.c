/* SPDX-License-Identifier: MIT
 *
 * help.c - what --help prints, from the tables: one column of words, one of
 * explanations, wrapped at 79 characters.
 */
#include "config/config.h"

#include "config/option.h"

#include <string.h>

#define HELP_COLUMN 31
#define HELP_WIDTH  79

/* "  -p, --port N", filled up to the column of explanations. */
static size_t
put_word(struct buf *out, const struct option_word *word)
{
    size_t begin = out->len;

    if (word->short_name != 0)
        buf_printf(out, "  -%c, ", word->short_name);
    else
        buf_put_string(out, "      ");
    buf_printf(out, "--%s", word->name);
    if (word->arg != NULL)
        buf_printf(out, " %s", word->arg);
    return out->len - begin;
}

/* Goes to where a word of len bytes may stand, from column; returns it. */
static size_t
make_room(struct buf *out, size_t column, size_t len)
{
    if (column < HELP_COLUMN) {
        buf_printf(out, "%*s", (int)(HELP_COLUMN - column), "");
        return HELP_COLUMN;
    }
    if (column + 1 + len > HELP_WIDTH) {
        buf_printf(out, "\n%*s", HELP_COLUMN, "");
        return HELP_COLUMN;
    }
    buf_put_char(out, ' ');
    return column + 1;
}

/* Appends text word by word; returns the column behind it. */
static size_t
put_wrapped(struct buf *out, size_t column, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, " ");

        column = make_room(out, column, len) + len;
        buf_put(out, text, len);
        text += len;
        text += strspn(text, " ");
    }
    return column;
}

static void
put_option(struct buf *out, const struct option *option)
{
    size_t column = put_word(out, &option->word);

    column = put_wrapped(out, column, option->word.help);
    make_room(out, column, strlen(option->def) + 2);
    buf_printf(out, "[%s]\n", option->def);
}

void
config_help(struct buf *out)
{
    buf_put_string(out, "Usage: memoizer [OPTION]...\n"
                        "A session store that all your web workers share: "
                        "JSON lines over TCP.\n"
                        "\nOptions, with their defaults:\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        put_option(out, option_row((enum option_id)i));
    buf_put_string(out, "\nOn the command line only:\n");
    for (unsigned i = 0; i < ACTION_COUNT; i++) {
        const struct option_word *word = action_word((enum action_id)i);

        put_wrapped(out, put_word(out, word), word->help);
        buf_put_char(out, '\n');
    }
    buf_put_string(
        out, "\nSIZE is bytes, or has kb, mb or gb behind it. TIME is seconds, "
             "or has ms, s, m\nor h behind it. In the FILE an option is a line "
             "\"max-value 1mb\", in the\nenvironment MEMOIZER_MAX_VALUE=1mb. "
             "The command line outranks the environment,\nthe environment "
             "outranks the file.\n"
             "\nRead on: docs/OPERATIONS.md, docs/PROTOCOL.md\n");
}
