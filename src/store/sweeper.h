/* SPDX-License-Identifier: MIT
 *
 * sweeper.h - the thread that removes what has expired.
 *
 * Reads never see an expired key, so the sweeper is only about memory and
 * counts. It runs a store_sweep() every SWEEPER_PERIOD_MS, which keeps the
 * promise that an expired key is counted for at most a second.
 */
#ifndef MEMOIZER_STORE_SWEEPER_H
#define MEMOIZER_STORE_SWEEPER_H

#include "base/err.h"
#include "store/store.h"

#define SWEEPER_PERIOD_MS 200

struct sweeper;

/* Starts the thread. store is lent until sweeper_stop. MZ_NO_MEMORY when
 * there is no memory or no thread to be had. */
enum mz_err sweeper_start(struct store *store, struct sweeper **out) MZ_CHECK;

/* Ends the thread, waits for it and frees. NULL is fine. */
void sweeper_stop(struct sweeper *sweeper);

#endif
