/* SPDX-License-Identifier: MIT
 *
 * conn.c - the loop of a connection, its beginning and its end.
 */
#include "net/conn.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/must.h"
#include "net/conn_internal.h"

#include <stdio.h>
#include <unistd.h>

/* Nothing recurses: the deepest frames are the system calls with their vectors
 * and the log. Some 8 KiB are touched; the rest is address space. */
#define STACK_BYTES ((size_t)256 << 10)

/* How long a peer may take to read the last answer and end its side, and how
 * long when the server stops. */
#define FINISH_WAIT_MS      500
#define FINISH_WAIT_STOP_MS 50

/* Answers that nobody reads, of all connections together, beyond the
 * CONN_UNREAD_MAX of each. */
#define UNREAD_ALLOWANCE ((size_t)8 << 20)

#define BYTE_TLS         0x16

int64_t
conn_now_ms(void)
{
    return clock_mono_ms(clock_system());
}

void
conn_end(struct conn *c, enum parting parting, const char *why)
{
    if (c->ended == NULL) {
        c->ended = why;
        c->parting = parting;
    }
}

void
conn_log(const struct conn *c, enum log_level level, const char *what)
{
    const struct log *log = c->shared->log;
    char peer[SOCK_ADDRESS_SIZE];

    if (log == NULL || level < log->level)
        return;
    sock_format_address(peer, &c->peer);
    log_write(log, level, "client %s: %s", peer, what);
}

/* ---- serving ---- */

static bool
is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
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

static void
begin_resp(struct conn *c, size_t blanks)
{
    buf_consume(&c->in, blanks);
    if (conn_resp_begin(c) != MZ_OK)
        conn_end_with_line(c, "-OOM out of memory, try again later\r\n",
                           "no memory to speak its protocol");
}

/* Looks at the first byte that says something: it picks the protocol, or ends
 * the connection. Blanks alone say nothing; the native decoder counts them. */
static void
choose_protocol(struct conn *c)
{
    size_t blanks = count_blanks(buf_slice(&c->in));
    char first;

    if (blanks == c->in.len)
        return;
    first = c->in.data[blanks];
    if (first == BYTE_TLS)
        conn_end(c, PART_FINISH, "speaks TLS on a plain port");
    else if (first == '*' || is_letter(first))
        begin_resp(c, blanks);
    else
        c->protocol = conn_native();
}

/* A request has begun: from now on it has until its deadline. */
static void
mind_deadline(struct conn *c)
{
    bool begun =
        c->protocol != NULL ? c->protocol->in_request(c) : c->in.len > 0;

    if (!begun)
        c->deadline_mono_ms = SOCK_NEVER;
    else if (c->deadline_mono_ms == SOCK_NEVER)
        c->deadline_mono_ms =
            conn_now_ms() + c->shared->options->request_timeout_ms;
}

static void
serve(struct conn *c)
{
    while (c->ended == NULL) {
        conn_receive(c);
        if (c->ended == NULL && c->protocol == NULL)
            choose_protocol(c);
        if (c->ended != NULL)
            break;
        if (c->protocol != NULL)
            c->protocol->serve(c);
        else
            conn_native()->serve(c);
        conn_flush_batch(c);
        if (c->at_end)
            conn_end(c, PART_CLOSE, "closed by the client");
        conn_shrink(c);
        mind_deadline(c);
    }
}

/* ---- beginning and end ---- */

static void
conn_free(struct conn *c)
{
    resp_client_free(c->client);
    resp_request_fini(&c->request);
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

    /* First: others may be waiting for what this client holds, and send it
     * messages. */
    lease_holder_end(service->leases, &c->session.holder);
    conn_stop_listening(c);
    if (c->parting == PART_FINISH)
        sock_finish(fd, atomic_load(&c->shared->stopping) ? FINISH_WAIT_STOP_MS
                                                          : FINISH_WAIT_MS);
    conn_log(c, LOG_DEBUG, c->ended);
    conn_forget_backlog(c);
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
        .receive_wait_ms = conn_receive_wait_ms(options),
        .keepalive_ms = options->tcp_keepalive_ms,
        .write_timeout_ms = options->write_timeout_ms,
    };

    stats_attach(c->shared->service->stats, &c->counters);
    counter_add(&c->counters, COUNTER_ACCEPTED_CLIENTS, 1);
    sock_prepare(c->entry.fd, &socket_options);
    conn_log(c, LOG_DEBUG, "connected");
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
    atomic_store(&shared->unread_left, UNREAD_ALLOWANCE);
    atomic_store(&shared->stopping, false);
    atomic_store(&shared->cut, false);
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
    c->wake_fd = -1;
    c->shared = shared;
    c->peer = *peer;
    c->session.service = service;
    c->session.counters = &c->counters;
    c->session.host = &c->host;
    conn_host_init(c);
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
