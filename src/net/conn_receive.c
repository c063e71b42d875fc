/* SPDX-License-Identifier: MIT
 *
 * conn_receive.c - what a connection receives, with its time-outs.
 *
 * The normal path is one system call: a blocking recv, whose time-out was set
 * once. Only a connection that turns out to be idle, a request that comes in
 * pieces and a peer that does not read cost a poll.
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

    conn_shrink_answers(c);
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
    bool stuck = outbox_pending(&c->out) > 0;
    bool idle = is_idle(c) && !conn_listens(c) && !stuck;
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
    else if (conn_listens(c) || stuck)
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
        conn_flush(c);
        park(c, 0);
        if (c->ended != NULL || make_room(c))
            return c->ended == NULL;
    }
    give_up(c, MZ_NO_MEMORY, "no memory for its request");
    return false;
}

static void
end_for_stop(struct conn *c)
{
    conn_flush(c);
    conn_end(c, PART_FINISH, "server stops");
}

void
conn_receive(struct conn *c)
{
    for (;;) {
        if (!is_idle(c) && conn_now_ms() >= c->deadline_mono_ms)
            give_up(c, MZ_TIMEOUT, "did not send its request in time");
        else if (atomic_load(&c->shared->stopping))
            end_for_stop(c);
        if (c->ended != NULL)
            return;
        if (conn_listens(c) && !conn_listen(c))
            continue;
        if (!conn_send_until_input(c))
            continue;
        if (!find_room(c))
            return;
        if (receive_once(c) || c->ended != NULL)
            break;
    }
    /* The stop shuts the receiving side down: that is no end of input, and
     * half a line must not be taken for a last one. */
    if (c->at_end && atomic_load(&c->shared->stopping))
        end_for_stop(c);
}
