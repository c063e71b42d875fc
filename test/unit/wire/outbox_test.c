/* SPDX-License-Identifier: MIT
 *
 * outbox_test.c - bytes and lent blocks leave in the order in which they came,
 * whatever a send takes, and every block is given back once.
 */
#include "chaos.h"
#include "rng.h"
#include "suite.h"

#include "wire/outbox.h"

#include <stdint.h>
#include <string.h>

#define STREAM_MAX 4096

/* What was put into an outbox, and what has come out of it. */
struct model {
    struct outbox out;
    char expected[STREAM_MAX];
    size_t len, sent;
    size_t lends, releases;
};

/* A block of its own, so that the sanitizer sees a use after its release. */
struct owner {
    struct model *model;
    char block[64];
};

static void
release(void *ctx)
{
    struct owner *owner = ctx;

    owner->model->releases++;
    free(owner);
}

static void
model_fill(struct model *m, char *to, size_t len, struct rng *rng)
{
    ck_assert_uint_le(m->len + len, STREAM_MAX);
    for (size_t i = 0; i < len; i++)
        to[i] = (char)rng_next(rng);
    memcpy(m->expected + m->len, to, len);
    m->len += len;
}

static void
model_put(struct model *m, size_t len, struct rng *rng)
{
    char bytes[64];

    model_fill(m, bytes, len, rng);
    outbox_put(&m->out, bytes, len);
}

static void
model_lend(struct model *m, size_t len, struct rng *rng)
{
    struct owner *owner = malloc(sizeof(*owner));

    ck_assert_ptr_nonnull(owner);
    owner->model = m;
    model_fill(m, owner->block, len, rng);
    m->lends++;
    outbox_lend(&m->out, slice_of(owner->block, len), release, owner);
}

/* Looks at up to max vectors and sends up to n bytes of them. */
static void
model_send(struct model *m, int max, size_t n)
{
    struct iovec vectors[16];
    int count = outbox_vectors(&m->out, vectors, max);
    size_t seen = 0;

    ck_assert_int_le(count, max);
    ck_assert_uint_eq(outbox_pending(&m->out), m->len - m->sent);
    for (int i = 0; i < count; i++) {
        ck_assert_uint_gt(vectors[i].iov_len, 0);
        ck_assert_uint_le(m->sent + seen + vectors[i].iov_len, m->len);
        ck_assert_mem_eq(m->expected + m->sent + seen, vectors[i].iov_base,
                         vectors[i].iov_len);
        seen += vectors[i].iov_len;
    }
    if (count < max) /* then all of it was shown */
        ck_assert_uint_eq(seen, m->len - m->sent);
    if (n > seen)
        n = seen;
    outbox_sent(&m->out, n);
    m->sent += n;
}

START_TEST(it_sends_what_a_model_says)
{
    struct rng rng = {rng_test_seed()};

    for (int round = 0; round < 1000; round++) {
        struct model m = {.len = 0};
        size_t steps = 1 + rng_below(&rng, 40);

        outbox_init(&m.out);
        while (steps-- > 0) {
            switch (rng_below(&rng, 4)) {
            case 0:
                model_put(&m, rng_below(&rng, 30), &rng);
                break;
            case 1:
                model_lend(&m, rng_below(&rng, 30), &rng);
                break;
            case 2:
                model_send(&m, 1 + (int)rng_below(&rng, 16),
                           rng_below(&rng, 100));
                break;
            default:
                outbox_shrink(&m.out);
                break;
            }
        }
        if (round % 2 == 0) {
            while (m.sent < m.len)
                model_send(&m, 16, 1 + rng_below(&rng, 50));
            ck_assert_uint_eq(m.releases, m.lends);
            ck_assert_uint_eq(m.out.lent_bytes, 0);
        }
        outbox_fini(&m.out);
        ck_assert_uint_eq(m.releases, m.lends);
        ck_assert_uint_eq(outbox_pending(&m.out), 0);
    }
}
END_TEST

START_TEST(a_block_is_given_back_as_soon_as_it_is_sent)
{
    struct model m = {.len = 0};
    struct rng rng = {1};

    model_put(&m, 3, &rng);
    model_lend(&m, 5, &rng);
    model_lend(&m, 2, &rng);
    model_put(&m, 4, &rng);
    model_send(&m, 16, 7);
    ck_assert_uint_eq(m.releases, 0);
    ck_assert_uint_eq(m.out.lent_bytes, 3);
    model_send(&m, 16, 1);
    ck_assert_uint_eq(m.releases, 1);
    model_send(&m, 16, 2);
    ck_assert_uint_eq(m.releases, 2);
    ck_assert_uint_eq(outbox_pending(&m.out), 4);
    model_send(&m, 16, 4);
    ck_assert_uint_eq(outbox_pending(&m.out), 0);
    outbox_fini(&m.out);
}
END_TEST

START_TEST(an_empty_block_is_given_back_at_once)
{
    struct model m = {.len = 0};
    struct rng rng = {1};

    model_lend(&m, 0, &rng);
    ck_assert_uint_eq(m.releases, 1);
    ck_assert_uint_eq(outbox_pending(&m.out), 0);
    outbox_fini(&m.out);
}
END_TEST

START_TEST(a_queue_that_never_runs_dry_stays_small)
{
    struct outbox out;
    struct iovec vector;

    outbox_init(&out);
    outbox_put(&out, "0123456789", 10);
    for (int i = 0; i < 100000; i++) {
        outbox_put(&out, "0123456789", 10);
        ck_assert_int_eq(outbox_vectors(&out, &vector, 1), 1);
        ck_assert_int_eq(*(char *)vector.iov_base, '0');
        outbox_sent(&out, 10);
    }
    ck_assert_uint_eq(outbox_pending(&out), 10);
    ck_assert_uint_le(out.bytes.cap, 128);
    outbox_fini(&out);
}
END_TEST

START_TEST(what_is_reserved_needs_no_memory)
{
    struct model m = {.len = 0};
    struct rng rng = {1};
    struct chaos chaos;

    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq(outbox_reserve(&m.out, 50), MZ_OK);
        chaos_begin(&chaos, 1);
        model_put(&m, 20, &rng);
        model_lend(&m, 20, &rng);
        model_put(&m, 30, &rng);
        ck_assert(!chaos_end(&chaos));
    }
    while (m.sent < m.len)
        model_send(&m, 3, 37);
    ck_assert(!outbox_failed(&m.out));
    ck_assert_uint_gt(m.out.bytes.cap, 0);
    outbox_shrink(&m.out);
    ck_assert_uint_eq(m.out.bytes.cap, 0);
    ck_assert_ptr_null(m.out.lent);
    outbox_fini(&m.out);
}
END_TEST

START_TEST(without_memory_the_outbox_has_failed)
{
    struct rng rng = {1};
    size_t nth = 1;

    for (;; nth++) {
        struct model m = {.len = 0};
        struct chaos chaos;
        bool struck;

        chaos_begin(&chaos, nth);
        for (int i = 0; i < 6; i++) {
            model_put(&m, 50, &rng);
            model_lend(&m, 50, &rng);
        }
        struck = chaos_end(&chaos);
        ck_assert(outbox_failed(&m.out) == struck);
        if (struck) { /* it stays so, and takes nothing any more */
            size_t pending = outbox_pending(&m.out);

            outbox_put_slice(&m.out, slice_of_string("x"));
            model_lend(&m, 1, &rng);
            ck_assert_uint_eq(outbox_pending(&m.out), pending);
            outbox_sent(&m.out, pending);
            outbox_shrink(&m.out);
            ck_assert(outbox_failed(&m.out));
        }
        outbox_fini(&m.out);
        ck_assert_uint_eq(m.releases, m.lends);
        ck_assert(!outbox_failed(&m.out));
        if (!struck)
            break;
    }
    ck_assert_uint_gt(nth, 3);
}
END_TEST

START_TEST(a_reserve_that_fails_changes_nothing)
{
    struct outbox out;
    size_t nth = 1;

    for (;; nth++) {
        struct chaos chaos;
        enum mz_err err;

        outbox_init(&out);
        outbox_put(&out, "a", 1);
        chaos_begin(&chaos, nth);
        err = outbox_reserve(&out, 1000);
        if (!chaos_end(&chaos))
            break;
        ck_assert_int_eq(err, MZ_NO_MEMORY);
        ck_assert(!outbox_failed(&out));
        ck_assert_uint_eq(outbox_pending(&out), 1);
        outbox_fini(&out);
    }
    ck_assert_uint_eq(nth, 3);
    ck_assert_int_eq(outbox_reserve(&out, SIZE_MAX), MZ_NO_MEMORY);
    outbox_fini(&out);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, it_sends_what_a_model_says);
    tcase_add_test(tc, a_block_is_given_back_as_soon_as_it_is_sent);
    tcase_add_test(tc, an_empty_block_is_given_back_at_once);
    tcase_add_test(tc, a_queue_that_never_runs_dry_stays_small);
    tcase_add_test(tc, what_is_reserved_needs_no_memory);
    tcase_add_test(tc, without_memory_the_outbox_has_failed);
    tcase_add_test(tc, a_reserve_that_fails_changes_nothing);
}

TEST_MAIN("outbox", fill)
