/* SPDX-License-Identifier: MIT
 *
 * lock.h - the only way to take a lock.
 *
 * Wrappers over pthreads that check every return value and carry Clang's
 * thread-safety annotations: with clang, reaching a `NEEDS_WRITE(l)` function
 * without holding l, or leaving a function with a lock still held, is a
 * warning (an error in CI).
 *
 * rwlock prefers writers and is not recursive: glibc's default kind lets
 * readers starve a writer for ever, and this kind deadlocks when a thread
 * takes the same lock twice, even for reading. docs/LOCKING.md has the order
 * of all locks; debug builds abort when stripes are taken out of order.
 */
#ifndef MEMOIZER_BASE_LOCK_H
#define MEMOIZER_BASE_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__clang__)
#define LOCK_TS(x) __attribute__((x))
#else
#define LOCK_TS(x)
#endif

/* On functions: what the caller must hold. */
#define NEEDS_READ(l)  LOCK_TS(requires_shared_capability(l))
#define NEEDS_WRITE(l) LOCK_TS(requires_capability(l))
#define NEEDS_MUTEX(l) LOCK_TS(requires_capability(l))

struct LOCK_TS(capability("rwlock")) rwlock {
    pthread_rwlock_t raw;
    int rank; /* const: 0 to 63 for stripes, checked in debug builds; or -1 */
};

struct LOCK_TS(capability("mutex")) mutex {
    pthread_mutex_t raw;
};

/* rank: the stripe's index, or -1 for a lock that is no stripe. */
void rwlock_init(struct rwlock *l, int rank);
void rwlock_fini(struct rwlock *l);
void rwlock_read(struct rwlock *l) LOCK_TS(acquire_shared_capability(*l));
void rwlock_write(struct rwlock *l) LOCK_TS(acquire_capability(*l));
void rwlock_drop_read(struct rwlock *l) LOCK_TS(release_shared_capability(*l));
void rwlock_drop_write(struct rwlock *l) LOCK_TS(release_capability(*l));

void mutex_init(struct mutex *m);
void mutex_fini(struct mutex *m);
void mutex_lock(struct mutex *m) LOCK_TS(acquire_capability(*m));
void mutex_unlock(struct mutex *m) LOCK_TS(release_capability(*m));

/* A condition variable on the monotonic clock. */
struct cond {
    pthread_cond_t raw;
};

void cond_init(struct cond *c);
void cond_fini(struct cond *c);
void cond_signal(struct cond *c);
void cond_broadcast(struct cond *c);
void cond_wait(struct cond *c, struct mutex *m) NEEDS_MUTEX(*m);

/* Waits until signalled or for at most timeout_ms >= 0; false on time-out.
 * Wake-ups without a reason occur: test the condition in a loop. */
bool cond_wait_ms(struct cond *c, struct mutex *m, int64_t timeout_ms)
    NEEDS_MUTEX(*m);

/* The same with microseconds: never back before them without a reason. */
bool cond_wait_us(struct cond *c, struct mutex *m, int64_t timeout_us)
    NEEDS_MUTEX(*m);

#endif
