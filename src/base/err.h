/* SPDX-License-Identifier: MIT
 *
 * err.h - the one kind of error that functions return.
 *
 * A request that is refused carries one of these to its client and to nobody
 * else. Broken invariants do not come this way: see must.h.
 */
#ifndef MEMOIZER_BASE_ERR_H
#define MEMOIZER_BASE_ERR_H

/* On every function that returns an error: ignoring it does not compile. */
#define MZ_CHECK __attribute__((warn_unused_result))

enum mz_err {
    MZ_OK = 0,
#define ERROR(name, code, resp_prefix, text) MZ_##name,
#include "base/errors.def"
#undef ERROR
    MZ_ERR_COUNT
};

/* The native protocol's code, e.g. "bad_json"; "ok" for MZ_OK. Static. */
const char *err_code(enum mz_err err);

/* RESP: the error prefix without the dash, e.g. "ERR".
 * Static. */
const char *err_resp_prefix(enum mz_err err);

/* One line for people, printable ASCII. Static. */
const char *err_text(enum mz_err err);

#endif
