/* SPDX-License-Identifier: MIT
 *
 * resp_parts.c - commands of the Redis protocol on parts of values: APPEND,
 * SETRANGE, STRLEN and GETRANGE.
 */
#include "service/resp_call.h"
#include "service/resp_value.h"

static const struct slice nothing = {NULL, 0};

/* ---- reading ---- */

static void
note_len(void *ctx, const struct store_view *view)
{
    *(size_t *)ctx = view->value.len;
}

/* Bytes of the value of a key, 0 when it is missing. */
static size_t
value_len(struct resp_call *call)
{
    size_t len = 0;
    bool found = store_get(call->session->service->store, resp_key(call, 1),
                           note_len, &len);

    resp_count_read(call, found);
    return len;
}

void
resp_run_STRLEN(struct resp_call *call)
{
    resp_put_integer(&call->out, (int64_t)value_len(call));
}

/* Places in a value: below 0 they count from its end. */
struct range {
    struct resp_call *call;
    int64_t first, last;
};

static struct slice
cut(struct slice value, int64_t first, int64_t last)
{
    const int64_t len = (int64_t)value.len;

    if (first < 0 && last < 0 && first > last)
        return nothing;
    if (first < 0)
        first = first + len > 0 ? first + len : 0;
    if (last < 0)
        last = last + len > 0 ? last + len : 0;
    if (last >= len)
        last = len - 1;
    if (first > last)
        return nothing;
    return slice_of(value.data + first, (size_t)(last - first + 1));
}

/* A store_reader. */
static void
put_range(void *ctx, const struct store_view *view)
{
    const struct range *range = ctx;

    resp_put_part(range->call, view,
                  cut(view->value, range->first, range->last));
}

void
resp_run_GETRANGE(struct resp_call *call)
{
    struct range range = {.call = call};
    bool found;

    if (!resp_integer(call, 2, &range.first) ||
        !resp_integer(call, 3, &range.last) ||
        !resp_have_room(call, REPLY_VALUE_RESERVE))
        return;
    found = store_get(call->session->service->store, resp_key(call, 1),
                      put_range, &range);
    resp_count_read(call, found);
    if (!found)
        resp_put_bulk(&call->out, nothing);
}

void
resp_run_SUBSTR(struct resp_call *call)
{
    resp_run_GETRANGE(call);
}

/* ---- writing ---- */

/* A part that is to lie in a value from `at` on. */
struct patch {
    struct slice part;
    size_t at;  /* PATCH_AT_END: behind what is there */
    size_t len; /* of the whole value afterwards */
};

#define PATCH_AT_END SIZE_MAX

/* A store_transform. What lies between the old value and the part is zeros. */
static enum mz_err
apply(void *ctx, const struct store_view *view, char *room, size_t room_cap,
      size_t *len)
{
    struct patch *patch = ctx;
    const struct slice old = view != NULL ? view->value : nothing;
    const size_t at = patch->at == PATCH_AT_END ? old.len : patch->at;
    const size_t end = at + patch->part.len;

    *len = patch->len = end > old.len ? end : old.len;
    if (*len > room_cap)
        return MZ_TOO_LARGE;
    if (old.len > 0)
        memcpy(room, old.data, old.len);
    if (at > old.len)
        memset(room + old.len, 0, at - old.len);
    if (patch->part.len > 0)
        memcpy(room + at, patch->part.data, patch->part.len);
    return MZ_OK;
}

/* least: the value will not be smaller; at most max_value. */
static void
run_patch(struct resp_call *call, struct patch *patch, size_t least)
{
    const struct service *service = call->session->service;
    const struct store_update update = {
        .key = resp_key(call, 1),
        .value_max = service->max_value,
        .room_cap = least,
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_KEEP_TTL,
        .transform = apply,
        .ctx = patch,
    };
    uint64_t version;
    enum mz_err err = store_update(service->store, &update, &version);

    if (err == MZ_OK)
        resp_put_integer(&call->out, (int64_t)patch->len);
    else if (err == MZ_TOO_LARGE)
        resp_value_too_large(call);
    else
        resp_refuse(call, err);
}

void
resp_run_APPEND(struct resp_call *call)
{
    struct patch patch = {.part = call->args[2], .at = PATCH_AT_END};

    if (resp_value_fits(call, 2))
        run_patch(call, &patch, patch.part.len);
}

void
resp_run_SETRANGE(struct resp_call *call)
{
    const size_t max = call->session->service->max_value;
    struct patch patch = {.part = call->args[3]};
    int64_t at;

    if (!resp_integer(call, 2, &at))
        return;
    if (at < 0) {
        resp_put_error(&call->out, "ERR offset is out of range");
        return;
    }
    /* Nothing to write makes no key. */
    if (patch.part.len == 0) {
        resp_put_integer(&call->out, (int64_t)value_len(call));
        return;
    }
    if (!resp_value_fits(call, 3))
        return;
    if ((uint64_t)at > max - patch.part.len) {
        resp_value_too_large(call);
        return;
    }
    patch.at = (size_t)at;
    run_patch(call, &patch, patch.at + patch.part.len);
}
