/* SPDX-License-Identifier: MIT
 *
 * value.c - the text of one option becomes its field in struct config.
 *
 * The row's type picks parser and field; what does not parse or is out of
 * range is refused with what would be allowed.
 */
#include "config/option.h"

#include "base/mem.h"
#include "base/must.h"
#include "base/num.h"
#include "base/quote.h"

#include <inttypes.h>

static void *
field_of(struct config *config, const struct option *option)
{
    return (char *)config + option->offset;
}

struct config_list *
option_list(struct config *config, enum option_id id)
{
    must(option_row(id)->type == OPTION_LIST);
    return field_of(config, option_row(id));
}

void
option_list_clear(struct config_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        mem_free(list->item[i]);
    mem_free(list->item);
    *list = (struct config_list){0};
}

/* Appends what the option takes, to stand behind "is not". */
static void
put_allowed(struct buf *why, const struct option *option)
{
    switch (option->type) {
    case OPTION_LIST:
        buf_printf(why, "a list of %s, separated by commas or blanks",
                   option->word.arg);
        break;
    case OPTION_INTEGER:
        buf_printf(why, "a number from %" PRId64 " to %" PRId64, option->min,
                   option->max);
        break;
    case OPTION_SIZE:
        buf_printf(why,
                   "a size from %" PRId64 " to %" PRId64
                   " bytes, such as 512, 64kb or 8mb",
                   option->min, option->max);
        break;
    case OPTION_DURATION:
        buf_printf(why,
                   "a time from %" PRId64 "ms to %" PRId64
                   "ms, such as 250ms, 10s, 5m or 1h",
                   option->min, option->max);
        break;
    case OPTION_LEVEL:
        buf_put_string(why, "one of");
        for (size_t i = 0; i < LOG_LEVEL_COUNT; i++)
            buf_printf(why, "%s %s", i > 0 ? "," : "",
                       log_level_name((enum log_level)i));
        break;
    }
}

enum mz_err
option_refuse_missing(struct loader *loader, enum option_id id,
                      struct origin origin)
{
    option_put_origin(loader, id, origin);
    buf_put_string(loader->why, ": a value is missing, ");
    put_allowed(loader->why, option_row(id));
    return option_refused(loader);
}

static enum mz_err
refuse_value(struct loader *loader, enum option_id id, struct origin origin,
             struct slice text)
{
    char quoted[QUOTE_SIZE];

    option_put_origin(loader, id, origin);
    buf_printf(loader->why, ": \"%s\" is not ", quote(quoted, text));
    put_allowed(loader->why, option_row(id));
    return option_refused(loader);
}

static bool
is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t';
}

/* The next item, empty at the end. */
static struct slice
take_item(struct slice *rest)
{
    size_t begin = 0, end;
    struct slice item;

    while (begin < rest->len && is_separator(rest->data[begin]))
        begin++;
    end = begin;
    while (end < rest->len && !is_separator(rest->data[end]))
        end++;
    item = slice_of(rest->data + begin, end - begin);
    *rest = slice_of(rest->data + end, rest->len - end);
    return item;
}

static bool
has_control_byte(struct slice item)
{
    for (size_t i = 0; i < item.len; i++)
        if ((unsigned char)item.data[i] < 0x20 || item.data[i] == 0x7f)
            return true;
    return false;
}

static enum mz_err
list_append(struct config_list *list, struct slice item)
{
    char **items;
    char *copy = mem_alloc(item.len + 1);

    if (copy == NULL)
        return MZ_NO_MEMORY;
    items = mem_realloc(list->item, (list->count + 1) * sizeof *items);
    if (items == NULL) {
        mem_free(copy);
        return MZ_NO_MEMORY;
    }
    memcpy(copy, item.data, item.len);
    copy[item.len] = '\0';
    list->item = items;
    list->item[list->count++] = copy;
    return MZ_OK;
}

/* MZ_BAD_REQUEST when text holds no item. */
static enum mz_err
list_append_all(struct config_list *list, struct slice text)
{
    struct slice item = take_item(&text);
    enum mz_err err = MZ_OK;

    if (item.len == 0)
        return MZ_BAD_REQUEST;
    for (; err == MZ_OK && item.len > 0; item = take_item(&text))
        err = has_control_byte(item) ? MZ_BAD_REQUEST : list_append(list, item);
    return err;
}

/* "-0" is a number for JSON, but nothing that somebody means as an option. */
static enum mz_err
parse_integer(struct slice text, int64_t *n)
{
    if (text.len > 0 && text.data[0] == '-')
        return MZ_BAD_REQUEST;
    return num_parse_i64(text, n);
}

static enum mz_err
parse_level(struct slice text, int64_t *n)
{
    for (size_t i = 0; i < LOG_LEVEL_COUNT; i++)
        if (slice_is(text, log_level_name((enum log_level)i))) {
            *n = (int64_t)i;
            return MZ_OK;
        }
    return MZ_BAD_REQUEST;
}

/* Any type but LIST, with its range. */
static enum mz_err
parse_number(const struct option *option, struct slice text, int64_t *n)
{
    enum mz_err err = MZ_BAD_REQUEST;
    uint64_t size;

    switch (option->type) {
    case OPTION_INTEGER:
        err = parse_integer(text, n);
        break;
    case OPTION_SIZE:
        err = num_parse_size(text, &size);
        if (err == MZ_OK && size > INT64_MAX)
            return MZ_BAD_REQUEST;
        if (err == MZ_OK)
            *n = (int64_t)size;
        break;
    case OPTION_DURATION:
        err = num_parse_duration(text, n);
        break;
    case OPTION_LEVEL:
        return parse_level(text, n);
    case OPTION_LIST:
        must(false);
    }
    if (err == MZ_OK && (*n < option->min || *n > option->max))
        err = MZ_BAD_REQUEST;
    return err;
}

static void
store_number(struct config *config, const struct option *option, int64_t n)
{
    void *field = field_of(config, option);

    if (option->type == OPTION_LEVEL)
        *(enum log_level *)field = (enum log_level)n;
    else if (option->type == OPTION_SIZE)
        *(uint64_t *)field = (uint64_t)n;
    else
        *(int64_t *)field = n;
}

enum mz_err
option_set(struct loader *loader, enum option_id id, struct origin origin,
           struct slice text)
{
    const struct option *option = option_row(id);
    enum mz_err err;
    int64_t n;

    if (option->type == OPTION_LIST) {
        struct config_list *list = option_list(loader->config, id);

        if (loader->origin[id].source != origin.source)
            option_list_clear(list);
        err = list_append_all(list, text);
    } else {
        err = parse_number(option, text, &n);
        if (err == MZ_OK)
            store_number(loader->config, option, n);
    }
    if (err == MZ_BAD_REQUEST)
        return refuse_value(loader, id, origin, text);
    if (err == MZ_OK)
        loader->origin[id] = origin;
    return err;
}
