/* SPDX-License-Identifier: MIT
 *
 * resp_inline.c - words of an inline command; see resp_inline.h.
 *
 * A quote may open within a word, but the closing one ends it. A NUL is a byte
 * like any other.
 */
#include "wire/resp_inline.h"

#include <stdbool.h>

/* As in Redis, more bytes are skipped between words than end a plain one. */
static bool
is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
ends_plain_word(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The value of a hexadecimal digit, or -1. */
static int
hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Takes a backslash, which is not the last byte, and what it stands before. */
static char
take_escape(struct resp_inline *w)
{
    char c = w->at[1];

    if (c == 'x' && w->end - w->at >= 4) {
        int high = hex_value(w->at[2]), low = hex_value(w->at[3]);

        if (high >= 0 && low >= 0) {
            w->at += 4;
            return (char)(high * 16 + low);
        }
    }
    w->at += 2;
    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'b':
        return '\b';
    case 'a':
        return '\a';
    default:
        return c;
    }
}

/* In single quotes only \' is an escape. */
static bool
is_escape(const struct resp_inline *w, char quote)
{
    return *w->at == '\\' && w->end - w->at >= 2 &&
           (quote == '"' || w->at[1] == quote);
}

/* From the opening quote to the closing one, which must end the word. Decodes
 * to *out on. */
static bool
take_quoted(struct resp_inline *w, char **out)
{
    char quote = *w->at++;

    while (w->at < w->end && *w->at != quote) {
        char c = is_escape(w, quote) ? take_escape(w) : *w->at++;

        *(*out)++ = c;
    }
    if (w->at == w->end)
        return false;
    w->at++;
    return w->at == w->end || is_space(*w->at);
}

enum resp_word
resp_inline_next(struct resp_inline *w, struct slice *word)
{
    bool quoted = false, balanced = true;
    char *begin, *out;

    while (w->at < w->end && is_space(*w->at))
        w->at++;
    if (w->at == w->end)
        return RESP_WORD_NONE;
    begin = w->at;
    out = begin;
    while (!quoted && w->at < w->end && !ends_plain_word(*w->at)) {
        quoted = *w->at == '"' || *w->at == '\'';
        if (quoted)
            balanced = take_quoted(w, &out);
        else
            *out++ = *w->at++;
    }
    *word = slice_of(begin, (size_t)(out - begin));
    return balanced ? RESP_WORD : RESP_WORD_UNBALANCED;
}
