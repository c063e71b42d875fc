/* SPDX-License-Identifier: MIT
 *
 * resp_scripts.c - scripts, without a script engine.
 *
 * What session stores, locks and rate limiters send as scripts is known:
 * scripts.def. A text is recognised by its canonical form (script_text.h), and
 * a function of ours runs in its place. Any other text is refused.
 */
#include "service/resp_call.h"
#include "service/resp_subcommand.h"
#include "service/script_cache.h"
#include "service/script_run.h"
#include "service/script_text.h"

/* ---- from a text to a script ---- */

/* By its canonical form. MZ_BAD_REQUEST: it is not known. */
static enum mz_err
recognise(struct slice text, const struct script **script)
{
    char hex[SCRIPT_SHA1_TEXT_SIZE];
    struct script_sha1 sha1;
    struct buf canonical = {0};
    enum mz_err err = script_text_canonical(text, &canonical);

    if (err == MZ_OK)
        err = script_sha1(buf_slice(&canonical), &sha1);
    buf_fini(&canonical);
    if (err != MZ_OK)
        return err;
    script_sha1_format(hex, &sha1);
    *script = script_find(slice_of_string(hex));
    return *script != NULL ? MZ_OK : MZ_BAD_REQUEST;
}

/* The same for a text that may have been shown before, and will be found by its
 * SHA1. */
static enum mz_err
show(struct resp_call *call, size_t arg, struct script_sha1 *sha1,
     const struct script **script)
{
    struct script_cache *cache = call->session->service->scripts;
    enum mz_err err = script_sha1(call->args[arg], sha1);

    if (err != MZ_OK)
        return err;
    *script = script_cache_find(cache, sha1);
    if (*script != NULL)
        return MZ_OK;
    err = recognise(call->args[arg], script);
    if (err == MZ_OK)
        script_cache_put(cache, sha1, *script);
    return err;
}

static void
refuse(struct resp_call *call, const char *text)
{
    counter_add(call->session->counters, COUNTER_REFUSED, 1);
    resp_put_error(&call->out, text);
}

static void
refuse_text(struct resp_call *call, enum mz_err err)
{
    if (err == MZ_BAD_REQUEST)
        refuse(call, "ERR this script is not supported");
    else
        resp_refuse(call, err);
}

/* ---- running ---- */

/* How many keys there are. False after an error reply. */
static bool
read_key_count(struct resp_call *call, size_t *count)
{
    const size_t most = call->count - 3;
    int64_t n;

    if (!resp_integer(call, 2, &n))
        return false;
    if (n > (int64_t)most) {
        refuse(call, "ERR Number of keys can't be greater than number of args");
        return false;
    }
    if (n < 0) {
        refuse(call, "ERR Number of keys can't be negative");
        return false;
    }
    *count = (size_t)n;
    return true;
}

static bool
keys_fit(struct resp_call *call, size_t key_count)
{
    for (size_t i = 3; i < 3 + key_count; i++) {
        if (call->args[i].len > ENTRY_KEY_MAX) {
            counter_add(call->session->counters, COUNTER_REFUSED, 1);
            resp_printf_error(&call->out, "ERR key is longer than %d bytes",
                              ENTRY_KEY_MAX);
            return false;
        }
    }
    return true;
}

static void
run(struct resp_call *call, const struct script *script, size_t key_count,
    bool reads_only)
{
    struct script_run run = {
        .call = *call,
        .key_count = key_count,
        .arg_count = call->count - 3 - key_count,
        .reads_only = reads_only,
    };

    if (!keys_fit(call, key_count))
        return;
    if (key_count > 0 || script->keys == SCRIPT_KEYS_ANY)
        script->run(&run);
    else if (script->keys == SCRIPT_KEYS_ONE)
        refuse(call, "ERR Lua redis lib command arguments must be strings or "
                     "integers");
    else
        refuse(call, "ERR Wrong number of args calling Redis command from "
                     "script");
}

static void
eval(struct resp_call *call, bool reads_only)
{
    const struct script *script;
    struct script_sha1 sha1;
    size_t key_count;
    enum mz_err err;

    if (!read_key_count(call, &key_count))
        return;
    err = show(call, 1, &sha1, &script);
    if (err == MZ_OK)
        run(call, script, key_count, reads_only);
    else
        refuse_text(call, err);
}

static void
evalsha(struct resp_call *call, bool reads_only)
{
    const struct script *script = NULL;
    struct script_sha1 sha1;
    size_t key_count;

    /* Redis looks at the length first. */
    if (call->args[1].len == SCRIPT_SHA1_TEXT_SIZE - 1) {
        if (!read_key_count(call, &key_count))
            return;
        if (script_sha1_parse(call->args[1], &sha1))
            script = script_cache_find(call->session->service->scripts, &sha1);
    }
    if (script != NULL)
        run(call, script, key_count, reads_only);
    else
        refuse(call, "NOSCRIPT No matching script. Please use EVAL.");
}

void
resp_run_EVAL(struct resp_call *call)
{
    eval(call, false);
}

void
resp_run_EVAL_RO(struct resp_call *call)
{
    eval(call, true);
}

void
resp_run_EVALSHA(struct resp_call *call)
{
    evalsha(call, false);
}

void
resp_run_EVALSHA_RO(struct resp_call *call)
{
    evalsha(call, true);
}

/* ---- SCRIPT ---- */

static void
run_exists(struct resp_call *call)
{
    struct script_cache *cache = call->session->service->scripts;
    struct script_sha1 sha1;

    resp_begin_array(&call->out, call->count - 2);
    for (size_t i = 2; i < call->count; i++) {
        bool found = script_sha1_parse(call->args[i], &sha1) &&
                     script_cache_find(cache, &sha1) != NULL;

        if (!resp_have_item_room(call, 0))
            return;
        resp_put_integer(&call->out, found);
    }
}

static void
run_flush(struct resp_call *call)
{
    if (call->count > 3 || (call->count == 3 && !resp_is(call, 2, "sync") &&
                            !resp_is(call, 2, "async"))) {
        refuse(call, "ERR SCRIPT FLUSH only support SYNC|ASYNC option");
        return;
    }
    script_cache_flush(call->session->service->scripts);
    resp_put_ok(&call->out);
}

static void
run_help(struct resp_call *call)
{
    static const char *const lines[] = {
        "EXISTS <sha1> [<sha1> ...]",
        "    Tell which of these scripts have been loaded.",
        "FLUSH [ASYNC|SYNC]",
        "    Forget the scripts that have been loaded.",
        "KILL",
        "    Refused: no script runs for long.",
        "LOAD <script>",
        "    Load a script without running it: one of those that are known.",
    };

    RESP_PUT_HELP(call, lines);
}

static void
run_kill(struct resp_call *call)
{
    refuse(call, "NOTBUSY No scripts in execution right now.");
}

static void
run_load(struct resp_call *call)
{
    char hex[SCRIPT_SHA1_TEXT_SIZE];
    const struct script *script;
    struct script_sha1 sha1;
    enum mz_err err = show(call, 2, &sha1, &script);

    if (err != MZ_OK) {
        refuse_text(call, err);
        return;
    }
    script_sha1_format(hex, &sha1);
    resp_put_bulk_string(&call->out, hex);
}

void
resp_run_SCRIPT(struct resp_call *call)
{
    static const struct resp_subcommand table[] = {
        {"exists", -3, run_exists}, {"flush", -2, run_flush},
        {"help", 2, run_help},      {"kill", 2, run_kill},
        {"load", 3, run_load},
    };

    RESP_RUN_SUBCOMMAND(call, table);
}
