/* SPDX-License-Identifier: MIT
 *
 * mailbox.c - see mailbox.h.
 *
 * wake() is called when a letter comes into an empty mailbox: an owner that
 * has found letters goes on taking until there are none.
 */
#include "service/mailbox.h"

#include "base/mem.h"
#include "wire/reply.h"
#include "wire/resp_reply.h"

#include <stdatomic.h>

#define RING_MIN 8

/* Letters that are taken under one lock. */
#define TAKE_MAX 64

/* The head of a push, and of each of its words. */
#define HEAD_BYTES 32

struct letter {
    _Atomic size_t references;
    struct buf bytes; /* const: as RESP3 has it */
};

/* ---- letters ---- */

struct letter *
letter_new(const struct slice *words, size_t count)
{
    struct letter *letter = mem_alloc_zeroed(1, sizeof *letter);
    size_t len = HEAD_BYTES;
    struct outbox out;
    struct resp_out to = {&out, 3};

    if (letter == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        len += HEAD_BYTES + words[i].len;
    outbox_init(&out);
    if (buf_reserve(&out.bytes, len) != MZ_OK) {
        mem_free(letter);
        return NULL;
    }
    resp_begin_push(&to, count);
    for (size_t i = 0; i < count; i++)
        resp_put_bulk(&to, words[i]);
    letter->bytes = out.bytes;
    buf_init(&out.bytes);
    outbox_fini(&out);
    atomic_init(&letter->references, 1);
    return letter;
}

void
letter_release(struct letter *letter)
{
    if (letter == NULL || atomic_fetch_sub_explicit(&letter->references, 1,
                                                    memory_order_acq_rel) > 1)
        return;
    buf_fini(&letter->bytes);
    mem_free(letter);
}

static void
retain(struct letter *letter)
{
    atomic_fetch_add_explicit(&letter->references, 1, memory_order_relaxed);
}

static void
release_owner(void *letter)
{
    letter_release(letter);
}

/* What a letter counts for: a mailbox of small ones is full as well. */
static size_t
cost_of(const struct letter *letter)
{
    return letter->bytes.len + sizeof *letter + sizeof(struct letter *);
}

/* Hands a letter over. To RESP2 a push is an array: nothing but the first byte
 * is different. */
static void
put_letter(struct letter *letter, struct outbox *out, uint8_t proto)
{
    struct slice bytes = buf_slice(&letter->bytes);

    if (proto == 2) {
        outbox_put(out, "*", 1);
        bytes = slice_of(bytes.data + 1, bytes.len - 1);
    }
    if (bytes.len >= REPLY_LEND_MIN) {
        outbox_lend(out, bytes, release_owner, letter);
    } else {
        outbox_put_slice(out, bytes);
        letter_release(letter);
    }
}

/* ---- the mailbox ---- */

void
mailbox_init(struct mailbox *mailbox, const struct waker *waker)
{
    *mailbox = (struct mailbox){.waker = *waker};
    mutex_init(&mailbox->mutex);
}

static struct letter *
pop_locked(struct mailbox *mailbox) NEEDS_MUTEX(mailbox->mutex)
{
    struct letter *letter = mailbox->ring[mailbox->first];

    mailbox->first = (mailbox->first + 1) & (mailbox->cap - 1);
    mailbox->count--;
    mailbox->bytes -= cost_of(letter);
    return letter;
}

void
mailbox_fini(struct mailbox *mailbox)
{
    mutex_lock(&mailbox->mutex);
    while (mailbox->count > 0)
        letter_release(pop_locked(mailbox));
    mutex_unlock(&mailbox->mutex);
    mem_free(mailbox->ring);
    mutex_fini(&mailbox->mutex);
}

static bool
has_room_locked(struct mailbox *mailbox) NEEDS_MUTEX(mailbox->mutex)
{
    size_t cap = mailbox->cap == 0 ? RING_MIN : 2 * mailbox->cap;
    struct letter **ring;

    if (mailbox->count < mailbox->cap)
        return true;
    ring = mem_alloc_zeroed(cap, sizeof(struct letter *));
    if (ring == NULL)
        return false;
    for (size_t i = 0; i < mailbox->count; i++)
        ring[i] = mailbox->ring[(mailbox->first + i) & (mailbox->cap - 1)];
    mem_free(mailbox->ring);
    mailbox->ring = ring;
    mailbox->cap = cap;
    mailbox->first = 0;
    return true;
}

/* Whether its limits allow so many bytes in it. */
static bool
may_hold_locked(struct mailbox *mailbox, size_t bytes, int64_t now_ms)
    NEEDS_MUTEX(mailbox->mutex)
{
    if (bytes <= MAILBOX_SOFT_BYTES)
        mailbox->soft_since_ms = 0;
    else if (mailbox->soft_since_ms == 0)
        mailbox->soft_since_ms = now_ms;
    else if (now_ms - mailbox->soft_since_ms > MAILBOX_SOFT_MS)
        return false;
    return bytes <= MAILBOX_HARD_BYTES;
}

static void
wake_locked(struct mailbox *mailbox) NEEDS_MUTEX(mailbox->mutex)
{
    if (mailbox->waker.wake != NULL)
        mailbox->waker.wake(mailbox->waker.ctx, mailbox->cut);
}

static void
put_locked(struct mailbox *mailbox, struct letter *letter, int64_t now_ms)
    NEEDS_MUTEX(mailbox->mutex)
{
    const size_t bytes = mailbox->bytes + cost_of(letter);

    if (!may_hold_locked(mailbox, bytes, now_ms) || !has_room_locked(mailbox)) {
        mailbox->cut = true;
        wake_locked(mailbox);
        return;
    }
    retain(letter);
    mailbox->ring[(mailbox->first + mailbox->count) & (mailbox->cap - 1)] =
        letter;
    mailbox->bytes = bytes;
    if (mailbox->count++ == 0)
        wake_locked(mailbox);
}

bool
mailbox_put(struct mailbox *mailbox, struct letter *letter, int64_t now_mono_ms)
{
    bool cut;

    mutex_lock(&mailbox->mutex);
    if (!mailbox->cut)
        put_locked(mailbox, letter, now_mono_ms);
    cut = mailbox->cut;
    mutex_unlock(&mailbox->mutex);
    return !cut;
}

/* Takes up to TAKE_MAX letters with about bytes_max bytes, and gives the ring
 * of an emptied mailbox back when it has grown. */
static size_t
take_locked(struct mailbox *mailbox, struct letter *letters[TAKE_MAX],
            size_t bytes_max) NEEDS_MUTEX(mailbox->mutex)
{
    size_t n = 0, bytes = 0;

    while (n < TAKE_MAX && bytes < bytes_max && mailbox->count > 0) {
        letters[n] = pop_locked(mailbox);
        bytes += letters[n++]->bytes.len;
    }
    if (mailbox->bytes <= MAILBOX_SOFT_BYTES)
        mailbox->soft_since_ms = 0;
    if (mailbox->count == 0 && mailbox->cap > TAKE_MAX) {
        mem_free(mailbox->ring);
        mailbox->ring = NULL;
        mailbox->cap = mailbox->first = 0;
    }
    return n;
}

bool
mailbox_take(struct mailbox *mailbox, struct outbox *out, uint8_t proto,
             size_t bytes_max)
{
    struct letter *letters[TAKE_MAX];
    size_t n, left;

    mutex_lock(&mailbox->mutex);
    n = take_locked(mailbox, letters, bytes_max);
    left = mailbox->count;
    mutex_unlock(&mailbox->mutex);
    for (size_t i = 0; i < n; i++)
        put_letter(letters[i], out, proto);
    return left > 0;
}

bool
mailbox_is_cut(struct mailbox *mailbox)
{
    bool cut;

    mutex_lock(&mailbox->mutex);
    cut = mailbox->cut;
    mutex_unlock(&mailbox->mutex);
    return cut;
}

bool
mailbox_is_empty(struct mailbox *mailbox)
{
    bool empty;

    mutex_lock(&mailbox->mutex);
    empty = mailbox->count == 0;
    mutex_unlock(&mailbox->mutex);
    return empty;
}
