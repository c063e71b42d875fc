/* SPDX-License-Identifier: MIT
 *
 * outbox.h - answers on their way out.
 *
 * Small pieces are copied into one buffer; large values are lent: the outbox
 * holds a reference until they are sent or dropped. The order of bytes is the
 * order of calls. Owned by one thread.
 */
#ifndef MEMOIZER_WIRE_OUTBOX_H
#define MEMOIZER_WIRE_OUTBOX_H

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* A block that belongs to somebody else, to be sent behind the first `at`
 * bytes of the outbox's own. */
struct lent {
    size_t at;
    struct slice block;
    void (*release)(void *owner);
    void *owner;
};

struct outbox {
    struct buf bytes;
    struct lent *lent; /* lent_count of lent_cap, in order */
    size_t lent_count, lent_cap;
    size_t lent_bytes;   /* of all lent blocks together */
    size_t sent;         /* bytes that outbox_sent() has taken off the front */
    uint64_t sent_total; /* bytes sent ever, lent ones as well */
};

void outbox_init(struct outbox *out);

/* Releases what was lent and frees the buffers; usable again. */
void outbox_fini(struct outbox *out);

/* Room for len bytes and one lent block, so that the next outbox_put of at
 * most len bytes and one outbox_lend allocate nothing. */
enum mz_err outbox_reserve(struct outbox *out, size_t len) MZ_CHECK;

/* Appends bytes. Out of memory makes outbox_failed() true. */
void outbox_put(struct outbox *out, const void *data, size_t len);
void outbox_put_slice(struct outbox *out, struct slice s);

/* Appends a block by reference: release(owner) is called once, when it was
 * sent or dropped, also when there is no memory. */
void outbox_lend(struct outbox *out, struct slice block,
                 void (*release)(void *owner), void *owner);

/* A place in the queue, to take back what was appended behind it: only while
 * nothing has been sent or dropped since. */
struct outbox_mark {
    size_t len, lent_count;
};

struct outbox_mark outbox_here(const struct outbox *out);
void outbox_take_back(struct outbox *out, struct outbox_mark mark);

/* An answer that was begun cannot be ended: as if an append were lost. */
void outbox_fail(struct outbox *out);

/* True when an append was lost: what is queued must not be sent any more. */
bool outbox_failed(const struct outbox *out);

/* Bytes that wait to be sent. */
size_t outbox_pending(const struct outbox *out);

/* Fills up to max vectors with the front of the queue, returns how many. */
int outbox_vectors(const struct outbox *out, struct iovec *vectors, int max);

/* Bytes that were sent since the beginning. */
static inline uint64_t
outbox_sent_total(const struct outbox *out)
{
    return out->sent_total;
}

/* n <= outbox_pending() bytes were sent: takes them off the front. */
void outbox_sent(struct outbox *out, size_t n);

/* Gives the memory of an empty outbox back. */
void outbox_shrink(struct outbox *out);

#endif
