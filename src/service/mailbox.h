/* SPDX-License-Identifier: MIT
 *
 * mailbox.h - messages on their way to one subscriber.
 *
 *     publisher's thread               subscriber's thread
 *       | letter_new()                    | waits for its socket and for wake
 *       | mailbox_put() -- wake() ------> |
 *       | letter_release()                | mailbox_take() into its outbox
 *       :                                 | sends
 *
 * A letter is a message in the bytes that its receivers get. It is made once,
 * shared by all mailboxes that it lies in, and never changes.
 *
 * A mailbox whose owner does not empty it is cut: it takes nothing more, and
 * its owner ends the connection. That is when more than MAILBOX_HARD_BYTES wait
 * in it, or more than MAILBOX_SOFT_BYTES for MAILBOX_SOFT_MS, or when there is
 * no memory for one letter more. Nobody else notices.
 *
 * Locking: a mutex for each mailbox, held for a few steps. wake() is called
 * under it.
 */
#ifndef MEMOIZER_SERVICE_MAILBOX_H
#define MEMOIZER_SERVICE_MAILBOX_H

#include "base/err.h"
#include "base/lock.h"
#include "base/slice.h"
#include "wire/outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAILBOX_HARD_BYTES ((size_t)32 << 20)
#define MAILBOX_SOFT_BYTES ((size_t)8 << 20)
#define MAILBOX_SOFT_MS    60000

struct letter;

/* A push of these words, with one reference. NULL: no memory. */
struct letter *letter_new(const struct slice *words, size_t count)
    __attribute__((warn_unused_result));

/* Gives a reference back. NULL is fine. */
void letter_release(struct letter *letter);

/* Tells the owner of a mailbox that letters have come, or with cut, that it has
 * been cut off. Called by any thread, under a lock: short, and calls no
 * function of this header. wake may be NULL. */
struct waker {
    void (*wake)(void *ctx, bool cut);
    void *ctx;
};

struct mailbox {
    struct mutex mutex;
    struct waker waker;    /* const */
    struct letter **ring;  /* lock: cap of them */
    size_t first, count;   /* lock: those that wait, in turn */
    size_t cap;            /* lock: a power of 2, or 0 */
    size_t bytes;          /* lock: of all that wait */
    bool cut;              /* lock */
    int64_t soft_since_ms; /* lock: over the soft limit; 0: it is not */
};

void mailbox_init(struct mailbox *mailbox, const struct waker *waker);

/* Drops what waits. Nobody else may know the mailbox any more. */
void mailbox_fini(struct mailbox *mailbox);

/* Adds a letter, with a reference of its own. False when the mailbox is cut.
 * Any thread. */
bool mailbox_put(struct mailbox *mailbox, struct letter *letter,
                 int64_t now_mono_ms);

/* Moves letters to out, up to about bytes_max bytes of them, for a client of
 * RESP proto. True when more wait. Out of memory makes outbox_failed() true.
 * Only its owner. */
bool mailbox_take(struct mailbox *mailbox, struct outbox *out, uint8_t proto,
                  size_t bytes_max);

bool mailbox_is_cut(struct mailbox *mailbox);
bool mailbox_is_empty(struct mailbox *mailbox);

#endif
