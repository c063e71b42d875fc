/* SPDX-License-Identifier: MIT
 *
 * resp_command_cmd.c - COMMAND and ACL: what commands there are, and who may
 * run them. Clients read it to find the keys of a command, and to complete
 * what people type.
 *
 * One command takes less than COMMAND_ROOM bytes, so rooms are made for one at
 * a time.
 */
#include "service/resp_category.h"
#include "service/resp_glob.h"
#include "service/resp_subcommand.h"

#include <string.h>

/* In the description of one command everything but its texts is short. */
#define COMMAND_ROOM 2048

#define NAME_SIZE    32

/* A name as it is told. */
static struct slice
lower(char out[NAME_SIZE], const char *name)
{
    size_t len = strlen(name);

    if (len >= NAME_SIZE)
        len = NAME_SIZE - 1;
    for (size_t i = 0; i < len; i++)
        out[i] =
            (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
    return slice_of(out, len);
}

static void
put_name(struct resp_out *out, const struct resp_row *row)
{
    char name[NAME_SIZE];

    resp_put_bulk(out, lower(name, row->name));
}

/* ---- INFO ---- */

static void
put_flags(struct resp_out *out, unsigned flags)
{
    static const struct {
        unsigned flag;
        const char *name;
    } known[] = {
        {RESP_WRITE, "write"},       {RESP_READ, "readonly"},
        {RESP_ADMIN, "admin"},       {RESP_FAST, "fast"},
        {RESP_PUBSUB, "pubsub"},     {RESP_NO_AUTH, "no_auth"},
        {RESP_NO_MULTI, "no_multi"},
    };
    size_t count = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        count += (flags & known[i].flag) != 0;
    resp_begin_set(out, count);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (flags & known[i].flag)
            resp_put_status(out, known[i].name);
    }
}

static void
put_categories(struct resp_out *out, const struct resp_row *row)
{
    size_t count = 0;
    char name[NAME_SIZE] = "@";

    for (size_t i = 0; resp_category(i) != NULL; i++)
        count += resp_in_category(row, i);
    resp_begin_set(out, count);
    for (size_t i = 0; resp_category(i) != NULL; i++) {
        if (!resp_in_category(row, i))
            continue;
        strncpy(name + 1, resp_category(i), sizeof name - 2);
        resp_put_status(out, name);
    }
}

static void
put_number(struct resp_out *out, const char *name, int64_t n)
{
    resp_put_bulk_string(out, name);
    resp_put_integer(out, n);
}

/* "type" and what comes with it: the caller puts the map of that. */
static void
begin_spec(struct resp_out *out, const char *name, const char *type,
           size_t pairs)
{
    resp_put_bulk_string(out, name);
    resp_begin_map(out, 2);
    resp_put_bulk_string(out, "type");
    resp_put_bulk_string(out, type);
    resp_put_bulk_string(out, "spec");
    resp_begin_map(out, pairs);
}

/* Where the keys are, in the words of Redis 7: from the first one on, up to a
 * last one that is counted from the first, or from the end. */
static void
put_key_specs(struct resp_out *out, const struct resp_row *row)
{
    int last = row->last_key;

    if (row->first_key == 0) {
        resp_begin_set(out, 0);
        return;
    }
    resp_begin_set(out, 1);
    resp_begin_map(out, 3);
    resp_put_bulk_string(out, "flags");
    resp_begin_set(out, 2);
    resp_put_status(out, row->flags & RESP_WRITE ? "RW" : "RO");
    resp_put_status(out, row->flags & RESP_WRITE ? "update" : "access");
    begin_spec(out, "begin_search", "index", 1);
    put_number(out, "index", row->first_key);
    begin_spec(out, "find_keys", "range", 3);
    put_number(out, "lastkey", last < 0 ? last : last - row->first_key);
    put_number(out, "keystep", row->key_step);
    put_number(out, "limit", 0);
}

/* False: the connection is over. */
static bool
put_command(struct resp_call *call, const struct resp_row *row)
{
    struct resp_out *out = &call->out;

    if (!resp_have_item_room(call, COMMAND_ROOM))
        return false;
    resp_begin_array(out, 10);
    put_name(out, row);
    resp_put_integer(out, row->arity);
    put_flags(out, row->flags);
    resp_put_integer(out, row->first_key);
    resp_put_integer(out, row->last_key);
    resp_put_integer(out, row->key_step);
    put_categories(out, row);
    resp_begin_set(out, 0); /* tips */
    put_key_specs(out, row);
    resp_begin_set(out, 0); /* sub-commands */
    return true;
}

static void
put_all(struct resp_call *call)
{
    size_t count;
    const struct resp_row *rows = resp_rows(&count);

    resp_begin_array(&call->out, count);
    for (size_t i = 0; i < count && put_command(call, &rows[i]); i++)
        ;
}

static void
run_info(struct resp_call *call)
{
    if (call->count == 2) {
        put_all(call);
        return;
    }
    resp_begin_array(&call->out, call->count - 2);
    for (size_t i = 2; i < call->count; i++) {
        const struct resp_row *row = resp_find_row(call->args[i]);

        if (row != NULL ? !put_command(call, row)
                        : !resp_have_item_room(call, 0))
            return;
        if (row == NULL)
            resp_put_null(&call->out);
    }
}

static void
run_count(struct resp_call *call)
{
    size_t count;

    resp_rows(&count);
    resp_put_integer(&call->out, (int64_t)count);
}

/* ---- DOCS ---- */

/* False: the connection is over. */
static bool
put_docs(struct resp_call *call, const struct resp_row *row)
{
    struct resp_out *out = &call->out;
    const struct resp_doc *doc = resp_doc(row);

    if (!resp_have_item_room(call, COMMAND_ROOM))
        return false;
    put_name(out, row);
    resp_begin_map(out, doc != NULL ? 3 : 0);
    if (doc == NULL)
        return true;
    resp_put_bulk_string(out, "summary");
    resp_put_bulk_string(out, doc->summary);
    resp_put_bulk_string(out, "since");
    resp_put_bulk_string(out, doc->since);
    resp_put_bulk_string(out, "group");
    resp_put_bulk_string(out, doc->group);
    return true;
}

/* Commands that are not known are left out. */
static void
run_docs(struct resp_call *call)
{
    size_t count;
    const struct resp_row *rows = resp_rows(&count);

    if (call->count == 2) {
        resp_begin_map(&call->out, count);
        for (size_t i = 0; i < count && put_docs(call, &rows[i]); i++)
            ;
        return;
    }
    count = 0;
    for (size_t i = 2; i < call->count; i++)
        count += resp_find_row(call->args[i]) != NULL;
    resp_begin_map(&call->out, count);
    for (size_t i = 2; i < call->count; i++) {
        const struct resp_row *row = resp_find_row(call->args[i]);

        if (row != NULL && !put_docs(call, row))
            return;
    }
}

/* ---- LIST ---- */

/* What LIST FILTERBY asks for. */
struct filter {
    bool by_category, by_pattern, nothing;
    size_t category;
    struct slice pattern;
};

static bool
passes(const struct filter *filter, const struct resp_row *row)
{
    char name[NAME_SIZE];

    if (filter->nothing)
        return false;
    if (filter->by_category)
        return resp_in_category(row, filter->category);
    return !filter->by_pattern ||
           resp_glob_match_any_case(filter->pattern, lower(name, row->name));
}

static void
put_names(struct resp_call *call, const struct filter *filter)
{
    size_t count, passing = 0;
    const struct resp_row *rows = resp_rows(&count);

    for (size_t i = 0; i < count; i++)
        passing += passes(filter, &rows[i]);
    if (!resp_have_room(call, passing * 2 * NAME_SIZE))
        return;
    resp_begin_array(&call->out, passing);
    for (size_t i = 0; i < count; i++) {
        if (passes(filter, &rows[i]))
            put_name(&call->out, &rows[i]);
    }
}

static void
run_list(struct resp_call *call)
{
    struct filter filter = {0};

    if (call->count == 5 && resp_is(call, 2, "filterby")) {
        if (resp_is(call, 3, "pattern")) {
            filter.by_pattern = true;
            filter.pattern = call->args[4];
        } else if (resp_is(call, 3, "aclcat")) {
            filter.by_category = true;
            filter.nothing =
                !resp_find_category(call->args[4], &filter.category);
        } else if (resp_is(call, 3, "module")) {
            filter.nothing = true;
        } else {
            resp_syntax_error(call);
            return;
        }
    } else if (call->count != 2) {
        resp_syntax_error(call);
        return;
    }
    put_names(call, &filter);
}

/* ---- GETKEYS ---- */

/* One past the index of the last key among the words of a command. */
static size_t
keys_end(const struct resp_row *row, size_t count)
{
    size_t back = (size_t)-row->last_key;

    if (row->last_key >= 0)
        return (size_t)row->last_key < count ? (size_t)row->last_key + 1
                                             : count;
    return count >= back ? count - back + 1 : 0;
}

static bool
fits_arity(const struct resp_row *row, size_t count)
{
    return row->arity >= 0 ? count == (size_t)row->arity
                           : count >= (size_t)-row->arity;
}

static void
run_getkeys(struct resp_call *call)
{
    const struct slice *words = call->args + 2;
    size_t count = call->count - 2;
    const struct resp_row *row = resp_find_row(words[0]);
    size_t first, step, end;

    if (row == NULL) {
        resp_put_error(&call->out, "ERR Invalid command specified");
        return;
    }
    first = (size_t)row->first_key;
    step = row->key_step > 0 ? (size_t)row->key_step : 1;
    end = keys_end(row, count);
    if (first == 0) {
        resp_put_error(&call->out, "ERR The command has no key arguments");
        return;
    }
    if (!fits_arity(row, count) || first >= end) {
        resp_put_error(&call->out,
                       "ERR Invalid number of arguments specified for command");
        return;
    }
    resp_begin_array(&call->out, (end - first + step - 1) / step);
    for (size_t i = first; i < end; i += step) {
        if (!resp_have_item_room(call, words[i].len))
            return;
        resp_put_bulk(&call->out, words[i]);
    }
}

static void
help_command(struct resp_call *call)
{
    static const char *const lines[] = {
        "(no subcommand)",
        "    Return details about all Redis commands.",
        "COUNT",
        "    Return the total number of commands in this Redis server.",
        "LIST",
        "    Return a list of all commands in this Redis server.",
        "INFO [<command-name> ...]",
        "    Return details about multiple Redis commands.",
        "    If no command names are given, documentation details for all",
        "    commands are returned.",
        "DOCS [<command-name> ...]",
        "    Return documentation details about multiple Redis commands.",
        "    If no command names are given, documentation details for all",
        "    commands are returned.",
        "GETKEYS <full-command>",
        "    Return the keys from a full Redis command.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_COMMAND(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"count", 2, run_count},   {"info", -2, run_info},
        {"docs", -2, run_docs},    {"list", -2, run_list},
        {"help", 2, help_command}, {"getkeys", -4, run_getkeys},
    };

    if (call->count == 1)
        put_all(call);
    else
        RESP_RUN_SUBCOMMAND(call, table);
}

/* ---- ACL: there is one user, who may do everything ---- */

static void
run_whoami(struct resp_call *call)
{
    resp_put_bulk_string(&call->out, "default");
}

static void
run_users(struct resp_call *call)
{
    resp_begin_array(&call->out, 1);
    resp_put_bulk_string(&call->out, "default");
}

static void
run_acl_list(struct resp_call *call)
{
    resp_begin_array(&call->out, 1);
    resp_put_bulk_string(&call->out, "user default on nopass ~* &* +@all");
}

static void
put_category_names(struct resp_out *out)
{
    size_t count = 0;

    while (resp_category(count) != NULL)
        count++;
    resp_begin_array(out, count);
    for (size_t i = 0; i < count; i++)
        resp_put_bulk_string(out, resp_category(i));
}

static void
run_cat(struct resp_call *call)
{
    struct filter filter = {.by_category = true};

    if (call->count == 2) {
        put_category_names(&call->out);
    } else if (call->count > 3) {
        resp_put_error(&call->out,
                       "ERR unknown subcommand or wrong number of arguments "
                       "for 'CAT'. Try ACL HELP.");
    } else if (resp_find_category(call->args[2], &filter.category)) {
        put_names(call, &filter);
    } else {
        struct slice word = call->args[2];

        resp_printf_error(&call->out, "ERR Unknown category '%.*s'",
                          (int)(word.len < 128 ? word.len : 128), word.data);
    }
}

static void
help_acl(struct resp_call *call)
{
    static const char *const lines[] = {
        "CAT [<category>]",
        ("    List all commands that belong to <category>, or all command "
         "categories"),
        "    when no category is specified.",
        "LIST",
        "    Show users details in config file format.",
        "USERS",
        "    List all the registered usernames.",
        "WHOAMI",
        "    Return the current connection username.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_ACL(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"whoami", 2, run_whoami}, {"users", 2, run_users},
        {"list", 2, run_acl_list}, {"cat", -2, run_cat},
        {"help", 2, help_acl},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}
