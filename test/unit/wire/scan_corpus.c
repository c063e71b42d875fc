/* SPDX-License-Identifier: MIT
 *
 * scan_corpus.c - see scan_corpus.h.
 */
#include "scan_corpus.h"

#include "base/must.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct corpus_text
corpus_read(const char *folder, const char *name)
{
    struct corpus_text text = {strdup(name), malloc(CORPUS_TEXT_MAX + 2), 0};
    char *path = NULL;
    FILE *file;

    must(text.name != NULL && text.data != NULL);
    must(asprintf(&path, "%s/%s/%s", SCAN_CORPUS_DIR, folder, name) > 0);
    file = fopen(path, "rb");
    must(file != NULL);
    text.len = fread(text.data, 1, CORPUS_TEXT_MAX + 1, file);
    must(!ferror(file) && text.len <= CORPUS_TEXT_MAX);
    text.data[text.len] = '\0';
    fclose(file);
    free(path);
    return text;
}

void
corpus_text_free(struct corpus_text *text)
{
    free(text->name);
    free(text->data);
}

static int
is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

struct corpus
corpus_load(const char *folder)
{
    struct corpus corpus = {NULL, 0};
    struct dirent **entries = NULL;
    char *path = NULL;
    int count;

    must(asprintf(&path, "%s/%s", SCAN_CORPUS_DIR, folder) > 0);
    count = scandir(path, &entries, is_visible, alphasort);
    must(count > 0);
    corpus.texts = calloc((size_t)count, sizeof(*corpus.texts));
    must(corpus.texts != NULL);
    for (; corpus.count < (size_t)count; corpus.count++) {
        struct dirent *entry = entries[corpus.count];

        corpus.texts[corpus.count] = corpus_read(folder, entry->d_name);
        free(entry);
    }
    free(entries);
    free(path);
    return corpus;
}

void
corpus_free(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        corpus_text_free(&corpus->texts[i]);
    free(corpus->texts);
}
