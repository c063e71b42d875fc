/* SPDX-License-Identifier: MIT
 *
 * conn_resp.c - from bytes to answers: the Redis protocol.
 */
#include "net/conn_internal.h"

#include <stdio.h>

/* More words than these in one command are refused before they are read. */
#define ARGS_MAX ((size_t)1 << 20)

enum mz_err
conn_resp_begin(struct conn *c)
{
    const struct service *service = c->shared->service;
    enum mz_err err = resp_client_new(c->shared->service, &c->client);

    if (err != MZ_OK)
        return err;
    /* A value of full size has a key and a name beside it. */
    atomic_store_explicit(&c->seen_client, c->client, memory_order_release);
    resp_request_init(&c->request, service->max_request,
                      2 * service->max_request, ARGS_MAX);
    c->protocol = conn_resp();
    return MZ_OK;
}

static void
run(struct conn *c, const struct resp_command *command)
{
    if (!conn_have_answer_room(c, 0))
        return;
    resp_run(&c->session, c->client, command, &c->out);
    if (c->session.quit) {
        conn_flush(c);
        conn_end(c, PART_FINISH, "quit");
    }
}

static void
refuse(struct conn *c, const struct fault *fault)
{
    if (conn_have_answer_room(c, 0))
        resp_refuse_request(&c->session, c->client, fault, &c->out);
}

/* Decodes and runs the next command behind the first *done bytes. False when
 * no complete one is left, or the connection ends. */
static bool
serve_one(struct conn *c, size_t *done)
{
    struct resp_command command;
    size_t used = 0;
    enum wire_status status =
        resp_request_next(&c->request, c->in.data + *done, c->in.len - *done,
                          &command, &c->fault, &used);

    c->next = *done + used;
    switch (status) {
    case WIRE_DONE:
        run(c, &command);
        break;
    case WIRE_BAD:
        refuse(c, &c->fault);
        break;
    case WIRE_FATAL:
        refuse(c, &c->fault);
        conn_flush(c);
        conn_end(c, PART_FINISH, "broke the protocol");
        break;
    case WIRE_CLOSE:
        conn_flush(c);
        conn_end(c, PART_FINISH, "speaks HTTP");
        break;
    case WIRE_MORE:
        break;
    }
    *done += used;
    if (used > 0)
        c->deadline_mono_ms = SOCK_NEVER;
    if (outbox_failed(&c->out))
        conn_end(c, PART_CUT, "no memory for its answer");
    return status != WIRE_MORE && c->ended == NULL;
}

static void
serve(struct conn *c)
{
    size_t done = 0;

    resp_client_heard(c->client, clock_mono_ms(c->shared->service->clock));
    while (done < c->in.len && serve_one(c, &done) && conn_goes_on(c))
        continue;
    buf_consume(&c->in, done);
    resp_request_shrink(&c->request);
}

static bool
in_request(const struct conn *c)
{
    return resp_request_in_request(&c->request, c->in.len);
}

static size_t
left_max(const struct conn *c)
{
    return resp_request_left_max(&c->request);
}

static void
give_up(struct conn *c, enum mz_err err, const char *why)
{
    struct slice rest = buf_slice(&c->in);
    char line[256];

    /* HTTP gets no answer, not even half a line of it. */
    if (err == MZ_TIMEOUT && wire_looks_like_http(rest)) {
        conn_end(c, PART_FINISH, "speaks HTTP");
        return;
    }
    snprintf(line, sizeof line, "-%s %s\r\n", err_resp_prefix(err),
             err_text(err));
    conn_end_with_line(c, line, why);
}

const struct conn_protocol *
conn_resp(void)
{
    static const struct conn_protocol resp = {serve, in_request, left_max,
                                              give_up};

    return &resp;
}
