/* SPDX-License-Identifier: MIT
 *
 * signals.c - see signals.h.
 */
#include "base/signals.h"

#include "base/must.h"

#include <pthread.h>

void
signals_tame(sigset_t *awaited)
{
    sigemptyset(awaited);
    sigaddset(awaited, SIGTERM);
    sigaddset(awaited, SIGINT);
    sigaddset(awaited, SIGHUP);
    must(pthread_sigmask(SIG_BLOCK, awaited, NULL) == 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
}

int
signals_wait_for_end(const sigset_t *awaited, const struct log *log)
{
    int number = 0;

    for (;;) {
        must(sigwait(awaited, &number) == 0);
        if (number != SIGHUP)
            return number;
        log_write(log, LOG_NOTICE, "SIGHUP: there is nothing to read again");
    }
}
