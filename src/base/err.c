/* SPDX-License-Identifier: MIT
 *
 * err.c - the texts of errors.def.
 */
#include "base/err.h"

#include "base/must.h"

struct row {
    const char *code;
    const char *resp_prefix;
    const char *text;
};

static const struct row *
row_of(enum mz_err err)
{
    static const struct row rows[MZ_ERR_COUNT] = {
        {"ok", "OK", "ok"},
#define ERROR(name, code, resp_prefix, text) {code, resp_prefix, text},
#include "base/errors.def"
#undef ERROR
    };

    must((unsigned)err < MZ_ERR_COUNT);
    return &rows[err];
}

const char *
err_code(enum mz_err err)
{
    return row_of(err)->code;
}

const char *
err_resp_prefix(enum mz_err err)
{
    return row_of(err)->resp_prefix;
}

const char *
err_text(enum mz_err err)
{
    return row_of(err)->text;
}
