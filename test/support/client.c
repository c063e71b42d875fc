/* SPDX-License-Identifier: MIT
 *
 * client.c - see client.h.
 */
#include "client.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_BYTES 65536

static void
await(const struct client *c, short events, const char *what)
{
    struct pollfd p = {.fd = c->fd, .events = events};
    int n;

    do {
        n = poll(&p, 1, CLIENT_DEADLINE_MS);
    } while (n < 0 && errno == EINTR);
    if (n <= 0)
        ck_abort_msg("time-out: %s", what);
}

static void
connect_socket(struct client *c, const struct sockaddr *address, socklen_t len)
{
    int on = 1;

    *c = (struct client){0};
    c->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0)
        ck_abort_msg("socket: %s", strerror(errno));
    if (connect(c->fd, address, len) != 0)
        ck_abort_msg("connect: %s", strerror(errno));
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void
client_connect(struct client *c, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };

    connect_socket(c, (const void *)&address, sizeof address);
}

void
client_connect_to(struct client *c, const char *address)
{
    struct addrinfo hints = {
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
    };
    struct addrinfo *found;
    char *host = strdup(address);
    char *colon = strrchr(host, ':');
    bool bracket = host[0] == '[';

    ck_assert_ptr_nonnull(colon);
    *colon = '\0';
    if (bracket)
        colon[-1] = '\0';
    ck_assert_int_eq(
        getaddrinfo(host + (bracket ? 1 : 0), colon + 1, &hints, &found), 0);
    connect_socket(c, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    free(host);
}

size_t
client_send_some(struct client *c, const void *data, size_t len)
{
    ssize_t n = send(c->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);

    return n > 0 ? (size_t)n : 0;
}

void
client_send(struct client *c, const void *data, size_t len)
{
    const char *at = data;

    while (len > 0) {
        ssize_t n = send(c->fd, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n > 0) {
            at += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN) {
            await(c, POLLOUT, "the server does not read");
        } else if (errno != EINTR) {
            ck_abort_msg("send: %s", strerror(errno));
        }
    }
}

void
client_send_text(struct client *c, const char *text)
{
    client_send(c, text, strlen(text));
}

/* More bytes into the buffer; false at the end of the connection. */
static bool
receive(struct client *c)
{
    ssize_t n;

    c->in_len -= c->taken;
    if (c->in_len > 0)
        memmove(c->in, c->in + c->taken, c->in_len);
    c->taken = 0;
    if (c->in_cap - c->in_len < READ_BYTES) {
        c->in_cap = 2 * c->in_cap + READ_BYTES;
        c->in = realloc(c->in, c->in_cap);
        ck_assert_ptr_nonnull(c->in);
    }
    do {
        await(c, POLLIN, "no answer");
        n = recv(c->fd, c->in + c->in_len, READ_BYTES, MSG_DONTWAIT);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n <= 0) {
        c->reset = n < 0;
        return false;
    }
    c->in_len += (size_t)n;
    return true;
}

bool
client_line(struct client *c, struct slice *line)
{
    size_t looked = 0;

    for (;;) {
        const char *begin = c->in_len > 0 ? c->in + c->taken : NULL;
        size_t len = c->in_len - c->taken;
        const char *lf =
            len > looked ? memchr(begin + looked, '\n', len - looked) : NULL;

        if (lf != NULL) {
            *line = slice_of(begin, (size_t)(lf - begin));
            c->taken += line->len + 1;
            return true;
        }
        looked = len;
        if (!receive(c)) {
            if (len > 0)
                ck_abort_msg("half a line at the end: %.*s", (int)len, c->in);
            return false;
        }
    }
}

void
client_expect_start(struct client *c, const char *start)
{
    struct slice line;

    if (!client_line(c, &line))
        ck_abort_msg("end of the connection instead of \"%s\"", start);
    if (line.len < strlen(start) ||
        memcmp(line.data, start, strlen(start)) != 0)
        ck_abort_msg("\"%.*s\" instead of \"%s\"", (int)line.len, line.data,
                     start);
}

void
client_expect(struct client *c, const char *answer)
{
    struct slice line;

    if (!client_line(c, &line))
        ck_abort_msg("end of the connection instead of \"%s\"", answer);
    if (!slice_is(line, answer))
        ck_abort_msg("\"%.*s\" instead of \"%s\"", (int)line.len, line.data,
                     answer);
}

void
client_ask(struct client *c, const char *request, const char *answer)
{
    size_t len = strlen(request);
    char *line = malloc(len + 1);

    ck_assert_ptr_nonnull(line);
    memcpy(line, request, len);
    line[len] = '\n';
    client_send(c, line, len + 1);
    free(line);
    client_expect(c, answer);
}

void
client_expect_end(struct client *c)
{
    struct slice line;

    if (client_line(c, &line))
        ck_abort_msg("\"%.*s\" instead of the end", (int)line.len, line.data);
    ck_assert_msg(!c->reset, "a reset instead of the end");
}

void
client_end_input(struct client *c)
{
    ck_assert_int_eq(shutdown(c->fd, SHUT_WR), 0);
}

void
client_close(struct client *c)
{
    close(c->fd);
    free(c->in);
    *c = (struct client){.fd = -1};
}

void
client_reset(struct client *c)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};

    ck_assert_int_eq(setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now),
                     0);
    client_close(c);
}
