/* SPDX-License-Identifier: MIT
 *
 * compute.h - the verbs that make a value out of the one that is there.
 */
#ifndef MEMOIZER_SERVICE_COMPUTE_H
#define MEMOIZER_SERVICE_COMPUTE_H

#include "service/service.h"

/* RFC 7396. MZ_OK with the new *version; errors as store_update, MZ_NOT_JSON
 * for a value that is none. */
enum mz_err compute_merge(const struct session *session,
                          const struct command *command,
                          uint64_t *version) MZ_CHECK;

/* Adds command->by: *n is the sum. MZ_NOT_INTEGER, MZ_OVERFLOW. */
enum mz_err compute_incr(const struct session *session,
                         const struct command *command, int64_t *n,
                         uint64_t *version) MZ_CHECK;

#endif
