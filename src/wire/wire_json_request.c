/* SPDX-License-Identifier: MIT
 *
 * wire_json_request.c - the members of a line.
 *
 * One pass. What is wrong with a member's name or number is only noted, since
 * malformed JSON further on comes first in the order of faults; a name that is
 * unknown or doubled has its value scanned like any other.
 */
#include "wire/wire_json_request.h"

#include "base/must.h"
#include "wire/wire_json.h"

#include <jansson.h>

/* The envelope and p are two levels around a value. */
#define ENVELOPE_DEPTH 1
#define LINE_DEPTH_MAX (WIRE_JSON_DEPTH_MAX + 2)

static enum mz_err
expect(struct scan *s, const char *expected)
{
    s->expected = expected;
    return MZ_BAD_JSON;
}

static void
complain(struct complaint *complaint, const char *what, struct slice name)
{
    if (complaint->what == NULL)
        *complaint = (struct complaint){what, name};
}

enum mz_err
request_decode(struct span string, struct slice *text)
{
    size_t len;
    json_t *json = json_loadb(string.data, string.len,
                              JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);

    if (json == NULL)
        return MZ_NO_MEMORY; /* it is valid: nothing else can be wrong */
    len = json_string_length(json);
    must(len <= string.len - 2);
    memcpy(string.data + 1, json_string_value(json), len);
    *text = slice_of(string.data + 1, len);
    json_decref(json);
    return MZ_OK;
}

/* Scans one value, with the blanks before it. */
static enum mz_err
scan_span(struct scan *s, unsigned depth_max, struct span *span)
{
    bool is_string = request_next_token(s) == '"';
    enum mz_err err;

    *span = (struct span){.data = s->at};
    err = is_string ? scan_string(s, &span->escaped) : scan_value(s, depth_max);
    span->len = (size_t)(s->at - span->data);
    return err;
}

/* Scans a member's name and its colon. */
static enum mz_err
scan_name(struct request *r, struct slice *name)
{
    struct span string;
    enum mz_err err;

    if (request_next_token(&r->scan) != '"')
        return expect(&r->scan, "a string");
    err = scan_span(&r->scan, 0, &string);
    if (err != MZ_OK)
        return err;
    if (request_string(string, name) != MZ_OK)
        r->no_memory = true;
    if (request_next_token(&r->scan) != ':')
        return expect(&r->scan, "':'");
    r->scan.at++;
    return MZ_OK;
}

/* Scans the object that begins here. member() takes the value of each member
 * by its name. */
static inline enum mz_err
scan_object(struct request *r,
            enum mz_err (*member)(struct request *, struct slice name))
{
    struct scan *s = &r->scan;

    s->at++;
    if (request_next_token(s) == '}') {
        s->at++;
        return MZ_OK;
    }
    if (request_next_token(s) != '"')
        return expect(s, "a string or '}'");
    for (;;) {
        struct slice name;
        enum mz_err err = scan_name(r, &name);
        unsigned char next;

        if (err == MZ_OK)
            err = member(r, name);
        if (err != MZ_OK)
            return err;
        next = request_next_token(s);
        if (next != '}' && next != ',')
            return expect(s, "',' or '}'");
        s->at++;
        if (next == '}')
            return MZ_OK;
    }
}

/* The parameter's number, or -1. */
static int
find_param(struct slice name)
{
    static const struct slice names[PARAM_TOTAL] = {
#define PARAM(name, text) SLICE_LITERAL(text),
#include "wire/params.def"
#undef PARAM
    };

    for (int i = 0; i < PARAM_TOTAL; i++) {
        if (slice_equal(names[i], name))
            return i;
    }
    return -1;
}

static enum mz_err
scan_param(struct request *r, struct slice name)
{
    int param = find_param(name);
    struct span value;
    enum mz_err err = scan_span(&r->scan, WIRE_JSON_DEPTH_MAX, &value);

    if (err != MZ_OK)
        return err;
    if (param < 0) {
        complain(&r->in_params, "unknown parameter", name);
    } else if ((r->given & 1u << param) != 0) {
        complain(&r->in_params, "doubled parameter", name);
    } else {
        r->params[param] = value;
        r->given |= 1u << param;
    }
    return MZ_OK;
}

/* Where the envelope's member of this name is kept, or NULL. */
static struct span *
find_member(struct request *r, struct slice name)
{
    if (name.len != 1)
        return NULL;
    switch (name.data[0]) {
    case 's':
        return &r->s;
    case 'p':
        return &r->p;
    case 'i':
        return &r->i;
    default:
        return NULL;
    }
}

static enum mz_err
scan_member(struct request *r, struct slice name)
{
    struct span *kept = find_member(r, name);
    struct span value;
    enum mz_err err;

    if (kept == NULL) {
        complain(&r->in_envelope, "unknown member", name);
    } else if (kept->data != NULL) {
        complain(&r->in_envelope, "doubled member", name);
        r->i_doubled = r->i_doubled || kept == &r->i;
        kept = NULL;
    } else if (kept == &r->p && request_next_token(&r->scan) == '{') {
        r->p.data = r->scan.at;
        return scan_object(r, scan_param);
    }
    err = scan_span(&r->scan, LINE_DEPTH_MAX - ENVELOPE_DEPTH, &value);
    if (err == MZ_OK && kept != NULL)
        *kept = value;
    return err;
}

enum mz_err
request_scan(struct request *r)
{
    struct span ignored;
    enum mz_err err;

    r->is_object = request_next_token(&r->scan) == '{';
    err = r->is_object ? scan_object(r, scan_member)
                       : scan_span(&r->scan, LINE_DEPTH_MAX, &ignored);
    if (err != MZ_OK)
        return err;
    (void)request_next_token(&r->scan);
    if (r->scan.at < r->scan.end)
        return expect(&r->scan, "the end of the line");
    return MZ_OK;
}
