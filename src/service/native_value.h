/* SPDX-License-Identifier: MIT
 *
 * native_value.h - a value that the Redis protocol has written, as clients of
 * the native protocol see it (PROTOCOL.md section 7).
 */
#ifndef MEMOIZER_SERVICE_NATIVE_VALUE_H
#define MEMOIZER_SERVICE_NATIVE_VALUE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

/* Appends to text what bytes are: their JSON, on one line and without the
 * blanks around it, if they are valid JSON nested at most 128 deep, else a JSON
 * string of them if they are UTF-8. MZ_NOT_JSON: neither. MZ_NO_MEMORY. *text
 * is as before on both. bytes must not lie in text. */
enum mz_err native_value(struct slice bytes, struct buf *text) MZ_CHECK;

/* The same, but only JSON will do: MZ_NOT_JSON for a string as well. */
enum mz_err native_json(struct slice bytes, struct buf *text) MZ_CHECK;

#endif
