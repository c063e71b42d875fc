/* SPDX-License-Identifier: MIT
 *
 * script.h - a transcript file as a list of steps.
 *
 * The statements are in statements.def; README.md explains them. `repeat N`
 * and `end` are gone here: the steps between them are listed N times, each
 * with its index.
 */
#ifndef MEMOIZER_TEST_SCRIPT_H
#define MEMOIZER_TEST_SCRIPT_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step_kind {
#define STATEMENT(name, word, what) STEP_##name,
#include "statements.def"
#undef STATEMENT
    STEP_COUNT
};

struct step {
    enum step_kind kind;
    unsigned line;     /* in the file, from 1 */
    uint64_t index;    /* of the repetition, from 1; 0 outside */
    struct slice text; /* behind the word and one blank; escapes as written */
};

struct script {
    const char *path; /* lent */
    struct buf file;
    struct step *steps;
    size_t count, cap;
};

/* Reads the file; false after a message on stderr. */
bool script_read(struct script *script, const char *path);
void script_fini(struct script *script);

/* Cuts text at the last separator, such as " => "; false when there is none. */
bool script_split(struct slice *text, const char *separator,
                  struct slice *behind);

/* Takes the next word off the front; empty when there is none. */
struct slice script_word(struct slice *text);

#endif
