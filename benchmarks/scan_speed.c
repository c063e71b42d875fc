/* SPDX-License-Identifier: MIT
 *
 * scan_speed.c - how fast the scanner judges JSON, against jansson.
 *
 *     scan_speed [--json] FILE...
 *
 * Both get the whole text as one value and have to say whether it is valid:
 * scan_value(), and json_loadb() with JSON_DECODE_ANY and JSON_ALLOW_NUL, the
 * flags of the tests that hold the two to one verdict. jansson builds a tree,
 * and giving that back is part of its time, since a server could not do
 * without. In each round both take their turn on each file. With --json the
 * figures go to stdout and the table to stderr.
 */
#include "base/clock.h"
#include "base/must.h"
#include "measure.h"
#include "wire/scan.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS    15
#define TURN_NS   INT64_C(15000000) /* a turn goes on for this long */
#define DEPTH_MAX 128
#define BATCH     64 /* texts between two looks at the clock */

/* Judges a text once; ends the program when it is not valid. */
typedef void judge(struct buf *text);

static void
judge_scan(struct buf *text)
{
    struct scan scan = {text->data, text->data + text->len, NULL};

    if (scan_value(&scan, DEPTH_MAX) != MZ_OK || scan.at != scan.end)
        give_up("scan_speed: the scanner refuses a file");
}

static void
judge_jansson(struct buf *text)
{
    json_error_t error;
    json_t *tree = json_loadb(text->data, text->len,
                              JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);

    if (tree == NULL)
        give_up("scan_speed: jansson refuses a file: %s", error.text);
    json_decref(tree);
}

/* MB/s of one turn. */
static double
take_turn(judge *run, struct buf *text)
{
    const int64_t begin_ns = clock_mono_ns();
    int64_t took_ns;
    uint64_t texts = 0;

    do {
        for (unsigned i = 0; i < BATCH; i++)
            run(text);
        texts += BATCH;
        took_ns = clock_mono_ns() - begin_ns;
    } while (took_ns < TURN_NS);
    return (double)texts * (double)text->len * 1000 / (double)took_ns;
}

static void
print_figure(FILE *out, const struct figure *figure)
{
    struct buf text = {0};

    figure_put(&text, figure);
    must(!text.failed);
    fprintf(out, " %22.*s", (int)text.len, text.data);
    buf_fini(&text);
}

/* The file's name without folders and ending. */
static void
short_name(char out[40], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;

    snprintf(out, 40, "%.*s", (int)strcspn(base, "."), base);
}

static void
run_file(struct json_out *json, FILE *table, const char *path)
{
    struct figure scan = {.count = 0}, jansson = {.count = 0};
    struct figure ratio = {.count = 0};
    struct buf text = {0};
    char name[40], member[64];

    read_file(path, &text);
    short_name(name, path);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const double fast = take_turn(judge_scan, &text);
        const double slow = take_turn(judge_jansson, &text);

        figure_add(&scan, fast);
        figure_add(&jansson, slow);
        figure_add(&ratio, fast / slow);
    }
    fprintf(table, "%-12s %6zu", name, text.len);
    print_figure(table, &scan);
    print_figure(table, &jansson);
    print_figure(table, &ratio);
    fputc('\n', table);
    snprintf(member, sizeof(member), "scan_%s_bytes", name);
    json_number(json, member, (double)text.len);
    snprintf(member, sizeof(member), "scan_%s_mbs", name);
    json_figure(json, member, &scan);
    snprintf(member, sizeof(member), "scan_%s_jansson_mbs", name);
    json_figure(json, member, &jansson);
    snprintf(member, sizeof(member), "scan_%s_ratio", name);
    json_figure(json, member, &ratio);
    buf_fini(&text);
}

int
main(int argc, char **argv)
{
    struct json_out json = {0};
    FILE *table = stdout;
    int first = 1;

    if (argc > 1 && strcmp(argv[1], "--json") == 0) {
        json.file = stdout;
        table = stderr;
        first = 2;
    }
    if (first == argc)
        give_up("usage: scan_speed [--json] FILE...");
    json_begin(&json);
    fprintf(table, "%-12s %6s %22s %22s %22s\n", "", "bytes", "scanner MB/s",
            "jansson MB/s", "ratio");
    for (int i = first; i < argc; i++)
        run_file(&json, table, argv[i]);
    json_end(&json);
    return EXIT_SUCCESS;
}
