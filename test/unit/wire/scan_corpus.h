/* SPDX-License-Identifier: MIT
 *
 * scan_corpus.h - the JSON texts of test/data/json.
 *
 * accept/ and reject/ hold what RFC 8259 and jansson agree on; either/ holds
 * what the RFC leaves to the reader, or jansson cannot follow: either.txt
 * says what the scanner makes of it.
 */
#ifndef MEMOIZER_TEST_SCAN_CORPUS_H
#define MEMOIZER_TEST_SCAN_CORPUS_H

#include <stddef.h>

/* No file is longer. */
#define CORPUS_TEXT_MAX 8192

struct corpus_text {
    char *name; /* of the file */
    char *data;
    size_t len;
};

struct corpus {
    struct corpus_text *texts; /* sorted by name */
    size_t count;
};

/* Reads folder "accept", "reject" or "either". Fails the test if it cannot. */
struct corpus corpus_load(const char *folder);
void corpus_free(struct corpus *corpus);

/* Reads one file; data is terminated as well. */
struct corpus_text corpus_read(const char *folder, const char *name);
void corpus_text_free(struct corpus_text *text);

#endif
