/* SPDX-License-Identifier: MIT
 *
 * resp_set_options.h - what may stand behind SET k v and GETEX k.
 */
#ifndef MEMOIZER_SERVICE_RESP_SET_OPTIONS_H
#define MEMOIZER_SERVICE_RESP_SET_OPTIONS_H

#include "service/resp_call.h"
#include "service/resp_time.h"

#include <stdbool.h>
#include <stddef.h>

enum resp_set_option {
    RESP_SET_NX = 1 << 0,
    RESP_SET_XX = 1 << 1,
    RESP_SET_IFEQ = 1 << 2,
    RESP_SET_GET = 1 << 3,
    RESP_SET_KEEPTTL = 1 << 4,
    RESP_SET_PERSIST = 1 << 5,
    RESP_SET_EX = 1 << 6,
    RESP_SET_PX = 1 << 7,
    RESP_SET_EXAT = 1 << 8,
    RESP_SET_PXAT = 1 << 9,
};

struct resp_set_options {
    unsigned given;      /* enum resp_set_option */
    size_t time_arg;     /* where the time stands; 0: none is given */
    enum resp_time unit; /* of the time */
    size_t ifeq_arg;     /* where the value of IFEQ stands */
};

/* Reads the arguments from `first` on. False after a syntax error. */
bool resp_set_options_of_set(struct resp_call *call, size_t first,
                             struct resp_set_options *options);
bool resp_set_options_of_getex(struct resp_call *call, size_t first,
                               struct resp_set_options *options);

#endif
