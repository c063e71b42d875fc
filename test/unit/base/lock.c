/* SPDX-License-Identifier: MIT
 *
 * lock.c - locks exclude, conditions wake, and a bug ends the process.
 *
 * What aborts runs in a forked child, before this program has a thread.
 */
#include "suite.h"

#include "base/lock.h"
#include "base/must.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The compiler's analysis sees these mistakes; here they are made by intent. */
#define MISTAKE LOCK_TS(no_thread_safety_analysis)

#define THREADS 4
#define ROUNDS  20000

/* Runs body in a child; returns the signal that ended it, or 0. What it
 * printed is in text. */
static int
signal_of(void (*body)(void), char *text, size_t size)
{
    int fd[2], status;
    ssize_t len;
    pid_t pid;

    ck_assert_int_eq(pipe2(fd, O_CLOEXEC), 0);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct rlimit none = {0, 0};

        setrlimit(RLIMIT_CORE, &none);
        dup2(fd[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(fd[1]);
    len = read(fd[0], text, size - 1);
    text[len > 0 ? len : 0] = '\0';
    close(fd[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void
break_an_invariant(void)
{
    must(1 + 1 == 3);
}

static void
keep_the_invariant(void)
{
    must(1 + 1 == 2);
}

START_TEST(must_names_the_place_and_aborts)
{
    char text[1024];

    ck_assert_int_eq(signal_of(keep_the_invariant, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(signal_of(break_an_invariant, text, sizeof text), SIGABRT);
    ck_assert_ptr_nonnull(strstr(text, "lock.c:"));
    ck_assert_ptr_nonnull(strstr(text, "break_an_invariant: 1 + 1 == 3"));
}
END_TEST

#ifndef NDEBUG
MISTAKE static void
take_two_stripes(int first, int second)
{
    struct rwlock a, b;

    rwlock_init(&a, first);
    rwlock_init(&b, second);
    rwlock_read(&a);
    rwlock_read(&b);
    rwlock_drop_read(&b);
    rwlock_drop_read(&a);
}

static void
take_stripes_upwards(void)
{
    take_two_stripes(0, 63);
    take_two_stripes(3, 4);
    take_two_stripes(3, -1);
    take_two_stripes(-1, 3);
    take_two_stripes(-1, -1);
}

static void
take_stripes_downwards(void)
{
    take_two_stripes(4, 3);
}

static void
take_the_last_stripe_first(void)
{
    take_two_stripes(63, 0);
}

static void
take_one_stripe_twice(void)
{
    take_two_stripes(3, 3);
}

MISTAKE static void
take_a_second_stripe_after_a_write(void)
{
    struct rwlock a, b;

    rwlock_init(&a, 1);
    rwlock_init(&b, 0);
    rwlock_write(&a);
    rwlock_drop_write(&a);
    rwlock_write(&b); /* fine: nothing is held */
    rwlock_write(&a); /* upwards */
    rwlock_drop_write(&b);
    rwlock_write(&b); /* downwards: aborts */
}

START_TEST(stripes_out_of_order_abort)
{
    char text[1024];

    ck_assert_int_eq(signal_of(take_stripes_upwards, text, sizeof text), 0);
    ck_assert_int_eq(signal_of(take_stripes_downwards, text, sizeof text),
                     SIGABRT);
    ck_assert_ptr_nonnull(strstr(text, "held_stripes"));
    ck_assert_int_eq(signal_of(take_the_last_stripe_first, text, sizeof text),
                     SIGABRT);
    ck_assert_int_eq(signal_of(take_one_stripe_twice, text, sizeof text),
                     SIGABRT);
    ck_assert_int_eq(
        signal_of(take_a_second_stripe_after_a_write, text, sizeof text),
        SIGABRT);
}
END_TEST
#endif

/* Shared by the threads of a test. */
struct shared {
    struct rwlock rwlock;
    struct mutex mutex;
    struct cond cond;
    uint64_t under_rwlock; /* rwlock */
    uint64_t under_mutex;  /* mutex */
    int arrived;           /* mutex */
};

static void
shared_init(struct shared *shared)
{
    memset(shared, 0, sizeof *shared);
    rwlock_init(&shared->rwlock, 5);
    mutex_init(&shared->mutex);
    cond_init(&shared->cond);
}

static void
shared_fini(struct shared *shared)
{
    rwlock_fini(&shared->rwlock);
    mutex_fini(&shared->mutex);
    cond_fini(&shared->cond);
}

static void
run_threads(void *(*body)(void *), struct shared *shared)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, shared), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

static void *
add_under_locks(void *arg)
{
    struct shared *shared = arg;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t before, after;

        rwlock_write(&shared->rwlock);
        shared->under_rwlock++;
        rwlock_drop_write(&shared->rwlock);
        rwlock_read(&shared->rwlock);
        before = shared->under_rwlock;
        after = *(volatile uint64_t *)&shared->under_rwlock;
        rwlock_drop_read(&shared->rwlock);
        must(before == after);
        mutex_lock(&shared->mutex);
        shared->under_mutex++;
        mutex_unlock(&shared->mutex);
    }
    return NULL;
}

START_TEST(locks_exclude)
{
    struct shared shared;

    shared_init(&shared);
    run_threads(add_under_locks, &shared);
    ck_assert_uint_eq(shared.under_rwlock, THREADS * ROUNDS);
    ck_assert_uint_eq(shared.under_mutex, THREADS * ROUNDS);
    shared_fini(&shared);
}
END_TEST

/* All readers meet while each holds the lock for reading. */
static void *
meet_as_readers(void *arg)
{
    struct shared *shared = arg;

    rwlock_read(&shared->rwlock);
    mutex_lock(&shared->mutex);
    shared->arrived++;
    cond_broadcast(&shared->cond);
    while (shared->arrived < THREADS)
        cond_wait(&shared->cond, &shared->mutex);
    mutex_unlock(&shared->mutex);
    rwlock_drop_read(&shared->rwlock);
    return NULL;
}

START_TEST(readers_share)
{
    struct shared shared;

    shared_init(&shared);
    run_threads(meet_as_readers, &shared);
    ck_assert_int_eq(shared.arrived, THREADS);
    shared_fini(&shared);
}
END_TEST

static void *
signal_once(void *arg)
{
    struct shared *shared = arg;

    mutex_lock(&shared->mutex);
    shared->arrived++;
    cond_signal(&shared->cond);
    mutex_unlock(&shared->mutex);
    return NULL;
}

START_TEST(conditions_wake_and_time_out)
{
    struct shared shared;

    shared_init(&shared);
    mutex_lock(&shared.mutex);
    ck_assert(!cond_wait_ms(&shared.cond, &shared.mutex, 0));
    ck_assert(!cond_wait_ms(&shared.cond, &shared.mutex, 1));
    ck_assert(!cond_wait_ms(&shared.cond, &shared.mutex, 999 % 7));
    mutex_unlock(&shared.mutex);
    run_threads(signal_once, &shared);
    shared.arrived = 0;

    pthread_t thread;
    mutex_lock(&shared.mutex);
    ck_assert_int_eq(pthread_create(&thread, NULL, signal_once, &shared), 0);
    while (shared.arrived == 0)
        ck_assert(cond_wait_ms(&shared.cond, &shared.mutex, 3600 * 1000));
    mutex_unlock(&shared.mutex);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    shared_fini(&shared);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, must_names_the_place_and_aborts);
#ifndef NDEBUG
    tcase_add_test(tc, stripes_out_of_order_abort);
#endif
    tcase_add_test(tc, locks_exclude);
    tcase_add_test(tc, readers_share);
    tcase_add_test(tc, conditions_wake_and_time_out);
}

TEST_MAIN("lock", fill)
