/* SPDX-License-Identifier: MIT
 *
 * signals.h - the signals that a server waits for, and those it does not mind.
 */
#ifndef MEMOIZER_BASE_SIGNALS_H
#define MEMOIZER_BASE_SIGNALS_H

#include "base/log.h"

#include <signal.h>

/* Blocks TERM, INT and HUP, to be waited for, and lets PIPE, USR1 and USR2,
 * which people send by habit, not end the process. To be called before the
 * first thread, as threads inherit it. */
void signals_tame(sigset_t *awaited);

/* Waits for TERM or INT and returns the number. */
int signals_wait_for_end(const sigset_t *awaited, const struct log *log);

#endif
