/* SPDX-License-Identifier: MIT
 *
 * crowd.c - see crowd.h.
 */
#include "crowd.h"

#include "base/clock.h"
#include "base/must.h"

#include <pthread.h>
#include <stdlib.h>

struct crowd {
    size_t count;
    crowd_fn *fn;
    pthread_barrier_t start; /* the clients, and who started them */
    int64_t begin_ns;
    struct crowd_client *clients;
    pthread_t *threads;
};

static void *
run(void *arg)
{
    struct crowd_client *client = arg;

    (void)pthread_barrier_wait(&client->crowd->start);
    client->crowd->fn(client);
    talker_close(&client->talker);
    return NULL;
}

struct crowd *
crowd_start(uint16_t port, size_t count, crowd_fn *fn, void *ctx)
{
    struct crowd *crowd = calloc(1, sizeof(*crowd));

    must(crowd != NULL);
    crowd->count = count;
    crowd->fn = fn;
    crowd->clients = calloc(count, sizeof(*crowd->clients));
    crowd->threads = calloc(count, sizeof(*crowd->threads));
    must(crowd->clients != NULL && crowd->threads != NULL);
    must(pthread_barrier_init(&crowd->start, NULL, (unsigned)count + 1) == 0);
    for (size_t i = 0; i < count; i++) {
        struct crowd_client *client = &crowd->clients[i];

        client->number = i;
        client->ctx = ctx;
        client->crowd = crowd;
        talker_connect(&client->talker, port);
        answer_is(talker_ask(&client->talker, "{\"s\":\"ping\"}"), "\"pong\"");
        must(pthread_create(&crowd->threads[i], NULL, run, client) == 0);
    }
    (void)pthread_barrier_wait(&crowd->start);
    crowd->begin_ns = clock_mono_ns();
    return crowd;
}

int64_t
crowd_end(struct crowd *crowd)
{
    int64_t ms;

    for (size_t i = 0; i < crowd->count; i++)
        must(pthread_join(crowd->threads[i], NULL) == 0);
    ms = (clock_mono_ns() - crowd->begin_ns) / 1000000;
    must(pthread_barrier_destroy(&crowd->start) == 0);
    free(crowd->clients);
    free(crowd->threads);
    free(crowd);
    return ms;
}

int64_t
crowd_run(uint16_t port, size_t count, crowd_fn *fn, void *ctx)
{
    return crowd_end(crowd_start(port, count, fn, ctx));
}
