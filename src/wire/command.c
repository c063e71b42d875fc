/* SPDX-License-Identifier: MIT
 *
 * command.c - see command.h.
 */
#include "wire/command.h"

#include "base/must.h"

const char *
verb_name(enum verb verb)
{
    static const char *const names[VERB_TOTAL] = {
#define COMMAND(name, selector, required, optional, ignored) selector,
#include "wire/commands.def"
#undef COMMAND
    };

    must((unsigned)verb < VERB_TOTAL);
    return names[verb];
}

struct key_list
key_list_over(struct slice packed)
{
    struct key_list all = {packed, SIZE_MAX}, rest = all;
    struct slice key;

    all.count = 0;
    while (rest.packed.len > 0 && key_list_next(&rest, &key))
        all.count++;
    return all;
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
