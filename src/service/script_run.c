/* SPDX-License-Identifier: MIT
 *
 * script_run.c - see script_run.h.
 */
#include "service/script_run.h"

#include "base/mem.h"
#include "base/must.h"
#include "service/resp_value.h"
#include "store/store_hold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of EVAL in front of the first key. */
#define WORDS_BEFORE_KEYS 3

/* Numbers are shorter. */
#define NUMBER_TEXT_MAX 512

/* ---- the table ---- */

static const struct script scripts[] = {
#define SCRIPT(name, keys, canonical)                                          \
    {canonical, script_run_##name, SCRIPT_KEYS_##keys},
#include "service/scripts.def"
#undef SCRIPT
};

const struct script *
script_find(struct slice canonical_sha1)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        if (slice_is(canonical_sha1, scripts[i].canonical))
            return &scripts[i];
    }
    return NULL;
}

const struct script *
script_rows(size_t *count)
{
    *count = sizeof scripts / sizeof *scripts;
    return scripts;
}

/* ---- keys and arguments ---- */

struct store_key
script_key(const struct script_run *run, size_t n)
{
    return resp_key(&run->call, WORDS_BEFORE_KEYS + n - 1);
}

struct slice
script_arg(const struct script_run *run, size_t n)
{
    static const struct slice nil = {NULL, 0};

    if (!script_has_arg(run, n))
        return nil;
    return run->call.args[WORDS_BEFORE_KEYS + run->key_count + n - 1];
}

/* ---- refusals ---- */

void
script_refuse(struct script_run *run, const char *text)
{
    counter_add(run->call.session->counters, COUNTER_REFUSED, 1);
    resp_put_error(&run->call.out, text);
}

bool
script_need_args(struct script_run *run, size_t count)
{
    if (script_has_arg(run, count))
        return true;
    script_refuse(run, "ERR Lua redis lib command arguments must be strings or "
                       "integers");
    return false;
}

bool
script_may_write(struct script_run *run)
{
    if (!run->reads_only)
        return true;
    script_refuse(run, "ERR Write commands are not allowed from read-only "
                       "scripts.");
    return false;
}

/* ---- many keys ---- */

bool
script_begin(struct script_run *run)
{
    struct store_key *keys;
    enum mz_err err = MZ_NO_MEMORY;

    if (run->call.hold != NULL) /* that of EXEC, which has our keys as well */
        return true;
    keys = mem_alloc_zeroed(run->key_count + 1, sizeof *keys);
    for (size_t n = 1; keys != NULL && n <= run->key_count; n++)
        keys[n - 1] = script_key(run, n);
    if (keys != NULL)
        err = store_hold_begin(run->call.session->service->store, keys,
                               run->key_count, &run->own_hold);
    mem_free(keys);
    if (err != MZ_OK) {
        resp_refuse(&run->call, err);
        return false;
    }
    run->call.hold = run->own_hold;
    return true;
}

void
script_end(struct script_run *run)
{
    if (run->own_hold == NULL)
        return;
    run->call.hold = NULL;
    store_hold_end(run->own_hold);
    run->own_hold = NULL;
}

/* ---- the store ---- */

struct owner {
    struct slice value;
    bool is_it;
};

/* A store_reader. */
static void
compare(void *ctx, const struct store_view *view)
{
    struct owner *owner = ctx;

    owner->is_it = slice_equal(view->value, owner->value);
}

bool
script_owns(const struct script_run *run, size_t n, size_t m)
{
    struct owner owner = {.value = script_arg(run, m)};

    return script_has_arg(run, m) &&
           store_get(run->call.session->service->store, script_key(run, n),
                     compare, &owner) &&
           owner.is_it;
}

bool
script_owns_all(const struct script_run *run, size_t m)
{
    for (size_t n = 1; n <= run->key_count; n++) {
        if (!script_owns(run, n, m))
            return false;
    }
    return true;
}

bool
script_exists(const struct script_run *run, size_t n)
{
    return store_get(run->call.session->service->store, script_key(run, n),
                     resp_look, NULL);
}

void
script_del(struct script_run *run, size_t n)
{
    static const struct store_if always = {STORE_ALWAYS, 0};
    uint64_t version;
    bool removed;

    must(store_del(run->call.session->service->store, script_key(run, n),
                   always, &removed, &version) == MZ_OK);
}

bool
script_value_fits(struct script_run *run, struct slice value)
{
    if (value.len <= run->call.session->service->max_value)
        return true;
    script_refuse(run, "ERR value is larger than max-value");
    return false;
}

bool
script_put(struct script_run *run, size_t n, struct slice value,
           enum value_kind kind, int64_t deadline_mono_us)
{
    const struct service *service = run->call.session->service;
    const struct store_write write = {
        .key = script_key(run, n),
        .value = value,
        .kind = kind,
        .deadline_mono_us = deadline_mono_us,
    };
    uint64_t version;
    enum mz_err err;

    if (!script_value_fits(run, value))
        return false;
    err = store_set(service->store, &write, &version);
    if (err == MZ_OK)
        return true;
    resp_refuse(&run->call, err);
    return false;
}

/* ---- times and numbers ---- */

/* The call of a command within the script, with one argument. */
static struct resp_call
inner_call(const struct script_run *run, const char *command,
           const struct slice *arg)
{
    struct resp_call inner = run->call;

    inner.row = resp_find_row(slice_of_string(command));
    must(inner.row != NULL);
    inner.args = arg;
    inner.count = 1;
    return inner;
}

bool
script_time_of_write(struct script_run *run, const char *command,
                     struct slice text, enum resp_time unit,
                     int64_t *deadline_mono_us)
{
    struct resp_call inner = inner_call(run, command, &text);

    return resp_time_of_write(&inner, 0, unit, deadline_mono_us);
}

bool
script_time_of_expire(struct script_run *run, const char *command,
                      struct slice text, enum resp_time unit,
                      int64_t *deadline_mono_us)
{
    struct resp_call inner = inner_call(run, command, &text);

    return resp_time_of_expire(&inner, 0, unit, deadline_mono_us);
}

bool
script_integer(struct script_run *run, struct slice text, int64_t *n)
{
    struct resp_call inner = inner_call(run, "INCRBY", &text);

    return resp_integer(&inner, 0, n);
}

bool
script_number(struct slice text, double *n)
{
    char copy[NUMBER_TEXT_MAX];
    char *end;

    if (text.len == 0 || text.len >= sizeof copy)
        return false;
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    *n = strtod(copy, &end);
    if (end == copy)
        return false;
    end += strspn(end, " \t\n\v\f\r");
    return end == copy + text.len;
}

struct slice
script_number_text(char text[SCRIPT_NUMBER_SIZE], double n)
{
    int len = snprintf(text, SCRIPT_NUMBER_SIZE, "%.17g", n);

    return slice_of(text, (size_t)len);
}
