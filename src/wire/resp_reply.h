/* SPDX-License-Identifier: MIT
 *
 * resp_reply.h - the replies of the Redis protocol, RESP2 and RESP3.
 *
 * A reply is one value; an array, map, set or push is begun with the number of
 * its items, which follow. What RESP2 has no type for goes out as what clients
 * of RESP2 expect in its place:
 *
 *     RESP3          RESP2
 *     null _         null bulk $-1, null array *-1
 *     map %n         array *2n
 *     set ~n         array *n
 *     push >n        array *n
 *     double ,x      bulk
 *     verbatim =     bulk
 *
 * Nothing here fails: a lost append makes outbox_failed() true, and nothing of
 * that outbox is sent then. The specification: https://redis.io/docs (RESP).
 */
#ifndef MEMOIZER_WIRE_RESP_REPLY_H
#define MEMOIZER_WIRE_RESP_REPLY_H

#include "base/slice.h"
#include "wire/outbox.h"
#include "wire/reply.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where replies go, and in which protocol. */
struct resp_out {
    struct outbox *out; /* lent */
    uint8_t proto;      /* 2 or 3 */
};

/* What any reply without a bulk, or the head of a bulk or of an array, may
 * append. Error texts are cut to fit. */
#define RESP_REPLY_RESERVE 1024

/* "+text": a word of the server's own, without CR and LF. */
void resp_put_status(struct resp_out *r, const char *text);
void resp_put_ok(struct resp_out *r);

/* "-text": CODE, a blank and what is wrong, e.g. "ERR syntax error". Bytes of
 * a client's in it that are not printable ASCII become blanks, as they would
 * end the line. */
void resp_put_error(struct resp_out *r, const char *text);
void resp_printf_error(struct resp_out *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void resp_put_integer(struct resp_out *r, int64_t n);
void resp_put_bulk(struct resp_out *r, struct slice bytes);
void resp_put_bulk_string(struct resp_out *r, const char *text);
/* A number as a bulk, as cursors are. */
void resp_put_bulk_u64(struct resp_out *r, uint64_t n);
/* Text for people: RESP3 marks it as such. */
void resp_put_verbatim(struct resp_out *r, struct slice text);

/* The key is not there; the array is not there. */
void resp_put_null(struct resp_out *r);
void resp_put_null_array(struct resp_out *r);

/* What follows are so many items; of a map: pairs. */
void resp_begin_array(struct resp_out *r, size_t items);
void resp_begin_map(struct resp_out *r, size_t pairs);
void resp_begin_set(struct resp_out *r, size_t items);
void resp_begin_push(struct resp_out *r, size_t items);

/* A key's value as a bulk; from REPLY_LEND_MIN bytes on it is lent, and the
 * reference goes over to the outbox. Allocates nothing when
 * REPLY_VALUE_RESERVE bytes are reserved, so it may be called under a stripe's
 * lock. */
void resp_put_value(struct resp_out *r, const struct reply_value *value);

#endif
