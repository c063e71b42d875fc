/* SPDX-License-Identifier: MIT
 *
 * script_cache.h - which scripts clients have shown, by the SHA1 of their text.
 *
 * As in Redis, EVALSHA finds a script only after EVAL or SCRIPT LOAD has shown
 * its text, until SCRIPT FLUSH: clients know to send the text again. Only
 * scripts that are known are kept, each text of one under a SHA1 of its own;
 * when there are more than SCRIPT_CACHE_MAX, the oldest is forgotten.
 *
 * Any thread may use it: it has a lock of its own, which is held for a search.
 * Where there is no cache, NULL, nothing is kept.
 */
#ifndef MEMOIZER_SERVICE_SCRIPT_CACHE_H
#define MEMOIZER_SERVICE_SCRIPT_CACHE_H

#include "base/err.h"
#include "service/script_text.h"

#define SCRIPT_CACHE_MAX 1000

struct script;
struct script_cache;

/* MZ_NO_MEMORY leaves *out alone. */
enum mz_err script_cache_new(struct script_cache **out) MZ_CHECK;

/* NULL is fine. */
void script_cache_free(struct script_cache *cache);

/* NULL: not shown, or forgotten. */
const struct script *script_cache_find(struct script_cache *cache,
                                       const struct script_sha1 *sha1);

/* From now on script is found; it is const for ever. */
void script_cache_put(struct script_cache *cache,
                      const struct script_sha1 *sha1,
                      const struct script *script);

void script_cache_flush(struct script_cache *cache);

#endif
