/* SPDX-License-Identifier: MIT
 *
 * sock.c - see sock.h.
 */
#include "net/sock.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

/* What a peer may still send while its connection is being ended. */
#define DROP_BYTES_MAX ((size_t)1 << 20)
#define DROP_CHUNK     4096

/* Unacknowledged bytes have no event to poll for. */
#define UNSENT_STEP_MS 5

/* A peer that acknowledges nothing for so long is gone, whatever keepalive
 * says: probes are not sent while data is under way. */
#define VANISHED_MS 120000

void
sock_format_address(char out[SOCK_ADDRESS_SIZE],
                    const struct sockaddr_storage *address)
{
    char host[INET6_ADDRSTRLEN] = "?";
    char zone[IF_NAMESIZE + 1] = "";

    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const void *)address;
        char name[IF_NAMESIZE];

        inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof host);
        if (in6->sin6_scope_id != 0 &&
            if_indextoname(in6->sin6_scope_id, name) != NULL)
            snprintf(zone, sizeof zone, "%%%s", name);
        snprintf(out, SOCK_ADDRESS_SIZE, "[%s%s]:%u", host, zone,
                 sock_port(address));
    } else {
        const struct sockaddr_in *in = (const void *)address;

        inet_ntop(AF_INET, &in->sin_addr, host, sizeof host);
        snprintf(out, SOCK_ADDRESS_SIZE, "%s:%u", host, sock_port(address));
    }
}

uint16_t
sock_port(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

void
sock_set_port(struct sockaddr_storage *address, uint16_t port)
{
    if (address->ss_family == AF_INET6)
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)address)->sin_port = htons(port);
}

socklen_t
sock_address_len(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

static void
set_int(int fd, int level, int name, int64_t value)
{
    int n = value > INT_MAX ? INT_MAX : (int)value;

    (void)setsockopt(fd, level, name, &n, sizeof n);
}

/* As Redis does it: three probes, a third of the idle time apart. */
static void
set_keepalive(int fd, const struct sock_options *options)
{
    const int64_t probes = 3;
    int64_t idle_s = (options->keepalive_ms + 999) / 1000;
    int64_t between_s = idle_s / probes;
    /* The kernel lets this limit override the number of probes, and a shorter
     * one than --write-timeout would undo that option. */
    int64_t vanished_ms = (idle_s + probes * (between_s + 1)) * 1000;

    if (vanished_ms < VANISHED_MS)
        vanished_ms = VANISHED_MS;
    if (vanished_ms < options->write_timeout_ms)
        vanished_ms = options->write_timeout_ms;
    set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle_s > 32767 ? 32767 : idle_s);
    set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL,
            between_s < 1 ? 1 : (between_s > 32767 ? 32767 : between_s));
    set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, probes);
    set_int(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, vanished_ms);
}

void
sock_prepare(int fd, const struct sock_options *options)
{
    struct timeval wait = {
        .tv_sec = (time_t)(options->receive_wait_ms / 1000),
        .tv_usec = (suseconds_t)(options->receive_wait_ms % 1000 * 1000),
    };

    set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    if (options->keepalive_ms > 0)
        set_keepalive(fd, options);
}

bool
sock_wait(int fd, short events, int64_t deadline_mono_ms)
{
    struct pollfd p = {.fd = fd, .events = events};

    for (;;) {
        int timeout_ms = -1;
        int n;

        if (deadline_mono_ms != SOCK_NEVER) {
            int64_t left_ms = deadline_mono_ms - clock_mono_ms(clock_system());

            if (left_ms < 0)
                left_ms = 0;
            timeout_ms = left_ms > INT_MAX ? INT_MAX : (int)left_ms;
        }
        n = poll(&p, 1, timeout_ms);
        if (n > 0)
            return true;
        if (n == 0 && timeout_ms != INT_MAX)
            return false;
        /* Interrupted, or the kernel was short of memory for a moment: the
         * deadline still holds. */
    }
}

bool
sock_is_reset(int fd)
{
    struct pollfd p = {.fd = fd};

    return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR)) != 0;
}

size_t
sock_unsent(int fd)
{
    int bytes = 0;

    if (ioctl(fd, SIOCOUTQ, &bytes) != 0 || bytes < 0)
        return 0;
    return (size_t)bytes;
}

/* Takes in and drops what has come; true when the peer has ended, too. */
static bool
drop_input(int fd, size_t *budget)
{
    char dropped[DROP_CHUNK];

    while (*budget > 0) {
        ssize_t n = recv(fd, dropped, sizeof dropped, MSG_DONTWAIT);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return false;
        if (n <= 0)
            return true;
        *budget -= (size_t)n < *budget ? (size_t)n : *budget;
    }
    return true;
}

void
sock_finish(int fd, int64_t wait_ms)
{
    const struct timespec step = {0, UNSENT_STEP_MS * 1000000L};
    int64_t deadline_ms = clock_mono_ms(clock_system()) + wait_ms;
    size_t budget = DROP_BYTES_MAX;

    if (shutdown(fd, SHUT_WR) != 0)
        return;
    while (!drop_input(fd, &budget)) {
        if (!sock_wait(fd, POLLIN, deadline_ms))
            return;
    }
    /* Whoever ended first, or sends without end: the answers must have left
     * before the descriptor is closed. */
    while (sock_unsent(fd) > 0 && clock_mono_ms(clock_system()) < deadline_ms)
        (void)nanosleep(&step, NULL);
}

void
sock_send_now(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
}

int
sock_peek(int fd)
{
    unsigned char first;

    if (recv(fd, &first, 1, MSG_PEEK | MSG_DONTWAIT) != 1)
        return -1;
    return first;
}

size_t
sock_raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1024;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {limit.rlim_max, limit.rlim_max};

        if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
            limit = raised;
    }
    return limit.rlim_cur > SIZE_MAX ? SIZE_MAX : (size_t)limit.rlim_cur;
}
