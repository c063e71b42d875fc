/* SPDX-License-Identifier: MIT
 *
 * sweeper.c - a thread, and a bell to wake it for the end.
 *
 * Locking: sweeper->mutex guards `stop` only and is not held while the store
 * is swept.
 */
#include "store/sweeper.h"

#include "base/lock.h"
#include "base/mem.h"
#include "base/must.h"
#include "base/thread.h"

#include <pthread.h>

/* Enough for a slice's victims many times over. */
#define STACK_BYTES ((size_t)256 * 1024)

struct sweeper {
    struct store *store; /* const */
    pthread_t thread;    /* owner: who started it */
    struct mutex mutex;
    struct cond bell;
    bool stop; /* mutex */
};

/* Waits for the next turn; false when there is none. */
static bool
wait_for_turn(struct sweeper *sweeper)
{
    bool stop;

    mutex_lock(&sweeper->mutex);
    /* Being woken early costs one more sweep and no harm. */
    if (!sweeper->stop)
        (void)cond_wait_ms(&sweeper->bell, &sweeper->mutex, SWEEPER_PERIOD_MS);
    stop = sweeper->stop;
    mutex_unlock(&sweeper->mutex);
    return !stop;
}

static void *
run(void *arg)
{
    struct sweeper *sweeper = arg;

    while (wait_for_turn(sweeper))
        (void)store_sweep(sweeper->store);
    return NULL;
}

static void
destroy(struct sweeper *sweeper)
{
    cond_fini(&sweeper->bell);
    mutex_fini(&sweeper->mutex);
    mem_free(sweeper);
}

enum mz_err
sweeper_start(struct store *store, struct sweeper **out)
{
    struct sweeper *sweeper = mem_alloc_zeroed(1, sizeof *sweeper);

    if (sweeper == NULL)
        return MZ_NO_MEMORY;
    sweeper->store = store;
    mutex_init(&sweeper->mutex);
    cond_init(&sweeper->bell);
    if (!thread_start(&sweeper->thread, STACK_BYTES, run, sweeper)) {
        destroy(sweeper);
        return MZ_NO_MEMORY;
    }
    *out = sweeper;
    return MZ_OK;
}

void
sweeper_stop(struct sweeper *sweeper)
{
    if (sweeper == NULL)
        return;
    mutex_lock(&sweeper->mutex);
    sweeper->stop = true;
    cond_signal(&sweeper->bell);
    mutex_unlock(&sweeper->mutex);
    must(pthread_join(sweeper->thread, NULL) == 0);
    destroy(sweeper);
}
