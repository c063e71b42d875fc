/* SPDX-License-Identifier: MIT
 *
 * hangup.c - one thread in epoll_wait(), and a table of watches by descriptor.
 *
 * An event carries only the number of a descriptor, and may be stale: between
 * epoll_wait() and the mutex the watch may have been forgotten, the descriptor
 * closed, and its number given to another connection. So an event is taken for
 * no more than a hint to look at the socket that is watched under this number
 * now, if there is one; the owner cannot close it meanwhile, as it has to get
 * the mutex first, for hangup_forget().
 *
 * Watches are one-shot: after an event the kernel is silent about a descriptor
 * until it is asked again. It is asked again (which tells at once what has
 * happened meanwhile) unless fn has been called, and for no more than what
 * could change the answer, so that the thread never spins:
 *
 *     the socket                                   fn       then ask for
 *     nothing can be sent any more, or an error    called   nothing
 *     end of input, all bytes taken                called   nothing
 *     end of input, unread bytes                   not yet  errors only
 *     neither: the event was stale                 not yet  end, errors
 *
 * Errors are told by epoll without being asked for. In the third row the end
 * of input would be told again and again. If the owner takes the bytes while
 * it is watched nobody notices; it does not read while it waits for a lease,
 * and the next watch begins anew.
 */
#include "net/hangup.h"

#include "base/lock.h"
#include "base/mem.h"
#include "base/must.h"
#include "base/thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define STACK_BYTES    ((size_t)256 * 1024)
#define WATCHES_MIN    64
#define EVENTS_AT_ONCE 64
#define PEEK_BYTES     64

/* What epoll is asked for. */
#define ASK_FOR_END    (EPOLLRDHUP | EPOLLONESHOT)
#define ASK_FOR_ERRORS EPOLLONESHOT

struct watch {
    hangup_fn *fn; /* NULL: not watched */
    void *ctx;
    enum hangup_kind kind;
    bool called;
};

struct hangup {
    int epoll;        /* const */
    int stop;         /* const: eventfd, readable at the stop */
    pthread_t thread; /* owner: who started it */
    struct mutex mutex;
    struct watch *watch; /* mutex: by descriptor, owned */
    size_t cap;          /* mutex: of watch */
};

/* ---- the watching thread ---- */

enum state {
    STATE_THERE,
    STATE_ENDED_UNREAD, /* has ended its input, of which some is unread */
    STATE_GONE,
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether something waits to be read: 1, -1 when nothing has come yet, and 0
 * when nothing will come any more. A few blanks are nothing. */
static int
peek(int fd)
{
    char bytes[PEEK_BYTES];
    ssize_t n = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return -1;
    for (ssize_t i = 0; i < n; i++) {
        if (!is_blank(bytes[i]))
            return 1;
    }
    return n == (ssize_t)sizeof bytes ? 1 : 0;
}

/* Asks the socket itself. The bytes are looked at only after the end of input
 * was seen, so no more can come; and not after an error, which the look would
 * take from the owner. */
static enum state
look_at(int fd, enum hangup_kind kind)
{
    struct pollfd p = {.fd = fd, .events = kind == HANGUP_END ? POLLRDHUP : 0};
    int n = poll(&p, 1, 0);

    must(n <= 0 || (p.revents & POLLNVAL) == 0);
    if (n <= 0)
        return STATE_THERE;
    if (p.revents & (POLLHUP | POLLERR))
        return STATE_GONE;
    switch (peek(fd)) {
    case 0:
        return STATE_GONE;
    case 1:
        return STATE_ENDED_UNREAD;
    default:
        return STATE_THERE;
    }
}

/* What epoll is asked for at first. */
static uint32_t
question(enum hangup_kind kind)
{
    return kind == HANGUP_END ? ASK_FOR_END : ASK_FOR_ERRORS;
}

static void
ask_again(struct hangup *hangup, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};

    must(epoll_ctl(hangup->epoll, EPOLL_CTL_MOD, fd, &event) == 0);
}

/* The watch of fd, or NULL. */
static struct watch *
find_locked(struct hangup *hangup, int fd) NEEDS_MUTEX(hangup->mutex)
{
    struct watch *watch;

    if ((size_t)fd >= hangup->cap)
        return NULL;
    watch = &hangup->watch[fd];
    return watch->fn != NULL ? watch : NULL;
}

static void
see_to_locked(struct hangup *hangup, int fd) NEEDS_MUTEX(hangup->mutex)
{
    struct watch *watch = find_locked(hangup, fd);

    if (watch == NULL || watch->called)
        return;
    switch (look_at(fd, watch->kind)) {
    case STATE_GONE:
        watch->called = true;
        watch->fn(watch->ctx);
        break;
    case STATE_ENDED_UNREAD:
        ask_again(hangup, fd, ASK_FOR_ERRORS);
        break;
    case STATE_THERE:
        ask_again(hangup, fd, question(watch->kind));
        break;
    }
}

/* Waits for events; how many. Only a debugger or SIGSTOP interrupts it. */
static size_t
await(struct hangup *hangup, struct epoll_event events[EVENTS_AT_ONCE])
{
    int n;

    do {
        n = epoll_wait(hangup->epoll, events, EVENTS_AT_ONCE, -1);
        must(n >= 0 || errno == EINTR);
    } while (n < 0);
    return (size_t)n;
}

static void *
run(void *arg)
{
    struct hangup *hangup = arg;
    struct epoll_event events[EVENTS_AT_ONCE];

    for (;;) {
        size_t count = await(hangup, events);

        for (size_t i = 0; i < count; i++) {
            if (events[i].data.fd == hangup->stop)
                return NULL;
            mutex_lock(&hangup->mutex);
            see_to_locked(hangup, events[i].data.fd);
            mutex_unlock(&hangup->mutex);
        }
    }
}

/* ---- life ---- */

static void
destroy(struct hangup *hangup)
{
    if (hangup->epoll >= 0)
        (void)close(hangup->epoll);
    if (hangup->stop >= 0)
        (void)close(hangup->stop);
    mem_free(hangup->watch);
    mutex_fini(&hangup->mutex);
    mem_free(hangup);
}

/* Opens the descriptors. */
static bool
open_both(struct hangup *hangup)
{
    struct epoll_event event = {.events = EPOLLIN};

    hangup->epoll = epoll_create1(EPOLL_CLOEXEC);
    hangup->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (hangup->epoll < 0 || hangup->stop < 0)
        return false;
    event.data.fd = hangup->stop;
    return epoll_ctl(hangup->epoll, EPOLL_CTL_ADD, hangup->stop, &event) == 0;
}

enum mz_err
hangup_start(struct hangup **out)
{
    struct hangup *hangup = mem_alloc_zeroed(1, sizeof *hangup);

    if (hangup == NULL)
        return MZ_NO_MEMORY;
    mutex_init(&hangup->mutex);
    if (!open_both(hangup) ||
        !thread_start(&hangup->thread, STACK_BYTES, run, hangup)) {
        destroy(hangup);
        return MZ_NO_MEMORY;
    }
    *out = hangup;
    return MZ_OK;
}

void
hangup_stop(struct hangup *hangup)
{
    const uint64_t one = 1;

    if (hangup == NULL)
        return;
    must(write(hangup->stop, &one, sizeof one) == sizeof one);
    must(pthread_join(hangup->thread, NULL) == 0);
    destroy(hangup);
}

/* ---- watching ---- */

/* Sees to it that the table has a place for fd. */
static bool
has_place_locked(struct hangup *hangup, int fd) NEEDS_MUTEX(hangup->mutex)
{
    size_t cap = hangup->cap > 0 ? hangup->cap : WATCHES_MIN;
    struct watch *watch;

    while (cap <= (size_t)fd)
        cap *= 2;
    if (cap == hangup->cap)
        return true;
    watch = mem_realloc(hangup->watch, cap * sizeof *watch);
    if (watch == NULL)
        return false;
    for (size_t i = hangup->cap; i < cap; i++)
        watch[i] = (struct watch){0};
    hangup->watch = watch;
    hangup->cap = cap;
    return true;
}

static enum mz_err
watch_locked(struct hangup *hangup, int fd, enum hangup_kind kind,
             hangup_fn *fn, void *ctx) NEEDS_MUTEX(hangup->mutex)
{
    struct epoll_event event = {.events = question(kind), .data.fd = fd};

    must(find_locked(hangup, fd) == NULL);
    if (!has_place_locked(hangup, fd))
        return MZ_NO_MEMORY;
    if (epoll_ctl(hangup->epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        must(errno == ENOMEM || errno == ENOSPC);
        return MZ_NO_MEMORY;
    }
    hangup->watch[fd] = (struct watch){.fn = fn, .ctx = ctx, .kind = kind};
    return MZ_OK;
}

enum mz_err
hangup_watch(struct hangup *hangup, int fd, enum hangup_kind kind,
             hangup_fn *fn, void *ctx)
{
    enum mz_err err;

    must(fd >= 0 && fn != NULL);
    mutex_lock(&hangup->mutex);
    err = watch_locked(hangup, fd, kind, fn, ctx);
    mutex_unlock(&hangup->mutex);
    return err;
}

void
hangup_forget(struct hangup *hangup, int fd)
{
    struct watch *watch;

    must(fd >= 0);
    mutex_lock(&hangup->mutex);
    watch = find_locked(hangup, fd);
    if (watch != NULL) {
        must(epoll_ctl(hangup->epoll, EPOLL_CTL_DEL, fd, NULL) == 0);
        *watch = (struct watch){0};
    }
    mutex_unlock(&hangup->mutex);
}
