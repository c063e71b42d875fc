/* SPDX-License-Identifier: MIT
 *
 * resp_server.c - commands of the Redis protocol about the server: the time,
 * what a key costs, and what tools ask for that memoizer does not have, where
 * an empty answer is the true one.
 */
#include "service/resp_subcommand.h"

#include "base/must.h"
#include "base/num.h"

#include <string.h>

/* Values up to this size lie in Redis beside their header. */
#define EMBSTR_MAX 44
/* Redis shares the objects of small numbers. */
#define SHARED_INTEGERS 10000
/* An entry's slot in the table: its pointer, deadline and tag. */
#define SLOT_BYTES 24

static void
put_text(struct resp_call *call, const char *text)
{
    if (resp_have_room(call, strlen(text)))
        resp_put_verbatim(&call->out, slice_of_string(text));
}

/* ---- TIME, WAIT, LASTSAVE ---- */

/* The clock of the wall tells milliseconds. */
void
resp_run_TIME(struct resp_call *call)
{
    int64_t now_us = clock_wall_us(call->session->service->clock);

    resp_begin_array(&call->out, 2);
    resp_put_bulk_u64(&call->out, (uint64_t)now_us / 1000000);
    resp_put_bulk_u64(&call->out, (uint64_t)now_us % 1000000);
}

/* There are no replicas to wait for. */
void
resp_run_WAIT(struct resp_call *call)
{
    int64_t replicas, timeout_ms;

    if (!resp_integer(call, 1, &replicas))
        return;
    if (num_parse_i64(call->args[2], &timeout_ms) != MZ_OK)
        resp_put_error(&call->out,
                       "ERR timeout is not an integer or out of range");
    else if (timeout_ms < 0)
        resp_put_error(&call->out, "ERR timeout is negative");
    else
        resp_put_integer(&call->out, 0);
}

/* As in Redis: nothing was saved since the start, so that is the time. */
void
resp_run_LASTSAVE(struct resp_call *call)
{
    const struct service *service = call->session->service;
    int64_t up_ms = clock_mono_ms(service->clock) - service->started_mono_ms;

    resp_put_integer(&call->out,
                     (clock_wall_ms(service->clock) - up_ms) / 1000);
}

void
resp_run_SAVE(struct resp_call *call)
{
    resp_put_error(&call->out, "ERR nothing can be saved: the server has no "
                               "data directory");
}

void
resp_run_BGSAVE(struct resp_call *call)
{
    resp_run_SAVE(call);
}

/* The whole family: without a cluster there is nothing to tell. */
void
resp_run_CLUSTER(struct resp_call *call)
{
    resp_put_error(&call->out, "ERR This instance has cluster support "
                               "disabled");
}

/* ---- OBJECT ---- */

/* What a reader under the lock takes with it of a value. */
struct looked {
    const char *encoding; /* as Redis would keep it */
    bool is_shared;       /* a small number */
    size_t bytes;         /* of memory */
};

static void
look_at(void *ctx, const struct store_view *view)
{
    struct looked *looked = ctx;
    int64_t n;

    looked->bytes = entry_size(view->entry) + SLOT_BYTES;
    if (num_parse_i64(view->value, &n) == MZ_OK &&
        !(n == 0 && view->value.len > 1)) {
        looked->encoding = "int";
        looked->is_shared = n >= 0 && n < SHARED_INTEGERS;
    } else {
        looked->encoding = view->value.len <= EMBSTR_MAX ? "embstr" : "raw";
        looked->is_shared = false;
    }
}

/* False after the null of a key that is not there. */
static bool
look(struct resp_call *call, struct looked *looked)
{
    if (store_get(call->session->service->store, resp_key(call, 2), look_at,
                  looked))
        return true;
    resp_put_null(&call->out);
    return false;
}

static void
run_encoding(struct resp_call *call)
{
    struct looked looked;

    if (look(call, &looked))
        resp_put_bulk_string(&call->out, looked.encoding);
}

static void
run_freq(struct resp_call *call)
{
    struct looked looked;

    if (look(call, &looked))
        resp_put_error(&call->out,
                       "ERR An LFU maxmemory policy is not selected, access "
                       "frequency not tracked. Please note that when switching "
                       "between policies at runtime LRU and LFU data will take "
                       "some time to adjust.");
}

/* When a key was read last is not kept: nothing is evicted. */
static void
run_idletime(struct resp_call *call)
{
    struct looked looked;

    if (look(call, &looked))
        resp_put_integer(&call->out, 0);
}

static void
run_refcount(struct resp_call *call)
{
    struct looked looked;

    if (look(call, &looked))
        resp_put_integer(&call->out, looked.is_shared ? INT32_MAX : 1);
}

static void
help_object(struct resp_call *call)
{
    static const char *const lines[] = {
        "ENCODING <key>",
        ("    Return the kind of internal representation used in order to "
         "store "
         "the value"),
        "    associated with a <key>.",
        "FREQ <key>",
        ("    Return the access frequency index of the <key>. The returned "
         "integer is"),
        ("    proportional to the logarithm of the recent access frequency of "
         "the key."),
        "IDLETIME <key>",
        ("    Return the idle time of the <key>, that is the approximated "
         "number "
         "of"),
        "    seconds elapsed since the last access to the key.",
        "REFCOUNT <key>",
        ("    Return the number of references of the value associated with the "
         "specified"),
        "    <key>.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_OBJECT(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"encoding", 3, run_encoding}, {"freq", 3, run_freq},
        {"idletime", 3, run_idletime}, {"refcount", 3, run_refcount},
        {"help", 2, help_object},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}

/* ---- MEMORY ---- */

static void
run_usage(struct resp_call *call)
{
    struct looked looked;
    int64_t samples;

    for (size_t i = 3; i < call->count; i += 2) {
        if (!resp_is(call, i, "samples") || i + 1 == call->count) {
            resp_syntax_error(call);
            return;
        }
        if (!resp_integer(call, i + 1, &samples))
            return;
        if (samples < 0) {
            resp_syntax_error(call);
            return;
        }
    }
    if (look(call, &looked))
        resp_put_integer(&call->out, (int64_t)looked.bytes);
}

static void
run_memory_doctor(struct resp_call *call)
{
    put_text(call,
             "memoizer watches for no memory problems. What is used is in "
             "INFO memory.\n");
}

static void
run_malloc_stats(struct resp_call *call)
{
    put_text(call, "Stats not supported for the current allocator");
}

/* Nothing waits to be given back. */
static void
run_purge(struct resp_call *call)
{
    resp_put_ok(&call->out);
}

static void
help_memory(struct resp_call *call)
{
    static const char *const lines[] = {
        "DOCTOR",
        "    Return memory problems reports.",
        "MALLOC-STATS",
        "    Return internal statistics report from the memory allocator.",
        "PURGE",
        "    Attempt to purge dirty pages for reclamation by the allocator.",
        "USAGE <key> [SAMPLES <count>]",
        ("    Return memory in bytes used by <key> and its value. Nested "
         "values "
         "are"),
        "    sampled up to <count> times (default: 5, 0 means sample all).",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_MEMORY(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"usage", -3, run_usage},
        {"doctor", 2, run_memory_doctor},
        {"malloc-stats", 2, run_malloc_stats},
        {"purge", 2, run_purge},
        {"help", 2, help_memory},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}

/* ---- SLOWLOG: no command is recorded ---- */

static void
run_slowlog_get(struct resp_call *call)
{
    int64_t count;

    if (call->count > 3)
        resp_syntax_error(call);
    else if (call->count == 3 &&
             (num_parse_i64(call->args[2], &count) != MZ_OK || count < -1))
        resp_put_error(&call->out,
                       "ERR count should be greater than or equal to -1");
    else
        resp_begin_array(&call->out, 0);
}

static void
run_slowlog_len(struct resp_call *call)
{
    resp_put_integer(&call->out, 0);
}

static void
run_slowlog_reset(struct resp_call *call)
{
    resp_put_ok(&call->out);
}

static void
help_slowlog(struct resp_call *call)
{
    static const char *const lines[] = {
        "GET [<count>]",
        ("    Return top <count> entries from the slowlog (default: 10, -1 "
         "mean "
         "all)."),
        "    Entries are made of:",
        ("    id, timestamp, time in microseconds, arguments array, client IP "
         "and port,"),
        "    client name",
        "LEN",
        "    Return the length of the slowlog.",
        "RESET",
        "    Reset the slowlog.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_SLOWLOG(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"get", -2, run_slowlog_get},
        {"len", 2, run_slowlog_len},
        {"reset", 2, run_slowlog_reset},
        {"help", 2, help_slowlog},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}

/* ---- LATENCY: no event is recorded ---- */

static void
run_latency_none(struct resp_call *call)
{
    resp_begin_array(&call->out, 0);
}

static void
run_latency_reset(struct resp_call *call)
{
    resp_put_integer(&call->out, 0);
}

static void
run_histogram(struct resp_call *call)
{
    resp_begin_map(&call->out, 0);
}

static void
run_graph(struct resp_call *call)
{
    struct slice event = call->args[2];

    resp_printf_error(&call->out, "ERR No samples available for event '%.*s'",
                      (int)(event.len < 128 ? event.len : 128), event.data);
}

static void
run_latency_doctor(struct resp_call *call)
{
    put_text(call, "memoizer records no latencies.\n");
}

static void
help_latency(struct resp_call *call)
{
    static const char *const lines[] = {
        "DOCTOR",
        "    Return a human readable latency analysis report.",
        "GRAPH <event>",
        "    Return an ASCII latency graph for the <event> class.",
        "HISTORY <event>",
        "    Return time-latency samples for the <event> class.",
        "LATEST",
        "    Return the latest latency samples for all events.",
        "RESET [<event> ...]",
        "    Reset latency data of one or more <event> classes.",
        "    (default: reset all data for all event classes)",
        "HISTOGRAM [COMMAND ...]",
        ("    Return a cumulative distribution of latencies in the format of a "
         "histogram for the specified command names."),
        "    If no commands are specified then all histograms are replied.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_LATENCY(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"latest", 2, run_latency_none},   {"history", 3, run_latency_none},
        {"reset", -2, run_latency_reset},  {"histogram", -2, run_histogram},
        {"doctor", 2, run_latency_doctor}, {"graph", 3, run_graph},
        {"help", 2, help_latency},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}

/* ---- MODULE: there are none ---- */

static void
run_module_list(struct resp_call *call)
{
    resp_begin_array(&call->out, 0);
}

static void
help_module(struct resp_call *call)
{
    static const char *const lines[] = {
        "LIST",
        "    Return a list of loaded modules.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_MODULE(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"list", 2, run_module_list},
        {"help", 2, help_module},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}
