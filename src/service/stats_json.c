/* SPDX-License-Identifier: MIT
 *
 * stats_json.c - see stats_json.h.
 */
#include "service/stats_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* 0 when /proc is not there. */
uint64_t
stats_resident_bytes(void)
{
    FILE *statm = fopen("/proc/self/statm", "re");
    uint64_t pages = 0;

    if (statm == NULL)
        return 0;
    if (fscanf(statm, "%*u %" SCNu64, &pages) != 1)
        pages = 0;
    fclose(statm);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void
put(struct buf *json, const char *name, uint64_t n)
{
    buf_printf(json, "\"%s\":%" PRIu64 ",", name, n);
}

static void
put_ops(struct buf *json, const struct counters *sum)
{
    buf_put_string(json, "\"ops\":{");
    for (unsigned verb = 0; verb < VERB_TOTAL; verb++)
        buf_printf(
            json, "%s\"%s\":%" PRIu64, verb > 0 ? "," : "",
            verb_name((enum verb)verb),
            atomic_load_explicit(&sum->verbs[verb], memory_order_relaxed));
    buf_put_string(json, "}");
}

void
stats_json(const struct session *session, struct buf *json)
{
    struct service *service = session->service;
    int64_t up_ms = clock_mono_ms(service->clock) - service->started_mono_ms;
    struct leases_totals leases;
    struct store_totals totals;
    struct counters sum;

    store_totals(service->store, session->db, &totals);
    leases_totals(service->leases, &leases);
    stats_sum(service->stats, &sum);
    buf_put_string(json, "{");
    put(json, "uptime_s", (uint64_t)(up_ms / 1000));
    put(json, "keys", totals.keys);
    put(json, "expires", totals.expires);
    put(json, "expired_keys", totals.expired_keys);
    put(json, "evicted_keys", 0); /* there is no memory limit yet */
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        put(json, counter_name((enum counter)i),
            atomic_load_explicit(&sum.count[i], memory_order_relaxed));
    put(json, "clients", service->clients);
    put(json, "memory_used", totals.memory_bytes + leases.memory_bytes);
    put(json, "memory_limit", 0); /* 0: none */
    put(json, "memory_rss", stats_resident_bytes());
    put(json, "leases", leases.held);
    put(json, "lease_waiters", leases.waiters);
    put(json, "loading", 0);
    put_ops(json, &sum);
    buf_put_string(json, "}");
}
