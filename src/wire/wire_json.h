/* SPDX-License-Identifier: MIT
 *
 * wire_json.h - the native protocol: JSON lines. docs/PROTOCOL.md is the
 * contract.
 *
 * Decoding is a function over bytes: no sockets, no clock, no allocation but
 * for strings with escapes, which jansson decodes. The state only remembers
 * how far the line that is still incomplete has been looked through, so that a
 * slow sender costs no second look.
 */
#ifndef MEMOIZER_WIRE_WIRE_JSON_H
#define MEMOIZER_WIRE_WIRE_JSON_H

#include "wire/command.h"
#include "wire/reply.h"

#include <stdbool.h>
#include <stddef.h>

#define WIRE_JSON_DEPTH_MAX 128 /* of a value */

struct wire_json {
    size_t max_request; /* const: bytes of a line before its LF */
    size_t max_value;   /* const: bytes of a value */
    size_t blanks;      /* that began the incomplete line and are dropped */
    size_t seen;        /* bytes of its rest that hold no LF */
    bool discarding;    /* the line was too long: skip to its LF */
};

void wire_json_init(struct wire_json *w, size_t max_request, size_t max_value);

/* Decodes the next request of the len bytes at data, which it may change in
 * place (decoded keys, blanks). *used says how many bytes are done with, for
 * every status: the caller drops them before the next call, but not before it
 * is done with the command or fault. at_end: no more bytes will come, so a last
 * line needs no LF.
 *
 * WIRE_DONE fills *command, WIRE_BAD fills *fault; neither is touched
 * otherwise. WIRE_MORE with at_end means that nothing is left to serve. */
enum wire_status wire_json_decode(struct wire_json *w, char *data, size_t len,
                                  bool at_end, struct command *command,
                                  struct fault *fault, size_t *used);

/* True while a request has begun and is not complete, given the number of
 * bytes that were left over. */
bool wire_json_in_request(const struct wire_json *w, size_t left);

/* The answers of the native protocol, plain or enveloped. Static. */
const struct reply_ops *wire_json_reply_ops(void);

/* Whether line, without its LF, is HTTP: it ends in " HTTP/" and a version, or
 * its first word is POST or Host: in any case. */
bool wire_looks_like_http(struct slice line);

#endif
