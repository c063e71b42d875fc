/* SPDX-License-Identifier: MIT
 *
 * script_cache.c - see script_cache.h.
 */
#include "service/script_cache.h"

#include "base/lock.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct shown {
    struct script_sha1 sha1;
    const struct script *script;
    uint64_t turn; /* the lower, the older */
};

struct script_cache {
    struct rwlock lock;
    size_t count;                         /* lock */
    uint64_t turns;                       /* lock */
    struct shown shown[SCRIPT_CACHE_MAX]; /* lock: by SHA1 */
};

enum mz_err
script_cache_new(struct script_cache **out)
{
    struct script_cache *cache = mem_alloc_zeroed(1, sizeof *cache);

    if (cache == NULL)
        return MZ_NO_MEMORY;
    rwlock_init(&cache->lock, -1);
    *out = cache;
    return MZ_OK;
}

void
script_cache_free(struct script_cache *cache)
{
    if (cache == NULL)
        return;
    rwlock_fini(&cache->lock);
    mem_free(cache);
}

/* Where it is, or where it belongs. */
static size_t
place_of(const struct script_cache *cache, const struct script_sha1 *sha1)
    NEEDS_READ(cache->lock)
{
    size_t low = 0, high = cache->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (memcmp(&cache->shown[middle].sha1, sha1, sizeof *sha1) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
is_at(const struct script_cache *cache, size_t place,
      const struct script_sha1 *sha1) NEEDS_READ(cache->lock)
{
    return place < cache->count &&
           memcmp(&cache->shown[place].sha1, sha1, sizeof *sha1) == 0;
}

const struct script *
script_cache_find(struct script_cache *cache, const struct script_sha1 *sha1)
{
    const struct script *script = NULL;
    size_t place;

    if (cache == NULL)
        return NULL;
    rwlock_read(&cache->lock);
    place = place_of(cache, sha1);
    if (is_at(cache, place, sha1))
        script = cache->shown[place].script;
    rwlock_drop_read(&cache->lock);
    return script;
}

static void
forget_oldest(struct script_cache *cache) NEEDS_WRITE(cache->lock)
{
    size_t oldest = 0;

    for (size_t i = 1; i < cache->count; i++) {
        if (cache->shown[i].turn < cache->shown[oldest].turn)
            oldest = i;
    }
    cache->count--;
    memmove(&cache->shown[oldest], &cache->shown[oldest + 1],
            (cache->count - oldest) * sizeof *cache->shown);
}

void
script_cache_put(struct script_cache *cache, const struct script_sha1 *sha1,
                 const struct script *script)
{
    size_t place;

    if (cache == NULL)
        return;
    rwlock_write(&cache->lock);
    if (!is_at(cache, place_of(cache, sha1), sha1)) {
        if (cache->count == SCRIPT_CACHE_MAX)
            forget_oldest(cache);
        place = place_of(cache, sha1);
        memmove(&cache->shown[place + 1], &cache->shown[place],
                (cache->count - place) * sizeof *cache->shown);
        cache->shown[place] = (struct shown){*sha1, script, cache->turns++};
        cache->count++;
    }
    rwlock_drop_write(&cache->lock);
}

void
script_cache_flush(struct script_cache *cache)
{
    if (cache == NULL)
        return;
    rwlock_write(&cache->lock);
    cache->count = 0;
    rwlock_drop_write(&cache->lock);
}
