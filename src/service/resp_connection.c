/* SPDX-License-Identifier: MIT
 *
 * resp_connection.c - commands of the Redis protocol about the connection.
 */
#include "service/resp_call.h"

#include "base/num.h"
#include "service/resp_names.h"
#include "service/resp_pubsub.h"

/* Of a word that is not known, so much is told back. */
#define WORD_TOLD_MAX 512

/* What a client of RESP2 reads while it listens has the shape of a message. */
static void
put_pong_push(struct resp_call *call)
{
    struct slice text = slice_of_string("");

    if (call->count > 1)
        text = call->args[1];
    if (!resp_have_room(call, text.len))
        return;
    resp_begin_push(&call->out, 2);
    resp_put_bulk_string(&call->out, "pong");
    resp_put_bulk(&call->out, text);
}

void
resp_run_PING(struct resp_call *call)
{
    if (call->count > 2)
        resp_wrong_arity(call);
    else if (resp_client_is_confined(call->client))
        put_pong_push(call);
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
    resp_unmute(call);
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

    if (!resp_integer(call, 1, &db))
        return;
    if (db < 0 || db >= COMMAND_DBS) {
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

/* ---- HELLO ---- */

/* An option of HELLO, which takes effect at once: returns how many words it is,
 * or 0 after an error reply. */
static size_t
take_option(struct resp_call *call, size_t i)
{
    struct slice word = call->args[i];

    if (resp_is(call, i, "auth") && i + 2 < call->count)
        return log_in(call, call->args[i + 1]) ? 3 : 0;
    if (resp_is(call, i, "setname") && i + 1 < call->count)
        return resp_set_name(call, call->args[i + 1]) ? 2 : 0;
    resp_printf_error(
        &call->out, "ERR Syntax error in HELLO option '%.*s'",
        (int)(word.len < WORD_TOLD_MAX ? word.len : WORD_TOLD_MAX), word.data);
    return 0;
}

/* False after an error reply. */
static bool
take_proto(struct resp_call *call, int64_t *proto)
{
    if (num_parse_i64(call->args[1], proto) != MZ_OK) {
        resp_put_error(&call->out, "ERR Protocol version is not an integer or "
                                   "out of range");
        return false;
    }
    if (*proto < 2 || *proto > 3) {
        resp_put_error(&call->out, "NOPROTO unsupported protocol version");
        return false;
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
    resp_put_bulk_string(out, RESP_REDIS_VERSION);
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
    int64_t proto = call->client->proto;

    if (call->count > 1 && !take_proto(call, &proto))
        return;
    for (size_t i = 2; i < call->count;) {
        size_t words = take_option(call, i);

        if (words == 0)
            return;
        i += words;
    }
    call->client->proto = (uint8_t)proto;
    call->out.proto = call->client->proto;
    put_hello(call);
}
