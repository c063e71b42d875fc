/* SPDX-License-Identifier: MIT
 *
 * script.c - see script.h.
 */
#include "script.h"

#include "base/mem.h"
#include "base/must.h"
#include "base/num.h"

#include <stdio.h>

struct statement {
    const char *word;
    enum step_kind kind;
};

/* Where the parser stands. */
struct reader {
    struct script *script;
    unsigned line;
    size_t repeat_from; /* first step of the open `repeat` */
    uint64_t repeat;    /* how often, 0: none is open */
};

static bool
complain(const struct reader *r, const char *what)
{
    fprintf(stderr, "%s:%u: %s\n", r->script->path, r->line, what);
    return false;
}

static bool
find_kind(struct slice word, enum step_kind *kind)
{
    static const char *const words[STEP_COUNT] = {
#define STATEMENT(name, word, what) word,
#include "statements.def"
#undef STATEMENT
    };

    for (unsigned i = 0; i < STEP_COUNT; i++) {
        if (slice_is(word, words[i])) {
            *kind = (enum step_kind)i;
            return true;
        }
    }
    return false;
}

static void
add(struct script *script, struct step step)
{
    if (script->count == script->cap) {
        script->cap = script->cap == 0 ? 64 : script->cap * 2;
        script->steps =
            mem_realloc(script->steps, script->cap * sizeof *script->steps);
        must(script->steps != NULL);
    }
    script->steps[script->count++] = step;
}

static bool
begin_repeat(struct reader *r, struct slice text)
{
    if (r->repeat > 0)
        return complain(r, "repeat inside repeat");
    if (num_parse_u64(text, &r->repeat) != MZ_OK || r->repeat == 0 ||
        r->repeat > 1000000)
        return complain(r, "repeat wants a number, 1 to 1000000");
    r->repeat_from = r->script->count;
    return true;
}

static bool
end_repeat(struct reader *r)
{
    size_t to = r->script->count;

    if (r->repeat == 0)
        return complain(r, "end without repeat");
    for (size_t i = r->repeat_from; i < to; i++)
        r->script->steps[i].index = 1;
    for (uint64_t n = 2; n <= r->repeat; n++) {
        for (size_t i = r->repeat_from; i < to; i++) {
            struct step step = r->script->steps[i];

            step.index = n;
            add(r->script, step);
        }
    }
    r->repeat = 0;
    return true;
}

static bool
read_line(struct reader *r, struct slice text)
{
    const char *blank;
    struct slice word = text;
    struct step step = {.line = r->line};

    if (text.len == 0 || text.data[0] == '#')
        return true;
    blank = memchr(text.data, ' ', text.len);
    if (blank != NULL)
        word.len = (size_t)(blank - text.data);
    if (!find_kind(word, &step.kind))
        return complain(r, "an unknown statement");
    if (blank != NULL)
        step.text = slice_of(blank + 1, text.len - word.len - 1);
    if (step.kind == STEP_REPEAT)
        return begin_repeat(r, step.text);
    if (step.kind == STEP_END)
        return end_repeat(r);
    add(r->script, step);
    return true;
}

static bool
load(struct buf *file, const char *path)
{
    FILE *in = fopen(path, "re");
    char chunk[4096];
    size_t n;

    if (in == NULL) {
        perror(path);
        return false;
    }
    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0)
        buf_put(file, chunk, n);
    fclose(in);
    must(!file->failed);
    return true;
}

bool
script_read(struct script *script, const char *path)
{
    struct reader r = {.script = script};
    struct slice rest;
    bool good = true;

    *script = (struct script){.path = path};
    if (!load(&script->file, path))
        return false;
    rest = buf_slice(&script->file);
    while (good && rest.len > 0) {
        const char *lf = memchr(rest.data, '\n', rest.len);
        size_t len = lf == NULL ? rest.len : (size_t)(lf - rest.data);

        r.line++;
        good = read_line(&r, slice_of(rest.data, len));
        len += lf != NULL;
        rest = slice_of(rest.data + len, rest.len - len);
    }
    if (good && r.repeat > 0)
        good = complain(&r, "repeat without end");
    return good;
}

void
script_fini(struct script *script)
{
    buf_fini(&script->file);
    mem_free(script->steps);
    *script = (struct script){0};
}

bool
script_split(struct slice *text, const char *separator, struct slice *behind)
{
    size_t len = strlen(separator);

    for (size_t at = text->len; at-- > 0;) {
        if (text->len - at < len || memcmp(text->data + at, separator, len))
            continue;
        *behind = slice_of(text->data + at + len, text->len - at - len);
        text->len = at;
        return true;
    }
    return false;
}

struct slice
script_word(struct slice *text)
{
    const char *blank;
    struct slice word = *text;

    if (word.len == 0)
        return word;
    while (word.len > 0 && word.data[0] == ' ')
        word = slice_of(word.data + 1, word.len - 1);
    blank = memchr(word.data, ' ', word.len);
    *text = slice_of(word.data + word.len, 0);
    if (blank != NULL) {
        *text = slice_of(blank, (size_t)(word.data + word.len - blank));
        word.len = (size_t)(blank - word.data);
    }
    return word;
}
