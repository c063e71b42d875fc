/* SPDX-License-Identifier: MIT
 *
 * session_model.h - what a session store answers, one request after the other.
 *
 * The whole of one key in a few words, cheap to copy and to compare: whether it
 * is there, its value, the version of its last write, whether it expires. The
 * values are objects with members a, b and c, small numbers all, and integers.
 * session_do is the reference: PROTOCOL.md section 4 for these values, in the
 * order of its table. A log holds requests with the answers that a client got,
 * and when; it judges nothing, that is session_linear.h.
 *
 * No key expires while a log is taken: a TTL is given or not, no more.
 */
#ifndef MEMOIZER_TEST_SESSION_MODEL_H
#define MEMOIZER_TEST_SESSION_MODEL_H

#include "rng.h"

#include <stdbool.h>
#include <stdint.h>

#define SESSION_MEMBERS 3 /* a, b, c */

/* In a merge patch: the member goes. */
#define SESSION_NULL UINT16_MAX

enum session_type {
    SESSION_NOTHING, /* a missing key; in an answer: no value */
    SESSION_OBJECT,
    SESSION_INTEGER,
};

struct session_value {
    int64_t number;                    /* of an integer, else 0 */
    uint16_t members[SESSION_MEMBERS]; /* of an object; 0: not there */
    uint8_t type;                      /* enum session_type */
};

enum session_kind {
    SESSION_GET,
    SESSION_HAS,
    SESSION_SET,
    SESSION_MERGE,
    SESSION_INCR,
    SESSION_DEL,
    SESSION_TOUCH,
};

enum session_if {
    SESSION_ALWAYS,
    SESSION_IF_ABSENT,
    SESSION_IF_PRESENT,
    SESSION_IF_VERSION,
};

enum session_ttl {
    SESSION_NO_TTL,
    SESSION_TTL,      /* get: with touch */
    SESSION_KEEP_TTL, /* only set */
};

struct session_request {
    struct session_value value; /* set: the value; merge: the patch; incr: by */
    uint64_t if_version;
    uint8_t kind, only_if, ttl; /* enums session_kind, _if, _ttl */
};

enum session_code {
    SESSION_OK,
    SESSION_EXISTS,
    SESSION_ABSENT, /* error missing */
    SESSION_STALE,
    SESSION_NOT_INTEGER,
};

struct session_answer {
    struct session_value value; /* get: the value; incr: the new number */
    uint64_t version;           /* 0 where the protocol gives none */
    uint8_t code;               /* enum session_code */
    bool found;   /* get: no null; has, touch, del: what they say; writes: yes
                   */
    bool expires; /* get: the ttl is no null */
};

struct session_op {
    struct session_request request;
    struct session_answer answer;
    int64_t call_ns, return_ns;
    uint32_t key;
    uint16_t thread; /* only for reports */
};

/* One key. {0} is a key that never was. */
struct session_state {
    struct session_value value;
    uint64_t version; /* of the last write, also when it has been deleted */
    bool expires;
};

/* Does the request and answers it; a write gets new_version. */
struct session_answer session_do(struct session_state *state,
                                 const struct session_request *request,
                                 uint64_t new_version);

/* Whether the operation may come next: its answer is the one that *state
 * leads to, and a write has a version above all before. If so does it, else
 * *state stays. */
bool session_step(struct session_state *state, const struct session_op *op);

/* It was given a new version. */
bool session_writes(const struct session_op *op);

/* By its answer it has changed nothing. */
bool session_reads(const struct session_op *op);

bool session_same_value(const struct session_value *a,
                        const struct session_value *b);
bool session_same_state(const struct session_state *a,
                        const struct session_state *b);

/* A random request; seen_version is for its condition, if it has one. */
void session_draw(struct rng *rng, uint64_t seen_version,
                  struct session_request *request);

/* One line to stdout. */
void session_print_op(const struct session_op *op);
void session_print_state(const struct session_state *state);

#endif
