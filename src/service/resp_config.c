/* SPDX-License-Identifier: MIT
 *
 * resp_config.c - CONFIG: options as Redis names them.
 *
 * GET shows resp_config.def. SET changes which keyspace events are told, and
 * nothing else: the other options of a running server stay as they are.
 */
#include "service/events.h"
#include "service/resp_glob.h"
#include "service/resp_subcommand.h"

#include "base/buf.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

typedef void show_function(const struct service *service, struct buf *out);

/* ---- what is shown ---- */

static void
show_bind(const struct service *service, struct buf *out)
{
    const struct service_setup *setup = &service->setup;

    for (size_t i = 0; i < setup->bind_count; i++)
        buf_printf(out, "%s%s", i > 0 ? " " : "", setup->bind[i]);
}

static void
show_max_clients(const struct service *service, struct buf *out)
{
    buf_printf(out, "%zu", service->max_clients);
}

static void
show_events(const struct service *service, struct buf *out)
{
    char letters[EVENTS_LETTERS_SIZE];

    if (service->events != NULL)
        buf_put_string(out, events_wanted(service->events, letters));
}

static void
show_port(const struct service *service, struct buf *out)
{
    buf_printf(out, "%u", (unsigned)service->setup.port);
}

static void
show_max_request(const struct service *service, struct buf *out)
{
    buf_printf(out, "%zu", service->max_request);
}

/* Redis counts whole seconds: one that is begun counts. */
static void
show_seconds(int64_t ms, struct buf *out)
{
    buf_printf(out, "%" PRId64, (ms + 999) / 1000);
}

static void
show_tcp_keepalive(const struct service *service, struct buf *out)
{
    show_seconds(service->setup.tcp_keepalive_ms, out);
}

static void
show_timeout(const struct service *service, struct buf *out)
{
    show_seconds(service->setup.idle_timeout_ms, out);
}

/* A row of resp_config.def: a text, or a function. */
struct setting {
    const char *name;
    const char *text;
    show_function *show;
};

static const struct setting settings[] = {
#define FIXED(name, text)     {name, text, NULL},
#define SHOWN(name, function) {name, NULL, show_##function},
#include "service/resp_config.def"
#undef FIXED
#undef SHOWN
};

#define SETTING_COUNT (sizeof settings / sizeof *settings)

static const struct setting *
find_setting(struct slice name)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (name.len == strlen(settings[i].name) &&
            strncasecmp(name.data, settings[i].name, name.len) == 0)
            return &settings[i];
    }
    return NULL;
}

/* ---- GET ---- */

/* Which argument asks for it first; 0: none does. */
static size_t
asking_arg(const struct resp_call *call, const struct setting *setting)
{
    struct slice name = slice_of_string(setting->name);

    for (size_t i = 2; i < call->count; i++) {
        if (resp_glob_match_any_case(call->args[i], name))
            return i;
    }
    return 0;
}

/* The name and its value. As in Redis a name that was asked for as such is told
 * as it was written. False: the connection is over. */
static bool
put_setting(struct resp_call *call, const struct setting *setting, size_t arg,
            struct buf *value)
{
    struct slice name = slice_of_string(setting->name);

    if (resp_glob_prefix(call->args[arg]).len == call->args[arg].len)
        name = call->args[arg];
    value->len = 0;
    if (setting->show != NULL)
        setting->show(call->session->service, value);
    else
        buf_put_string(value, setting->text);
    if (value->failed) {
        outbox_fail(call->out.out);
        return false;
    }
    if (!resp_have_item_room(call, value->len))
        return false;
    resp_put_bulk(&call->out, name);
    resp_put_bulk(&call->out, buf_slice(value));
    return true;
}

/* Each option once, however many patterns it fits. */
static void
run_get(struct resp_call *call)
{
    size_t arg[SETTING_COUNT];
    struct buf value = {0};
    size_t count = 0;

    for (size_t i = 0; i < SETTING_COUNT; i++) {
        arg[i] = asking_arg(call, &settings[i]);
        count += arg[i] > 0;
    }
    resp_begin_map(&call->out, count);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (arg[i] > 0 && !put_setting(call, &settings[i], arg[i], &value))
            break;
    }
    buf_fini(&value);
}

/* ---- SET ---- */

static void
refuse_set(struct resp_call *call, size_t arg, const char *why)
{
    resp_printf_error(&call->out,
                      "ERR CONFIG SET failed (possibly related to argument "
                      "'%.*s') - %s",
                      (int)call->args[arg].len, call->args[arg].data, why);
}

/* Whether every name is one that CONFIG knows, once. */
static bool
knows_names(struct resp_call *call)
{
    bool seen[SETTING_COUNT] = {false};

    for (size_t i = 2; i < call->count; i += 2) {
        struct slice name = call->args[i];

        if (find_setting(name) != NULL)
            continue;
        resp_printf_error(&call->out,
                          "ERR Unknown option or number of arguments for "
                          "CONFIG SET - '%.*s'",
                          (int)(name.len < 128 ? name.len : 128), name.data);
        return false;
    }
    for (size_t i = 2; i < call->count; i += 2) {
        size_t which = (size_t)(find_setting(call->args[i]) - settings);

        if (seen[which]) {
            refuse_set(call, i, "duplicate parameter");
            return false;
        }
        seen[which] = true;
    }
    return true;
}

/* Names are looked at before values, and nothing is set unless all can be. */
static void
run_set(struct resp_call *call)
{
    struct events *events = call->session->service->events;

    if (call->count % 2 != 0) {
        resp_syntax_error(call);
        return;
    }
    if (!knows_names(call))
        return;
    for (size_t i = 2; i < call->count; i += 2) {
        if (events == NULL || !resp_is(call, i, "notify-keyspace-events")) {
            refuse_set(call, i, "can't set immutable config");
            return;
        }
    }
    if (events_want(events, call->args[3]))
        resp_put_ok(&call->out);
    else
        refuse_set(call, 2,
                   "Invalid event class character. Use '" EVENTS_LETTERS "'.");
}

/* ---- the others ---- */

/* What INFO counts begins at 0 again; the counters themselves go on. */
static void
run_resetstat(struct resp_call *call)
{
    struct service *service = call->session->service;
    struct counters sum;
    struct store_totals totals;

    stats_sum(service->stats, &sum);
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        atomic_store(&service->past.counts[i], sum.count[i]);
    for (size_t i = 0; i < STATS_VERBS_MAX; i++)
        atomic_store(&service->past.verbs[i], sum.verbs[i]);
    store_totals(service->store, 0, &totals);
    atomic_store(&service->past.expired_keys, totals.expired_keys);
    resp_put_ok(&call->out);
}

static void
run_rewrite(struct resp_call *call)
{
    resp_put_error(&call->out,
                   "ERR The server is running without a config file");
}

static void
run_help(struct resp_call *call)
{
    static const char *const lines[] = {
        "GET <pattern>",
        ("    Return parameters matching the glob-like <pattern> and their "
         "values."),
        "SET <directive> <value>",
        "    Set the configuration <directive> to <value>.",
        "RESETSTAT",
        "    Reset statistics reported by the INFO command.",
        "REWRITE",
        "    Rewrite the configuration file.",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_CONFIG(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"get", -3, run_get},
        {"set", -4, run_set},
        {"resetstat", 2, run_resetstat},
        {"rewrite", 2, run_rewrite},
        {"help", 2, run_help},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}
