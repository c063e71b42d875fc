/* SPDX-License-Identifier: MIT
 *
 * resp_model.h - what one client of the Redis protocol is answered, as simply
 * as it can be told: a list of keys with their bytes.
 *
 * It shares no code with the server but buffers and slices. Where it has no
 * view of a command it says so. When such a command may change keys, or what
 * later ones are (MULTI, EVAL, EXPIRE, SUBSCRIBE ...), it has no view of any
 * later one. Its clock stands still, and no key of it has a deadline. Whether
 * replies are heard (CLIENT REPLY) does not concern it.
 */
#ifndef MEMOIZER_TEST_RESP_MODEL_H
#define MEMOIZER_TEST_RESP_MODEL_H

#include "base/buf.h"
#include "wire/resp_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct resp_model_key;

struct resp_model {
    bool has_view;    /* it knows what the keys are */
    uint8_t proto;    /* 2 or 3 */
    uint8_t db;       /* selected */
    size_t max_value; /* const, bytes */
    struct resp_model_key *keys;
};

enum resp_view {
    RESP_VIEW_NONE,
    RESP_VIEW_IS,     /* the reply is this */
    RESP_VIEW_BEGINS, /* it begins so */
};

/* Without keys, as the server is for a client that has just come. */
void resp_model_init(struct resp_model *model, size_t max_value);
void resp_model_fini(struct resp_model *model);

/* Does the command, and appends to want what its reply must be. */
enum resp_view resp_model_run(struct resp_model *model,
                              const struct resp_command *command,
                              struct buf *want);

#endif
