/* SPDX-License-Identifier: MIT
 *
 * script_run.h - a known script while it runs, and what its functions share.
 *
 * scripts.def lists the scripts; each has a function, script_run_NAME(), that
 * does what the text says and gives its reply, in one step against everybody
 * else: by one operation of the store, or under a hold of all keys.
 *
 * A script that is refused has changed nothing. Redis goes as far as the text
 * does, and leaves what it has done.
 *
 * Keys and arguments count from 1, as in Lua. An argument that was not given is
 * nil: it equals nothing, and no command takes it.
 */
#ifndef MEMOIZER_SERVICE_SCRIPT_RUN_H
#define MEMOIZER_SERVICE_SCRIPT_RUN_H

#include "service/resp_call.h"
#include "service/resp_time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct script_run {
    struct resp_call call; /* a copy of that of EVAL, with our hold in it */
    size_t key_count, arg_count;
    bool reads_only;             /* as EVAL_RO: nothing may be written */
    struct store_hold *own_hold; /* what script_begin() began; or NULL */
};

typedef void script_function(struct script_run *run);

/* How many keys a script wants at least, as what it does without them. */
enum script_keys {
    SCRIPT_KEYS_ANY,  /* 0 are fine */
    SCRIPT_KEYS_ONE,  /* it would call a command with nil */
    SCRIPT_KEYS_SOME, /* it would call a command of many keys with none */
};

/* A row of scripts.def. */
struct script {
    const char *canonical; /* SHA1 of the canonical form, 40 digits */
    script_function *run;
    enum script_keys keys;
};

#define SCRIPT(name, keys, canonical) script_function script_run_##name;
#include "service/scripts.def"
#undef SCRIPT

/* The script whose text has that canonical form, or NULL. */
const struct script *script_find(struct slice canonical_sha1);

/* All rows. */
const struct script *script_rows(size_t *count);

/* ---- for the functions ---- */

struct store_key script_key(const struct script_run *run, size_t n);

/* A slice without data: nil. */
struct slice script_arg(const struct script_run *run, size_t n);

static inline bool
script_has_arg(const struct script_run *run, size_t n)
{
    return n <= run->arg_count;
}

/* An error reply: a code, a blank and what is wrong. */
void script_refuse(struct script_run *run, const char *text);

/* Whether so many arguments were given. False after an error reply. */
bool script_need_args(struct script_run *run, size_t count);

/* Whether the script may write. False after an error reply. */
bool script_may_write(struct script_run *run);

/* From here to script_end() all keys stand still for others. False after an
 * error reply. Between them the reply may be given. */
bool script_begin(struct script_run *run);
void script_end(struct script_run *run);

/* Whether key n has argument m for its value. */
bool script_owns(const struct script_run *run, size_t n, size_t m);
bool script_owns_all(const struct script_run *run, size_t m);
bool script_exists(const struct script_run *run, size_t n);

/* Removes key n. */
void script_del(struct script_run *run, size_t n);

/* Whether the value may be stored. False after an error reply. */
bool script_value_fits(struct script_run *run, struct slice value);

/* Puts the value with that deadline. False after an error reply. */
bool script_put(struct script_run *run, size_t n, struct slice value,
                enum value_kind kind, int64_t deadline_mono_us);

/* Reads a time as the command of that name does, which the script would call.
 * False after an error reply. */
bool script_time_of_write(struct script_run *run, const char *command,
                          struct slice text, enum resp_time unit,
                          int64_t *deadline_mono_us);
bool script_time_of_expire(struct script_run *run, const char *command,
                           struct slice text, enum resp_time unit,
                           int64_t *deadline_mono_us);

/* As an argument of a command that wants an integer. False after an error
 * reply. */
bool script_integer(struct script_run *run, struct slice text, int64_t *n);

/* What Lua's tonumber() makes of it. False: nil. */
bool script_number(struct slice text, double *n);

/* A number as Lua gives it to a command. */
#define SCRIPT_NUMBER_SIZE 32
struct slice script_number_text(char text[SCRIPT_NUMBER_SIZE], double n);

#endif
