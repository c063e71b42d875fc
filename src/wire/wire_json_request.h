/* SPDX-License-Identifier: MIT
 *
 * wire_json_request.h - a native request on its way from a line to a command.
 *
 * First request_scan() holds the whole line to JSON and notes where everything
 * is, whatever order it comes in. Then request_judge() asks whether it makes
 * sense: only the verb tells what may be there. Nothing is built or copied;
 * strings with escapes are decoded in place, where they always fit, since an
 * escape is longer than what it stands for. Owned by the one caller; private
 * to the native protocol.
 */
#ifndef MEMOIZER_WIRE_WIRE_JSON_REQUEST_H
#define MEMOIZER_WIRE_WIRE_JSON_REQUEST_H

#include "base/err.h"
#include "base/slice.h"
#include "wire/command.h"
#include "wire/scan.h"

#include <stdbool.h>
#include <stddef.h>

/* A JSON text inside the line; data is NULL when it is not there. */
struct span {
    char *data;
    size_t len;
    bool escaped; /* a string that holds a backslash */
};

/* The first member that is unknown or doubled. */
struct complaint {
    const char *what; /* static; NULL if there is none */
    struct slice name;
};

struct request {
    size_t max_value;    /* const: bytes of a value */
    struct fault *fault; /* const: gets `text`, and only if there is a fault */

    /* request_scan(): */
    struct scan scan; /* before: the line; after a fault: its place */
    struct span s, p, i;
    struct span params[PARAM_TOTAL];
    unsigned given; /* a bit for each of params that is there */
    bool is_object; /* the line is one */
    bool i_doubled;
    bool no_memory; /* to decode a name */
    struct complaint in_envelope, in_params;

    /* request_judge(); the id apart: */
    struct command command;
};

/* Scans the line r->scan, the rest of *r being zero. MZ_BAD_JSON and
 * MZ_TOO_DEEP leave r->scan as scan_value() does, and what was scanned before
 * in its place; the fault has no text yet. */
enum mz_err request_scan(struct request *r) MZ_CHECK;

/* Judges a line that was scanned without a fault and fills r->command, or
 * returns the first fault, with its text. */
enum mz_err request_judge(struct request *r) MZ_CHECK;

/* Whether the answer is to be enveloped: one valid id has been scanned. */
bool request_has_id(const struct request *r);

/* request_string() for a string with escapes. */
enum mz_err request_decode(struct span string, struct slice *text) MZ_CHECK;

/* What is between the quotes of a string that was scanned, decoded in place:
 * to be called once. MZ_NO_MEMORY leaves the escapes in *text. */
static inline enum mz_err
request_string(struct span string, struct slice *text)
{
    *text = slice_of(string.data + 1, string.len - 2);
    return string.escaped ? request_decode(string, text) : MZ_OK;
}

/* Skips blanks; the byte of the next token, or 0 at the end of the line. (A
 * NUL in the line gives 0 as well; no rule takes one.) */
static inline unsigned char
request_next_token(struct scan *s)
{
    if (s->at < s->end && (unsigned char)*s->at <= ' ')
        scan_blanks(s);
    return s->at < s->end ? (unsigned char)*s->at : 0;
}

#endif
