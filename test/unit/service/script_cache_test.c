/* SPDX-License-Identifier: MIT
 *
 * script_cache_test.c - what is remembered of scripts, and how much of it.
 */
#include "service/script_cache.h"

#include "service/script_run.h"

#include "base/must.h"
#include "base/thread.h"

#include "chaos.h"
#include "suite.h"

#include <string.h>

#define THREADS 4
#define ROUNDS  4000
#define STACK   ((size_t)256 << 10)

static struct script_cache *cache;
static struct script scripts[2];

/* The n-th of many names, in no order. */
static struct script_sha1
name(unsigned n)
{
    struct script_sha1 sha1;

    memset(&sha1, 0, sizeof sha1);
    n *= 2654435761u;
    memcpy(&sha1, &n, sizeof n);
    return sha1;
}

static const struct script *
find(unsigned n)
{
    struct script_sha1 sha1 = name(n);

    return script_cache_find(cache, &sha1);
}

static void
put(unsigned n, const struct script *script)
{
    struct script_sha1 sha1 = name(n);

    script_cache_put(cache, &sha1, script);
}

static void
begin(void)
{
    ck_assert_int_eq(script_cache_new(&cache), MZ_OK);
}

static void
end(void)
{
    script_cache_free(cache);
}

START_TEST(finds_what_was_put)
{
    ck_assert_ptr_eq(find(1), NULL);
    put(1, &scripts[0]);
    put(2, &scripts[1]);
    put(3, &scripts[0]);
    ck_assert_ptr_eq(find(1), &scripts[0]);
    ck_assert_ptr_eq(find(2), &scripts[1]);
    ck_assert_ptr_eq(find(3), &scripts[0]);
    ck_assert_ptr_eq(find(4), NULL);
}
END_TEST

START_TEST(flush)
{
    put(1, &scripts[0]);
    script_cache_flush(cache);
    ck_assert_ptr_eq(find(1), NULL);
    put(1, &scripts[1]);
    ck_assert_ptr_eq(find(1), &scripts[1]);
}
END_TEST

/* Putting one again makes it no younger. */
START_TEST(the_oldest_goes)
{
    for (unsigned n = 0; n < SCRIPT_CACHE_MAX; n++)
        put(n, &scripts[n % 2]);
    put(0, &scripts[0]);
    for (unsigned n = 0; n < SCRIPT_CACHE_MAX; n++)
        ck_assert_ptr_eq(find(n), &scripts[n % 2]);
    for (unsigned n = SCRIPT_CACHE_MAX; n < 3 * SCRIPT_CACHE_MAX; n++) {
        put(n, &scripts[n % 2]);
        ck_assert_ptr_eq(find(n), &scripts[n % 2]);
        ck_assert_ptr_eq(find(n - SCRIPT_CACHE_MAX), NULL);
        ck_assert_ptr_nonnull(find(n - SCRIPT_CACHE_MAX + 1));
    }
}
END_TEST

START_TEST(without_a_cache)
{
    struct script_sha1 sha1 = name(1);

    script_cache_put(NULL, &sha1, &scripts[0]);
    ck_assert_ptr_eq(script_cache_find(NULL, &sha1), NULL);
    script_cache_flush(NULL);
    script_cache_free(NULL);
}
END_TEST

START_TEST(no_memory)
{
    struct script_cache *out = NULL;
    struct chaos chaos;

    chaos_begin(&chaos, 1);
    ck_assert_int_eq(script_cache_new(&out), MZ_NO_MEMORY);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_eq(out, NULL);
}
END_TEST

/* What is found is what was put, whoever puts and flushes meanwhile. */
static void *
work(void *arg)
{
    unsigned n = *(unsigned *)arg;

    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct script *found = find(n);

        must(found == NULL || found == &scripts[n % 2]);
        put(n, &scripts[n % 2]);
        if (i % 1000 == 999)
            script_cache_flush(cache);
        n = (n * 7 + 1) % (2 * SCRIPT_CACHE_MAX);
    }
    return NULL;
}

START_TEST(many_threads)
{
    pthread_t threads[THREADS];
    unsigned first[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        first[i] = i;
        must(thread_start(&threads[i], STACK, work, &first[i]));
    }
    for (unsigned i = 0; i < THREADS; i++)
        must(pthread_join(threads[i], NULL) == 0);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, finds_what_was_put);
    tcase_add_test(tc, flush);
    tcase_add_test(tc, the_oldest_goes);
    tcase_add_test(tc, without_a_cache);
    tcase_add_test(tc, no_memory);
    tcase_add_test(tc, many_threads);
}

TEST_MAIN("script_cache", fill)
