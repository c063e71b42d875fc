/* SPDX-License-Identifier: MIT
 *
 * resp_time.h - times as clients of the Redis protocol give and get them.
 *
 * A client names a lifetime or a moment of the wall clock, in seconds or
 * milliseconds. The store wants a moment of its monotonic clock. This is the
 * one place where the two clocks meet.
 *
 * Their difference is measured at each use, but the one that was measured first
 * counts until the wall clock has been set: so a moment always becomes the same
 * deadline, and the deadline that moment again, to the millisecond. Setting the
 * wall clock changes no deadline, only the moments by which they are told.
 */
#ifndef MEMOIZER_SERVICE_RESP_TIME_H
#define MEMOIZER_SERVICE_RESP_TIME_H

#include "service/resp_call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum resp_time {
    RESP_TIME_EX,   /* seconds from now */
    RESP_TIME_PX,   /* milliseconds from now */
    RESP_TIME_EXAT, /* seconds since 1970 */
    RESP_TIME_PXAT, /* milliseconds since 1970 */
};

/* An argument as the deadline of a write: the number must be above 0. False
 * after an error reply. The deadline is above 0, not STORE_NEVER, and may be
 * over; one that the store cannot tell is as late as it can. */
bool resp_time_of_write(struct resp_call *call, size_t arg, enum resp_time unit,
                        int64_t *deadline_mono_us);

/* The same for EXPIRE and its kind: any number, also a lifetime that has been
 * over for long. */
bool resp_time_of_expire(struct resp_call *call, size_t arg,
                         enum resp_time unit, int64_t *deadline_mono_us);

/* A deadline of a key, not STORE_NEVER, in milliseconds since 1970. */
int64_t resp_time_wall_ms(struct service *service, int64_t deadline_mono_us);

#endif
