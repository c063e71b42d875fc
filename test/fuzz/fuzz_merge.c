/* SPDX-License-Identifier: MIT
 *
 * fuzz_merge.c - any two texts that are JSON: the merge and RFC 7396 on
 * jansson's trees agree.
 *
 * The input is the patch, a NUL, and the target; nothing behind the NUL, or no
 * NUL, is a missing target. Both stand in blocks of their exact size, so that
 * the address sanitizer sees a look beyond.
 */
#include "base/must.h"
#include "merge_judge.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static struct slice
copy_of(const void *data, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);

    must(copy != NULL);
    memcpy(copy, data, len);
    return slice_of(copy, len);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const uint8_t *nul = len == 0 ? NULL : memchr(data, 0, len);
    size_t patch_len = nul == NULL ? len : (size_t)(nul - data);
    size_t behind = nul == NULL ? len : patch_len + 1;
    struct slice patch, target;
    const char *wrong = NULL;

    if (len == 0)
        return 0;
    patch = copy_of(data, patch_len);
    target = copy_of(data + behind, len - behind);
    if (merge_judge_takes(patch) &&
        (target.len == 0 || merge_judge_takes(target)))
        wrong = merge_judge(patch, target, len);
    if (wrong != NULL) {
        fprintf(stderr, "fuzz_merge: %s\n", wrong);
        abort();
    }
    free((void *)(uintptr_t)patch.data);
    free((void *)(uintptr_t)target.data);
    return 0;
}
