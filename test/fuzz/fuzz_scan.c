/* SPDX-License-Identifier: MIT
 *
 * fuzz_scan.c - any bytes: both builds of the scanner and jansson agree.
 *
 * What may differ is listed in test/unit/wire/scan_judge.h. The text stands in
 * a block of its exact size, so that the address sanitizer sees a look beyond.
 */
#include "scan_judge.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *scratch = malloc(len);
    const char *wrong = scan_disagreement((const char *)data, len, scratch);

    free(scratch);
    if (wrong != NULL) {
        fprintf(stderr, "fuzz_scan: %s\n", wrong);
        abort();
    }
    return 0;
}
