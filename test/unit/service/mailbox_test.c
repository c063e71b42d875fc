/* SPDX-License-Identifier: MIT
 *
 * mailbox_test.c - order, sharing, and the limits of a mailbox.
 */
#include "service/mailbox.h"

#include "chaos.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

struct woken {
    int times;
    bool cut;
};

static struct woken woken;
static struct mailbox mailbox;
static struct outbox out;

static void
wake(void *ctx, bool cut)
{
    struct woken *w = ctx;

    w->times++;
    w->cut |= cut;
}

static void
set_up(void)
{
    const struct waker waker = {wake, &woken};

    woken = (struct woken){0};
    mailbox_init(&mailbox, &waker);
    outbox_init(&out);
}

static void
tear_down(void)
{
    mailbox_fini(&mailbox);
    outbox_fini(&out);
}

static bool
put(struct slice text, int64_t now_ms)
{
    struct letter *letter = letter_new(&text, 1);
    bool taken;

    ck_assert_ptr_nonnull(letter);
    taken = mailbox_put(&mailbox, letter, now_ms);
    letter_release(letter);
    return taken;
}

static void
out_is(const char *want)
{
    ck_assert(slice_is(buf_slice(&out.bytes), want));
    outbox_fini(&out);
}

START_TEST(keeps_the_order)
{
    ck_assert(mailbox_is_empty(&mailbox));
    ck_assert(put(slice_of_string("a"), 1));
    ck_assert(put(slice_of_string("b"), 1));
    ck_assert_int_eq(woken.times, 1); /* only when it was empty */
    ck_assert(!mailbox_take(&mailbox, &out, 3, 1000));
    out_is(">1\r\n$1\r\na\r\n>1\r\n$1\r\nb\r\n");
    ck_assert(mailbox_is_empty(&mailbox));
    ck_assert(put(slice_of_string("c"), 1));
    ck_assert_int_eq(woken.times, 2);
    ck_assert(!mailbox_take(&mailbox, &out, 2, 1000));
    out_is("*1\r\n$1\r\nc\r\n");
    ck_assert(!mailbox_take(&mailbox, &out, 2, 1000));
    out_is("");
    ck_assert(!woken.cut);
}
END_TEST

/* Whatever number waits, and wherever the ring begins. */
START_TEST(many)
{
    int next = 0, taken = 0;

    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < round * 7; i++) {
            const int n = next++;

            ck_assert(put(slice_of((const char *)&n, sizeof n), 1));
        }
        for (int i = 0; i < round * 3; i++) {
            int n;

            (void)mailbox_take(&mailbox, &out, 3, 1);
            memcpy(&n, out.bytes.data + 8, sizeof n);
            ck_assert_int_eq(n, taken++);
            outbox_fini(&out);
        }
    }
    while (mailbox_take(&mailbox, &out, 3, 1 << 20))
        continue;
    ck_assert_uint_eq(out.bytes.len, (size_t)(next - taken) * 14);
}
END_TEST

START_TEST(large_ones_are_lent)
{
    char *text = calloc(1, 100000);

    ck_assert(put(slice_of(text, 100000), 1));
    ck_assert(put(slice_of(text, 100000), 1));
    ck_assert(mailbox_take(&mailbox, &out, 2, 1));
    ck_assert_uint_eq(out.lent_bytes, 100000 + 4 + 9 + 2 - 1);
    ck_assert_uint_eq(outbox_pending(&out), 100000 + 4 + 9 + 2);
    outbox_fini(&out);
    free(text);
}
END_TEST

START_TEST(is_cut_at_the_hard_limit)
{
    char *text = calloc(1, 1 << 20);
    int n = 0;

    while (put(slice_of(text, 1 << 20), 1))
        n++;
    ck_assert_int_eq(n, 31); /* and what they cost beside */
    ck_assert(woken.cut && mailbox_is_cut(&mailbox));
    ck_assert(!put(slice_of(text, 1), 1));
    ck_assert_int_eq(woken.times, 2);
    free(text);
}
END_TEST

START_TEST(small_ones_fill_it_too)
{
    const size_t most = MAILBOX_HARD_BYTES / 16;
    size_t n = 0;

    while (put(slice_of_string(""), 1))
        n++;
    ck_assert_uint_lt(n, most);
}
END_TEST

START_TEST(is_cut_at_the_soft_limit_after_a_while)
{
    char *text = calloc(1, 1 << 20);

    for (int round = 0; round < 2; round++) {
        int64_t now = 1 + round * 1000000;

        for (int i = 0; i < 9; i++)
            ck_assert(put(slice_of(text, 1 << 20), now));
        ck_assert(put(slice_of_string(""), now + MAILBOX_SOFT_MS));
        if (round == 0) { /* it is emptied in time */
            while (mailbox_take(&mailbox, &out, 3, SIZE_MAX))
                continue;
            outbox_fini(&out);
            ck_assert(put(slice_of_string(""), now + MAILBOX_SOFT_MS + 1));
            continue;
        }
        ck_assert(!put(slice_of_string(""), now + MAILBOX_SOFT_MS + 1));
        ck_assert(woken.cut);
    }
    free(text);
}
END_TEST

START_TEST(without_memory)
{
    struct chaos chaos;
    struct slice text = slice_of_string("x");
    struct letter *letter;

    for (size_t n = 1; n <= 2; n++) {
        chaos_begin(&chaos, n);
        letter = letter_new(&text, 1);
        ck_assert(chaos_end(&chaos));
        ck_assert_ptr_null(letter);
    }
    letter = letter_new(&text, 1);
    chaos_begin(&chaos, 1);
    ck_assert(!mailbox_put(&mailbox, letter, 1));
    ck_assert(chaos_end(&chaos));
    ck_assert(woken.cut);
    letter_release(letter);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, keeps_the_order);
    tcase_add_test(tc, many);
    tcase_add_test(tc, large_ones_are_lent);
    tcase_add_test(tc, is_cut_at_the_hard_limit);
    tcase_add_test(tc, small_ones_fill_it_too);
    tcase_add_test(tc, is_cut_at_the_soft_limit_after_a_while);
    tcase_add_test(tc, without_memory);
}

TEST_MAIN("mailbox", fill)
