/* SPDX-License-Identifier: MIT
 *
 * listener.c - from names to sockets, and the accept loop.
 *
 * Opening works on a list of candidates, the addresses that the names stand
 * for. A name is served when one of its addresses can be: a host without IPv6
 * still serves "localhost".
 */
#include "net/listener.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/must.h"
#include "net/sock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BACKLOG 4096

/* With port 0 the kernel's pick for the first address may be taken on another;
 * then it is asked for a new one, this often. */
#define PORT_TRIES 32

/* Accepts in a row on one socket before the others get their turn. */
#define ACCEPT_BURST 256

/* How long to wait for descriptors or memory to come back. */
#define SHORTAGE_PAUSE_MS  50
#define LOG_PERIOD_MS      1000

#define ACCEPT_STACK_BYTES ((size_t)256 << 10)

/* An address to listen on. */
struct candidate {
    struct sockaddr_storage address;
    const char *name; /* lent: the --bind it stands for */
    size_t twin;      /* the first candidate of this address, mostly itself */
    bool opened;      /* of a twin: a socket listens on it */
};

struct candidates {
    struct candidate *item; /* owned */
    size_t count, cap;
};

struct socket {
    int fd;
    char address[SOCK_ADDRESS_SIZE];
};

struct listener {
    const struct log *log;           /* const */
    struct listener_handler handler; /* const while the thread runs */
    struct socket *socket;           /* const: count of them, owned */
    size_t count;                    /* const */
    struct pollfd *poll;             /* owner: the accept thread; count + 1 */
    int wake;                        /* const: eventfd, readable at the stop */
    uint16_t port;                   /* const */
    bool running;                    /* owner: who starts and stops */
    pthread_t thread;
    int64_t logged_mono_ms; /* owner: the accept thread */
};

/* Why opening failed. */
struct failure {
    int error; /* errno, or 0 */
    const char *name;
    char address[SOCK_ADDRESS_SIZE];
};

static bool
same_address(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;
    const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;

    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET)
        return a4->sin_addr.s_addr == b4->sin_addr.s_addr;
    return a6->sin6_scope_id == b6->sin6_scope_id &&
           memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof a6->sin6_addr) == 0;
}

/* Adds what is of a family that we serve. One that is there already is kept,
 * so that its name is known to be served. */
static enum mz_err
add_candidate(struct candidates *list, const char *name,
              const struct sockaddr *address, socklen_t len)
{
    struct candidate candidate = {.name = name, .twin = list->count};

    if (address->sa_family != AF_INET && address->sa_family != AF_INET6)
        return MZ_OK;
    must(len <= sizeof candidate.address);
    memcpy(&candidate.address, address, len);
    for (size_t i = list->count; i-- > 0;) {
        if (same_address(&list->item[i].address, &candidate.address))
            candidate.twin = i;
    }
    if (list->count == list->cap) {
        size_t cap = list->cap == 0 ? 8 : list->cap * 2;
        struct candidate *item =
            mem_realloc(list->item, cap * sizeof *list->item);

        if (item == NULL)
            return MZ_NO_MEMORY;
        list->item = item;
        list->cap = cap;
    }
    list->item[list->count++] = candidate;
    return MZ_OK;
}

/* "localhost" is both loopback addresses, whatever the host's files say: a
 * client may pick either. */
static enum mz_err
add_localhost(struct candidates *list, const char *name)
{
    struct sockaddr_in in = {
        .sin_family = AF_INET,
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    struct sockaddr_in6 in6 = {
        .sin6_family = AF_INET6,
        .sin6_addr = IN6ADDR_LOOPBACK_INIT,
    };

    if (add_candidate(list, name, (const void *)&in, sizeof in) != MZ_OK)
        return MZ_NO_MEMORY;
    return add_candidate(list, name, (const void *)&in6, sizeof in6);
}

static enum mz_err
resolve(struct candidates *list, const char *name, struct buf *why)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    enum mz_err err = MZ_OK;
    int error;

    if (strcmp(name, "localhost") == 0)
        return add_localhost(list, name);
    error = getaddrinfo(name, NULL, &hints, &found);
    if (error != 0) {
        buf_printf(why, "--bind %s: cannot resolve this name: %s", name,
                   error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
        return MZ_BAD_REQUEST;
    }
    for (const struct addrinfo *a = found; a != NULL && err == MZ_OK;
         a = a->ai_next)
        err = add_candidate(list, name, a->ai_addr, a->ai_addrlen);
    freeaddrinfo(found);
    return err;
}

static enum mz_err
resolve_all(struct candidates *list, const struct listener_options *options,
            struct buf *why)
{
    for (size_t i = 0; i < options->bind_count; i++) {
        enum mz_err err = resolve(list, options->bind[i], why);

        if (err == MZ_NO_MEMORY)
            buf_printf(why, "--bind %s: out of memory", options->bind[i]);
        if (err != MZ_OK)
            return err;
    }
    return MZ_OK;
}

/* A socket that listens on address, or -1 with errno. */
static int
open_socket(const struct sockaddr_storage *address)
{
    int fd = socket(address->ss_family,
                    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;
    int error;

    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        (address->ss_family != AF_INET6 ||
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
        bind(fd, (const void *)address, sock_address_len(address)) == 0 &&
        listen(fd, BACKLOG) == 0)
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

static void
close_sockets(struct listener *listener)
{
    for (size_t i = 0; i < listener->count; i++)
        close(listener->socket[i].fd);
    listener->count = 0;
}

/* Listens on an address; 0 or errno. The first one settles the port. */
static int
open_address(struct listener *listener, const struct candidate *candidate)
{
    struct socket *s = &listener->socket[listener->count];
    struct sockaddr_storage address = candidate->address;
    socklen_t len = sizeof address;

    sock_set_port(&address, listener->port);
    s->fd = open_socket(&address);
    if (s->fd < 0)
        return errno;
    if (getsockname(s->fd, (void *)&address, &len) != 0) {
        int error = errno;

        close(s->fd);
        return error;
    }
    listener->port = sock_port(&address);
    sock_format_address(s->address, &address);
    listener->count++;
    return 0;
}

/* The host does not have this address, or not its family. */
static bool
host_lacks(int error)
{
    return error == EAFNOSUPPORT || error == EADDRNOTAVAIL;
}

static void
note_failure(struct failure *failure, const struct listener *listener,
             const struct candidate *candidate, int error)
{
    struct sockaddr_storage address = candidate->address;

    sock_set_port(&address, listener->port);
    failure->error = error;
    failure->name = candidate->name;
    sock_format_address(failure->address, &address);
}

/* Listens on candidate i, unless its twin has been looked at before; 0 or
 * errno. */
static int
open_candidate(struct listener *listener, struct candidates *list, size_t i)
{
    struct candidate *candidate = &list->item[i];
    int error;

    if (candidate->twin < i)
        return list->item[candidate->twin].opened ? 0 : EADDRNOTAVAIL;
    error = open_address(listener, candidate);
    candidate->opened = error == 0;
    return error;
}

/* One socket an address, all on one port. False: *failure says why, and some
 * sockets may be open. */
static bool
open_all(struct listener *listener, struct candidates *list,
         struct failure *failure)
{
    bool served = false; /* the name at hand has a socket */

    failure->error = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct candidate *candidate = &list->item[i];
        bool last =
            i + 1 == list->count || list->item[i + 1].name != candidate->name;
        int error = open_candidate(listener, list, i);

        if (error == 0)
            served = true;
        else
            note_failure(failure, listener, candidate, error);
        if (error != 0 && !host_lacks(error))
            return false;
        if (last && !served)
            return false;
        if (last)
            served = false;
    }
    return listener->count > 0;
}

static enum mz_err
open_on_port(struct listener *listener, struct candidates *list, uint16_t port,
             struct buf *why)
{
    struct failure failure = {0};

    for (int tries = 0; tries < PORT_TRIES; tries++) {
        bool retry;

        listener->port = port;
        if (open_all(listener, list, &failure))
            return MZ_OK;
        retry = port == 0 && failure.error == EADDRINUSE && listener->count > 0;
        close_sockets(listener);
        if (!retry)
            break;
    }
    if (failure.error == 0)
        buf_put_string(why, "--bind: no IPv4 or IPv6 address to listen on");
    else
        buf_printf(why, "--port %u --bind %s: cannot listen on %s: %s",
                   (unsigned)port, failure.name, failure.address,
                   strerror(failure.error));
    return MZ_BAD_REQUEST;
}

static enum mz_err
reserve(struct listener *listener, size_t sockets)
{
    listener->socket = mem_alloc_zeroed(sockets, sizeof *listener->socket);
    listener->poll = mem_alloc_zeroed(sockets + 1, sizeof *listener->poll);
    listener->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (listener->socket == NULL || listener->poll == NULL ||
        listener->wake < 0)
        return MZ_NO_MEMORY;
    return MZ_OK;
}

enum mz_err
listener_open(const struct listener_options *options, const struct log *log,
              struct listener **out, struct buf *why)
{
    struct candidates list = {0};
    struct listener *listener = mem_alloc_zeroed(1, sizeof *listener);
    enum mz_err err = MZ_NO_MEMORY;

    must(options->bind_count > 0);
    if (listener != NULL) {
        listener->wake = -1;
        listener->log = log;
        listener->logged_mono_ms = INT64_MIN / 2;
        err = resolve_all(&list, options, why);
        if (err == MZ_OK)
            err = reserve(listener, list.count);
        if (err == MZ_OK)
            err = open_on_port(listener, &list, options->port, why);
    }
    mem_free(list.item);
    if (err != MZ_OK) {
        if (why->len == 0)
            buf_put_string(why, "--bind: no memory or descriptor to listen");
        listener_free(listener);
        return err;
    }
    *out = listener;
    return MZ_OK;
}

size_t
listener_count(const struct listener *listener)
{
    return listener->count;
}

const char *
listener_address(const struct listener *listener, size_t i)
{
    return i < listener->count ? listener->socket[i].address : NULL;
}

uint16_t
listener_port(const struct listener *listener)
{
    return listener->port;
}

/* Errors of one connection that never came about; the next one may be fine.
 * Linux hands out errors that wait on the new socket as well: accept(2). */
static bool
is_of_connection(int error)
{
    switch (error) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENOPROTOOPT:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
    case EOPNOTSUPP:
    case ETIMEDOUT:
        return true;
    default:
        return false;
    }
}

/* Out of something, or an error nobody foresaw: wait a little for it to pass.
 * Ends at once when the listener is stopped. */
static void
pause_accepting(struct listener *listener, int error)
{
    int64_t now_ms = clock_mono_ms(clock_system());

    if (now_ms - listener->logged_mono_ms >= LOG_PERIOD_MS) {
        listener->logged_mono_ms = now_ms;
        log_write(listener->log, LOG_WARNING,
                  "cannot accept clients for the moment: %s", strerror(error));
    }
    (void)sock_wait(listener->wake, POLLIN, now_ms + SHORTAGE_PAUSE_MS);
}

/* Takes what has queued up on fd. */
static void
accept_queued(struct listener *listener, int fd)
{
    for (int n = 0; n < ACCEPT_BURST; n++) {
        struct sockaddr_storage peer = {0};
        socklen_t len = sizeof peer;
        int client = accept4(fd, (void *)&peer, &len, SOCK_CLOEXEC);

        if (client >= 0)
            listener->handler.accepted(listener->handler.ctx, client, &peer);
        else if (errno == EAGAIN)
            return;
        else if (!is_of_connection(errno)) {
            pause_accepting(listener, errno);
            return;
        }
    }
}

static void *
accept_main(void *arg)
{
    struct listener *listener = arg;
    size_t count = listener->count;

    for (size_t i = 0; i < count; i++)
        listener->poll[i] =
            (struct pollfd){.fd = listener->socket[i].fd, .events = POLLIN};
    listener->poll[count] =
        (struct pollfd){.fd = listener->wake, .events = POLLIN};
    for (;;) {
        if (poll(listener->poll, count + 1, -1) < 0) {
            if (errno != EINTR)
                pause_accepting(listener, errno);
            continue;
        }
        if (listener->poll[count].revents != 0)
            return NULL;
        for (size_t i = 0; i < count; i++) {
            if (listener->poll[i].revents != 0)
                accept_queued(listener, listener->poll[i].fd);
        }
    }
}

/* Signals are for the thread that waits for them: main. The new thread, and
 * those it starts, get none but those of their own faults. */
static int
create_without_signals(pthread_t *thread, const pthread_attr_t *attr,
                       void *(*run)(void *), void *arg)
{
    static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE,
                                 SIGILL,  SIGABRT, SIGTRAP};
    sigset_t all, before;
    int error;

    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&all, faults[i]);
    must(pthread_sigmask(SIG_BLOCK, &all, &before) == 0);
    error = pthread_create(thread, attr, run, arg);
    must(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    return error;
}

enum mz_err
listener_start(struct listener *listener,
               const struct listener_handler *handler)
{
    size_t stack = ACCEPT_STACK_BYTES;
    pthread_attr_t attr;
    int error;

#ifdef MEMOIZER_SANITIZED
    stack *= 4;
#endif
    must(!listener->running);
    listener->handler = *handler;
    if (pthread_attr_init(&attr) != 0)
        return MZ_NO_MEMORY;
    must(pthread_attr_setstacksize(&attr, stack) == 0);
    error =
        create_without_signals(&listener->thread, &attr, accept_main, listener);
    must(pthread_attr_destroy(&attr) == 0);
    if (error != 0)
        return MZ_NO_MEMORY;
    listener->running = true;
    return MZ_OK;
}

void
listener_stop(struct listener *listener)
{
    if (listener->running) {
        const uint64_t one = 1;

        must(write(listener->wake, &one, sizeof one) == sizeof one);
        must(pthread_join(listener->thread, NULL) == 0);
        listener->running = false;
    }
    close_sockets(listener);
}

void
listener_free(struct listener *listener)
{
    if (listener == NULL)
        return;
    listener_stop(listener);
    if (listener->wake >= 0)
        close(listener->wake);
    mem_free(listener->poll);
    mem_free(listener->socket);
    mem_free(listener);
}
