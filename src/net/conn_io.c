/* SPDX-License-Identifier: MIT
 *
 * conn_io.c - receiving and sending of a connection, with their time-outs.
 *
 * The normal path is two system calls for whatever one receive brings: a
 * blocking recv, whose time-out was set once, and one sendmsg. Only a
 * connection that turns out to be idle, a request that comes in pieces and a
 * peer that does not read cost a poll.
 */
#include "base/mem.h"
#include "base/must.h"
#include "net/conn_internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

/* A receive buffer begins with this and is brought back to it. Both buffers
 * begin so large that malloc maps them (see mem_init): pages
 * that were never used cost nothing, and a buffer that is given back leaves no
 * hole in the heap. */
#define RECEIVE_FIRST MEM_MAPPED_MIN
/* Room behind the longest rest for the end of its request and what comes after
 * it. */
#define RECEIVE_EXTRA 4096

/* Answers are sent when so much waits, even if requests are left. */
#define SEND_COPIED_MAX ((size_t)64 << 10)
#define SEND_LENT_MAX   ((size_t)1 << 20)
#define SEND_VECTORS    64

/* An answer may be begun when just less than SEND_COPIED_MAX waits. */
#define SEND_FIRST (SEND_COPIED_MAX + 2 * REPLY_LEND_MIN)

/* How often a peer that does not read is looked at. */
#define UNSENT_LOOK_MS 250

/* How often a client that holds leases is looked at within a batch. */
#define RESET_LOOK_MS 20

/* ---- sending ---- */

/* Waits until a peer that does not take its answers takes some. A peer that
 * reads slowly makes progress long before poll says so (the kernel waits for a
 * third of the buffer), hence the look at what is unsent. */
static bool
wait_writable(const struct conn *c)
{
    int64_t limit_ms = c->shared->options->write_timeout_ms;
    int64_t slice_ms =
        limit_ms / 4 < UNSENT_LOOK_MS ? limit_ms / 4 + 1 : UNSENT_LOOK_MS;
    int64_t quiet_since_ms = conn_now_ms();
    size_t unsent = sock_unsent(c->entry.fd);

    for (;;) {
        int64_t now = conn_now_ms();
        int64_t left_ms = quiet_since_ms + limit_ms - now;
        size_t still_unsent;

        if (left_ms <= 0)
            return false;
        if (sock_wait(c->entry.fd, POLLOUT,
                      now + (left_ms < slice_ms ? left_ms : slice_ms)))
            return true;
        still_unsent = sock_unsent(c->entry.fd);
        if (still_unsent < unsent)
            quiet_since_ms = conn_now_ms();
        unsent = still_unsent;
    }
}

void
conn_flush(struct conn *c)
{
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
        } else if (errno == EAGAIN) {
            if (!wait_writable(c))
                conn_end(c, PART_CUT, "does not read its answers");
        } else if (errno != EINTR) {
            conn_end(c, PART_CUT,
                     conn_is_cut(c) ? "does not read its messages"
                                    : "gone before its answers were sent");
        }
    }
}

/* So many answers wait that they should be sent. */
static bool
is_much(const struct outbox *out)
{
    return out->bytes.len >= SEND_COPIED_MAX ||
           out->lent_bytes >= SEND_LENT_MAX;
}

void
conn_flush_much(struct conn *c)
{
    if (is_much(&c->out))
        conn_flush(c);
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

/* ---- receiving ---- */

static bool
is_idle(const struct conn *c)
{
    return c->deadline_mono_ms == SOCK_NEVER;
}

/* The most bytes that a receive buffer holds. */
static size_t
receive_max(const struct conn *c)
{
    const struct conn_protocol *protocol =
        c->protocol != NULL ? c->protocol : conn_native();

    return protocol->left_max(c) + RECEIVE_EXTRA;
}

/* Room for at least a byte, doubling from RECEIVE_FIRST up to a line of full
 * length. False without memory. */
static bool
make_room(struct conn *c)
{
    size_t limit = receive_max(c);
    size_t extra = c->in.cap;

    if (c->in.len < c->in.cap)
        return true;
    if (extra < RECEIVE_FIRST)
        extra = RECEIVE_FIRST;
    if (extra > limit - c->in.len)
        extra = limit - c->in.len;
    return buf_reserve(&c->in, extra) == MZ_OK;
}

void
conn_shrink(struct conn *c)
{
    struct buf small = {0};

    if (c->out.bytes.cap > 2 * SEND_COPIED_MAX)
        outbox_shrink(&c->out);
    if (c->in.cap <= RECEIVE_FIRST || c->in.len > RECEIVE_FIRST / 2)
        return;
    /* Only a help: without memory the large buffer goes on serving. */
    if (c->in.len > 0) {
        if (buf_reserve(&small, RECEIVE_FIRST) != MZ_OK)
            return;
        buf_put_slice(&small, buf_slice(&c->in));
    }
    buf_fini(&c->in);
    c->in = small;
}

/* The connection is idle: gives the buffers back and waits for input without
 * them. waited_ms were spent on it already. */
static void
park(struct conn *c, int64_t waited_ms)
{
    int64_t limit_ms = c->shared->options->idle_timeout_ms;
    int64_t deadline_ms = SOCK_NEVER;

    if (c->in.len == 0)
        buf_fini(&c->in);
    outbox_shrink(&c->out);
    if (limit_ms > 0)
        deadline_ms =
            conn_now_ms() + (limit_ms > waited_ms ? limit_ms - waited_ms : 0);
    if (!sock_wait(c->entry.fd, POLLIN, deadline_ms))
        conn_end(c, PART_FINISH, "idle for too long");
}

/* The last answer, in the protocol of the connection if it is known. */
static void
give_up(struct conn *c, enum mz_err err, const char *why)
{
    const struct conn_protocol *protocol =
        c->protocol != NULL ? c->protocol : conn_native();

    protocol->give_up(c, err, why);
}

int64_t
conn_receive_wait_ms(const struct server_options *options)
{
    if (options->idle_timeout_ms > 0 &&
        options->idle_timeout_ms < CONN_IDLE_AFTER_MS)
        return options->idle_timeout_ms;
    return CONN_IDLE_AFTER_MS;
}

/* One recv into the room that is there; waits, within the limits of time, if
 * nothing has come. True when there are new bytes or the end of input. */
static bool
receive_once(struct conn *c)
{
    size_t limit = receive_max(c);
    size_t end_at = c->in.cap < limit ? c->in.cap : limit;
    bool idle = is_idle(c) && !conn_listens(c);
    ssize_t n;

    /* The decoder never leaves more behind than the longest line. */
    must(c->in.len < end_at);
    n = recv(c->entry.fd, c->in.data + c->in.len, end_at - c->in.len,
             idle ? 0 : MSG_DONTWAIT);

    if (n > 0) {
        counter_add(&c->counters, COUNTER_BYTES_RECEIVED, (uint64_t)n);
        c->in.len += (size_t)n;
        return true;
    }
    if (n == 0) {
        c->at_end = true;
        return true;
    }
    if (errno == EINTR)
        return false;
    if (errno != EAGAIN)
        conn_end(c, PART_CUT, "connection lost");
    else if (conn_listens(c))
        return false;
    else if (idle)
        park(c, conn_receive_wait_ms(c->shared->options));
    else
        (void)sock_wait(c->entry.fd, POLLIN, c->deadline_mono_ms);
    return false;
}

/* make_room, or the end of the connection. */
static bool
find_room(struct conn *c)
{
    if (make_room(c))
        return true;
    /* Nobody waits for an answer yet: memory may be back when one does. */
    if (c->in.cap == 0) {
        park(c, 0);
        if (c->ended != NULL || make_room(c))
            return c->ended == NULL;
    }
    give_up(c, MZ_NO_MEMORY, "no memory for its request");
    return false;
}

void
conn_receive(struct conn *c)
{
    for (;;) {
        if (!is_idle(c) && conn_now_ms() >= c->deadline_mono_ms)
            give_up(c, MZ_TIMEOUT, "did not send its request in time");
        else if (atomic_load(&c->shared->stopping))
            conn_end(c, PART_FINISH, "server stops");
        if (c->ended != NULL)
            return;
        if (conn_listens(c) && !conn_listen(c))
            continue;
        if (!find_room(c))
            return;
        if (receive_once(c) || c->ended != NULL)
            break;
    }
    /* The stop shuts the receiving side down: that is no end of input, and
     * half a line must not be taken for a last one. */
    if (c->at_end && atomic_load(&c->shared->stopping))
        conn_end(c, PART_FINISH, "server stops");
}
