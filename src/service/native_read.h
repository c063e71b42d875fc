/* SPDX-License-Identifier: MIT
 *
 * native_read.h - reads a key for a client of the native protocol, whoever has
 * written it.
 */
#ifndef MEMOIZER_SERVICE_NATIVE_READ_H
#define MEMOIZER_SERVICE_NATIVE_READ_H

#include "service/service.h"

/* How the value is to be answered. */
enum native_answer {
    NATIVE_WHOLE, /* reply_value() */
    NATIVE_ITEM,  /* reply_item_value() */
};

/* Reads key, gives it touch_ms to live unless that is 0, and answers with its
 * value: *found. A missing key is the caller's to answer. MZ_NOT_JSON,
 * MZ_NO_MEMORY: nothing was answered. The caller has reserved
 * REPLY_VALUE_RESERVE and the length of the id. */
enum mz_err native_read(struct session *session, struct store_key key,
                        int64_t touch_ms, struct reply *reply,
                        enum native_answer how, bool *found) MZ_CHECK;

#endif
