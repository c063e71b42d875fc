/* SPDX-License-Identifier: MIT
 *
 * store_hold.h - several keys in one step.
 *
 * A hold reserves the stripes of some keys for its owner:
 *
 *     err = store_hold_begin(store, keys, count, &hold);
 *     key.hold = hold;
 *     ... any operations on these keys, with key.hold set ...
 *     store_hold_end(hold);
 *
 * To everybody else that is one step: whoever else comes for a key in one of
 * these stripes, to read or to write, waits until the hold ends. The owner
 * holds no lock meanwhile.
 *
 * What holds do not keep out: time, so a key may expire within one; and
 * whatever does not claim to see many keys at one moment, namely store_scan(),
 * store_count(), store_random() and store_totals().
 *
 * Rules for the owner, as others wait for it:
 * - it begins no second hold before the first has ended, and passes this one in
 *   every store_key: without it, it would wait for itself. The same goes for
 *   store_drop() and store_reset();
 * - it does not sleep, wait for a lease or do I/O within a hold;
 * - it holds no lock when it begins one. That goes for whoever calls any
 *   operation on a key, since it may have to wait.
 *
 * A hold belongs to one thread.
 */
#ifndef MEMOIZER_STORE_STORE_HOLD_H
#define MEMOIZER_STORE_STORE_HOLD_H

#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Waits until the stripes of these keys are free, and reserves them. A key may
 * occur twice, count may be 0, and keys[].hold must be NULL. MZ_NO_MEMORY
 * leaves *out alone and reserves nothing. */
enum mz_err store_hold_begin(struct store *store, const struct store_key *keys,
                             size_t count, struct store_hold **out) MZ_CHECK;

/* Lets the others go on. NULL is fine. */
void store_hold_end(struct store_hold *hold);

/* Gives the value of `from`, with kind and deadline, to `to`, and removes
 * `from`, in one step: under the hold that both have, or else under one of its
 * own. The databases may differ. *version is the new one, or as in store_set
 * where it does not work: MZ_MISSING when `from` is, MZ_EXISTS when `to` is
 * there and only_if_absent, MZ_NO_MEMORY. On every error nothing has changed.
 * A living key that gets its own name stays as it is: MZ_OK, or MZ_EXISTS. */
enum mz_err store_rename(struct store *store, struct store_key from,
                         struct store_key to, bool only_if_absent,
                         uint64_t *version) MZ_CHECK;

#endif
