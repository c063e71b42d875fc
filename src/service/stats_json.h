/* SPDX-License-Identifier: MIT
 *
 * stats_json.h - the answer to `stats`.
 */
#ifndef MEMOIZER_SERVICE_STATS_JSON_H
#define MEMOIZER_SERVICE_STATS_JSON_H

#include "base/buf.h"
#include "service/service.h"

/* Appends one flat JSON object (and in it `ops`, the counts by selector).
 * Keys and expires are those of the session's database. */
void stats_json(const struct session *session, struct buf *json);

/* Bytes of physical memory that the process holds; 0 when that cannot be told.
 */
uint64_t stats_resident_bytes(void);

#endif
