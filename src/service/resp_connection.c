/* SPDX-License-Identifier: MIT
 *
 * resp_connection.c - commands of the Redis protocol about the connection.
 */
#include "service/resp_call.h"

#include "base/num.h"

#include <string.h>

/* What clients parse to know which commands they may use. */
#define REDIS_VERSION "7.2.4"

void
resp_run_PING(struct resp_call *call)
{
    if (call->count > 2)
        resp_wrong_arity(call);
    else if (call->count == 1)
        resp_put_status(&call->out, "PONG");
    else if (resp_have_room(call, call->args[1].len))
        resp_put_bulk(&call->out, call->args[1]);
}

void
resp_run_ECHO(struct resp_call *call)
{
    if (resp_have_room(call, call->args[1].len))
        resp_put_bulk(&call->out, call->args[1]);
}

void
resp_run_QUIT(struct resp_call *call)
{
    call->session->quit = true;
    resp_put_ok(&call->out);
}

void
resp_run_RESET(struct resp_call *call)
{
    resp_client_reset(call->client);
    call->session->db = 0;
    call->out.proto = call->client->proto;
    resp_put_status(&call->out, "RESET");
}

void
resp_run_READONLY(struct resp_call *call)
{
    resp_put_ok(&call->out);
}

void
resp_run_READWRITE(struct resp_call *call)
{
    resp_put_ok(&call->out);
}

void
resp_run_SELECT(struct resp_call *call)
{
    int64_t db;

    if (num_parse_i64(call->args[1], &db) != MZ_OK) {
        resp_put_error(&call->out, "ERR invalid DB index");
    } else if (db < 0 || db >= COMMAND_DBS) {
        resp_put_error(&call->out, "ERR DB index is out of range");
    } else {
        call->session->db = (uint8_t)db;
        resp_put_ok(&call->out);
    }
}

/* No passwords are configured: a named user that needs none may log in, a bare
 * password is a mistake of the client's configuration. */
static bool
log_in(struct resp_call *call, struct slice user)
{
    if (slice_is(user, "default"))
        return true;
    resp_put_error(&call->out,
                   "WRONGPASS invalid username-password pair or user is "
                   "disabled.");
    return false;
}

void
resp_run_AUTH(struct resp_call *call)
{
    if (call->count > 3)
        resp_syntax_error(call);
    else if (call->count == 2)
        resp_put_error(&call->out,
                       "ERR AUTH <password> called without any password "
                       "configured for the default user. Are you sure your "
                       "configuration is correct?");
    else if (log_in(call, call->args[1]))
        resp_put_ok(&call->out);
}

/* ---- names ---- */

/* Names are told in lists of clients, a line each, with blanks between the
 * fields. */
static bool
is_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] < '!' || name.data[i] > '~')
            return false;
    }
    return true;
}

/* Replaces *field; false after an error reply. */
static bool
set_field(struct resp_call *call, struct buf *field, struct slice text)
{
    struct buf fresh = {0};

    buf_put_slice(&fresh, text);
    if (fresh.failed) {
        resp_refuse(call, MZ_NO_MEMORY);
        return false;
    }
    buf_fini(field);
    *field = fresh;
    return true;
}

static bool
set_name(struct resp_call *call, struct slice name)
{
    if (is_name(name))
        return set_field(call, &call->client->name, name);
    resp_put_error(&call->out, "ERR Client names cannot contain spaces, "
                               "newlines or special characters.");
    return false;
}

/* ---- HELLO ---- */

/* What HELLO asks for beside the protocol. */
struct hello {
    int64_t proto;
    size_t user; /* argument, 0: no login */
    size_t name; /* argument, 0: keeps its name */
};

static bool
parse_hello(struct resp_call *call, struct hello *hello)
{
    size_t i = 2;

    if (num_parse_i64(call->args[1], &hello->proto) != MZ_OK) {
        resp_put_error(&call->out, "ERR Protocol version is not an integer or "
                                   "out of range");
        return false;
    }
    if (hello->proto < 2 || hello->proto > 3) {
        resp_put_error(&call->out, "NOPROTO unsupported protocol version");
        return false;
    }
    while (i < call->count) {
        if (resp_is(call, i, "auth") && i + 2 < call->count) {
            hello->user = i + 1;
            i += 3;
        } else if (resp_is(call, i, "setname") && i + 1 < call->count) {
            hello->name = i + 1;
            i += 2;
        } else {
            resp_printf_error(
                &call->out, "ERR Syntax error in HELLO option '%.*s'",
                (int)(call->args[i].len & 127), call->args[i].data);
            return false;
        }
    }
    return true;
}

static void
put_hello(struct resp_call *call)
{
    struct resp_out *out = &call->out;

    resp_begin_map(out, 7);
    resp_put_bulk_string(out, "server");
    resp_put_bulk_string(out, "redis");
    resp_put_bulk_string(out, "version");
    resp_put_bulk_string(out, REDIS_VERSION);
    resp_put_bulk_string(out, "proto");
    resp_put_integer(out, out->proto);
    resp_put_bulk_string(out, "id");
    resp_put_integer(out, (int64_t)call->client->id);
    resp_put_bulk_string(out, "mode");
    resp_put_bulk_string(out, "standalone");
    resp_put_bulk_string(out, "role");
    resp_put_bulk_string(out, "master");
    resp_put_bulk_string(out, "modules");
    resp_begin_array(out, 0);
}

void
resp_run_HELLO(struct resp_call *call)
{
    struct hello hello = {.proto = call->client->proto};

    if (call->count > 1 && !parse_hello(call, &hello))
        return;
    if (hello.user != 0 && !log_in(call, call->args[hello.user]))
        return;
    if (hello.name != 0 && !set_name(call, call->args[hello.name]))
        return;
    call->client->proto = (uint8_t)hello.proto;
    call->out.proto = call->client->proto;
    put_hello(call);
}
