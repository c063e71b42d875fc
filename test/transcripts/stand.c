/* SPDX-License-Identifier: MIT
 *
 * stand.c - see stand.h.
 */
#include "stand.h"

#include "base/clock.h"
#include "base/must.h"
#include "base/num.h"

#include <sched.h>
#include <stdio.h>

#define WAIT_NS  INT64_C(10000000000)
#define GRACE_MS 5000
/* Of no power of ten, so that a token is not taken for something else. */
#define FIRST_TOKEN INT64_C(1700000000000001)

void
stand_init(struct stand *stand)
{
    static const char *const bind[] = {"127.0.0.1"};

    *stand = (struct stand){
        .service = {.max_value = (size_t)8 << 20,
                    .max_request = ((size_t)8 << 20) + ((size_t)64 << 10)},
        .options = {.bind = bind,
                    .bind_count = 1,
                    .max_clients = 100,
                    .request_timeout_ms = 10000,
                    .write_timeout_ms = 30000},
        .runner = pthread_self(),
        .alloc_max = SIZE_MAX,
    };
    fake_clock_init(&stand->fake);
}

static bool
set_size(size_t *field, struct slice value)
{
    uint64_t n;

    if (num_parse_size(value, &n) != MZ_OK)
        return false;
    *field = n;
    return true;
}

bool
stand_option(struct stand *stand, struct slice name, struct slice value)
{
    struct server_options *options = &stand->options;

    if (slice_is(name, "max-value"))
        return set_size(&stand->service.max_value, value);
    if (slice_is(name, "max-request"))
        return set_size(&stand->service.max_request, value);
    if (slice_is(name, "maxclients"))
        return set_size(&options->max_clients, value);
    if (slice_is(name, "timeout"))
        return num_parse_duration(value, &options->idle_timeout_ms) == MZ_OK;
    if (slice_is(name, "request-timeout"))
        return num_parse_duration(value, &options->request_timeout_ms) == MZ_OK;
    if (slice_is(name, "write-timeout"))
        return num_parse_duration(value, &options->write_timeout_ms) == MZ_OK;
    return false;
}

/* Like chaos_limit(), but spares the thread that plays the clients: it shares
 * the process, not the fate. */
static bool
refuse(void *ctx, size_t len)
{
    struct stand *stand = ctx;

    return len > stand->alloc_max &&
           !pthread_equal(pthread_self(), stand->runner);
}

void
stand_start(struct stand *stand)
{
    struct store_options options = {.clock = &stand->fake.clock};
    struct service *service = &stand->service;
    struct buf why = {0};
    enum mz_err err;

    stand->hook = (struct mem_hook){refuse, stand};
    mem_set_hook(&stand->hook);
    must(store_new(&options, &stand->store) == MZ_OK);
    must(leases_new(&stand->fake.clock, FIRST_TOKEN, &service->leases) ==
         MZ_OK);
    stats_init(&stand->stats);
    service->store = stand->store;
    service->stats = &stand->stats;
    service->clock = &stand->fake.clock;
    service->started_mono_ms = clock_mono_ms(&stand->fake.clock);
    service->max_clients = stand->options.max_clients;
    err = server_start(&stand->options, service, NULL, &stand->server, &why);
    if (err != MZ_OK)
        fprintf(stderr, "%.*s\n", (int)why.len, why.data);
    must(err == MZ_OK);
    buf_fini(&why);
}

uint16_t
stand_port(const struct stand *stand)
{
    return server_port(stand->server);
}

void
stand_advance(struct stand *stand, int64_t ms, bool sweep)
{
    fake_clock_advance(&stand->fake, ms);
    leases_poke(stand->service.leases);
    if (sweep)
        (void)store_sweep(stand->store);
    store_check(stand->store);
}

void
stand_limit(struct stand *stand, size_t size_max)
{
    stand->alloc_max = size_max;
}

uint64_t
stand_received(struct stand *stand)
{
    struct counters sum;

    stats_sum(&stand->stats, &sum);
    return sum.count[COUNTER_BYTES_RECEIVED];
}

bool
stand_await_clients(struct stand *stand, uint64_t n)
{
    int64_t deadline_ns = clock_mono_ns() + WAIT_NS;

    while (stand->service.clients != n) {
        if (clock_mono_ns() > deadline_ns)
            return false;
        sched_yield();
    }
    return true;
}

bool
stand_await_waiters(struct stand *stand, uint64_t n)
{
    int64_t deadline_ns = clock_mono_ns() + WAIT_NS;
    struct leases_totals totals;

    for (;;) {
        leases_totals(stand->service.leases, &totals);
        if (totals.waiters == n)
            return true;
        if (clock_mono_ns() > deadline_ns)
            return false;
        sched_yield();
    }
}

void
stand_fini(struct stand *stand)
{
    stand_limit(stand, SIZE_MAX);
    server_stop(stand->server, GRACE_MS);
    must(stand->service.clients == 0);
    store_check(stand->store);
    leases_free(stand->service.leases);
    store_free(stand->store);
    stats_fini(&stand->stats);
    mem_set_hook(NULL);
}
