/* SPDX-License-Identifier: MIT
 *
 * resp_value.c - see resp_value.h.
 */
#include "service/resp_value.h"

bool
resp_value_fits(struct resp_call *call, size_t arg)
{
    if (call->args[arg].len <= call->session->service->max_value)
        return true;
    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_put_error(&call->out, "ERR value is larger than max-value");
    return false;
}

void
resp_value_too_large(struct resp_call *call)
{
    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_put_error(
        &call->out,
        "ERR string exceeds maximum allowed size (proto-max-bulk-len)");
}

static void
release_entry(void *entry)
{
    entry_release(entry);
}

/* What is lent is part of an entry that is at least as large, so that one is
 * shared. */
_Static_assert(REPLY_LEND_MIN >= ENTRY_SHARED_MIN, "only counted entries lend");

void
resp_put_part(struct resp_call *call, const struct store_view *view,
              struct slice part)
{
    const struct reply_value value = {
        .value = part,
        .owner = view->entry,
        .release = release_entry,
    };

    if (part.len >= REPLY_LEND_MIN)
        entry_retain(view->entry);
    resp_put_value(&call->out, &value);
}

void
resp_show(void *ctx, const struct store_view *view)
{
    struct resp_show *show = ctx;

    show->shown = true;
    resp_put_part(show->call, view, view->value);
}

void
resp_look(void *ctx, const struct store_view *view)
{
    (void)ctx;
    (void)view;
}

void
resp_count_read(struct resp_call *call, bool found)
{
    counter_add(call->session->counters, found ? COUNTER_HITS : COUNTER_MISSES,
                1);
}

void
resp_end_show(struct resp_show *show)
{
    resp_count_read(show->call, show->shown);
    if (!show->shown)
        resp_put_null(&show->call->out);
}
