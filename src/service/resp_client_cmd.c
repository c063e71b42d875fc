/* SPDX-License-Identifier: MIT
 *
 * resp_client_cmd.c - CLIENT: what a connection tells of itself, and what it
 * sees of others.
 *
 * Connections that speak the native protocol are not listed. Others are looked
 * at under the lock of whoever keeps them (struct service_clients), so a line
 * is made there and sent afterwards.
 */
#include "service/resp_names.h"
#include "service/resp_subcommand.h"

#include "base/mem.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

bool
resp_is_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] < '!' || name.data[i] > '~')
            return false;
    }
    return true;
}

/* False after an error reply. */
static bool
rename_client(struct resp_call *call, struct buf *name, struct slice text)
{
    if (resp_client_rename(call->client, name, text) == MZ_OK)
        return true;
    resp_refuse(call, MZ_NO_MEMORY);
    return false;
}

bool
resp_set_name(struct resp_call *call, struct slice name)
{
    if (resp_is_name(name))
        return rename_client(call, &call->client->name, name);
    resp_put_error(&call->out, "ERR Client names cannot contain spaces, "
                               "newlines or special characters.");
    return false;
}

static void
run_setname(struct resp_call *call)
{
    if (resp_set_name(call, call->args[2]))
        resp_put_ok(&call->out);
}

static void
run_getname(struct resp_call *call)
{
    struct slice name = buf_slice(&call->client->name);

    if (name.len == 0)
        resp_put_null(&call->out);
    else if (resp_have_room(call, name.len))
        resp_put_bulk(&call->out, name);
}

static void
run_setinfo(struct resp_call *call)
{
    bool is_name = resp_is(call, 2, "lib-name");
    struct resp_client *client = call->client;
    struct slice word = call->args[2];

    if (!is_name && !resp_is(call, 2, "lib-ver"))
        resp_printf_error(&call->out, "ERR Unrecognized option '%.*s'",
                          (int)(word.len < 128 ? word.len : 128), word.data);
    else if (!resp_is_name(call->args[3]))
        resp_printf_error(&call->out,
                          "ERR %s cannot contain spaces, newlines or special "
                          "characters.",
                          is_name ? "lib-name" : "lib-ver");
    else if (rename_client(call,
                           is_name ? &client->lib_name : &client->lib_version,
                           call->args[3]))
        resp_put_ok(&call->out);
}

static void
run_id(struct resp_call *call)
{
    resp_put_integer(&call->out, (int64_t)call->client->id);
}

/* ---- a line of CLIENT LIST ---- */

/* name= and the like, whose texts are under the lock of the names. */
static void
put_named(struct buf *out, const char *field, const struct buf *text)
{
    buf_put_string(out, field);
    buf_put_slice(out, buf_slice(text));
}

static uint64_t
seconds_since(int64_t now_ms, int64_t then_ms)
{
    return now_ms > then_ms ? (uint64_t)(now_ms - then_ms) / 1000 : 0;
}

static void
put_flags(struct buf *out, const struct resp_shown *shown)
{
    size_t len = out->len;

    if (atomic_load_explicit(&shown->channels, memory_order_relaxed) > 0 ||
        atomic_load_explicit(&shown->patterns, memory_order_relaxed) > 0)
        buf_put_char(out, 'P');
    if (atomic_load_explicit(&shown->queued, memory_order_relaxed) >= 0)
        buf_put_char(out, 'x');
    if (atomic_load_explicit(&shown->no_evict, memory_order_relaxed))
        buf_put_char(out, 'e');
    if (atomic_load_explicit(&shown->no_touch, memory_order_relaxed))
        buf_put_char(out, 'T');
    if (out->len == len)
        buf_put_char(out, 'N');
}

/* cmd=, as "client|list"; "NULL" when there was none. */
static void
put_command(struct buf *out, const struct resp_shown *shown)
{
    const char *name =
        atomic_load_explicit(&shown->command, memory_order_relaxed);
    const char *sub =
        atomic_load_explicit(&shown->subcommand, memory_order_relaxed);

    if (name == NULL) {
        buf_put_string(out, "NULL");
        return;
    }
    for (; *name != '\0'; name++)
        buf_put_char(out, (char)(*name | 0x20));
    if (sub != NULL)
        buf_printf(out, "|%s", sub);
}

/* Sizes of buffers are not told: what they would take is not counted. */
static void
put_line(struct buf *out, const struct service_client_view *view,
         int64_t now_ms)
{
    struct resp_client *client = view->client;
    const struct resp_shown *shown = &client->shown;
    int64_t heard_ms =
        atomic_load_explicit(&shown->last_mono_ms, memory_order_relaxed);

    mutex_lock(&client->names);
    buf_printf(out, "id=%" PRIu64 " addr=%s laddr=%s fd=%d", client->id,
               view->address, view->local_address, view->fd);
    put_named(out, " name=", &client->name);
    buf_printf(out, " age=%" PRIu64 " idle=%" PRIu64 " flags=",
               seconds_since(now_ms, client->started_mono_ms),
               seconds_since(now_ms, heard_ms));
    put_flags(out, shown);
    buf_printf(out,
               " db=%u sub=%" PRIu32 " psub=%" PRIu32 " ssub=0 multi=%" PRId32,
               (unsigned)atomic_load_explicit(&shown->db, memory_order_relaxed),
               atomic_load_explicit(&shown->channels, memory_order_relaxed),
               atomic_load_explicit(&shown->patterns, memory_order_relaxed),
               atomic_load_explicit(&shown->queued, memory_order_relaxed));
    buf_put_string(out, " qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 "
                        "rbp=0 obl=0 oll=0 omem=0 tot-mem=0 events=r cmd=");
    put_command(out, shown);
    buf_printf(
        out, " user=default redir=-1 resp=%u",
        (unsigned)atomic_load_explicit(&shown->proto, memory_order_relaxed));
    put_named(out, " lib-name=", &client->lib_name);
    put_named(out, " lib-ver=", &client->lib_version);
    buf_put_char(out, '\n');
    mutex_unlock(&client->names);
}

/* ---- which clients ---- */

/* What LIST and KILL pick clients by. */
struct pick {
    struct resp_call *call; /* who asks */
    int64_t now_ms;
    int64_t *ids; /* sorted, id_count of them; owned */
    size_t id_count;
    bool by_id;
    bool of_pubsub, of_normal;           /* TYPE; both: any */
    bool nobody;                         /* a type that there are none of */
    struct slice address, local_address; /* data NULL: any */
    bool spare_self;                     /* KILL SKIPME yes */

    struct buf lines; /* LIST: a line each */
    int64_t killed;   /* KILL: so many, */
    bool self;        /* ... one of which asks */
};

static int
compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static bool
is_picked(const struct pick *pick, const struct service_client_view *view)
{
    const struct resp_shown *shown = &view->client->shown;
    int64_t id = (int64_t)view->client->id;
    bool subscribes =
        atomic_load_explicit(&shown->channels, memory_order_relaxed) > 0 ||
        atomic_load_explicit(&shown->patterns, memory_order_relaxed) > 0;

    if (pick->nobody || (subscribes ? !pick->of_pubsub : !pick->of_normal))
        return false;
    if (pick->by_id &&
        bsearch(&id, pick->ids, pick->id_count, sizeof id, compare_ids) == NULL)
        return false;
    if (pick->address.data != NULL && !slice_is(pick->address, view->address))
        return false;
    return pick->local_address.data == NULL ||
           slice_is(pick->local_address, view->local_address);
}

static struct pick
pick_all(struct resp_call *call)
{
    return (struct pick){
        .call = call,
        .now_ms = clock_mono_ms(call->session->service->clock),
        .of_pubsub = true,
        .of_normal = true,
    };
}

static void
visit_all(struct pick *pick,
          bool (*visit)(void *ctx, const struct service_client_view *view))
{
    const struct service_clients *peers = &pick->call->session->service->peers;

    if (peers->for_each != NULL)
        peers->for_each(peers->ctx, visit, pick);
}

/* TYPE. False after an error reply. */
static bool
pick_type(struct pick *pick, size_t arg)
{
    struct resp_call *call = pick->call;
    struct slice word = call->args[arg];

    pick->of_normal = resp_is(call, arg, "normal");
    pick->of_pubsub = resp_is(call, arg, "pubsub");
    pick->nobody = resp_is(call, arg, "master") ||
                   resp_is(call, arg, "replica") || resp_is(call, arg, "slave");
    if (pick->of_normal || pick->of_pubsub || pick->nobody)
        return true;
    resp_printf_error(&call->out, "ERR Unknown client type '%.*s'",
                      (int)(word.len < 128 ? word.len : 128), word.data);
    return false;
}

/* ---- LIST and INFO ---- */

static bool
list_one(void *ctx, const struct service_client_view *view)
{
    struct pick *pick = ctx;

    if (is_picked(pick, view))
        put_line(&pick->lines, view, pick->now_ms);
    return false;
}

/* The lines as the reply. */
static void
put_list(struct pick *pick)
{
    struct resp_call *call = pick->call;

    visit_all(pick, list_one);
    if (pick->lines.failed)
        resp_refuse(call, MZ_NO_MEMORY);
    else if (resp_have_room(call, pick->lines.len))
        resp_put_verbatim(&call->out, buf_slice(&pick->lines));
    buf_fini(&pick->lines);
    mem_free(pick->ids);
}

/* The ids that are the words from 3 on. False after an error reply. */
static bool
pick_ids(struct pick *pick)
{
    struct resp_call *call = pick->call;
    size_t count = call->count - 3;

    pick->by_id = true;
    pick->ids = mem_alloc_zeroed(count, sizeof *pick->ids);
    if (pick->ids == NULL) {
        resp_refuse(call, MZ_NO_MEMORY);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (num_parse_i64(call->args[i + 3], &pick->ids[i]) != MZ_OK) {
            resp_put_error(&call->out, "ERR Invalid client ID");
            mem_free(pick->ids);
            return false;
        }
    }
    pick->id_count = count;
    qsort(pick->ids, count, sizeof *pick->ids, compare_ids);
    return true;
}

static void
run_list(struct resp_call *call)
{
    struct pick pick = pick_all(call);

    if (call->count == 4 && resp_is(call, 2, "type")) {
        if (pick_type(&pick, 3))
            put_list(&pick);
    } else if (call->count > 3 && resp_is(call, 2, "id")) {
        if (pick_ids(&pick))
            put_list(&pick);
    } else if (call->count == 2) {
        put_list(&pick);
    } else {
        resp_syntax_error(call);
    }
}

static void
run_info(struct resp_call *call)
{
    struct pick pick = pick_all(call);

    pick.ids = mem_alloc(sizeof *pick.ids);
    if (pick.ids == NULL) {
        resp_refuse(call, MZ_NO_MEMORY);
        return;
    }
    pick.ids[0] = (int64_t)call->client->id;
    pick.id_count = 1;
    pick.by_id = true;
    put_list(&pick);
}

/* ---- KILL ---- */

static bool
kill_one(void *ctx, const struct service_client_view *view)
{
    struct pick *pick = ctx;
    bool self = view->client == pick->call->client;

    if (!is_picked(pick, view) || (self && pick->spare_self))
        return false;
    pick->killed++;
    pick->self |= self;
    return !self;
}

/* Who asks for its own end still gets the reply. */
static void
kill_picked(struct pick *pick)
{
    visit_all(pick, kill_one);
    if (pick->self)
        pick->call->session->quit = true;
}

/* KILL address: the old form. */
static void
kill_address(struct resp_call *call)
{
    struct pick pick = pick_all(call);

    pick.address = call->args[2];
    kill_picked(&pick);
    if (pick.killed > 0)
        resp_put_ok(&call->out);
    else
        resp_put_error(&call->out, "ERR No such client");
}

/* One option of KILL with its value at arg + 1; id has room for one. False
 * after an error reply. */
static bool
pick_option(struct pick *pick, size_t arg, int64_t *id)
{
    struct resp_call *call = pick->call;
    struct slice value = call->args[arg + 1];

    if (resp_is(call, arg, "id")) {
        if (num_parse_i64(value, id) != MZ_OK || *id < 1) {
            resp_put_error(&call->out,
                           "ERR client-id should be greater than 0");
            return false;
        }
        pick->ids = id;
        pick->id_count = 1;
        pick->by_id = true;
        return true;
    }
    if (resp_is(call, arg, "type"))
        return pick_type(pick, arg + 1);
    if (resp_is(call, arg, "addr")) {
        pick->address = value;
        return true;
    }
    if (resp_is(call, arg, "laddr")) {
        pick->local_address = value;
        return true;
    }
    if (resp_is(call, arg, "user")) {
        if (slice_is(value, "default"))
            return true;
        resp_printf_error(&call->out, "ERR No such user '%.*s'",
                          (int)(value.len < 128 ? value.len : 128), value.data);
        return false;
    }
    if (resp_is(call, arg, "skipme")) {
        pick->spare_self = resp_is(call, arg + 1, "yes");
        if (pick->spare_self || resp_is(call, arg + 1, "no"))
            return true;
    }
    resp_syntax_error(call);
    return false;
}

static void
run_kill(struct resp_call *call)
{
    struct pick pick = pick_all(call);
    int64_t id = 0;

    pick.spare_self = true;
    if (call->count == 3) {
        kill_address(call);
        return;
    }
    for (size_t i = 2; i < call->count; i += 2) {
        if (i + 1 == call->count) {
            resp_syntax_error(call);
            return;
        }
        if (!pick_option(&pick, i, &id))
            return;
    }
    kill_picked(&pick);
    resp_put_integer(&call->out, pick.killed);
}

/* ---- modes ---- */

/* Whether the third word is ON; false after an error reply. */
static bool
is_switch(struct resp_call *call, bool *on)
{
    *on = resp_is(call, 2, "on");
    if (*on || resp_is(call, 2, "off"))
        return true;
    resp_syntax_error(call);
    return false;
}

/* Nothing is evicted for the memory of clients, and reads do not count as use:
 * both are only told in CLIENT LIST. */
static void
run_no_evict(struct resp_call *call)
{
    bool on;

    if (!is_switch(call, &on))
        return;
    atomic_store_explicit(&call->client->shown.no_evict, on,
                          memory_order_relaxed);
    resp_put_ok(&call->out);
}

static void
run_no_touch(struct resp_call *call)
{
    bool on;

    if (!is_switch(call, &on))
        return;
    atomic_store_explicit(&call->client->shown.no_touch, on,
                          memory_order_relaxed);
    resp_put_ok(&call->out);
}

/* OFF and SKIP are answered by no reply. */
static void
run_reply(struct resp_call *call)
{
    enum resp_replies *replies = &call->client->replies;

    if (resp_is(call, 2, "on")) {
        resp_unmute(call);
        resp_put_ok(&call->out);
    } else if (!resp_is(call, 2, "off") && !resp_is(call, 2, "skip")) {
        resp_syntax_error(call);
    } else if (call->in_exec) {
        /* The reply of EXEC would be one item short. */
        resp_put_error(&call->out,
                       "ERR Command not allowed inside a transaction");
    } else if (resp_is(call, 2, "off")) {
        *replies = RESP_REPLIES_OFF;
    } else if (*replies != RESP_REPLIES_OFF) {
        *replies = RESP_REPLIES_SKIP;
    }
}

static void
run_help(struct resp_call *call)
{
    static const char *const lines[] = {
        "GETNAME",
        "    Return the name of the current connection.",
        "ID",
        "    Return the ID of the current connection.",
        "INFO",
        "    Return information about the current client connection.",
        "KILL <ip:port>",
        "    Kill connection made from <ip:port>.",
        "KILL <option> <value> [<option> <value> [...]]",
        "    Kill connections. Options are:",
        "    * ADDR <ip:port>",
        "      Kill connections made from the specified address",
        "    * LADDR <ip:port>",
        "      Kill connections made to specified local address",
        "    * TYPE (NORMAL|PUBSUB)",
        "      Kill connections by type.",
        "    * USER <username>",
        "      Kill connections authenticated by <username>.",
        "    * SKIPME (YES|NO)",
        "      Skip killing current connection (default: yes).",
        "    * ID <client-id>",
        "      Kill the connection with this ID.",
        "LIST [options ...]",
        "    Return information about client connections. Options:",
        "    * TYPE (NORMAL|PUBSUB)",
        "      Return clients of specified type.",
        "    * ID <client-id> [<client-id> ...]",
        "      Return these clients.",
        "REPLY (ON|OFF|SKIP)",
        "    Control the replies sent to the current connection.",
        "SETINFO <option> <value>",
        "    Tell the library in use. Options are LIB-NAME and LIB-VER.",
        "SETNAME <name>",
        "    Assign the name <name> to the current connection.",
        "NO-EVICT (ON|OFF)",
        "    Protect current client connection from eviction.",
        "NO-TOUCH (ON|OFF)",
        "    Accepted; no read counts as use.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_CLIENT(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"setname", 3, run_setname},   {"getname", 2, run_getname},
        {"setinfo", 4, run_setinfo},   {"id", 2, run_id},
        {"info", 2, run_info},         {"list", -2, run_list},
        {"kill", -3, run_kill},        {"no-evict", 3, run_no_evict},
        {"no-touch", 3, run_no_touch}, {"reply", 3, run_reply},
        {"help", 2, run_help},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}
