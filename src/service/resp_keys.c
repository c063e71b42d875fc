/* SPDX-License-Identifier: MIT
 *
 * resp_keys.c - commands of the Redis protocol on keys, whatever their value.
 */
#include "service/resp_call.h"

#include "base/must.h"

void
resp_run_DEL(struct resp_call *call)
{
    static const struct store_if always = {STORE_ALWAYS, 0};
    int64_t count = 0;

    for (size_t i = 1; i < call->count; i++) {
        bool removed;
        uint64_t version;

        must(store_del(call->session->service->store, resp_key(call, i), always,
                       &removed, &version) == MZ_OK);
        count += removed;
    }
    resp_put_integer(&call->out, count);
}

void
resp_run_UNLINK(struct resp_call *call)
{
    resp_run_DEL(call);
}

static void
look(void *ctx, const struct store_view *view)
{
    (void)ctx;
    (void)view;
}

/* A key that is named twice counts twice. */
void
resp_run_EXISTS(struct resp_call *call)
{
    int64_t count = 0;

    for (size_t i = 1; i < call->count; i++)
        count += store_get(call->session->service->store, resp_key(call, i),
                           look, NULL);
    resp_put_integer(&call->out, count);
}

void
resp_run_DBSIZE(struct resp_call *call)
{
    struct store_totals totals;

    store_totals(call->session->service->store, call->session->db, &totals);
    resp_put_integer(&call->out, (int64_t)totals.keys);
}
