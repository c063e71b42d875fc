/* SPDX-License-Identifier: MIT
 *
 * conn_internal.h - a connection from inside, for the conn_*.c files:
 *
 *     conn.c          beginning and end, and which protocol it speaks
 *     conn_receive.c  what comes in, with its time-outs
 *     conn_send.c     what goes out, and peers that do not read
 *     conn_host.c     what commands that take long ask of their connection
 *     conn_listen.c   waiting for messages as well
 *     conn_peers.c    what other connections see of it
 *     conn_native.c   from bytes to answers: JSON lines
 *     conn_resp.c     from bytes to answers: the Redis protocol
 *
 * Why a connection ends is kept as a text for the log: NULL means that it goes
 * on. How it ends is in `parting`. Everything belongs to the connection's
 * thread.
 */
#ifndef MEMOIZER_NET_CONN_INTERNAL_H
#define MEMOIZER_NET_CONN_INTERNAL_H

#include "base/buf.h"
#include "base/log.h"
#include "net/conn.h"
#include "net/sock.h"
#include "service/resp_client.h"
#include "service/resp_pubsub.h"
#include "service/service.h"
#include "wire/outbox.h"
#include "wire/resp_request.h"
#include "wire/wire_json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room that an answer without a value needs at most, the id apart: a request
 * only runs when there is memory to refuse it. */
#define CONN_ANSWER_ROOM 1024

/* A connection without a request for so long gives its buffers back. */
#define CONN_IDLE_AFTER_MS 1000

/* So many bytes of answers may wait in memory for a client that does not read
 * them while its next requests are read. */
#define CONN_UNREAD_MAX ((size_t)1 << 20)

/* How a connection ends. */
enum parting {
    PART_FINISH, /* the last answer arrives: wait for the peer a moment */
    PART_CLOSE,  /* the peer has ended already */
    PART_CUT,    /* broken, or cut off: what is queued is dropped */
};

struct conn;

/* What is known of a peer while the kernel does not take its answers. */
struct backlog {
    bool is_stuck;               /* else all is 0 */
    int64_t quiet_since_mono_ms; /* when it has last taken something */
    size_t unacked; /* bytes that it had not acknowledged when looked at last */
    size_t retry_at; /* with so many bytes waiting the kernel is asked again */
    size_t borrowed; /* of conn_shared.unread_left */
};

/* What a protocol does with the bytes of a connection that speaks it. */
struct conn_protocol {
    /* Serves all complete requests that are there, but does not send. */
    void (*serve)(struct conn *c);
    /* Whether what is left over is the beginning of a request. */
    bool (*in_request)(const struct conn *c);
    /* The most bytes that serve() ever leaves over. */
    size_t (*left_max)(const struct conn *c);
    /* The request that has begun did not arrive whole in time, or there is no
     * memory for it: the last answer, and the end. */
    void (*give_up)(struct conn *c, enum mz_err err, const char *why);
};

struct conn {
    struct registry_entry entry; /* entry.fd is the socket */
    struct conn_shared *shared;  /* const */
    struct sockaddr_storage peer;
    struct counters counters;
    struct session session;
    struct session_host host;
    const struct conn_protocol *protocol; /* NULL: not known yet */
    struct buf in;                        /* received, not decoded yet */
    size_t next; /* in `in`: the end of the request that runs */
    struct outbox out;
    int64_t deadline_mono_ms; /* of the request begun, or SOCK_NEVER */
    struct backlog backlog;
    int64_t looked_mono_ms; /* whether a holder of leases is still there */
    bool at_end;            /* the peer sends no more */
    const char *ended;      /* why, or NULL: goes on */
    enum parting parting;   /* valid with ended */

    /* native */
    struct wire_json wire;
    struct command command; /* what the decoder made of the last request: */
    struct fault fault;     /* here, since clearing them each time costs */

    /* RESP */
    struct resp_request request;
    struct resp_client *client; /* owned; NULL: speaks another protocol */
    _Atomic(struct resp_client *) seen_client; /* atomic: the same, for
                                                  conn_peers.c */
    int wake_fd; /* an eventfd, once it has listened to channels; or -1 */
};

/* ---- conn.c ---- */

/* The connection is to end: the first reason stays. */
void conn_end(struct conn *c, enum parting parting, const char *why);

void conn_log(const struct conn *c, enum log_level level, const char *what);

/* Monotonic, of the machine. */
int64_t conn_now_ms(void);

/* ---- conn_send.c ---- */

/* Sends all that waits, however long its peer takes. On failure the connection
 * has ended. */
void conn_flush(struct conn *c);

/* All requests that came are served: sends what waits. What the kernel does not
 * take may stay in the outbox, within the limits of conn_send.c. */
void conn_flush_batch(struct conn *c);

/* The same, if it is so much that it should not grow. */
void conn_flush_much(struct conn *c);

/* Sends what has stayed in the outbox until there is something to receive: then
 * it is true, and when nothing has stayed. False: the time of the request that
 * has begun is over, or the connection has ended. */
bool conn_send_until_input(struct conn *c);

/* What waits is sent or will never be. */
void conn_forget_backlog(struct conn *c);

/* Between two requests of a batch: sends what waits if it is much, and looks
 * whether there is still a point in serving the rest. False: the connection
 * has ended. */
bool conn_goes_on(struct conn *c);

/* Room for one more answer without a value, after sending what waits if there
 * is no other way. False: there is none. */
bool conn_have_answer_room(struct conn *c, size_t extra);

/* Appends a line that is no answer of the service and ends the connection with
 * it. Without memory the line is sent past the outbox, behind what waits. */
void conn_end_with_line(struct conn *c, const char *line, const char *why);

/* Gives memory back after a large answer. */
void conn_shrink_answers(struct conn *c);

/* ---- conn_receive.c ---- */

/* How long a recv blocks before the connection counts as idle, and its buffers
 * are given back. */
int64_t conn_receive_wait_ms(const struct server_options *options);

/* Reads what there is, at least a byte or the end of input, unless the
 * connection ends. */
void conn_receive(struct conn *c);

/* Brings the buffers back after a large request or answer. */
void conn_shrink(struct conn *c);

/* ---- conn_listen.c ---- */

/* Messages may come from now on: conn_wake_up() works. MZ_NO_MEMORY: there is
 * no descriptor for it. */
enum mz_err conn_begin_listening(struct conn *c) MZ_CHECK;

/* See session_host. */
void conn_wake_up(struct conn *c, bool cut);

/* Nobody calls conn_wake_up() any more. */
void conn_stop_listening(struct conn *c);

/* Whether messages may come for it without a request. */
static inline bool
conn_listens(const struct conn *c)
{
    return c->client != NULL && resp_client_listens(c->client);
}

/* It has left too many messages unread. */
bool conn_is_cut(const struct conn *c);

/* Sends messages until bytes have come, or the end of input: then it is true.
 * False: the time of its request is over, or the connection has ended. */
bool conn_listen(struct conn *c);

/* ---- conn_host.c ---- */

/* Fills c->host. */
void conn_host_init(struct conn *c);

/* ---- conn_native.c, conn_resp.c ---- */

/* Both are static. */
const struct conn_protocol *conn_native(void);
const struct conn_protocol *conn_resp(void);

/* c begins to speak RESP. MZ_NO_MEMORY: it does not. */
enum mz_err conn_resp_begin(struct conn *c) MZ_CHECK;

#endif
