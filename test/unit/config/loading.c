/* SPDX-License-Identifier: MIT
 *
 * loading.c - see loading.h.
 */
#include "loading.h"

#include "base/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 32

/* config_load takes what main gets: pointers to char that is not const. */
static int
copy_words(const char *const *from, char *to[WORDS_MAX], int count)
{
    for (; from != NULL && *from != NULL; from++) {
        must(count < WORDS_MAX - 1);
        memcpy(&to[count++], from, sizeof *to);
    }
    to[count] = NULL;
    return count;
}

void
loading_write_file(struct loading *loading, struct slice file)
{
    int fd;

    strcpy(loading->path, "/tmp/memoizer-config-XXXXXX");
    fd = mkstemp(loading->path);
    must(fd >= 0);
    for (size_t done = 0; done < file.len;) {
        ssize_t n = write(fd, file.data + done, file.len - done);

        must(n > 0);
        done += (size_t)n;
    }
    must(close(fd) == 0);
}

void
loading_run(struct loading *loading, const char *const *environment,
            const char *const *arguments)
{
    char program[] = "memoizer", config[] = "--config";
    char *argv[WORDS_MAX] = {program, config, loading->path};
    char *env[WORDS_MAX];
    int argc = loading->path[0] != '\0' ? 3 : 1;

    argc = copy_words(arguments, argv, argc);
    copy_words(environment, env, 0);
    loading->err = config_load(argc, argv, environment != NULL ? env : NULL,
                               &loading->config, &loading->why);
}

void
load_bytes(struct loading *loading, struct slice file,
           const char *const *environment, const char *const *arguments)
{
    *loading = (struct loading){0};
    if (file.data != NULL)
        loading_write_file(loading, file);
    loading_run(loading, environment, arguments);
}

void
load(struct loading *loading, const char *file, const char *const *environment,
     const char *const *arguments)
{
    struct slice bytes = {NULL, 0};

    if (file != NULL)
        bytes = slice_of_string(file);
    load_bytes(loading, bytes, environment, arguments);
}

void
loading_clear(struct loading *loading)
{
    config_fini(&loading->config);
    buf_fini(&loading->why);
}

void
unload(struct loading *loading)
{
    loading_clear(loading);
    if (loading->path[0] != '\0')
        must(unlink(loading->path) == 0);
    loading->path[0] = '\0';
}

/* Replaces the first path in why. */
static void
hide_path(struct loading *loading)
{
    struct buf hidden = {0};
    char *found = strstr(loading->why.data, loading->path);

    if (found == NULL)
        return;
    buf_put(&hidden, loading->why.data, (size_t)(found - loading->why.data));
    buf_put_string(&hidden, "FILE");
    buf_put_string(&hidden, found + strlen(loading->path));
    buf_put_char(&hidden, '\0');
    buf_fini(&loading->why);
    loading->why = hidden;
}

const char *
loading_why(struct loading *loading)
{
    buf_put_char(&loading->why, '\0');
    while (loading->path[0] != '\0' &&
           strstr(loading->why.data, loading->path) != NULL)
        hide_path(loading);
    return loading->why.data;
}
