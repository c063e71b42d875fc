/* SPDX-License-Identifier: MIT
 *
 * peer.c - see peer.h.
 */
#include "peer.h"

#include "base/must.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#define RECEIVE_SIZE 65536
/* In bytes, when they go out one by one: the server is to see them in small
 * pieces, but on a busy machine each yield may cost a slice of time. */
#define YIELD_EVERY 16

void
peer_open(struct peer *peer, uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    int on = 1;

    must(peer->fd < 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *peer = (struct peer){
        .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
    };
    must(peer->fd >= 0);
    must(connect(peer->fd, (struct sockaddr *)&to, sizeof to) == 0);
    must(setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
}

/* One receive without waiting; false when nothing was there. */
static bool
take_in(struct peer *peer)
{
    ssize_t n;

    if (peer->ended)
        return false;
    if (peer->at == peer->in.len)
        peer->at = peer->in.len = 0;
    must(buf_reserve(&peer->in, RECEIVE_SIZE) == MZ_OK);
    n = recv(peer->fd, peer->in.data + peer->in.len, RECEIVE_SIZE,
             MSG_DONTWAIT);
    if (n > 0) {
        peer->in.len += (size_t)n;
        return true;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    must(n == 0 || errno == ECONNRESET || errno == EPIPE);
    peer->ended = true;
    return false;
}

/* Waits until something can be received, or sent if events has POLLOUT. */
static bool
wait_for(const struct peer *peer, short events)
{
    struct pollfd p = {peer->fd, events, 0};
    int n;

    do {
        n = poll(&p, 1, PEER_DEADLINE_MS);
    } while (n < 0 && errno == EINTR);
    must(n >= 0);
    return n > 0;
}

/* One send without waiting: how much was taken. */
static size_t
give_out(struct peer *peer, struct slice bytes)
{
    ssize_t n =
        send(peer->fd, bytes.data, bytes.len, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (n >= 0)
        return (size_t)n;
    if (errno == EAGAIN || errno == EINTR)
        return 0;
    must(errno == ECONNRESET || errno == EPIPE);
    peer->send_lost = true;
    return 0;
}

bool
peer_send(struct peer *peer, struct slice bytes, bool one_by_one)
{
    if (bytes.len > 0)
        peer->partial = bytes.data[bytes.len - 1] != '\n';
    while (bytes.len > 0 && !peer->send_lost) {
        size_t n =
            give_out(peer, slice_of(bytes.data, one_by_one ? 1 : bytes.len));

        bytes = slice_of(bytes.data + n, bytes.len - n);
        if (one_by_one && bytes.len % YIELD_EVERY == 0)
            sched_yield();
        if (n == 0 && !peer->send_lost &&
            !wait_for(peer, peer->ended ? POLLOUT : POLLOUT | POLLIN))
            return false;
        if (n == 0)
            (void)take_in(peer);
    }
    return true;
}

enum peer_wait
peer_line(struct peer *peer, struct slice *line)
{
    size_t looked = 0;

    for (;;) {
        struct slice rest = peer_pending(peer);
        const char *lf = NULL;

        if (rest.len > looked)
            lf = memchr(rest.data + looked, '\n', rest.len - looked);
        *line = rest;
        if (lf != NULL) {
            line->len = (size_t)(lf - rest.data);
            peer->at += line->len + 1;
            return PEER_LINE;
        }
        if (peer->ended) {
            peer->at = peer->in.len;
            return PEER_END;
        }
        looked = rest.len;
        if (!wait_for(peer, POLLIN))
            return PEER_LATE;
    }
}

struct slice
peer_pending(struct peer *peer)
{
    const char *first = NULL;

    if (peer->in.len > peer->at)
        first = memchr(peer->in.data + peer->at, '\n', peer->in.len - peer->at);
    if (first == NULL)
        while (take_in(peer))
            continue;
    if (peer->in.len == peer->at)
        return slice_of(NULL, 0);
    return slice_of(peer->in.data + peer->at, peer->in.len - peer->at);
}

void
peer_shut(struct peer *peer)
{
    peer->shut = true;
    if (shutdown(peer->fd, SHUT_WR) != 0)
        must(errno == ENOTCONN);
}

void
peer_close(struct peer *peer, bool with_reset)
{
    struct linger at_once = {1, 0};

    if (peer->fd >= 0) {
        if (with_reset)
            must(setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &at_once,
                            sizeof at_once) == 0);
        must(close(peer->fd) == 0);
    }
    buf_fini(&peer->in);
    *peer = (struct peer){.fd = -1};
}
