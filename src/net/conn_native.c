/* SPDX-License-Identifier: MIT
 *
 * conn_native.c - from bytes to answers: JSON lines.
 */
#include "net/conn_internal.h"

#include <stdio.h>

static void
run(struct conn *c, const struct command *command)
{
    struct reply reply = {
        .ops = wire_json_reply_ops(),
        .out = &c->out,
        .has_id = command->has_id,
        .id = command->id,
    };

    if (!conn_have_answer_room(c, command->id.len))
        return;
    service_run(&c->session, command, &reply);
    if (c->session.quit) {
        conn_flush(c);
        conn_end(c, PART_FINISH, "quit");
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

    if (conn_have_answer_room(c, fault->id.len))
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

    c->next = *done + used;
    switch (status) {
    case WIRE_DONE:
        run(c, &c->command);
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
    /* Whatever is left now has begun after what was dropped, unless it is the
     * rest of a line that is too long. */
    if (used > 0 && !c->wire.discarding)
        c->deadline_mono_ms = SOCK_NEVER;
    if (outbox_failed(&c->out))
        conn_end(c, PART_CUT, "no memory for its answer");
    return status != WIRE_MORE && c->ended == NULL;
}

static void
native_serve(struct conn *c)
{
    size_t done = 0;

    while (done < c->in.len && serve_one(c, &done) && conn_goes_on(c))
        continue;
    buf_consume(&c->in, done);
}

static bool
native_in_request(const struct conn *c)
{
    return wire_json_in_request(&c->wire, c->in.len);
}

static size_t
native_left_max(const struct conn *c)
{
    return c->wire.max_request;
}

static void
native_give_up(struct conn *c, enum mz_err err, const char *why)
{
    struct reply reply = {.ops = wire_json_reply_ops(), .out = &c->out};
    struct fault fault = {.err = err};

    /* A line that is too long has its answer already. */
    if (err == MZ_TIMEOUT && c->wire.discarding) {
        conn_end(c, PART_FINISH, why);
        return;
    }
    if (outbox_reserve(&c->out, CONN_ANSWER_ROOM) != MZ_OK) {
        conn_end_with_line(
            c, "error no_memory out of memory, try again later\n", why);
        return;
    }
    snprintf(fault.text, sizeof fault.text, "%s", err_text(err));
    service_refuse(&c->session, &fault, &reply);
    conn_flush(c);
    conn_end(c, PART_FINISH, why);
}

const struct conn_protocol *
conn_native(void)
{
    static const struct conn_protocol native = {
        native_serve, native_in_request, native_left_max, native_give_up};

    return &native;
}
