/* SPDX-License-Identifier: MIT
 *
 * hammer_value.h - values that tell whose they are.
 *
 * A value is a stamp (a nonce, and a checksum of key, db, length and nonce)
 * and a filling that follows from the nonce. One that is torn, cut, freed or
 * of another key does not fit.
 */
#ifndef MEMOIZER_TEST_HAMMER_VALUE_H
#define MEMOIZER_TEST_HAMMER_VALUE_H

#include "store/store.h"

#define HAMMER_VALUE_MIN 16

/* Writes a value of len >= HAMMER_VALUE_MIN bytes for key. */
void hammer_value_make(char *out, size_t len, struct store_key key,
                       uint64_t nonce);

/* Whether value is whole and key's. */
bool hammer_value_fits(struct slice value, struct store_key key);

#endif
