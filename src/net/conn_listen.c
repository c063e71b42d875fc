/* SPDX-License-Identifier: MIT
 *
 * conn_listen.c - a connection that listens to channels: it waits for its
 * socket and for messages at once.
 *
 *     publisher's thread                 connection's thread
 *       |                                  | poll: socket, wake_fd
 *       | mailbox_put(), host_wake_up() -> | takes messages, sends them
 *       :                                  | poll
 *
 * Only its own thread writes to a socket. One that does not get rid of its
 * messages is cut by whoever finds its mailbox full: the socket is shut down,
 * which ends the send that its thread may hang in. The descriptors stay open
 * until nobody publishes to it any more.
 */
#include "net/conn_internal.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum mz_err
conn_begin_listening(struct conn *c)
{
    if (c->wake_fd < 0)
        c->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return c->wake_fd >= 0 ? MZ_OK : MZ_NO_MEMORY;
}

void
conn_wake_up(struct conn *c, bool cut)
{
    static const uint64_t one = 1;

    /* It cannot fail but for a count of 2^64 - 2. */
    (void)!write(c->wake_fd, &one, sizeof one);
    if (cut)
        (void)shutdown(c->entry.fd, SHUT_RDWR);
}

void
conn_stop_listening(struct conn *c)
{
    if (c->client != NULL)
        resp_client_stop_listening(c->client);
    if (c->wake_fd >= 0)
        close(c->wake_fd);
    c->wake_fd = -1;
}

bool
conn_is_cut(const struct conn *c)
{
    return c->client != NULL && resp_client_is_cut(c->client);
}

/* Sends a batch of messages. True when more wait. */
static bool
deliver(struct conn *c)
{
    const bool more = resp_client_deliver(c->client, &c->out);

    if (conn_is_cut(c))
        conn_end(c, PART_CUT, "does not read its messages");
    else if (outbox_failed(&c->out))
        conn_end(c, PART_CUT, "no memory for its messages");
    conn_flush(c);
    return more && c->ended == NULL;
}

/* For poll: when there is something else to do. */
static int
wait_ms(const struct conn *c, bool tidy)
{
    int64_t left_ms;

    if (c->deadline_mono_ms == SOCK_NEVER)
        return tidy ? -1 : CONN_IDLE_AFTER_MS;
    left_ms = c->deadline_mono_ms - conn_now_ms();
    if (left_ms <= 0)
        return 0;
    return left_ms < INT_MAX ? (int)left_ms : INT_MAX;
}

/* Nothing has come for a while: gives the buffers back. */
static void
tidy_up(struct conn *c)
{
    if (c->in.len == 0)
        buf_fini(&c->in);
    outbox_shrink(&c->out);
}

bool
conn_listen(struct conn *c)
{
    bool tidy = false;

    for (;;) {
        const bool more = deliver(c);
        struct pollfd fds[] = {
            {.fd = c->entry.fd, .events = POLLIN},
            {.fd = c->wake_fd, .events = POLLIN},
        };
        uint64_t wakes;
        int n;

        if (c->ended != NULL)
            return false;
        n = poll(fds, 2, more ? 0 : wait_ms(c, tidy));
        if (n < 0)
            continue;
        if (fds[0].revents != 0)
            return true;
        /* Before the mailbox is looked into: what comes later wakes again. */
        if (fds[1].revents != 0)
            (void)!read(c->wake_fd, &wakes, sizeof wakes);
        if (n > 0 || more)
            continue;
        if (c->deadline_mono_ms != SOCK_NEVER)
            return false;
        tidy_up(c);
        tidy = true;
    }
}
