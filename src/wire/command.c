/* SPDX-License-Identifier: MIT
 *
 * command.c - see command.h.
 */
#include "wire/command.h"

#include "base/must.h"

const char *
verb_name(enum verb verb)
{
    static const char *const names[VERB_COUNT] = {
#define COMMAND(name, selector, required, optional, ignored) selector,
#include "wire/commands.def"
#undef COMMAND
    };

    must((unsigned)verb < VERB_COUNT);
    return names[verb];
}

bool
key_list_next(struct key_list *list, struct slice *key)
{
    const unsigned char *at = (const unsigned char *)list->packed.data;
    size_t len;

    if (list->count == 0)
        return false;
    must(list->packed.len >= 2);
    len = (size_t)at[0] | (size_t)at[1] << 8;
    must(list->packed.len - 2 >= len);
    *key = slice_of(list->packed.data + 2, len);
    list->packed.data += 2 + len;
    list->packed.len -= 2 + len;
    list->count--;
    return true;
}
