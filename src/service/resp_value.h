/* SPDX-License-Identifier: MIT
 *
 * resp_value.h - values in and out, for commands of the Redis protocol.
 */
#ifndef MEMOIZER_SERVICE_RESP_VALUE_H
#define MEMOIZER_SERVICE_RESP_VALUE_H

#include "service/resp_call.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the value of an argument may be stored. False after an error
 * reply. */
bool resp_value_fits(struct resp_call *call, size_t arg);

/* A value that a command has made of another is larger than may be stored. */
void resp_value_too_large(struct resp_call *call);

/* Replies with a part of the value that a store_reader sees, or all of it.
 * REPLY_VALUE_RESERVE bytes are reserved. */
void resp_put_part(struct resp_call *call, const struct store_view *view,
                   struct slice part);

/* A store_reader that replies with the value. */
struct resp_show {
    struct resp_call *call;
    bool shown; /* the reader was called */
};
void resp_show(void *ctx, const struct store_view *view);

/* A store_reader for those who only want to know whether the key lives. */
void resp_look(void *ctx, const struct store_view *view);

/* Counts a read. */
void resp_count_read(struct resp_call *call, bool found);

/* Replies with what came of a read that gave the value to resp_show(): null
 * when it did not. */
void resp_end_show(struct resp_show *show);

#endif
