/* SPDX-License-Identifier: MIT
 *
 * scan_judge.h - the scanner on a whole text, and what jansson says to it.
 *
 * Two builds of src/wire/scan.c are judged: the one of this machine, and the
 * one for machines without SSE2 (mz_scan_portable).
 */
#ifndef MEMOIZER_TEST_SCAN_JUDGE_H
#define MEMOIZER_TEST_SCAN_JUDGE_H

#include "wire/scan.h"

#include <stdbool.h>
#include <stddef.h>

struct scanner {
    const char *name;
    void (*blanks)(struct scan *s);
    enum mz_err (*value)(struct scan *s, unsigned depth_max);
    enum mz_err (*string)(struct scan *s, bool *escaped);
};

#define SCANNER_COUNT 2
extern const struct scanner scanners[SCANNER_COUNT];

/* What a scanner makes of a text: blanks, one value, blanks, the end. */
struct scan_verdict {
    enum mz_err err;
    size_t begin;         /* of the value */
    size_t at;            /* behind the value, or of the error */
    const char *expected; /* with MZ_BAD_JSON; static */
};

/* May change the text as scan_value() does. */
struct scan_verdict scan_whole(const struct scanner *scanner, char *text,
                               size_t len, unsigned depth_max);

/* Copies text to the len bytes at scratch and runs the scanners there: NULL if
 * they agree with each other and with jansson and have changed nothing but CR
 * and TAB between tokens; else what is wrong, static. These differences are
 * known and pass:
 *   - a number that a double cannot hold: jansson refuses it;
 *   - \u0000 in the name of a member: jansson refuses it;
 *   - nesting beyond SCAN_DEPTH_MAX: jansson has a limit of its own;
 *   - a NUL byte right behind a number or a literal: jansson overlooks it. */
const char *scan_disagreement(const char *text, size_t len, char *scratch);

#endif
