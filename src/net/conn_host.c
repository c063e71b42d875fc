/* SPDX-License-Identifier: MIT
 *
 * conn_host.c - what commands that take long ask of their connection: to send
 * while they go on, to watch out for the client while they wait, and to be
 * woken by messages.
 */
#include "net/conn_internal.h"

#include <string.h>

static bool
host_send(void *ctx, bool all)
{
    struct conn *c = ctx;

    if (all)
        conn_flush(c);
    else
        conn_flush_much(c);
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

/* Blanks are no request. */
static bool
has_more_requests(const struct conn *c)
{
    for (size_t i = c->next; i < c->in.len; i++) {
        if (memchr(" \t\r\n", c->in.data[i], 4) == NULL)
            return true;
    }
    return false;
}

static void
host_sleep(void *ctx)
{
    struct conn *c = ctx;

    /* Who has sent more requests stays for their answers. */
    const enum hangup_kind kind =
        has_more_requests(c) ? HANGUP_RESET : HANGUP_END;

    conn_flush(c);
    if (hangup_watch(c->shared->hangup, c->entry.fd, kind, client_gone, c) !=
        MZ_OK)
        conn_log(c, LOG_WARNING,
                 "no memory to watch it: if it goes, it stays in line until "
                 "its wait is over");
}

static void
host_wake(void *ctx)
{
    struct conn *c = ctx;

    hangup_forget(c->shared->hangup, c->entry.fd);
}

static enum mz_err
host_listen(void *ctx)
{
    return conn_begin_listening(ctx);
}

static void
host_wake_up(void *ctx, bool cut)
{
    conn_wake_up(ctx, cut);
}

void
conn_host_init(struct conn *c)
{
    c->host = (struct session_host){
        .send = host_send,
        .sleep = host_sleep,
        .wake = host_wake,
        .ctx = c,
        .listen = host_listen,
        .wake_up = host_wake_up,
    };
}
