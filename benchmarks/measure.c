/* SPDX-License-Identifier: MIT
 *
 * measure.c - see measure.h.
 */
#include "measure.h"

#include "base/must.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
give_up(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

/* ---- figures ---- */

void
figure_add(struct figure *figure, double value)
{
    must(figure->count < MEASURE_ROUNDS_MAX);
    figure->round[figure->count++] = value;
}

static int
by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double
figure_median(const struct figure *figure)
{
    struct figure sorted = *figure;
    const size_t half = sorted.count / 2;

    if (sorted.count == 0)
        return 0;
    qsort(sorted.round, sorted.count, sizeof(sorted.round[0]), by_size);
    if (sorted.count % 2 == 1)
        return sorted.round[half];
    return (sorted.round[half - 1] + sorted.round[half]) / 2;
}

double
figure_min(const struct figure *figure)
{
    double least = figure->count > 0 ? figure->round[0] : 0;

    for (size_t i = 1; i < figure->count; i++)
        least = figure->round[i] < least ? figure->round[i] : least;
    return least;
}

double
figure_max(const struct figure *figure)
{
    double most = figure->count > 0 ? figure->round[0] : 0;

    for (size_t i = 1; i < figure->count; i++)
        most = figure->round[i] > most ? figure->round[i] : most;
    return most;
}

/* Three digits at least, whatever the size. */
static int
decimals(double value)
{
    return value < 10 ? 2 : value < 100 ? 1 : 0;
}

void
figure_put(struct buf *out, const struct figure *figure)
{
    const double median = figure_median(figure);
    const int digits = decimals(median);

    buf_printf(out, "%.*f [%.*f-%.*f]", digits, median, digits,
               figure_min(figure), digits, figure_max(figure));
}

/* ---- JSON ---- */

void
json_begin(struct json_out *json)
{
    if (json->file != NULL)
        fputs("{", json->file);
}

void
json_number(struct json_out *json, const char *name, double value)
{
    if (json->file == NULL)
        return;
    fprintf(json->file, "%s\n  \"%s\": %.4f", json->begun ? "," : "", name,
            value);
    json->begun = true;
}

void
json_figure(struct json_out *json, const char *name,
            const struct figure *figure)
{
    char longer[96];

    json_number(json, name, figure_median(figure));
    snprintf(longer, sizeof(longer), "%s_min", name);
    json_number(json, longer, figure_min(figure));
    snprintf(longer, sizeof(longer), "%s_max", name);
    json_number(json, longer, figure_max(figure));
}

void
json_end(struct json_out *json)
{
    if (json->file != NULL)
        fputs("\n}\n", json->file);
}

/* ---- the system ---- */

void
read_file(const char *path, struct buf *out)
{
    FILE *file = fopen(path, "re");
    char block[4096];
    size_t len;

    if (file == NULL)
        give_up("%s: %s", path, strerror(errno));
    while ((len = fread(block, 1, sizeof(block), file)) > 0)
        buf_put(out, block, len);
    if (ferror(file) || out->failed)
        give_up("%s: cannot be read", path);
    fclose(file);
    while (out->len > 0 && out->data[out->len - 1] == '\n')
        out->len--;
}

uint64_t
memory_resident(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    uint64_t total, resident;

    if (file == NULL ||
        fscanf(file, "%" SCNu64 " %" SCNu64, &total, &resident) != 2)
        give_up("/proc/self/statm cannot be read");
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t
memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "re");
    uint64_t kib = 0;
    char line[128];

    if (file == NULL)
        give_up("/proc/meminfo cannot be read");
    while (fgets(line, sizeof(line), file) != NULL &&
           sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) != 1)
        continue;
    fclose(file);
    return kib * 1024;
}
