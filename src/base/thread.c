/* SPDX-License-Identifier: MIT
 *
 * thread.c - see thread.h.
 */
#include "base/thread.h"

#include "base/must.h"

#include <signal.h>

/* What a thread does to itself is not blocked: a blocked fault ends the process
 * without its handler, that of a sanitizer for one. */
static void
fill_with_all_but_faults(sigset_t *set)
{
    static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE,
                                 SIGILL,  SIGABRT, SIGTRAP};

    must(sigfillset(set) == 0);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        must(sigdelset(set, faults[i]) == 0);
}

/* A thread begins with the signals that its starter blocks at that moment. */
static int
create_without_signals(pthread_t *thread, const pthread_attr_t *attr,
                       void *(*run)(void *), void *arg)
{
    sigset_t blocked, before;
    int error;

    fill_with_all_but_faults(&blocked);
    must(pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0);
    error = pthread_create(thread, attr, run, arg);
    must(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    return error;
}

bool
thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
             void *arg)
{
    pthread_t detached;
    pthread_attr_t attr;
    int error;

#ifdef MEMOIZER_SANITIZED
    stack_bytes *= 4;
#endif
    if (pthread_attr_init(&attr) != 0)
        return false;
    must(pthread_attr_setstacksize(&attr, stack_bytes) == 0);
    if (thread == NULL)
        must(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    error = create_without_signals(thread != NULL ? thread : &detached, &attr,
                                   run, arg);
    must(pthread_attr_destroy(&attr) == 0);
    return error == 0;
}
