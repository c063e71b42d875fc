/* SPDX-License-Identifier: MIT
 *
 * file.c - the configuration file: "name value" lines.
 *
 * Blank lines and lines whose first word begins with # are skipped; the value
 * is the rest of the line without the blanks around it, so a # in it is part
 * of it. CR LF is taken as well. The file is read whole before its first line
 * is looked at, so pipes will do.
 */
#include "config/sources.h"

#include "base/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 4096

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct slice
trimmed(struct slice s)
{
    while (s.len > 0 && is_blank(s.data[0]))
        s = slice_of(s.data + 1, s.len - 1);
    while (s.len > 0 && is_blank(s.data[s.len - 1]))
        s.len--;
    return s;
}

/* Up to the first byte c, or all; rest is what is behind c. */
static struct slice
take_until(struct slice *rest, bool (*ends)(char c))
{
    struct slice head = *rest;
    size_t n = 0;

    while (n < head.len && !ends(head.data[n]))
        n++;
    *rest = n < head.len ? slice_of(head.data + n + 1, head.len - n - 1)
                         : slice_of(head.data + n, 0);
    head.len = n;
    return head;
}

static bool
is_newline(char c)
{
    return c == '\n';
}

static enum mz_err
refuse_name(struct loader *loader, size_t line, struct slice name)
{
    char quoted[QUOTE_SIZE];
    enum action_id action;

    option_put_place(loader, line);
    if (action_find(name, &action))
        buf_printf(loader->why, ": --%s is for the command line only",
                   action_word(action)->name);
    else
        buf_printf(loader->why, ": unknown option \"%s\", see --help",
                   quote(quoted, name));
    return option_refused(loader);
}

static enum mz_err
read_line(struct loader *loader, size_t number, struct slice line)
{
    const struct origin origin = {FROM_FILE, number};
    struct slice value, name;
    enum option_id id;

    value = trimmed(line);
    if (value.len == 0 || value.data[0] == '#')
        return MZ_OK;
    if (memchr(value.data, '\0', value.len) != NULL) {
        option_put_place(loader, number);
        buf_put_string(loader->why, ": a NUL byte, this is no text file");
        return option_refused(loader);
    }
    name = take_until(&value, is_blank);
    value = trimmed(value);
    if (!option_find(name, &id))
        return refuse_name(loader, number, name);
    if (value.len == 0)
        return option_refuse_missing(loader, id, origin);
    return option_set(loader, id, origin, value);
}

static enum mz_err
read_lines(struct loader *loader, struct slice text)
{
    enum mz_err err = MZ_OK;

    for (size_t number = 1; err == MZ_OK && text.len > 0; number++) {
        struct slice line = take_until(&text, is_newline);

        err = read_line(loader, number, line);
    }
    return err;
}

static enum mz_err
refuse_file(struct loader *loader, const char *reason)
{
    buf_put_string(loader->why, "--config: ");
    option_put_place(loader, 0);
    buf_printf(loader->why, ": %s", reason);
    return option_refused(loader);
}

/* Appends everything up to the end of fd. */
static enum mz_err
slurp(struct loader *loader, int fd, struct buf *text)
{
    for (;;) {
        enum mz_err err = buf_reserve(text, READ_BYTES);
        ssize_t got;

        if (err != MZ_OK)
            return err;
        do
            got = read(fd, text->data + text->len, READ_BYTES);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            return refuse_file(loader, strerror(errno));
        if (got == 0)
            return MZ_OK;
        text->len += (size_t)got;
        if (text->len > CONFIG_FILE_MAX)
            return refuse_file(loader, "larger than a configuration can be");
    }
}

enum mz_err
file_read(struct loader *loader)
{
    struct buf text = {0};
    enum mz_err err;
    int fd;

    fd = open(loader->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse_file(loader, strerror(errno));
    err = slurp(loader, fd, &text);
    close(fd);
    if (err == MZ_OK)
        err = read_lines(loader, buf_slice(&text));
    buf_fini(&text);
    return err;
}
