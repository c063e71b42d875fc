/* SPDX-License-Identifier: MIT
 *
 * outbox.c - see outbox.h.
 *
 * What waits is, in this order: for each lent block the own bytes up to its
 * place and then the block, and at last the rest of the own bytes.
 *
 *     bytes   |sent.....|waiting.....|waiting.......|
 *                                    ^              ^
 *     lent                           |at   |block|  |at   |block|
 *
 * `sent` counts own bytes only; a block that is partly sent has lost its
 * front, and one that is wholly sent is off the list. No block is empty, and
 * no `at` is below `sent`. Own bytes that were sent are dropped as soon as
 * they are half of all, so a queue that never runs dry stays as large as what
 * waits in it and costs linear time.
 */
#include "wire/outbox.h"

#include "base/mem.h"
#include "base/must.h"

#include <stdint.h>

#define LENT_MIN 4

void
outbox_init(struct outbox *out)
{
    *out = (struct outbox){0};
}

void
outbox_fini(struct outbox *out)
{
    for (size_t i = 0; i < out->lent_count; i++)
        out->lent[i].release(out->lent[i].owner);
    mem_free(out->lent);
    buf_fini(&out->bytes);
    outbox_init(out);
}

/* Room for one more lent block. */
static enum mz_err
reserve_lent(struct outbox *out)
{
    size_t cap = out->lent_cap == 0 ? LENT_MIN : out->lent_cap;
    size_t bytes;
    struct lent *lent;

    if (out->lent_count < out->lent_cap)
        return MZ_OK;
    if (out->lent_cap > 0 && __builtin_mul_overflow(cap, 2, &cap))
        return MZ_NO_MEMORY;
    if (__builtin_mul_overflow(cap, sizeof(*lent), &bytes))
        return MZ_NO_MEMORY;
    lent = mem_realloc(out->lent, bytes);
    if (lent == NULL)
        return MZ_NO_MEMORY;
    out->lent = lent;
    out->lent_cap = cap;
    return MZ_OK;
}

enum mz_err
outbox_reserve(struct outbox *out, size_t len)
{
    enum mz_err err = buf_reserve(&out->bytes, len);

    return err == MZ_OK ? reserve_lent(out) : err;
}

void
outbox_put(struct outbox *out, const void *data, size_t len)
{
    buf_put(&out->bytes, data, len);
}

void
outbox_put_slice(struct outbox *out, struct slice s)
{
    buf_put_slice(&out->bytes, s);
}

void
outbox_lend(struct outbox *out, struct slice block,
            void (*release)(void *owner), void *owner)
{
    if (!outbox_failed(out) && reserve_lent(out) != MZ_OK)
        out->bytes.failed = true;
    if (outbox_failed(out) || block.len == 0) {
        release(owner);
        return;
    }
    out->lent[out->lent_count++] =
        (struct lent){out->bytes.len, block, release, owner};
    out->lent_bytes += block.len;
}

struct outbox_mark
outbox_here(const struct outbox *out)
{
    return (struct outbox_mark){out->bytes.len, out->lent_count};
}

void
outbox_take_back(struct outbox *out, struct outbox_mark mark)
{
    must(mark.len <= out->bytes.len && mark.lent_count <= out->lent_count);
    out->bytes.len = mark.len;
    while (out->lent_count > mark.lent_count) {
        const struct lent *lent = &out->lent[--out->lent_count];

        out->lent_bytes -= lent->block.len;
        lent->release(lent->owner);
    }
}

void
outbox_fail(struct outbox *out)
{
    out->bytes.failed = true;
}

bool
outbox_failed(const struct outbox *out)
{
    return out->bytes.failed;
}

size_t
outbox_pending(const struct outbox *out)
{
    return out->bytes.len - out->sent + out->lent_bytes;
}

/* Appends a vector unless it would be empty or there is no room. */
static int
add_vector(struct iovec *vectors, int count, int max, const char *data,
           size_t len)
{
    if (len == 0 || count == max)
        return count;
    /* sendmsg does not write, but shares its structure with recvmsg */
    vectors[count].iov_base = (void *)(uintptr_t)data;
    vectors[count].iov_len = len;
    return count + 1;
}

int
outbox_vectors(const struct outbox *out, struct iovec *vectors, int max)
{
    const char *bytes = out->bytes.data;
    size_t at = out->sent;
    int count = 0;

    for (size_t i = 0; i < out->lent_count && count < max; i++) {
        const struct lent *lent = &out->lent[i];

        count = add_vector(vectors, count, max, bytes + at, lent->at - at);
        count =
            add_vector(vectors, count, max, lent->block.data, lent->block.len);
        at = lent->at;
    }
    if (at < out->bytes.len)
        count =
            add_vector(vectors, count, max, bytes + at, out->bytes.len - at);
    return count;
}

/* Takes up to n bytes off the front of a lent block, which is given back when
 * nothing is left of it. Returns how many. */
static size_t
take_lent(struct outbox *out, struct lent *lent, size_t n)
{
    if (n > lent->block.len)
        n = lent->block.len;
    lent->block.data += n;
    lent->block.len -= n;
    out->lent_bytes -= n;
    if (lent->block.len == 0)
        lent->release(lent->owner);
    return n;
}

static void
drop_first_lent(struct outbox *out, size_t count)
{
    out->lent_count -= count;
    if (count > 0 && out->lent_count > 0)
        memmove(out->lent, out->lent + count,
                out->lent_count * sizeof(*out->lent));
}

static void
drop_sent_bytes(struct outbox *out)
{
    if (out->sent == 0 || out->sent < out->bytes.len - out->sent)
        return;
    buf_consume(&out->bytes, out->sent);
    for (size_t i = 0; i < out->lent_count; i++)
        out->lent[i].at -= out->sent;
    out->sent = 0;
}

void
outbox_sent(struct outbox *out, size_t n)
{
    size_t gone = 0; /* lent blocks that are wholly sent */

    must(n <= outbox_pending(out));
    out->sent_total += n;
    while (n > 0) {
        struct lent *lent = gone < out->lent_count ? &out->lent[gone] : NULL;
        size_t own = (lent != NULL ? lent->at : out->bytes.len) - out->sent;

        if (own > n)
            own = n;
        out->sent += own;
        n -= own;
        if (n > 0 && lent != NULL) {
            n -= take_lent(out, lent, n);
            gone += lent->block.len == 0;
        }
    }
    drop_first_lent(out, gone);
    drop_sent_bytes(out);
}

void
outbox_shrink(struct outbox *out)
{
    if (outbox_pending(out) == 0 && !outbox_failed(out))
        outbox_fini(out);
}
