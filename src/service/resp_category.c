/* SPDX-License-Identifier: MIT
 *
 * resp_category.c - see resp_category.h.
 */
#include "service/resp_category.h"

#include <string.h>
#include <strings.h>

static const struct resp_doc docs[] = {
#define RESP_DOC(name, group, since, summary) {#name, #group, since, summary},
#include "service/resp_docs.def"
#undef RESP_DOC
};

#define DOC_COUNT (sizeof docs / sizeof *docs)

/* A command is in a category for a flag of its row, or for its group. */
struct category {
    const char *name;
    unsigned flag;     /* 0: none */
    bool without_flag; /* ... for not having it */
    const char *group; /* NULL: none */
};

static const struct category categories[] = {
    {"keyspace", RESP_WHOLE, false, "generic"},
    {"read", RESP_READ, false, NULL},
    {"write", RESP_WRITE, false, NULL},
    {"string", 0, false, "string"},
    {"pubsub", 0, false, "pubsub"},
    {"admin", RESP_ADMIN, false, NULL},
    {"fast", RESP_FAST, false, NULL},
    {"slow", RESP_FAST, true, NULL},
    {"dangerous", RESP_ADMIN, false, NULL},
    {"connection", 0, false, "connection"},
    {"transaction", 0, false, "transactions"},
    {"scripting", 0, false, "scripting"},
};

#define CATEGORY_COUNT (sizeof categories / sizeof *categories)

const struct resp_doc *
resp_doc(const struct resp_row *row)
{
    for (size_t i = 0; i < DOC_COUNT; i++) {
        if (strcmp(docs[i].name, row->name) == 0)
            return &docs[i];
    }
    return NULL;
}

const char *
resp_category(size_t i)
{
    return i < CATEGORY_COUNT ? categories[i].name : NULL;
}

bool
resp_in_category(const struct resp_row *row, size_t i)
{
    const struct category *category = &categories[i];
    const struct resp_doc *doc;

    if (category->flag != 0 &&
        ((row->flags & category->flag) != 0) != category->without_flag)
        return true;
    if (category->group == NULL)
        return false;
    doc = resp_doc(row);
    return doc != NULL && strcmp(doc->group, category->group) == 0;
}

bool
resp_find_category(struct slice name, size_t *i)
{
    for (*i = 0; *i < CATEGORY_COUNT; ++*i) {
        const char *known = categories[*i].name;

        if (name.len == strlen(known) &&
            strncasecmp(name.data, known, name.len) == 0)
            return true;
    }
    return false;
}
