/* SPDX-License-Identifier: MIT
 *
 * lock.c - checked pthread locks.
 *
 * Clang's analysis cannot look into pthreads, so it is off in here.
 */
#include "base/lock.h"

#include "base/must.h"

#include <errno.h>
#include <time.h>

#define UNCHECKED LOCK_TS(no_thread_safety_analysis)

/* Debug builds: bit i is set while this thread holds stripe i. Stripes are
 * taken in ascending order, so taking one while an equal or higher one is held
 * is a deadlock that waits to happen. */
#ifndef NDEBUG
static _Thread_local uint64_t held_stripes;

static void
note_taken(const struct rwlock *l)
{
    if (l->rank < 0)
        return;
    must(held_stripes >> l->rank == 0);
    held_stripes |= UINT64_C(1) << l->rank;
}

static void
note_dropped(const struct rwlock *l)
{
    if (l->rank >= 0)
        held_stripes &= ~(UINT64_C(1) << l->rank);
}
#else
#define note_taken(l)   ((void)(l))
#define note_dropped(l) ((void)(l))
#endif

void
rwlock_init(struct rwlock *l, int rank)
{
    pthread_rwlockattr_t attr;

    must(rank >= -1 && rank < 64);
    l->rank = rank;
    must(pthread_rwlockattr_init(&attr) == 0);
    must(pthread_rwlockattr_setkind_np(
             &attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    must(pthread_rwlock_init(&l->raw, &attr) == 0);
    must(pthread_rwlockattr_destroy(&attr) == 0);
}

void
rwlock_fini(struct rwlock *l)
{
    must(pthread_rwlock_destroy(&l->raw) == 0);
}

UNCHECKED void
rwlock_read(struct rwlock *l)
{
    note_taken(l);
    must(pthread_rwlock_rdlock(&l->raw) == 0);
}

UNCHECKED void
rwlock_write(struct rwlock *l)
{
    note_taken(l);
    must(pthread_rwlock_wrlock(&l->raw) == 0);
}

UNCHECKED void
rwlock_drop_read(struct rwlock *l)
{
    note_dropped(l);
    must(pthread_rwlock_unlock(&l->raw) == 0);
}

UNCHECKED void
rwlock_drop_write(struct rwlock *l)
{
    note_dropped(l);
    must(pthread_rwlock_unlock(&l->raw) == 0);
}

void
mutex_init(struct mutex *m)
{
    must(pthread_mutex_init(&m->raw, NULL) == 0);
}

void
mutex_fini(struct mutex *m)
{
    must(pthread_mutex_destroy(&m->raw) == 0);
}

UNCHECKED void
mutex_lock(struct mutex *m)
{
    must(pthread_mutex_lock(&m->raw) == 0);
}

UNCHECKED void
mutex_unlock(struct mutex *m)
{
    must(pthread_mutex_unlock(&m->raw) == 0);
}

void
cond_init(struct cond *c)
{
    pthread_condattr_t attr;

    must(pthread_condattr_init(&attr) == 0);
    must(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    must(pthread_cond_init(&c->raw, &attr) == 0);
    must(pthread_condattr_destroy(&attr) == 0);
}

void
cond_fini(struct cond *c)
{
    must(pthread_cond_destroy(&c->raw) == 0);
}

void
cond_signal(struct cond *c)
{
    must(pthread_cond_signal(&c->raw) == 0);
}

void
cond_broadcast(struct cond *c)
{
    must(pthread_cond_broadcast(&c->raw) == 0);
}

void
cond_wait(struct cond *c, struct mutex *m)
{
    must(pthread_cond_wait(&c->raw, &m->raw) == 0);
}

/* Waits for at most s + ns / 10^9 seconds; ns is below 10^9. */
static bool
wait_for(struct cond *c, struct mutex *m, int64_t s, int64_t ns) NEEDS_MUTEX(*m)
{
    struct timespec until;
    int rc;

    must(s >= 0 && ns >= 0 && clock_gettime(CLOCK_MONOTONIC, &until) == 0);
    until.tv_sec += (time_t)s;
    until.tv_nsec += (long)ns;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    rc = pthread_cond_timedwait(&c->raw, &m->raw, &until);
    must(rc == 0 || rc == ETIMEDOUT);
    return rc == 0;
}

bool
cond_wait_ms(struct cond *c, struct mutex *m, int64_t timeout_ms)
{
    return wait_for(c, m, timeout_ms / 1000, timeout_ms % 1000 * 1000000);
}

bool
cond_wait_us(struct cond *c, struct mutex *m, int64_t timeout_us)
{
    return wait_for(c, m, timeout_us / 1000000, timeout_us % 1000000 * 1000);
}
