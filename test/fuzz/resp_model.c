/* SPDX-License-Identifier: MIT
 *
 * resp_model.c - see resp_model.h.
 */
#include "resp_model.h"

#include "base/must.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define DBS 16

struct resp_model_key {
    struct resp_model_key *next;
    uint8_t db;
    struct buf name, value;
};

/* A command on its way. */
struct ask {
    struct resp_model *model;
    const struct slice *args;
    size_t count;
    struct buf *want;
};

/* ---- replies ---- */

static void
want_integer(struct ask *ask, int64_t n)
{
    buf_printf(ask->want, ":%" PRIi64 "\r\n", n);
}

static void
want_bulk(struct ask *ask, struct slice bytes)
{
    buf_printf(ask->want, "$%zu\r\n", bytes.len);
    buf_put_slice(ask->want, bytes);
    buf_put_string(ask->want, "\r\n");
}

static void
want_line(struct ask *ask, const char *line)
{
    buf_printf(ask->want, "%s\r\n", line);
}

static void
want_null(struct ask *ask)
{
    want_line(ask, ask->model->proto == 2 ? "$-1" : "_");
}

static void
want_arity(struct ask *ask, const char *name)
{
    buf_printf(ask->want, "-ERR wrong number of arguments for '");
    for (; *name != '\0'; name++)
        buf_put_char(ask->want, (char)(*name | 0x20));
    buf_put_string(ask->want, "' command\r\n");
}

static void
want_no_integer(struct ask *ask)
{
    want_line(ask, "-ERR value is not an integer or out of range");
}

static void
want_syntax(struct ask *ask)
{
    want_line(ask, "-ERR syntax error");
}

static void
want_value(struct ask *ask, const struct resp_model_key *key)
{
    if (key != NULL)
        want_bulk(ask, buf_slice(&key->value));
    else
        want_null(ask);
}

static void
want_full(struct ask *ask)
{
    want_line(ask, "-ERR string exceeds maximum allowed size "
                   "(proto-max-bulk-len)");
}

/* False after the refusal of a value that is too large. */
static bool
fits(struct ask *ask, size_t arg)
{
    if (ask->args[arg].len <= ask->model->max_value)
        return true;
    want_line(ask, "-ERR value is larger than max-value");
    return false;
}

/* ---- keys ---- */

static struct resp_model_key **
place_of(struct resp_model *model, struct slice name)
{
    struct resp_model_key **at = &model->keys;

    while (*at != NULL && ((*at)->db != model->db ||
                           !slice_equal(buf_slice(&(*at)->name), name)))
        at = &(*at)->next;
    return at;
}

static struct resp_model_key *
key_of(const struct ask *ask, size_t arg)
{
    return *place_of(ask->model, ask->args[arg]);
}

/* The key, made if it is not there. */
static struct resp_model_key *
need_key(const struct ask *ask, size_t arg)
{
    struct resp_model_key **at = place_of(ask->model, ask->args[arg]);

    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        must(*at != NULL);
        (*at)->db = ask->model->db;
        buf_put_slice(&(*at)->name, ask->args[arg]);
    }
    return *at;
}

static void
put(struct resp_model_key *key, struct slice value)
{
    key->value.len = 0;
    buf_put_slice(&key->value, value);
}

static void
drop(struct resp_model_key **at)
{
    struct resp_model_key *key = *at;

    *at = key->next;
    buf_fini(&key->name);
    buf_fini(&key->value);
    free(key);
}

static bool
drop_key(const struct ask *ask, size_t arg)
{
    struct resp_model_key **at = place_of(ask->model, ask->args[arg]);

    if (*at == NULL)
        return false;
    drop(at);
    return true;
}

static void
drop_db(struct resp_model *model, uint8_t db)
{
    struct resp_model_key **at = &model->keys;

    while (*at != NULL) {
        if ((*at)->db == db)
            drop(at);
        else
            at = &(*at)->next;
    }
}

/* ---- words ---- */

static bool
is_word(struct slice s, const char *word)
{
    return s.len == strlen(word) && strncasecmp(s.data, word, s.len) == 0;
}

/* A number that looks as it is written: by writing it again. */
static bool
read_integer(struct slice s, int64_t *n)
{
    char text[24], again[24];

    if (s.len == 0 || s.len >= sizeof text || memchr(s.data, '\0', s.len))
        return false;
    memcpy(text, s.data, s.len);
    text[s.len] = '\0';
    *n = strtoll(text, NULL, 10);
    snprintf(again, sizeof again, "%" PRIi64, *n);
    return strcmp(text, again) == 0;
}

/* ---- reading ---- */

static void
run_GET(struct ask *ask)
{
    want_value(ask, key_of(ask, 1));
}

static void
run_MGET(struct ask *ask)
{
    buf_printf(ask->want, "*%zu\r\n", ask->count - 1);
    for (size_t i = 1; i < ask->count; i++)
        want_value(ask, key_of(ask, i));
}

static void
run_STRLEN(struct ask *ask)
{
    const struct resp_model_key *key = key_of(ask, 1);

    want_integer(ask, key != NULL ? (int64_t)key->value.len : 0);
}

static void
run_EXISTS(struct ask *ask)
{
    int64_t n = 0;

    for (size_t i = 1; i < ask->count; i++)
        n += key_of(ask, i) != NULL;
    want_integer(ask, n);
}

static void
run_DBSIZE(struct ask *ask)
{
    int64_t n = 0;

    for (const struct resp_model_key *key = ask->model->keys; key != NULL;
         key = key->next)
        n += key->db == ask->model->db;
    want_integer(ask, n);
}

/* ---- writing ---- */

/* What stands behind SET k v. */
struct set_words {
    bool nx, xx, get;
};

/* Whether a life or a comparison is asked for, maybe in error. */
static bool
wants_more(const struct ask *ask)
{
    static const char *const words[] = {"EX", "PX", "EXAT", "PXAT", "IFEQ"};

    for (size_t i = 3; i < ask->count; i++) {
        for (size_t j = 0; j < sizeof words / sizeof *words; j++) {
            if (is_word(ask->args[i], words[j]))
                return true;
        }
    }
    return false;
}

/* False: a syntax error. */
static bool
read_set_words(const struct ask *ask, struct set_words *words)
{
    *words = (struct set_words){false, false, false};
    for (size_t i = 3; i < ask->count; i++) {
        struct slice word = ask->args[i];

        if (is_word(word, "NX"))
            words->nx = true;
        else if (is_word(word, "XX"))
            words->xx = true;
        else if (is_word(word, "GET"))
            words->get = true;
        else if (!is_word(word, "KEEPTTL"))
            return false;
    }
    return !(words->nx && words->xx);
}

static void
run_SET(struct ask *ask)
{
    const struct resp_model_key *old = key_of(ask, 1);
    struct set_words words;
    bool writes;

    if (wants_more(ask)) {
        ask->model->has_view = false;
        return;
    }
    if (!read_set_words(ask, &words)) {
        want_syntax(ask);
        return;
    }
    if (!fits(ask, 2))
        return;
    writes = !(words.nx && old != NULL) && !(words.xx && old == NULL);
    if (words.get)
        want_value(ask, old);
    else if (writes)
        want_line(ask, "+OK");
    else
        want_null(ask);
    if (writes)
        put(need_key(ask, 1), ask->args[2]);
}

static void
run_SETNX(struct ask *ask)
{
    bool absent = key_of(ask, 1) == NULL;

    if (!fits(ask, 2))
        return;
    want_integer(ask, absent);
    if (absent)
        put(need_key(ask, 1), ask->args[2]);
}

static void
run_APPEND(struct ask *ask)
{
    const struct resp_model_key *old = key_of(ask, 1);
    size_t len = ask->args[2].len + (old != NULL ? old->value.len : 0);

    if (!fits(ask, 2))
        return;
    if (len > ask->model->max_value) {
        want_full(ask);
        return;
    }
    buf_put_slice(&need_key(ask, 1)->value, ask->args[2]);
    want_integer(ask, (int64_t)len);
}

static void
count_by(struct ask *ask, int64_t by)
{
    const struct resp_model_key *old = key_of(ask, 1);
    int64_t n = 0;
    char text[24];
    size_t len;

    if (old != NULL && !read_integer(buf_slice(&old->value), &n)) {
        want_no_integer(ask);
        return;
    }
    if (__builtin_add_overflow(n, by, &n)) {
        want_line(ask, "-ERR increment or decrement would overflow");
        return;
    }
    len = (size_t)snprintf(text, sizeof text, "%" PRIi64, n);
    if (len > ask->model->max_value) {
        want_full(ask);
        return;
    }
    put(need_key(ask, 1), slice_of(text, len));
    want_integer(ask, n);
}

static void
run_INCR(struct ask *ask)
{
    count_by(ask, 1);
}

static void
run_DECR(struct ask *ask)
{
    count_by(ask, -1);
}

static void
run_DEL(struct ask *ask)
{
    int64_t n = 0;

    for (size_t i = 1; i < ask->count; i++)
        n += drop_key(ask, i);
    want_integer(ask, n);
}

static void
run_GETDEL(struct ask *ask)
{
    want_value(ask, key_of(ask, 1));
    (void)drop_key(ask, 1);
}

static bool
read_flush(struct ask *ask)
{
    if (ask->count == 1 ||
        (ask->count == 2 &&
         (is_word(ask->args[1], "ASYNC") || is_word(ask->args[1], "SYNC"))))
        return true;
    want_syntax(ask);
    return false;
}

static void
run_FLUSHDB(struct ask *ask)
{
    if (!read_flush(ask))
        return;
    drop_db(ask->model, ask->model->db);
    want_line(ask, "+OK");
}

static void
run_FLUSHALL(struct ask *ask)
{
    if (!read_flush(ask))
        return;
    for (uint8_t db = 0; db < DBS; db++)
        drop_db(ask->model, db);
    want_line(ask, "+OK");
}

/* ---- the connection ---- */

static void
run_SELECT(struct ask *ask)
{
    int64_t db;

    if (!read_integer(ask->args[1], &db)) {
        want_no_integer(ask);
    } else if (db < 0 || db >= DBS) {
        want_line(ask, "-ERR DB index is out of range");
    } else {
        ask->model->db = (uint8_t)db;
        want_line(ask, "+OK");
    }
}

static void
run_ECHO(struct ask *ask)
{
    want_bulk(ask, ask->args[1]);
}

static void
run_PING(struct ask *ask)
{
    if (ask->count == 1)
        want_line(ask, "+PONG");
    else if (ask->count == 2)
        run_ECHO(ask);
    else
        want_arity(ask, "ping");
}

static void
run_RESET(struct ask *ask)
{
    ask->model->proto = 2;
    ask->model->db = 0;
    want_line(ask, "+RESET");
}

static void
run_QUIT(struct ask *ask)
{
    want_line(ask, "+OK");
}

/* Only the plain forms: no view of the reply, but of what comes of it. */
static void
run_HELLO(struct ask *ask)
{
    if (ask->count == 2 && slice_is(ask->args[1], "3"))
        ask->model->proto = 3;
    else if (ask->count == 2 && slice_is(ask->args[1], "2"))
        ask->model->proto = 2;
    else if (ask->count > 1)
        ask->model->has_view = false;
}

/* Reads, or changes nothing that is known here. */
static void
run_same(struct ask *ask)
{
    (void)ask;
}

static void
run_lost(struct ask *ask)
{
    ask->model->has_view = false;
}

/* ---- all ---- */

struct row {
    const char *name;
    int arity; /* words with the name; -n: n or more */
    void (*run)(struct ask *ask);
};

#define SAME(name)                                                             \
    {                                                                          \
        name, 0, run_same                                                      \
    }
#define LOST(name)                                                             \
    {                                                                          \
        name, 0, run_lost                                                      \
    }

/* What is not here is unknown to the server as well, and refused as that: a new
 * command needs a row. arity 0: no view of it. */
static const struct row rows[] = {
    {"APPEND", 3, run_APPEND},
    {"DBSIZE", 1, run_DBSIZE},
    {"DECR", 2, run_DECR},
    {"DEL", -2, run_DEL},
    {"ECHO", 2, run_ECHO},
    {"EXISTS", -2, run_EXISTS},
    {"FLUSHALL", -1, run_FLUSHALL},
    {"FLUSHDB", -1, run_FLUSHDB},
    {"GET", 2, run_GET},
    {"GETDEL", 2, run_GETDEL},
    {"HELLO", -1, run_HELLO},
    {"INCR", 2, run_INCR},
    {"MGET", -2, run_MGET},
    {"PING", -1, run_PING},
    {"QUIT", -1, run_QUIT},
    {"RESET", 1, run_RESET},
    {"SELECT", 2, run_SELECT},
    {"SET", -3, run_SET},
    {"SETNX", 3, run_SETNX},
    {"STRLEN", 2, run_STRLEN},
    {"TOUCH", -2, run_EXISTS},
    {"UNLINK", -2, run_DEL},
    SAME("ACL"),
    SAME("AUTH"),
    SAME("BGSAVE"),
    SAME("CLIENT"),
    SAME("CLUSTER"),
    SAME("COMMAND"),
    SAME("CONFIG"),
    SAME("DISCARD"),
    SAME("EVALSHA_RO"),
    SAME("EVAL_RO"),
    SAME("EXEC"),
    SAME("EXPIRETIME"),
    SAME("GETRANGE"),
    SAME("INFO"),
    SAME("KEYS"),
    SAME("LASTSAVE"),
    SAME("LATENCY"),
    SAME("MEMORY"),
    SAME("MODULE"),
    SAME("OBJECT"),
    SAME("PEXPIRETIME"),
    SAME("PTTL"),
    SAME("PUBLISH"),
    SAME("PUBSUB"),
    SAME("RANDOMKEY"),
    SAME("READONLY"),
    SAME("READWRITE"),
    SAME("SAVE"),
    SAME("SCAN"),
    SAME("SCRIPT"),
    SAME("SLOWLOG"),
    SAME("SUBSTR"),
    SAME("TIME"),
    SAME("TTL"),
    SAME("TYPE"),
    SAME("UNWATCH"),
    SAME("WAIT"),
    SAME("WATCH"),
    LOST("DECRBY"),
    LOST("DELEX"),
    LOST("EVAL"),
    LOST("EVALSHA"),
    LOST("EXPIRE"),
    LOST("EXPIREAT"),
    LOST("GETEX"),
    LOST("GETSET"),
    LOST("INCRBY"),
    LOST("INCRBYFLOAT"),
    LOST("MSET"),
    LOST("MSETNX"),
    LOST("MULTI"),
    LOST("PERSIST"),
    LOST("PEXPIRE"),
    LOST("PEXPIREAT"),
    LOST("PSETEX"),
    LOST("PSUBSCRIBE"),
    LOST("PUNSUBSCRIBE"),
    LOST("RENAME"),
    LOST("RENAMENX"),
    LOST("SETEX"),
    LOST("SETRANGE"),
    LOST("SUBSCRIBE"),
    LOST("UNSUBSCRIBE"),
};

static const struct row *
find_row(struct slice name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (is_word(name, rows[i].name))
            return &rows[i];
    }
    return NULL;
}

static bool
fits_arity(int arity, size_t count)
{
    return arity > 0 ? count == (size_t)arity : count >= (size_t)-arity;
}

void
resp_model_init(struct resp_model *model, size_t max_value)
{
    *model = (struct resp_model){
        .has_view = true, .proto = 2, .max_value = max_value};
}

void
resp_model_fini(struct resp_model *model)
{
    while (model->keys != NULL)
        drop(&model->keys);
}

enum resp_view
resp_model_run(struct resp_model *model, const struct resp_command *command,
               struct buf *want)
{
    struct ask ask = {model, command->args, command->count, want};
    const struct row *row = find_row(command->args[0]);

    if (!model->has_view)
        return RESP_VIEW_NONE;
    if (row == NULL) {
        buf_put_string(want, "-ERR unknown command '");
        return RESP_VIEW_BEGINS;
    }
    if (fits_arity(row->arity, command->count))
        row->run(&ask);
    else
        want_arity(&ask, row->name);
    must(!want->failed);
    return want->len > 0 ? RESP_VIEW_IS : RESP_VIEW_NONE;
}
