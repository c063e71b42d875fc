/* SPDX-License-Identifier: MIT
 *
 * conn_send.c - what a connection sends, and what it does when its peer does
 * not read.
 *
 * The normal path is one sendmsg for the answers to whatever one receive
 * brought. A client may send many requests before it reads its first answer:
 * what the kernel does not take waits in the outbox while requests are read
 * on, up to CONN_UNREAD_MAX bytes, and beyond it as long as the server's common
 * allowance lasts. Then nothing more is read until all is sent. Whoever takes
 * nothing at all for write-timeout is cut.
 */
#include "base/must.h"
#include "net/conn_internal.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

/* Answers are sent when so much waits, even if requests are left. */
#define SEND_COPIED_MAX ((size_t)64 << 10)
#define SEND_LENT_MAX   ((size_t)1 << 20)
#define SEND_VECTORS    64

/* An answer may be begun when just less than SEND_COPIED_MAX waits. */
#define SEND_FIRST (SEND_COPIED_MAX + 2 * REPLY_LEND_MIN)

/* The allowance is taken in pieces of this. */
#define BORROW_STEP ((size_t)1 << 20)

/* How often a peer that does not read is looked at. */
#define UNSENT_LOOK_MS 250

/* How often a client that holds leases is looked at within a batch. */
#define RESET_LOOK_MS 20

/* ---- the kernel takes no more ---- */

/* The kernel has just taken what it could. */
static void
note_backlog(struct conn *c, bool has_taken)
{
    struct backlog *b = &c->backlog;

    if (!b->is_stuck || has_taken) {
        b->is_stuck = true;
        b->quiet_since_mono_ms = conn_now_ms();
        b->unacked = sock_unsent(c->entry.fd);
    }
    b->retry_at = outbox_pending(&c->out) + SEND_COPIED_MAX;
}

void
conn_forget_backlog(struct conn *c)
{
    if (c->backlog.borrowed > 0)
        atomic_fetch_add(&c->shared->unread_left, c->backlog.borrowed);
    c->backlog = (struct backlog){0};
}

/* Sends what the kernel takes without waiting. */
static void
send_now(struct conn *c)
{
    bool has_taken = false;

    while (outbox_pending(&c->out) > 0 && c->ended == NULL) {
        struct iovec vectors[SEND_VECTORS];
        struct msghdr message = {.msg_iov = vectors};
        ssize_t n;

        message.msg_iovlen =
            (size_t)outbox_vectors(&c->out, vectors, SEND_VECTORS);
        n = sendmsg(c->entry.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            counter_add(&c->counters, COUNTER_BYTES_SENT, (uint64_t)n);
            outbox_sent(&c->out, (size_t)n);
            has_taken = true;
        } else if (errno == EAGAIN) {
            note_backlog(c, has_taken);
            return;
        } else if (errno != EINTR) {
            conn_end(c, PART_CUT,
                     conn_is_cut(c) ? "does not read its messages"
                                    : "gone before its answers were sent");
        }
    }
    if (c->backlog.is_stuck)
        conn_forget_backlog(c);
}

/* How long poll may wait for a peer that is stuck; 0: it is cut now. A peer
 * that reads slowly makes progress long before poll says so (the kernel waits
 * for a third of the buffer), hence the look at what it has acknowledged. */
static int64_t
patience_ms(struct conn *c)
{
    struct backlog *b = &c->backlog;
    const int64_t limit_ms = c->shared->options->write_timeout_ms;
    const int64_t slice_ms =
        limit_ms / 4 < UNSENT_LOOK_MS ? limit_ms / 4 + 1 : UNSENT_LOOK_MS;
    const int64_t now_mono_ms = conn_now_ms();
    const size_t unacked = sock_unsent(c->entry.fd);
    int64_t left_ms;

    if (unacked < b->unacked)
        b->quiet_since_mono_ms = now_mono_ms;
    b->unacked = unacked;
    left_ms = b->quiet_since_mono_ms + limit_ms - now_mono_ms;
    if (left_ms <= 0) {
        conn_end(c, PART_CUT, "does not read its answers");
        return 0;
    }
    return left_ms < slice_ms ? left_ms : slice_ms;
}

/* Waits until the socket of a stuck peer has one of the poll events, which are
 * returned; 0: the deadline came first, or the connection has ended. */
static short
wait_stuck(struct conn *c, short events, int64_t deadline_mono_ms)
{
    for (;;) {
        struct pollfd fd = {.fd = c->entry.fd, .events = events};
        int64_t wait_ms = patience_ms(c);

        if (c->ended != NULL)
            return 0;
        if (deadline_mono_ms != SOCK_NEVER) {
            const int64_t left_ms = deadline_mono_ms - conn_now_ms();

            if (left_ms <= 0)
                return 0;
            if (left_ms < wait_ms)
                wait_ms = left_ms;
        }
        if (poll(&fd, 1, (int)wait_ms) > 0)
            return fd.revents;
    }
}

/* ---- sending ---- */

void
conn_flush(struct conn *c)
{
    send_now(c);
    while (outbox_pending(&c->out) > 0 && c->ended == NULL) {
        if (wait_stuck(c, POLLOUT, SOCK_NEVER) != 0)
            send_now(c);
    }
}

/* Takes so much more of the allowance that `pending` bytes may wait. */
static bool
borrow(struct conn *c, size_t pending)
{
    const size_t over = pending - CONN_UNREAD_MAX;
    const size_t want = (over + BORROW_STEP - 1) / BORROW_STEP * BORROW_STEP;
    size_t left = atomic_load(&c->shared->unread_left);
    size_t more;

    if (want <= c->backlog.borrowed)
        return true;
    more = want - c->backlog.borrowed;
    do {
        if (left < more)
            return false;
    } while (!atomic_compare_exchange_weak(&c->shared->unread_left, &left,
                                           left - more));
    c->backlog.borrowed += more;
    return true;
}

/* Sends what the kernel takes, and all of it when more waits than may. */
static void
flush_or_keep(struct conn *c)
{
    size_t pending;

    send_now(c);
    pending = outbox_pending(&c->out);
    if (pending > CONN_UNREAD_MAX && !borrow(c, pending))
        conn_flush(c);
}

void
conn_flush_batch(struct conn *c)
{
    if (c->at_end || conn_listens(c))
        conn_flush(c);
    else if (outbox_pending(&c->out) >= c->backlog.retry_at)
        flush_or_keep(c);
}

/* So many answers wait that they should be sent. */
static bool
is_much(const struct conn *c)
{
    const struct outbox *out = &c->out;

    if (c->backlog.is_stuck)
        return outbox_pending(out) >= c->backlog.retry_at;
    return out->bytes.len >= SEND_COPIED_MAX ||
           out->lent_bytes >= SEND_LENT_MAX;
}

void
conn_flush_much(struct conn *c)
{
    if (is_much(c))
        flush_or_keep(c);
}

bool
conn_send_until_input(struct conn *c)
{
    if (!c->backlog.is_stuck)
        send_now(c);
    while (outbox_pending(&c->out) > 0 && c->ended == NULL) {
        const short ready =
            wait_stuck(c, POLLIN | POLLOUT, c->deadline_mono_ms);

        if (ready == 0)
            return false;
        if (ready & POLLOUT)
            send_now(c);
        if (ready & ~POLLOUT)
            break;
    }
    return c->ended == NULL;
}

/* Others may be waiting for what this client holds: a reset ends it in the
 * middle of its batch, where nobody reads. */
static void
look_for_reset(struct conn *c)
{
    int64_t now_mono_ms = conn_now_ms();

    if (now_mono_ms - c->looked_mono_ms < RESET_LOOK_MS)
        return;
    c->looked_mono_ms = now_mono_ms;
    if (sock_is_reset(c->entry.fd))
        conn_end(c, PART_CUT, "connection lost");
}

bool
conn_goes_on(struct conn *c)
{
    conn_flush_much(c);
    if (atomic_load_explicit(&c->shared->cut, memory_order_relaxed))
        conn_end(c, PART_CUT, "server stops");
    else if (c->session.holder.has_taken)
        look_for_reset(c);
    return c->ended == NULL;
}

bool
conn_have_answer_room(struct conn *c, size_t extra)
{
    size_t room = CONN_ANSWER_ROOM + extra;
    size_t first =
        c->out.bytes.cap == 0 && room < SEND_FIRST ? SEND_FIRST : room;

    if (outbox_reserve(&c->out, first) == MZ_OK)
        return true;
    if (outbox_reserve(&c->out, room) == MZ_OK)
        return true;
    conn_flush(c);
    if (c->ended != NULL)
        return false;
    if (outbox_reserve(&c->out, room) == MZ_OK)
        return true;
    c->protocol->give_up(c, MZ_NO_MEMORY, "no memory for its answer");
    return false;
}

void
conn_shrink_answers(struct conn *c)
{
    if (c->out.bytes.cap > 2 * SEND_COPIED_MAX)
        outbox_shrink(&c->out);
}

void
conn_end_with_line(struct conn *c, const char *line, const char *why)
{
    if (outbox_reserve(&c->out, strlen(line)) == MZ_OK) {
        outbox_put_slice(&c->out, slice_of_string(line));
        conn_flush(c);
    } else {
        conn_flush(c);
        if (c->ended == NULL)
            sock_send_now(c->entry.fd, line);
    }
    conn_end(c, PART_FINISH, why);
}
