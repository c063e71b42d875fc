/* SPDX-License-Identifier: MIT
 *
 * conn.c - the loop of a connection.
 *
 * The normal path is two system calls for whatever one receive brings: a
 * blocking recv, whose time-out was set once, and one sendmsg. Only a
 * connection that turns out to be idle, a request that comes in pieces and a
 * peer that does not read cost a poll.
 *
 * Why a connection ends is kept as a text for the log: NULL means that it goes
 * on. How it ends is in `parting`.
 */
#include "net/conn.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/must.h"
#include "net/sock.h"
#include "wire/outbox.h"
#include "wire/wire_json.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Nothing recurses: the deepest frames are the system calls with their vectors
 * and the log. Some 8 KiB are touched; the rest is address space. */
#define STACK_BYTES ((size_t)256 << 10)

/* A receive buffer begins with this and is brought back to it. Both buffers
 * begin so large that malloc maps them (see mem_init): pages
 * that were never used cost nothing, and a buffer that is given back leaves no
 * hole in the heap. */
#define RECEIVE_FIRST MEM_MAPPED_MIN
/* Room behind the longest line for its LF and what comes after it. */
#define RECEIVE_EXTRA 4096

/* Answers are sent when so much waits, even if requests are left. */
#define SEND_COPIED_MAX ((size_t)64 << 10)
#define SEND_LENT_MAX   ((size_t)1 << 20)
#define SEND_VECTORS    64

/* An answer may be begun when just less than SEND_COPIED_MAX waits. */
#define SEND_FIRST (SEND_COPIED_MAX + 2 * REPLY_LEND_MIN)

/* Room that an answer without a value needs at most, the id apart: a request
 * only runs when there is memory to refuse it. */
#define ANSWER_ROOM 1024

/* A connection without a request for so long gives its buffers back. */
#define IDLE_AFTER_MS 1000

/* How long a peer may take to read the last answer and end its side, and how
 * long when the server stops. */
#define FINISH_WAIT_MS      500
#define FINISH_WAIT_STOP_MS 50

/* How often a peer that does not read is looked at. */
#define UNSENT_LOOK_MS 250

/* A letter first: how much of the first line is looked at. */
#define FIRST_LINE_MAX ((size_t)64 << 10)

#define BYTE_TLS       0x16

/* How a connection ends. */
enum parting {
    PART_FINISH, /* the last answer arrives: wait for the peer a moment */
    PART_CLOSE,  /* the peer has ended already */
    PART_CUT,    /* broken, or cut off: what is queued is dropped */
};

struct conn {
    struct registry_entry entry; /* entry.fd is the socket */
    struct conn_shared *shared;  /* const */
    struct sockaddr_storage peer;
    struct counters counters;
    struct session session;
    struct session_host host;
    struct wire_json wire;
    struct command command; /* what the decoder made of the last request: */
    struct fault fault;     /* here, since clearing them each time costs */
    struct buf in;          /* received, not decoded yet */
    size_t behind;          /* bytes of it behind the request that runs */
    struct outbox out;
    int64_t deadline_mono_ms; /* of the request begun, or SOCK_NEVER */
    bool chosen;              /* the protocol is known: native */
    bool at_end;              /* the peer sends no more */
    const char *ended;        /* why, or NULL: goes on */
    enum parting parting;     /* valid with ended */
};

static int64_t
now_ms(void)
{
    return clock_mono_ms(clock_system());
}

static void
end(struct conn *c, enum parting parting, const char *why)
{
    if (c->ended == NULL) {
        c->ended = why;
        c->parting = parting;
    }
}

static void
log_event(const struct conn *c, enum log_level level, const char *what)
{
    const struct log *log = c->shared->log;
    char peer[SOCK_ADDRESS_SIZE];

    if (log == NULL || level < log->level)
        return;
    sock_format_address(peer, &c->peer);
    log_write(log, level, "client %s: %s", peer, what);
}

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
    int64_t quiet_since_ms = now_ms();
    size_t unsent = sock_unsent(c->entry.fd);

    for (;;) {
        int64_t now = now_ms();
        int64_t left_ms = quiet_since_ms + limit_ms - now;
        size_t still_unsent;

        if (left_ms <= 0)
            return false;
        if (sock_wait(c->entry.fd, POLLOUT,
                      now + (left_ms < slice_ms ? left_ms : slice_ms)))
            return true;
        still_unsent = sock_unsent(c->entry.fd);
        if (still_unsent < unsent)
            quiet_since_ms = now_ms();
        unsent = still_unsent;
    }
}

/* Sends all that waits. On failure the connection has ended. */
static void
flush(struct conn *c)
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
                end(c, PART_CUT, "does not read its answers");
        } else if (errno != EINTR) {
            end(c, PART_CUT, "gone before its answers were sent");
        }
    }
}

/* Appends a line that is no answer of the service and ends the connection with
 * it. Without memory the line is sent past the outbox, behind what waits. */
static void
end_with_line(struct conn *c, const char *line, const char *why)
{
    if (outbox_reserve(&c->out, strlen(line)) == MZ_OK) {
        outbox_put_slice(&c->out, slice_of_string(line));
        flush(c);
    } else {
        flush(c);
        if (c->ended == NULL)
            sock_send_now(c->entry.fd, line);
    }
    end(c, PART_FINISH, why);
}

static void
end_with_error(struct conn *c, enum mz_err err, const char *why)
{
    struct reply reply = {.ops = wire_json_reply_ops(), .out = &c->out};
    struct fault fault = {.err = err};

    if (outbox_reserve(&c->out, ANSWER_ROOM) != MZ_OK) {
        end_with_line(c, "error no_memory out of memory, try again later\n",
                      why);
        return;
    }
    snprintf(fault.text, sizeof fault.text, "%s", err_text(err));
    service_refuse(&c->session, &fault, &reply);
    flush(c);
    end(c, PART_FINISH, why);
}

/* ---- what a command that takes long asks for ---- */

/* So many answers wait that they should be sent. */
static bool
is_much(const struct outbox *out)
{
    return out->bytes.len >= SEND_COPIED_MAX ||
           out->lent_bytes >= SEND_LENT_MAX;
}

static bool
host_send(void *ctx, bool all)
{
    struct conn *c = ctx;

    if (all || is_much(&c->out))
        flush(c);
    return c->ended == NULL;
}

/* The client has gone while the command waits: hangup calls this in its own
 * thread. */
static void
client_gone(void *ctx)
{
    struct conn *c = ctx;

    lease_abandon(c->shared->service->leases, &c->session.holder);
}

static void
host_sleep(void *ctx)
{
    struct conn *c = ctx;

    flush(c);
    /* Who has sent more requests stays for their answers. */
    if (c->behind > 0)
        return;
    if (hangup_watch(c->shared->hangup, c->entry.fd, client_gone, c) != MZ_OK)
        log_event(c, LOG_WARNING,
                  "no memory to watch it: if it goes, it stays in line until "
                  "its wait is over");
}

static void
host_wake(void *ctx)
{
    struct conn *c = ctx;

    hangup_forget(c->shared->hangup, c->entry.fd);
}

/* ---- receiving ---- */

static bool
is_idle(const struct conn *c)
{
    return c->deadline_mono_ms == SOCK_NEVER;
}

/* Room for at least a byte, doubling from RECEIVE_FIRST up to a line of full
 * length. False without memory. */
static bool
make_room(struct conn *c)
{
    size_t limit = c->wire.max_request + RECEIVE_EXTRA;
    size_t extra = c->in.cap;

    if (c->in.len < c->in.cap)
        return true;
    if (extra < RECEIVE_FIRST)
        extra = RECEIVE_FIRST;
    if (extra > limit - c->in.len)
        extra = limit - c->in.len;
    return buf_reserve(&c->in, extra) == MZ_OK;
}

/* Brings the buffers back after a large request or answer. */
static void
shrink(struct conn *c)
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
            now_ms() + (limit_ms > waited_ms ? limit_ms - waited_ms : 0);
    if (!sock_wait(c->entry.fd, POLLIN, deadline_ms))
        end(c, PART_FINISH, "idle for too long");
}

/* The first line begins with a letter: a browser gets no answer at all, other
 * clients are told that they met the wrong protocol. */
static void
refuse_letters(struct conn *c)
{
    struct slice line = buf_slice(&c->in);
    const char *lf = memchr(line.data, '\n', line.len);

    if (lf != NULL)
        line.len = (size_t)(lf - line.data);
    if (wire_looks_like_http(line))
        end(c, PART_FINISH, "speaks HTTP");
    else
        end_with_line(c, "-ERR this protocol is not served yet\r\n",
                      "speaks a protocol that is not served");
}

/* The request that has begun did not arrive whole in time. */
static void
time_out(struct conn *c)
{
    if (!c->chosen)
        refuse_letters(c);
    else if (c->wire.discarding) /* has its answer already */
        end(c, PART_FINISH, "did not end its request in time");
    else
        end_with_error(c, MZ_TIMEOUT, "did not send its request in time");
}

/* How long a recv blocks before the connection counts as idle. */
static int64_t
receive_wait_ms(const struct server_options *options)
{
    if (options->idle_timeout_ms > 0 &&
        options->idle_timeout_ms < IDLE_AFTER_MS)
        return options->idle_timeout_ms;
    return IDLE_AFTER_MS;
}

/* One recv into the room that is there; waits, within the limits of time, if
 * nothing has come. True when there are new bytes or the end of input. */
static bool
receive_once(struct conn *c)
{
    size_t limit = c->wire.max_request + RECEIVE_EXTRA;
    size_t end_at = c->in.cap < limit ? c->in.cap : limit;
    bool idle = is_idle(c);
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
        end(c, PART_CUT, "connection lost");
    else if (idle)
        park(c, receive_wait_ms(c->shared->options));
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
    end_with_error(c, MZ_NO_MEMORY, "no memory for its request");
    return false;
}

/* Reads what there is, at least a byte or the end of input, unless the
 * connection ends. */
static void
receive(struct conn *c)
{
    do {
        if (!is_idle(c) && now_ms() >= c->deadline_mono_ms)
            time_out(c);
        else if (atomic_load(&c->shared->stopping))
            end(c, PART_FINISH, "server stops");
        if (c->ended != NULL)
            return;
        if (!find_room(c))
            return;
    } while (!receive_once(c) && c->ended == NULL);
    /* The stop shuts the receiving side down: that is no end of input, and
     * half a line must not be taken for a last one. */
    if (c->at_end && atomic_load(&c->shared->stopping))
        end(c, PART_FINISH, "server stops");
}

/* ---- serving ---- */

static bool
is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* HTTP is recognised at the end of its line, so that has to be waited for. */
static bool
first_line_is_there(const struct conn *c)
{
    return c->at_end || c->in.len >= FIRST_LINE_MAX ||
           c->in.len >= c->wire.max_request ||
           memchr(c->in.data, '\n', c->in.len) != NULL;
}

static size_t
count_blanks(struct slice bytes)
{
    size_t n = 0;

    while (n < bytes.len && (bytes.data[n] == ' ' || bytes.data[n] == '\t' ||
                             bytes.data[n] == '\r' || bytes.data[n] == '\n'))
        n++;
    return n;
}

/* Looks at the first byte that says something and either settles on the native
 * protocol or ends the connection. True: the native decoder may look at what
 * is there, which is its own, or nothing but blanks, which it counts. */
static bool
choose_protocol(struct conn *c)
{
    size_t blanks = count_blanks(buf_slice(&c->in));
    char first;

    if (blanks == c->in.len)
        return true;
    first = c->in.data[blanks];
    if (first == BYTE_TLS) {
        end(c, PART_FINISH, "speaks TLS on a plain port");
    } else if (first == '*') {
        end_with_line(c, "-ERR this protocol is not served yet\r\n",
                      "speaks a protocol that is not served");
    } else if (!is_letter(first)) {
        c->chosen = true;
    } else {
        buf_consume(&c->in, blanks);
        if (first_line_is_there(c))
            refuse_letters(c);
    }
    return c->chosen;
}

/* Room for one more answer without a value, after sending what waits if there
 * is no other way. False: there is none, and the line was told so. */
static bool
have_answer_room(struct conn *c, struct slice id)
{
    size_t room = ANSWER_ROOM + id.len;
    size_t first =
        c->out.bytes.cap == 0 && room < SEND_FIRST ? SEND_FIRST : room;

    if (outbox_reserve(&c->out, first) == MZ_OK)
        return true;
    if (outbox_reserve(&c->out, room) == MZ_OK)
        return true;
    flush(c);
    if (c->ended != NULL)
        return false;
    if (outbox_reserve(&c->out, room) == MZ_OK)
        return true;
    end_with_line(c, "error no_memory out of memory, try again later\n",
                  "no memory for its answer");
    return false;
}

static void
run(struct conn *c, const struct command *command)
{
    struct reply reply = {
        .ops = wire_json_reply_ops(),
        .out = &c->out,
        .has_id = command->has_id,
        .id = command->id,
    };

    if (!have_answer_room(c, command->id))
        return;
    service_run(&c->session, command, &reply);
    if (c->session.quit) {
        flush(c);
        end(c, PART_FINISH, "quit");
    }
}

static void
refuse(struct conn *c, const struct fault *fault)
{
    struct reply reply = {
        .ops = wire_json_reply_ops(),
        .out = &c->out,
        .has_id = fault->has_id,
        .id = fault->id,
    };

    if (have_answer_room(c, fault->id))
        service_refuse(&c->session, fault, &reply);
}

/* Decodes and runs the next request behind the first *done bytes. False when
 * no complete one is left, or the connection ends. */
static bool
serve_one(struct conn *c, size_t *done)
{
    size_t used = 0;
    enum wire_status status =
        wire_json_decode(&c->wire, c->in.data + *done, c->in.len - *done,
                         c->at_end, &c->command, &c->fault, &used);

    c->behind = c->in.len - *done - used;
    switch (status) {
    case WIRE_DONE:
        run(c, &c->command);
        break;
    case WIRE_BAD:
        refuse(c, &c->fault);
        break;
    case WIRE_FATAL:
        refuse(c, &c->fault);
        flush(c);
        end(c, PART_FINISH, "broke the protocol");
        break;
    case WIRE_CLOSE:
        flush(c);
        end(c, PART_FINISH, "speaks HTTP");
        break;
    case WIRE_MORE:
        break;
    }
    *done += used;
    /* Whatever is left now has begun after what was dropped, unless it is the
     * rest of a line that is too long. */
    if (used > 0 && !c->wire.discarding)
        c->deadline_mono_ms = SOCK_NEVER;
    if (outbox_failed(&c->out))
        end(c, PART_CUT, "no memory for its answer");
    return status != WIRE_MORE && c->ended == NULL;
}

static void
serve_all(struct conn *c)
{
    size_t done = 0;

    while (done < c->in.len && serve_one(c, &done)) {
        if (is_much(&c->out))
            flush(c);
        if (c->ended != NULL)
            break;
    }
    buf_consume(&c->in, done);
}

/* A request has begun: from now on it has until its deadline. */
static void
mind_deadline(struct conn *c)
{
    bool begun =
        c->chosen ? wire_json_in_request(&c->wire, c->in.len) : c->in.len > 0;

    if (!begun)
        c->deadline_mono_ms = SOCK_NEVER;
    else if (is_idle(c))
        c->deadline_mono_ms = now_ms() + c->shared->options->request_timeout_ms;
}

static void
serve(struct conn *c)
{
    while (c->ended == NULL) {
        receive(c);
        if (c->ended != NULL)
            break;
        if (c->chosen || choose_protocol(c))
            serve_all(c);
        flush(c);
        if (c->at_end)
            end(c, PART_CLOSE, "closed by the client");
        shrink(c);
        mind_deadline(c);
    }
}

/* ---- beginning and end ---- */

static void
conn_free(struct conn *c)
{
    outbox_fini(&c->out);
    buf_fini(&c->in);
    mem_free(c);
}

/* The order matters: the descriptor is closed after the registry was left, and
 * what the server owns is not touched after that. */
static void
leave(struct conn *c)
{
    struct service *service = c->shared->service;
    int fd = c->entry.fd;

    /* First: others may be waiting for what this client holds. */
    lease_holder_end(service->leases, &c->session.holder);
    if (c->parting == PART_FINISH)
        sock_finish(fd, atomic_load(&c->shared->stopping) ? FINISH_WAIT_STOP_MS
                                                          : FINISH_WAIT_MS);
    log_event(c, LOG_DEBUG, c->ended);
    stats_detach(service->stats, &c->counters);
    atomic_fetch_sub(&service->clients, 1);
    outbox_fini(&c->out);
    registry_remove(&c->shared->registry, &c->entry);
    close(fd);
    conn_free(c);
}

static void *
conn_main(void *arg)
{
    struct conn *c = arg;
    const struct server_options *options = c->shared->options;
    const struct sock_options socket_options = {
        .receive_wait_ms = receive_wait_ms(options),
        .keepalive_ms = options->tcp_keepalive_ms,
        .write_timeout_ms = options->write_timeout_ms,
    };

    stats_attach(c->shared->service->stats, &c->counters);
    counter_add(&c->counters, COUNTER_ACCEPTED_CLIENTS, 1);
    sock_prepare(c->entry.fd, &socket_options);
    log_event(c, LOG_DEBUG, "connected");
    serve(c);
    leave(c);
    return NULL;
}

void
conn_shared_init(struct conn_shared *shared,
                 const struct server_options *options, struct service *service,
                 struct hangup *hangup, const struct log *log)
{
    size_t stack = STACK_BYTES;

#ifdef MEMOIZER_SANITIZED
    stack *= 4;
#endif
    shared->options = options;
    shared->service = service;
    shared->hangup = hangup;
    shared->log = log;
    atomic_store(&shared->stopping, false);
    registry_init(&shared->registry);
    must(pthread_attr_init(&shared->thread) == 0);
    must(pthread_attr_setstacksize(&shared->thread, stack) == 0);
    must(pthread_attr_setdetachstate(&shared->thread,
                                     PTHREAD_CREATE_DETACHED) == 0);
}

void
conn_shared_fini(struct conn_shared *shared)
{
    must(pthread_attr_destroy(&shared->thread) == 0);
    registry_fini(&shared->registry);
}

enum mz_err
conn_start(struct conn_shared *shared, int fd,
           const struct sockaddr_storage *peer)
{
    struct service *service = shared->service;
    struct conn *c = mem_alloc_zeroed(1, sizeof *c);
    pthread_t thread;

    if (c == NULL)
        return MZ_NO_MEMORY;
    c->entry.fd = fd;
    c->shared = shared;
    c->peer = *peer;
    c->session.service = service;
    c->session.counters = &c->counters;
    c->session.host = &c->host;
    c->host = (struct session_host){host_send, host_sleep, host_wake, c};
    c->deadline_mono_ms = SOCK_NEVER;
    wire_json_init(&c->wire, service->max_request, service->max_value);
    buf_init(&c->in);
    outbox_init(&c->out);
    registry_add(&shared->registry, &c->entry);
    atomic_fetch_add(&service->clients, 1);
    if (pthread_create(&thread, &shared->thread, conn_main, c) == 0)
        return MZ_OK;
    atomic_fetch_sub(&service->clients, 1);
    registry_remove(&shared->registry, &c->entry);
    conn_free(c);
    return MZ_NO_MEMORY;
}

void
conn_refuse(int fd)
{
    int first = sock_peek(fd);

    if (first < 0 || first == '*' || is_letter((char)first))
        sock_send_now(fd, "-ERR max number of clients reached\r\n");
    else
        sock_send_now(fd, "error busy max number of clients reached\n");
    sock_finish(fd, 0);
    close(fd);
}
