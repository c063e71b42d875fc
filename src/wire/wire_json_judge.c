/* SPDX-License-Identifier: MIT
 *
 * wire_json_judge.c - what a scanned line asks for, if it makes sense.
 *
 * The order of the checks is the order in which faults are told: the envelope,
 * the selector, the shape of p, the names of parameters, which ones are
 * missing, and at last the values in the order of params.def.
 */
#include "wire/wire_json_request.h"

#include "base/must.h"
#include "base/num.h"

#include <stdio.h>

#define ESCAPE_MAX 6 /* the bytes of \uXXXX, which stands for one or more */

static enum mz_err
refuse(struct request *r, enum mz_err err, const char *text)
{
    snprintf(r->fault->text, sizeof(r->fault->text), "%s", text);
    return err;
}

/* what, and the client's word in quotes. */
static enum mz_err
refuse_word(struct request *r, enum mz_err err, const char *what,
            struct slice word)
{
    char quoted[QUOTE_SIZE];

    snprintf(r->fault->text, sizeof(r->fault->text), "%s \"%s\"", what,
             quote(quoted, word));
    return err;
}

struct verb_row {
    enum verb verb;
    struct slice selector;
    unsigned required, optional, ignored; /* a bit for each parameter */
};

static const struct verb_row *
find_verb(struct slice selector)
{
#define P(param) (1u << PARAM_##param)
    static const struct verb_row rows[VERB_TOTAL] = {
#define COMMAND(name, selector, required, optional, ignored)                   \
    {VERB_##name, SLICE_LITERAL(selector), required, optional, ignored},
#include "wire/commands.def"
#undef COMMAND
    };
#undef P

    for (size_t i = 0; i < VERB_TOTAL; i++) {
        if (slice_equal(rows[i].selector, selector))
            return &rows[i];
    }
    return NULL;
}

static bool
span_is(struct span span, const char *text)
{
    return slice_is(slice_of(span.data, span.len), text);
}

/* The text is valid JSON. */
static bool
is_integer(struct span span)
{
    for (size_t i = span.data[0] == '-' ? 1 : 0; i < span.len; i++) {
        if (span.data[i] < '0' || span.data[i] > '9')
            return false;
    }
    return true;
}

static bool
is_id(struct span span)
{
    return span.data[0] == '"' || is_integer(span);
}

bool
request_has_id(const struct request *r)
{
    return r->i.data != NULL && !r->i_doubled && is_id(r->i);
}

static enum mz_err
judge_envelope(struct request *r)
{
    if (r->no_memory)
        return refuse(r, MZ_NO_MEMORY, err_text(MZ_NO_MEMORY));
    if (!r->is_object)
        return refuse(r, MZ_BAD_REQUEST, "a request is a JSON object");
    if (r->in_envelope.what != NULL)
        return refuse_word(r, MZ_BAD_REQUEST, r->in_envelope.what,
                           r->in_envelope.name);
    if (r->s.data == NULL)
        return refuse(r, MZ_BAD_REQUEST, "member \"s\" is missing");
    if (r->s.data[0] != '"')
        return refuse(r, MZ_BAD_REQUEST, "member \"s\" is not a string");
    if (r->i.data != NULL && !is_id(r->i))
        return refuse(r, MZ_BAD_REQUEST,
                      "member \"i\" is neither a string nor an integer");
    return MZ_OK;
}

static enum mz_err
judge_selector(struct request *r, const struct verb_row **verb)
{
    struct slice selector;
    enum mz_err err = request_string(r->s, &selector);

    if (err != MZ_OK)
        return refuse(r, err, err_text(err));
    *verb = find_verb(selector);
    if (*verb == NULL)
        return refuse_word(r, MZ_UNKNOWN_SELECTOR, "unknown selector",
                           selector);
    return MZ_OK;
}

/* The name of the first of these parameters; there is one. */
static const char *
first_param_name(unsigned params)
{
    static const char *const names[PARAM_TOTAL] = {
#define PARAM(name, text) text,
#include "wire/params.def"
#undef PARAM
    };

    return names[__builtin_ctz(params)];
}

/* What the verb has to say of the first of these parameters. */
static enum mz_err
refuse_param(struct request *r, const struct verb_row *verb, const char *says,
             unsigned params)
{
    snprintf(r->fault->text, sizeof(r->fault->text),
             "\"%s\" %s parameter \"%s\"", verb_name(verb->verb), says,
             first_param_name(params));
    return MZ_BAD_REQUEST;
}

static enum mz_err
judge_params(struct request *r, const struct verb_row *verb)
{
    unsigned taken = verb->required | verb->optional;
    unsigned foreign = r->given & ~(taken | verb->ignored);
    unsigned missing = verb->required & ~r->given;

    if (r->p.data != NULL && r->p.data[0] != '{')
        return refuse(r, MZ_BAD_REQUEST, "member \"p\" is not an object");
    if (r->in_params.what != NULL)
        return refuse_word(r, MZ_BAD_REQUEST, r->in_params.what,
                           r->in_params.name);
    if (foreign != 0)
        return refuse_param(r, verb, "takes no", foreign);
    if (missing != 0)
        return refuse_param(r, verb, "needs", missing);
    return MZ_OK;
}

static enum mz_err
take_key(struct request *r, struct span value, struct slice *key)
{
    enum mz_err err;

    /* Whoever sends megabytes of escapes need not wait for their decoding. */
    if (value.data[0] != '"' ||
        value.len - 2 > (size_t)COMMAND_KEY_MAX * ESCAPE_MAX)
        return refuse(r, MZ_BAD_KEY, err_text(MZ_BAD_KEY));
    err = request_string(value, key);
    if (err == MZ_OK && key->len > COMMAND_KEY_MAX)
        err = MZ_BAD_KEY;
    return err == MZ_OK ? MZ_OK : refuse(r, err, err_text(err));
}

/* Packs the keys of an array where they stand: two bytes of length take the
 * place of two quotes, so that a packed key never reaches into the next one
 * that is still to be read. */
static enum mz_err
take_keys(struct request *r, struct span array, struct key_list *keys)
{
    struct scan s = {array.data + 1, array.data + array.len, NULL};
    char *to = array.data;
    unsigned char next = request_next_token(&s);
    size_t count = 0;

    while (next != ']') {
        struct span string = {.data = s.at};
        struct slice key;
        enum mz_err err;

        if (next != '"')
            return refuse(r, MZ_BAD_KEY, err_text(MZ_BAD_KEY));
        must(scan_string(&s, &string.escaped) == MZ_OK); /* as before */
        string.len = (size_t)(s.at - string.data);
        err = take_key(r, string, &key);
        if (err != MZ_OK)
            return err;
        *to++ = (char)(key.len & 0xff);
        *to++ = (char)(key.len >> 8);
        memmove(to, key.data, key.len);
        to += key.len;
        count++;
        next = request_next_token(&s);
        if (next == ',') {
            s.at++;
            next = request_next_token(&s);
        }
    }
    keys->packed = slice_of(array.data, (size_t)(to - array.data));
    keys->count = count;
    return MZ_OK;
}

static enum mz_err
take_K(struct request *r, struct span value)
{
    const bool is_array = value.data[0] == '[';

    if (r->command.verb == VERB_MGET && !is_array)
        return refuse(r, MZ_BAD_REQUEST, "\"k\" is not an array of keys");
    r->command.many = is_array && (r->command.verb == VERB_DEL ||
                                   r->command.verb == VERB_MGET);
    return r->command.many ? take_keys(r, value, &r->command.keys)
                           : take_key(r, value, &r->command.key);
}

static enum mz_err
take_V(struct request *r, struct span value)
{
    if (value.len > r->max_value) {
        snprintf(r->fault->text, sizeof(r->fault->text),
                 "the value has %zu bytes, the limit is %zu", value.len,
                 r->max_value);
        return MZ_TOO_LARGE;
    }
    r->command.value = slice_of(value.data, value.len);
    return MZ_OK;
}

static enum mz_err
take_seconds(struct request *r, enum param param, int64_t *ms)
{
    struct span value = r->params[param];
    enum mz_err err = num_parse_seconds(slice_of(value.data, value.len), ms);

    if (err != MZ_OK)
        snprintf(r->fault->text, sizeof(r->fault->text), "\"%s\": %s",
                 first_param_name(1u << param), err_text(err));
    return err;
}

static enum mz_err
take_TTL(struct request *r, struct span value)
{
    if (r->command.verb == VERB_TOUCH && span_is(value, "null"))
        return MZ_OK; /* COMMAND_TTL_NEVER is there already */
    return take_seconds(r, PARAM_TTL, &r->command.ttl_ms);
}

static enum mz_err
take_KEEP_TTL(struct request *r, struct span value)
{
    if (span_is(value, "false"))
        return MZ_OK;
    if (!span_is(value, "true"))
        return refuse(r, MZ_BAD_REQUEST,
                      "\"keep_ttl\" is neither true nor false");
    if ((r->given & 1u << PARAM_TTL) != 0)
        return refuse(r, MZ_BAD_REQUEST,
                      "\"ttl\" and \"keep_ttl\" exclude each other");
    r->command.ttl_ms = COMMAND_TTL_KEEP;
    return MZ_OK;
}

static enum mz_err
take_if_word(struct request *r, struct span value)
{
    struct slice word;
    enum mz_err err = request_string(value, &word);

    if (err != MZ_OK)
        return refuse(r, err, err_text(err));
    if (slice_is(word, "absent"))
        r->command.condition = COMMAND_IF_ABSENT;
    else if (slice_is(word, "present"))
        r->command.condition = COMMAND_IF_PRESENT;
    else
        return refuse_word(r, MZ_BAD_REQUEST,
                           "\"if\" is not \"absent\", \"present\" or a "
                           "version but",
                           word);
    return MZ_OK;
}

static enum mz_err
take_IF(struct request *r, struct span value)
{
    uint64_t version;

    if (r->command.many)
        return refuse(r, MZ_BAD_REQUEST,
                      "\"if\" does not go with an array of keys");
    if (value.data[0] == '"')
        return take_if_word(r, value);
    if (num_parse_u64(slice_of(value.data, value.len), &version) != MZ_OK ||
        version == 0)
        return refuse(r, MZ_BAD_REQUEST,
                      "\"if\" is not \"absent\", \"present\" or an integer "
                      "from 1 on");
    r->command.condition = COMMAND_IF_VERSION;
    r->command.if_version = version;
    return MZ_OK;
}

static enum mz_err
take_TOUCH(struct request *r, struct span value)
{
    (void)value;
    return take_seconds(r, PARAM_TOUCH, &r->command.get_touch_ms);
}

static enum mz_err
take_DB(struct request *r, struct span value)
{
    uint64_t db;

    if (num_parse_u64(slice_of(value.data, value.len), &db) != MZ_OK ||
        db >= COMMAND_DBS)
        return refuse(r, MZ_BAD_REQUEST, "\"db\" is not an integer 0 to 15");
    r->command.db = (uint8_t)db;
    return MZ_OK;
}

static enum mz_err
take_BY(struct request *r, struct span value)
{
    if (num_parse_i64(slice_of(value.data, value.len), &r->command.by) == MZ_OK)
        return MZ_OK;
    return refuse(r, MZ_BAD_REQUEST, "\"by\" is not an integer of 64 bits");
}

static enum mz_err
take_PREFIX(struct request *r, struct span value)
{
    enum mz_err err;

    if (value.data[0] != '"')
        return refuse(r, MZ_BAD_REQUEST, "\"prefix\" is not a string");
    err = take_key(r, value, &r->command.prefix);
    if (err == MZ_BAD_KEY)
        return refuse(r, MZ_BAD_REQUEST,
                      "\"prefix\" is longer than a key can be");
    return err;
}

static enum mz_err
take_AFTER(struct request *r, struct span value)
{
    uint64_t cursor;

    if (value.data[0] != '"' ||
        num_parse_u64(slice_of(value.data + 1, value.len - 2), &cursor) !=
            MZ_OK ||
        cursor == 0 || cursor >= COMMAND_CURSOR_END)
        return refuse(r, MZ_BAD_REQUEST,
                      "\"after\" is not a \"next\" of a scan");
    r->command.cursor = cursor;
    return MZ_OK;
}

static enum mz_err
take_COUNT(struct request *r, struct span value)
{
    uint64_t count;

    if (num_parse_u64(slice_of(value.data, value.len), &count) != MZ_OK ||
        count == 0 || count > COMMAND_PAGE_MAX)
        return refuse(r, MZ_BAD_REQUEST,
                      "\"count\" is not an integer 1 to 10000");
    r->command.page_count = (uint32_t)count;
    return MZ_OK;
}

static enum mz_err
take_WAIT(struct request *r, struct span value)
{
    enum mz_err err =
        num_parse_wait(slice_of(value.data, value.len), &r->command.wait_ms);

    if (err != MZ_OK)
        return refuse(r, err,
                      "\"wait\": not a number of seconds from 0 to "
                      "315360000000");
    return MZ_OK;
}

static enum mz_err
take_TOKEN(struct request *r, struct span value)
{
    if (num_parse_i64(slice_of(value.data, value.len), &r->command.token) ==
        MZ_OK)
        return MZ_OK;
    return refuse(r, MZ_BAD_REQUEST, "\"token\" is not an integer of 64 bits");
}

/* Takes the values of the parameters, in the order of params.def. */
static enum mz_err
take_values(struct request *r, unsigned params)
{
    typedef enum mz_err take_fn(struct request *, struct span);
    static take_fn *const take[PARAM_TOTAL] = {
#define PARAM(name, text) take_##name,
#include "wire/params.def"
#undef PARAM
    };

    for (; params != 0; params &= params - 1) {
        int param = __builtin_ctz(params);
        enum mz_err err = take[param](r, r->params[param]);

        if (err != MZ_OK)
            return err;
    }
    return MZ_OK;
}

enum mz_err
request_judge(struct request *r)
{
    const struct verb_row *verb = NULL;
    enum mz_err err = judge_envelope(r);

    if (err == MZ_OK)
        err = judge_selector(r, &verb);
    if (err == MZ_OK)
        err = judge_params(r, verb);
    if (err != MZ_OK)
        return err;
    r->command.verb = verb->verb;
    r->command.ttl_ms =
        verb->verb == VERB_MERGE ? COMMAND_TTL_KEEP : COMMAND_TTL_NEVER;
    r->command.by = 1;
    r->command.page_count = COMMAND_PAGE_DEFAULT;
    return take_values(r, r->given & (verb->required | verb->optional));
}
