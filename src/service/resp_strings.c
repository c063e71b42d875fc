/* SPDX-License-Identifier: MIT
 *
 * resp_strings.c - commands of the Redis protocol on values.
 */
#include "service/resp_call.h"

static void
release_entry(void *entry)
{
    entry_release(entry);
}

/* Runs under the stripe's lock: see store_reader. */
static void
put_view(void *ctx, const struct store_view *view)
{
    struct resp_call *call = ctx;
    const struct reply_value value = {
        .value = view->value,
        .owner = view->entry,
        .release = release_entry,
    };

    if (entry_is_shared(view->entry))
        entry_retain(view->entry);
    resp_put_value(&call->out, &value);
}

void
resp_run_GET(struct resp_call *call)
{
    struct session *session = call->session;
    bool found;

    if (!resp_have_room(call, REPLY_VALUE_RESERVE))
        return;
    found =
        store_get(session->service->store, resp_key(call, 1), put_view, call);
    counter_add(session->counters, found ? COUNTER_HITS : COUNTER_MISSES, 1);
    if (!found)
        resp_put_null(&call->out);
}
