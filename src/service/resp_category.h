/* SPDX-License-Identifier: MIT
 *
 * resp_category.h - what is said of commands beside their rows: a line of text
 * (resp_docs.def), and categories (@read, @string, ...).
 */
#ifndef MEMOIZER_SERVICE_RESP_CATEGORY_H
#define MEMOIZER_SERVICE_RESP_CATEGORY_H

#include "service/resp_call.h"

#include <stdbool.h>
#include <stddef.h>

/* A row of resp_docs.def. */
struct resp_doc {
    const char *name; /* upper case */
    const char *group;
    const char *since;
    const char *summary;
};

/* What is said of a command, or NULL. */
const struct resp_doc *resp_doc(const struct resp_row *row);

/* Category i without its "@", in the order of Redis; NULL behind the last. */
const char *resp_category(size_t i);

/* Whether the command belongs to category i. */
bool resp_in_category(const struct resp_row *row, size_t i);

/* The category of this name in any case. False: there is none. */
bool resp_find_category(struct slice name, size_t *i);

#endif
