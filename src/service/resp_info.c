/* SPDX-License-Identifier: MIT
 *
 * resp_info.c - INFO: sections of "name:value" lines, as monitoring reads them.
 *
 * Sums over threads, stripes and connections are not a snapshot of one moment.
 * What is counted since CONFIG RESETSTAT is the sum without what it was then.
 */
#include "service/resp_call.h"
#include "service/stats_json.h"
#include "service/topics.h"

#include "base/buf.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Redis waits for so long before it tells another rate. */
#define RATE_MIN_MS 100

/* What the sections tell of, gathered once. */
struct facts {
    struct service *service;
    struct counters sum;
    struct store_totals dbs[STORE_DBS];
    struct leases_totals leases;
    uint64_t memory_bytes;
    uint64_t commands; /* since CONFIG RESETSTAT */
    int64_t up_ms;
};

/* Since CONFIG RESETSTAT. A thread may have counted on meanwhile, but never
 * back. */
static uint64_t
since(uint64_t now, const _Atomic uint64_t *past)
{
    uint64_t then = atomic_load(past);

    return now > then ? now - then : 0;
}

static uint64_t
counted(const struct facts *facts, enum counter which)
{
    return since(facts->sum.count[which], &facts->service->past.counts[which]);
}

static uint64_t
calls_of(const struct facts *facts, unsigned verb)
{
    return since(facts->sum.verbs[verb], &facts->service->past.verbs[verb]);
}

static void
gather(struct service *service, struct facts *facts)
{
    uint64_t peak;

    facts->service = service;
    facts->up_ms = clock_mono_ms(service->clock) - service->started_mono_ms;
    stats_sum(service->stats, &facts->sum);
    leases_totals(service->leases, &facts->leases);
    for (uint8_t db = 0; db < STORE_DBS; db++)
        store_totals(service->store, db, &facts->dbs[db]);
    facts->memory_bytes =
        facts->dbs[0].memory_bytes + facts->leases.memory_bytes;
    facts->commands = 0;
    for (unsigned verb = 0; verb < STATS_VERBS_MAX; verb++)
        facts->commands += calls_of(facts, verb);
    peak = atomic_load(&service->memory_peak);
    while (facts->memory_bytes > peak &&
           !atomic_compare_exchange_weak(&service->memory_peak, &peak,
                                         facts->memory_bytes))
        ;
}

static void
put(struct buf *out, const char *name, uint64_t n)
{
    buf_printf(out, "%s:%" PRIu64 "\r\n", name, n);
}

/* Bytes as people read them, as "1.53M". */
static void
put_human(struct buf *out, const char *name, uint64_t bytes)
{
    static const char units[] = "BKMGTP";
    double n = (double)bytes;
    size_t unit = 0;

    for (; n >= 1024 && units[unit + 1] != '\0'; unit++)
        n /= 1024;
    if (unit == 0)
        buf_printf(out, "%s:%" PRIu64 "B\r\n", name, bytes);
    else
        buf_printf(out, "%s:%.2f%c\r\n", name, n, units[unit]);
}

/* ---- sections ---- */

static void
put_server(const struct facts *facts, struct buf *out)
{
    const struct service *service = facts->service;
    const char *run_id = service->setup.run_id;
    int64_t now_us = clock_wall_us(service->clock);
    char path[4096];
    ssize_t path_len = readlink("/proc/self/exe", path, sizeof path);
    struct utsname system;

    buf_put_string(out, "redis_version:" RESP_REDIS_VERSION
                        "\r\nmemoizer_version:" MEMOIZER_VERSION
                        "\r\nredis_mode:standalone\r\n");
    if (uname(&system) == 0)
        buf_printf(out, "os:%s %s %s\r\n", system.sysname, system.release,
                   system.machine);
    put(out, "arch_bits", 8 * sizeof(void *));
    put(out, "process_id", (uint64_t)getpid());
    buf_printf(out, "run_id:%s\r\n",
               run_id[0] != '\0' ? run_id
                                 : "0000000000000000000000000000000000000000");
    put(out, "tcp_port", service->setup.port);
    put(out, "server_time_usec", (uint64_t)now_us);
    put(out, "uptime_in_seconds", (uint64_t)facts->up_ms / 1000);
    put(out, "uptime_in_days", (uint64_t)facts->up_ms / 86400000);
    buf_printf(out, "executable:%.*s\r\nconfig_file:\r\n",
               path_len > 0 ? (int)path_len : 0, path);
}

static void
put_clients(const struct facts *facts, struct buf *out)
{
    put(out, "connected_clients", facts->service->clients);
    put(out, "maxclients", facts->service->max_clients);
    put(out, "blocked_clients", facts->leases.waiters);
}

static void
put_memory(const struct facts *facts, struct buf *out)
{
    uint64_t resident = stats_resident_bytes();
    uint64_t peak = atomic_load(&facts->service->memory_peak);
    double used = facts->memory_bytes > 0 ? (double)facts->memory_bytes : 1;

    put(out, "used_memory", facts->memory_bytes);
    put_human(out, "used_memory_human", facts->memory_bytes);
    put(out, "used_memory_rss", resident);
    put_human(out, "used_memory_rss_human", resident);
    put(out, "used_memory_peak", peak);
    put_human(out, "used_memory_peak_human", peak);
    put(out, "maxmemory", 0);
    put_human(out, "maxmemory_human", 0);
    buf_put_string(out, "maxmemory_policy:noeviction\r\n");
    buf_printf(out, "mem_fragmentation_ratio:%.2f\r\n",
               (double)resident / used);
    buf_put_string(out, "mem_allocator:libc\r\n");
}

/* There is nothing on disk: every change is one that was not saved. */
static void
put_persistence(const struct facts *facts, struct buf *out)
{
    int64_t now_ms = clock_wall_ms(facts->service->clock);

    put(out, "loading", 0);
    put(out, "async_loading", 0);
    put(out, "rdb_changes_since_last_save", 0);
    put(out, "rdb_bgsave_in_progress", 0);
    put(out, "rdb_last_save_time", (uint64_t)(now_ms - facts->up_ms) / 1000);
    buf_put_string(out, "rdb_last_bgsave_status:ok\r\n");
    put(out, "aof_enabled", 0);
    put(out, "aof_rewrite_in_progress", 0);
}

/* Commands a second since INFO has told it before. */
static uint64_t
command_rate(const struct facts *facts)
{
    struct service *service = facts->service;
    int64_t now_ms = clock_mono_ms(service->clock);
    int64_t then_ms = atomic_load(&service->rate_mono_ms);
    uint64_t before = atomic_load(&service->rate_commands);
    int64_t ms = now_ms - (then_ms > 0 ? then_ms : service->started_mono_ms);

    if (ms < RATE_MIN_MS)
        ms = RATE_MIN_MS;
    else {
        atomic_store(&service->rate_mono_ms, now_ms);
        atomic_store(&service->rate_commands, facts->commands);
    }
    return facts->commands > before
               ? (facts->commands - before) * 1000 / (uint64_t)ms
               : 0;
}

static void
put_stats(const struct facts *facts, struct buf *out)
{
    struct topics *topics = facts->service->topics;

    put(out, "total_connections_received",
        counted(facts, COUNTER_ACCEPTED_CLIENTS));
    put(out, "total_commands_processed", facts->commands);
    put(out, "instantaneous_ops_per_sec", command_rate(facts));
    put(out, "total_net_input_bytes", counted(facts, COUNTER_BYTES_RECEIVED));
    put(out, "total_net_output_bytes", counted(facts, COUNTER_BYTES_SENT));
    put(out, "rejected_connections", counted(facts, COUNTER_REJECTED_CLIENTS));
    put(out, "expired_keys",
        since(facts->dbs[0].expired_keys, &facts->service->past.expired_keys));
    put(out, "evicted_keys", 0);
    put(out, "keyspace_hits", counted(facts, COUNTER_HITS));
    put(out, "keyspace_misses", counted(facts, COUNTER_MISSES));
    put(out, "pubsub_channels", topics_count(topics, TOPIC_CHANNEL));
    put(out, "pubsub_patterns", topics_count(topics, TOPIC_PATTERN));
    put(out, "total_error_replies", counted(facts, COUNTER_REFUSED));
}

static void
put_replication(const struct facts *facts, struct buf *out)
{
    (void)facts;
    buf_put_string(out, "role:master\r\nconnected_slaves:0\r\n");
}

static void
put_cpu(const struct facts *facts, struct buf *out)
{
    struct rusage used;

    (void)facts;
    if (getrusage(RUSAGE_SELF, &used) != 0)
        return;
    buf_printf(out, "used_cpu_sys:%lld.%06ld\r\n",
               (long long)used.ru_stime.tv_sec, (long)used.ru_stime.tv_usec);
    buf_printf(out, "used_cpu_user:%lld.%06ld\r\n",
               (long long)used.ru_utime.tv_sec, (long)used.ru_utime.tv_usec);
}

static void
put_nothing(const struct facts *facts, struct buf *out)
{
    (void)facts;
    (void)out;
}

/* How long commands take is not measured. */
static void
put_command_stats(const struct facts *facts, struct buf *out)
{
    size_t count;
    const struct resp_row *rows = resp_rows(&count);

    for (size_t i = 0; i < count; i++) {
        uint64_t calls = calls_of(facts, VERB_TOTAL + (unsigned)i);

        if (calls == 0)
            continue;
        buf_put_string(out, "cmdstat_");
        for (const char *p = rows[i].name; *p != '\0'; p++)
            buf_put_char(out, (char)(*p | 0x20));
        buf_printf(out,
                   ":calls=%" PRIu64 ",usec=0,usec_per_call=0.00,"
                   "rejected_calls=0,failed_calls=0\r\n",
                   calls);
    }
}

static void
put_error_stats(const struct facts *facts, struct buf *out)
{
    uint64_t refused = counted(facts, COUNTER_REFUSED);

    if (refused > 0)
        buf_printf(out, "errorstat_ERR:count=%" PRIu64 "\r\n", refused);
}

static void
put_cluster(const struct facts *facts, struct buf *out)
{
    (void)facts;
    put(out, "cluster_enabled", 0);
}

static void
put_keyspace(const struct facts *facts, struct buf *out)
{
    for (unsigned db = 0; db < STORE_DBS; db++) {
        const struct store_totals *totals = &facts->dbs[db];

        if (totals->keys > 0)
            buf_printf(
                out, "db%u:keys=%" PRIu64 ",expires=%" PRIu64 ",avg_ttl=0\r\n",
                db, totals->keys, totals->expires);
    }
}

static const struct {
    const char *name;
    void (*put)(const struct facts *facts, struct buf *out);
    bool by_default; /* also where nothing is asked for */
    bool in_all;     /* "all"; "everything" has also the others */
} sections[] = {
    {"Server", put_server, true, true},
    {"Clients", put_clients, true, true},
    {"Memory", put_memory, true, true},
    {"Persistence", put_persistence, true, true},
    {"Stats", put_stats, true, true},
    {"Replication", put_replication, true, true},
    {"CPU", put_cpu, true, true},
    {"Modules", put_nothing, true, false},
    {"Commandstats", put_command_stats, false, true},
    {"Errorstats", put_error_stats, true, true},
    {"Latencystats", put_nothing, false, true},
    {"Cluster", put_cluster, true, true},
    {"Keyspace", put_keyspace, true, true},
};

#define SECTION_COUNT (sizeof sections / sizeof *sections)

/* ---- INFO ---- */

static bool
is_wanted(const struct resp_call *call, size_t section)
{
    if (call->count == 1)
        return sections[section].by_default;
    for (size_t i = 1; i < call->count; i++) {
        if (resp_is(call, i, sections[section].name) ||
            resp_is(call, i, "everything") ||
            (resp_is(call, i, "all") && sections[section].in_all) ||
            (resp_is(call, i, "default") && sections[section].by_default))
            return true;
    }
    return false;
}

void
resp_run_INFO(struct resp_call *call)
{
    struct facts facts;
    struct buf text = {0};

    gather(call->session->service, &facts);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (!is_wanted(call, i))
            continue;
        buf_printf(&text, "%s# %s\r\n", text.len > 0 ? "\r\n" : "",
                   sections[i].name);
        sections[i].put(&facts, &text);
    }
    if (text.failed)
        resp_refuse(call, MZ_NO_MEMORY);
    else if (resp_have_room(call, text.len))
        resp_put_verbatim(&call->out, buf_slice(&text));
    buf_fini(&text);
}
