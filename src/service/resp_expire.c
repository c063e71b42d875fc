/* SPDX-License-Identifier: MIT
 *
 * resp_expire.c - commands of the Redis protocol on how long keys live.
 */
#include "service/resp_call.h"
#include "service/resp_time.h"

/* ---- giving time ---- */

#define NX (1u << 0)
#define XX (1u << 1)
#define GT (1u << 2)
#define LT (1u << 3)

/* The options behind the time. False after an error reply. */
static bool
read_options(struct resp_call *call, unsigned *given)
{
    static const struct {
        const char *word;
        unsigned option;
    } rows[] = {{"NX", NX}, {"XX", XX}, {"GT", GT}, {"LT", LT}};

    *given = 0;
    for (size_t i = 3; i < call->count; i++) {
        unsigned option = 0;

        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
            option |= resp_is(call, i, rows[j].word) ? rows[j].option : 0;
        if (option == 0) {
            int len = call->args[i].len < 128 ? (int)call->args[i].len : 128;

            resp_printf_error(&call->out, "ERR Unsupported option %.*s", len,
                              call->args[i].data);
            return false;
        }
        *given |= option;
    }
    return true;
}

/* What the options come to. False after an error reply. */
static bool
read_when(struct resp_call *call, enum store_expire_when *when)
{
    unsigned given;

    if (!read_options(call, &given))
        return false;
    if ((given & NX) && (given & (XX | GT | LT))) {
        resp_put_error(&call->out, "ERR NX and XX, GT or LT options at the "
                                   "same time are not compatible");
        return false;
    }
    if ((given & GT) && (given & LT)) {
        resp_put_error(&call->out, "ERR GT and LT options at the same time are "
                                   "not compatible");
        return false;
    }
    *when = STORE_EXPIRE_ALWAYS;
    if (given & NX)
        *when = STORE_EXPIRE_IF_NONE;
    else if (given & GT) /* never of a key without one, so XX says nothing */
        *when = STORE_EXPIRE_IF_LATER;
    else if (given & LT)
        *when = given & XX ? STORE_EXPIRE_IF_SHORTER : STORE_EXPIRE_IF_EARLIER;
    else if (given & XX)
        *when = STORE_EXPIRE_IF_ANY;
    return true;
}

static void
expire(struct resp_call *call, enum resp_time unit)
{
    struct store_expire e = {0};
    enum store_expired done;

    if (!read_when(call, &e.when) ||
        !resp_time_of_expire(call, 2, unit, &e.deadline_mono_us))
        return;
    done = store_expire(call->session->service->store, resp_key(call, 1), &e);
    resp_put_integer(&call->out,
                     done == STORE_EXPIRE_SET || done == STORE_EXPIRE_DELETED);
}

void
resp_run_EXPIRE(struct resp_call *call)
{
    expire(call, RESP_TIME_EX);
}

void
resp_run_PEXPIRE(struct resp_call *call)
{
    expire(call, RESP_TIME_PX);
}

void
resp_run_EXPIREAT(struct resp_call *call)
{
    expire(call, RESP_TIME_EXAT);
}

void
resp_run_PEXPIREAT(struct resp_call *call)
{
    expire(call, RESP_TIME_PXAT);
}

void
resp_run_PERSIST(struct resp_call *call)
{
    static const struct store_expire never = {
        .deadline_mono_us = STORE_NEVER,
        .when = STORE_EXPIRE_IF_ANY,
    };
    enum store_expired done =
        store_expire(call->session->service->store, resp_key(call, 1), &never);

    resp_put_integer(&call->out, done == STORE_EXPIRE_SET);
}

/* ---- telling time ---- */

/* What TTL and its kind say of keys that have none. */
#define TOLD_MISSING (-2)
#define TOLD_FOREVER (-1)

struct life {
    int64_t left_ms;          /* STORE_NEVER: for ever */
    int64_t deadline_mono_us; /* the same */
};

/* A store_reader. */
static void
note_life(void *ctx, const struct store_view *view)
{
    struct life *life = ctx;

    life->left_ms = view->ttl_left_ms;
    life->deadline_mono_us = view->deadline_mono_us;
}

/* Replies with a time in ms, or in seconds to the nearest. */
static void
put_time(struct resp_call *call, int64_t ms, bool in_seconds)
{
    if (in_seconds)
        ms = ms / 1000 + (ms % 1000 >= 500);
    resp_put_integer(&call->out, ms);
}

static void
tell_life(struct resp_call *call, enum resp_time unit)
{
    const bool in_seconds = unit == RESP_TIME_EX || unit == RESP_TIME_EXAT;
    struct service *service = call->session->service;
    struct life life;

    if (!store_get(service->store, resp_key(call, 1), note_life, &life))
        resp_put_integer(&call->out, TOLD_MISSING);
    else if (life.left_ms == STORE_NEVER)
        resp_put_integer(&call->out, TOLD_FOREVER);
    else if (unit == RESP_TIME_EX || unit == RESP_TIME_PX)
        put_time(call, life.left_ms, in_seconds);
    else
        put_time(call, resp_time_wall_ms(service, life.deadline_mono_us),
                 in_seconds);
}

void
resp_run_TTL(struct resp_call *call)
{
    tell_life(call, RESP_TIME_EX);
}

void
resp_run_PTTL(struct resp_call *call)
{
    tell_life(call, RESP_TIME_PX);
}

void
resp_run_EXPIRETIME(struct resp_call *call)
{
    tell_life(call, RESP_TIME_EXAT);
}

void
resp_run_PEXPIRETIME(struct resp_call *call)
{
    tell_life(call, RESP_TIME_PXAT);
}
