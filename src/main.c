/* SPDX-License-Identifier: MIT
 *
 * main.c - wiring and signals: what the process is made of, in which order it
 * starts, and the same list backwards.
 *
 * Whatever keeps it from starting is one line on stderr and status 1.
 */
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/signals.h"
#include "bench/bench.h"
#include "config/config.h"
#include "net/server.h"
#include "service/events.h"
#include "service/script_cache.h"
#include "service/service.h"
#include "service/topics.h"
#include "session/leases.h"
#include "stats/stats.h"
#include "store/store.h"
#include "store/sweeper.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A stop has to be over within a second. */
#define STOP_GRACE_MS 900

static enum mz_err
run_bench(const struct config *config)
{
    const char *payload = config->bench_payload;
    const struct bench_options options = {
        .operations = config->bench_operations,
        .payload = slice_of_string(payload != NULL ? payload : ""),
    };

    return bench_run(&options, stdout);
}

static void
run_until_signal(const struct server *server, const sigset_t *awaited,
                 const struct log *log)
{
    int number;

    for (size_t i = 0; server_address(server, i) != NULL; i++)
        printf("memoizer %s listening on %s\n", MEMOIZER_VERSION,
               server_address(server, i));
    fflush(stdout);
    log_write(log, LOG_NOTICE, "memoizer %s is ready", MEMOIZER_VERSION);
    number = signals_wait_for_end(awaited, log);
    log_write(log, LOG_NOTICE, "%s: stopping",
              number == SIGTERM ? "SIGTERM" : "SIGINT");
}

/* What commands need. The store tells the events of its changes, and they tell
 * the subscribers. */
static enum mz_err
begin_service(struct service *service)
{
    struct store_options options = {.observer = NULL};
    enum mz_err err = topics_new(service->clock, &service->topics);

    if (err == MZ_OK)
        err = events_start(service->topics, &service->events);
    if (err == MZ_OK) {
        options.observer = events_observer(service->events);
        err = store_new(&options, &service->store);
    }
    if (err == MZ_OK)
        err = leases_new(service->clock, clock_wall_us(service->clock),
                         &service->leases);
    if (err == MZ_OK)
        err = script_cache_new(&service->scripts);
    return err;
}

static void
end_service(struct service *service)
{
    script_cache_free(service->scripts);
    leases_free(service->leases);
    store_free(service->store);
    events_stop(service->events);
    topics_free(service->topics);
}

static enum mz_err
serve(const struct config *config, struct buf *why)
{
    const struct log log = {STDERR_FILENO, config->loglevel};
    const struct server_options options = {
        .bind = (const char *const *)config->bind.item,
        .bind_count = config->bind.count,
        .port = (uint16_t)config->port,
        .max_clients = (size_t)config->maxclients,
        .idle_timeout_ms = config->timeout,
        .request_timeout_ms = config->request_timeout,
        .write_timeout_ms = config->write_timeout,
        .tcp_keepalive_ms = config->tcp_keepalive,
    };
    struct stats stats;
    struct service service = {
        .stats = &stats,
        .clock = clock_system(),
        .started_mono_ms = clock_mono_ms(clock_system()),
        .merge_seed = hash_random_seed(),
        .max_value = config->max_value,
        .max_request = config->max_request,
    };
    struct sweeper *sweeper = NULL;
    struct server *server = NULL;
    sigset_t awaited;
    enum mz_err err;

    signals_tame(&awaited);
    stats_init(&stats);
    err = begin_service(&service);
    if (err == MZ_OK)
        err = sweeper_start(service.store, &sweeper);
    if (err == MZ_OK)
        err = server_start(&options, &service, &log, &server, why);
    if (err == MZ_OK) {
        run_until_signal(server, &awaited, &log);
        server_stop(server, STOP_GRACE_MS);
        log_write(&log, LOG_NOTICE, "stopped");
    }
    sweeper_stop(sweeper);
    end_service(&service);
    stats_fini(&stats);
    return err;
}

/* Writes what was asked for, and what is still on its way, to stdout. */
static bool
print(const struct buf *text)
{
    if (text->len > 0)
        fwrite(text->data, 1, text->len, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fprintf(stderr, "memoizer: cannot write to stdout: %s\n", strerror(errno));
    return false;
}

int
main(int argc, char **argv)
{
    extern char **environ;
    struct config config;
    struct buf text = {0};
    enum mz_err err;
    bool good;

    descriptors_keep_standard();
    mem_init();
    err = config_load(argc, argv, environ, &config, &text);
    if (err == MZ_OK && config.action == CONFIG_SERVE)
        err = serve(&config, &text);
    else if (err == MZ_OK && config.action == CONFIG_BENCH)
        err = run_bench(&config);
    else if (err == MZ_OK && config.action == CONFIG_HELP)
        config_help(&text);
    else if (err == MZ_OK && config.action == CONFIG_VERSION)
        buf_put_string(&text, "memoizer " MEMOIZER_VERSION "\n");
    good = err == MZ_OK;
    if (good)
        good = print(&text);
    else if (text.len > 0)
        fprintf(stderr, "memoizer: %.*s\n", (int)text.len, text.data);
    else
        fprintf(stderr, "memoizer: %s\n", err_text(err));
    config_fini(&config);
    buf_fini(&text);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
