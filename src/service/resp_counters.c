/* SPDX-License-Identifier: MIT
 *
 * resp_counters.c - commands of the Redis protocol that count.
 */
#include "service/resp_call.h"
#include "service/resp_value.h"

#include "base/num.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- integers ---- */

struct sum {
    int64_t by;
    int64_t n; /* what came of it */
};

/* An integer as Redis writes it. JSON has -0 as well. */
static bool
read_integer(const struct store_view *view, int64_t *n)
{
    if (num_parse_i64(view->value, n) != MZ_OK)
        return false;
    return *n != 0 || view->value.len == 1 || view->kind == VALUE_JSON;
}

/* A store_transform. */
static enum mz_err
add(void *ctx, const struct store_view *view, char *room, size_t room_cap,
    size_t *len)
{
    struct sum *sum = ctx;
    char text[NUM_I64_SIZE];

    sum->n = 0;
    if (view != NULL && !read_integer(view, &sum->n))
        return MZ_NOT_INTEGER;
    if (__builtin_add_overflow(sum->n, sum->by, &sum->n))
        return MZ_OVERFLOW;
    *len = num_format_i64(text, sum->n);
    if (*len > room_cap)
        return MZ_TOO_LARGE;
    memcpy(room, text, *len);
    return MZ_OK;
}

static size_t
smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Makes a number of the one that is there, 0 when the key is missing. */
static enum mz_err
count(struct resp_call *call, store_transform *transform, void *ctx,
      size_t room, enum value_kind kind)
{
    const struct service *service = call->session->service;
    const struct store_update update = {
        .key = resp_key(call, 1),
        .value_max = service->max_value,
        .room_cap = smaller(room, service->max_value),
        .kind = kind,
        .ttl_ms = STORE_KEEP_TTL,
        .transform = transform,
        .ctx = ctx,
    };
    uint64_t version;

    return store_update(service->store, &update, &version);
}

static void
refuse(struct resp_call *call, enum mz_err err)
{
    switch (err) {
    case MZ_NOT_INTEGER:
        resp_not_integer(call);
        break;
    case MZ_OVERFLOW:
        resp_put_error(&call->out, "ERR increment or decrement would overflow");
        break;
    case MZ_TOO_LARGE:
        resp_value_too_large(call);
        break;
    default:
        resp_refuse(call, err);
        break;
    }
}

static void
count_by(struct resp_call *call, int64_t by)
{
    struct sum sum = {.by = by};
    enum mz_err err = count(call, add, &sum, NUM_I64_SIZE - 1, VALUE_JSON);

    if (err == MZ_OK)
        resp_put_integer(&call->out, sum.n);
    else
        refuse(call, err);
}

void
resp_run_INCR(struct resp_call *call)
{
    count_by(call, 1);
}

void
resp_run_DECR(struct resp_call *call)
{
    count_by(call, -1);
}

void
resp_run_INCRBY(struct resp_call *call)
{
    int64_t by;

    if (resp_integer(call, 2, &by))
        count_by(call, by);
}

void
resp_run_DECRBY(struct resp_call *call)
{
    int64_t by;

    if (!resp_integer(call, 2, &by))
        return;
    if (by == INT64_MIN)
        resp_put_error(&call->out, "ERR decrement would overflow");
    else
        count_by(call, -by);
}

/* ---- floating point ---- */

/* Longer text is no number, and every number of ours is shorter: a long double
 * has at most 4933 digits before its point. */
#define FLOAT_SIZE (5 * 1024)

/* Thousands of digits take a millisecond. So the sum is made without a lock,
 * and put in place if nobody has written meanwhile; after so many tries that
 * came too late it is made under the lock. */
#define OPTIMISTIC_TRIES 8

struct float_sum {
    long double by;
    uint64_t version; /* of the value that was there; 0: the key is missing */
    size_t len;       /* of text; FLOAT_SIZE: too long for a number */
    char text[FLOAT_SIZE]; /* a value, and then what came of it */
};

/* A copy, since strtold wants a NUL and values have none. */
static void
load(struct float_sum *sum, struct slice value)
{
    sum->len = value.len < FLOAT_SIZE ? value.len : FLOAT_SIZE;
    if (sum->len > 0)
        memcpy(sum->text, value.data, sum->len);
}

/* What Redis takes for a number: all that strtold does but blanks before it
 * and NaN; and it has to fit. The locale is C, as nobody sets another. */
static bool
parse_float(struct float_sum *sum, long double *n)
{
    char *end;

    if (sum->len == 0 || sum->len == FLOAT_SIZE ||
        strchr(" \t\n\v\f\r", sum->text[0]))
        return false;
    sum->text[sum->len] = '\0';
    errno = 0;
    *n = strtold(sum->text, &end);
    if (end != sum->text + sum->len || isnan(*n))
        return false;
    return errno != ERANGE || !(isinf(*n) || *n == 0);
}

/* As Redis shows numbers: 17 digits behind the point and no exponent, without
 * zeros at the end. */
static void
format_float(struct float_sum *sum, long double n)
{
    const char *text = sum->text;
    size_t len = (size_t)snprintf(sum->text, FLOAT_SIZE, "%.17Lf", n);

    while (text[len - 1] == '0')
        len--;
    if (text[len - 1] == '.')
        len--;
    if (len == 2 && text[0] == '-' && text[1] == '0') {
        sum->text[0] = '0';
        len = 1;
    }
    sum->len = len;
}

/* Makes the sum of a value that was loaded, or of none. */
static enum mz_err
make_float_sum(struct float_sum *sum, bool present)
{
    long double n = 0;

    if (present && !parse_float(sum, &n))
        return MZ_NOT_INTEGER;
    n += sum->by;
    if (isnan(n) || isinf(n))
        return MZ_OVERFLOW;
    format_float(sum, n);
    return MZ_OK;
}

/* A store_reader. */
static void
load_view(void *ctx, const struct store_view *view)
{
    struct float_sum *sum = ctx;

    sum->version = view->version;
    load(sum, view->value);
}

/* *late: somebody else was quicker. */
static enum mz_err
try_float(struct resp_call *call, struct float_sum *sum, bool *late)
{
    const struct service *service = call->session->service;
    struct store_write write = {
        .key = resp_key(call, 1),
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_KEEP_TTL,
    };
    uint64_t version;
    enum mz_err err;

    *late = false;
    sum->version = 0;
    (void)store_get(service->store, write.key, load_view, sum);
    err = make_float_sum(sum, sum->version != 0);
    if (err != MZ_OK)
        return err;
    if (sum->len > service->max_value)
        return MZ_TOO_LARGE;
    write.value = slice_of(sum->text, sum->len);
    write.only_if.condition =
        sum->version == 0 ? STORE_IF_ABSENT : STORE_IF_VERSION;
    write.only_if.version = sum->version;
    err = store_set(service->store, &write, &version);
    *late = err == MZ_EXISTS || err == MZ_MISSING || err == MZ_STALE;
    return err;
}

/* A store_transform. glibc's strtold and snprintf allocate nothing for numbers
 * of this size: what they need lies on the stack. */
static enum mz_err
add_float(void *ctx, const struct store_view *view, char *room, size_t room_cap,
          size_t *len)
{
    struct float_sum *sum = ctx;
    enum mz_err err;

    if (view != NULL)
        load(sum, view->value);
    err = make_float_sum(sum, view != NULL);
    if (err != MZ_OK)
        return err;
    *len = sum->len;
    if (*len > room_cap)
        return MZ_TOO_LARGE;
    memcpy(room, sum->text, *len);
    return MZ_OK;
}

static enum mz_err
count_float(struct resp_call *call, struct float_sum *sum)
{
    enum mz_err err = MZ_OK;
    bool late = true;

    load(sum, call->args[2]);
    if (!parse_float(sum, &sum->by))
        return MZ_NOT_INTEGER;
    for (int i = 0; i < OPTIMISTIC_TRIES && late; i++)
        err = try_float(call, sum, &late);
    if (late)
        err = count(call, add_float, sum, 64, VALUE_BYTES);
    return err;
}

/* Bytes are what comes of it, since they are not checked for being JSON. */
void
resp_run_INCRBYFLOAT(struct resp_call *call)
{
    struct float_sum sum;
    enum mz_err err;

    if (!resp_have_room(call, FLOAT_SIZE))
        return;
    err = count_float(call, &sum);
    if (err == MZ_OK)
        resp_put_bulk(&call->out, slice_of(sum.text, sum.len));
    else if (err == MZ_NOT_INTEGER)
        resp_put_error(&call->out, "ERR value is not a valid float");
    else if (err == MZ_OVERFLOW)
        resp_put_error(&call->out,
                       "ERR increment would produce NaN or Infinity");
    else
        refuse(call, err);
}
