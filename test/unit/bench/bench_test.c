/* SPDX-License-Identifier: MIT
 *
 * bench_test.c - what --bench prints: the lines, and that every figure is one.
 */
#include "bench/bench.h"

#include "base/mem.h"
#include "chaos.h"
#include "suite.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A run and its output. */
struct report {
    enum mz_err err;
    char *text; /* terminated */
    size_t len;
};

static struct report
run(uint64_t operations, struct slice payload)
{
    const struct bench_options options = {operations, payload};
    struct report report = {0};
    FILE *out = open_memstream(&report.text, &report.len);

    ck_assert_ptr_nonnull(out);
    report.err = bench_run(&options, out);
    ck_assert_int_eq(fclose(out), 0);
    return report;
}

/* Takes the next line of *text, which must not have ended. */
static char *
next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');

    ck_assert_msg(end != NULL, "the report ends at: %s", line);
    *end = '\0';
    *text = end + 1;
    return line;
}

static void
check_took(const char *line, uint64_t operations, const char *what)
{
    char want[80];
    double ms;
    int at = 0;

    ck_assert_int_eq(sscanf(line, "It took %lfms%n", &ms, &at), 1);
    ck_assert_int_gt(at, 0);
    ck_assert(ms >= 0);
    /* Six digits behind a point: nanoseconds. */
    ck_assert_ptr_eq(strchr(line, '.'), line + at - 9);
    snprintf(want, sizeof(want), " to perform %" PRIu64 " %s", operations,
             what);
    ck_assert_str_eq(line + at, want);
}

static void
check_row(const char *line, const char *what, unsigned threads,
          uint64_t operations)
{
    char name[40];
    uint64_t p50, p99, p999, max, rate;

    snprintf(name, sizeof(name), "%s, %u thread%s ", what, threads,
             threads == 1 ? "" : "s");
    ck_assert_msg(strncmp(line, name, strlen(name)) == 0, "%s", line);
    ck_assert_int_eq(sscanf(line + strlen(name),
                            "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                            " %" SCNu64,
                            &p50, &p99, &p999, &max, &rate),
                     5);
    ck_assert(p50 <= p99 && p99 <= p999 && p999 <= max);
    ck_assert((max > 0) == (operations > 0));
    ck_assert((rate > 0) == (operations > 0));
}

static void
check_head(char **text, uint64_t operations, size_t payload_len)
{
    char want[80];

    ck_assert_str_eq(next_line(text), "");
    ck_assert_str_eq(next_line(text), "Measured: the table inside this "
                                      "process, without the network.");
    snprintf(want, sizeof(want), "operations %" PRIu64, operations);
    ck_assert_str_eq(next_line(text), want);
    snprintf(want, sizeof(want), "payload bytes %zu", payload_len);
    ck_assert_str_eq(next_line(text), want);
    ck_assert_str_eq(next_line(text), "");
}

static void
check_rows(char **text, uint64_t operations)
{
    const unsigned threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    char words[6][16];

    ck_assert_int_eq(sscanf(next_line(text), "%15s %15s %15s %15s %15s %15s",
                            words[0], words[1], words[2], words[3], words[4],
                            words[5]),
                     6);
    ck_assert_str_eq(words[0], "ns/op");
    ck_assert_str_eq(words[1], "p50");
    ck_assert_str_eq(words[2], "p99");
    ck_assert_str_eq(words[3], "p99.9");
    ck_assert_str_eq(words[4], "max");
    check_row(next_line(text), "insert", 1, operations);
    if (threads > 1)
        check_row(next_line(text), "insert", threads, operations);
    check_row(next_line(text), "read", 1, operations);
    if (threads > 1)
        check_row(next_line(text), "read", threads, operations);
    ck_assert_str_eq(next_line(text), "");
}

static void
check_end(char *text, uint64_t operations)
{
    unsigned threads;
    uint64_t whole[2], hundredths[2], clock_ns;

    ck_assert_int_eq(sscanf(next_line(&text),
                            "scaling from 1 to %u threads: insert %" SCNu64
                            ".%2" SCNu64 " read %" SCNu64 ".%2" SCNu64,
                            &threads, &whole[0], &hundredths[0], &whole[1],
                            &hundredths[1]),
                     5);
    ck_assert_uint_eq(threads, (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
    if (operations == 0)
        ck_assert_uint_eq(whole[0] + hundredths[0] + whole[1] + hundredths[1],
                          0);
    ck_assert_int_eq(sscanf(next_line(&text),
                            "Each time has about %" SCNu64
                            " ns of reading the clock in it.",
                            &clock_ns),
                     1);
    ck_assert_str_eq(text, "");
}

static void
check_report(uint64_t operations, struct slice payload)
{
    struct report report = run(operations, payload);
    char *text = report.text;

    ck_assert_int_eq(report.err, MZ_OK);
    ck_assert_uint_eq(strlen(text), report.len);
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    ck_assert_str_eq(next_line(&text), "Starting the benchmarking...");
    ck_assert_str_eq(next_line(&text),
                     "Benchmarking warmed up and ready to go.");
    check_took(next_line(&text), operations, "insertions");
    check_took(next_line(&text), operations, "reads");
    check_head(&text, operations, payload.len);
    check_rows(&text, operations);
    check_end(text, operations);
    free(report.text);
}

START_TEST(reports_any_number_of_operations)
{
    const uint64_t numbers[] = {0, 1, 2, 3, 10, 1000, 25000};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        check_report(numbers[i], slice_of_string("{\"name\":\"Its\"}"));
}
END_TEST

START_TEST(takes_any_payload)
{
    char *large = mem_alloc_zeroed(1, 100000);

    ck_assert_ptr_nonnull(large);
    check_report(10, slice_of(NULL, 0));
    check_report(10, slice_of_string("not json"));
    check_report(10, slice_of("\0\xff\n%s%n", 7));
    check_report(10, slice_of(large, 100000));
    mem_free(large);
}
END_TEST

/* Skipped where the machine has no such locale. */
START_TEST(prints_points_in_every_locale)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8",
                                          "fr_FR.UTF-8"};

    for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++) {
        struct report report;

        if (setlocale(LC_ALL, locales[i]) == NULL)
            continue;
        report = run(10, slice_of_string("x"));
        setlocale(LC_ALL, "C");
        ck_assert_int_eq(report.err, MZ_OK);
        ck_assert_ptr_nonnull(strstr(report.text, "."));
        ck_assert_ptr_null(strstr(report.text, ",0"));
        free(report.text);
    }
}
END_TEST

/* Refused before anything is allocated or printed. */
START_TEST(refuses_what_does_not_fit)
{
    const uint64_t numbers[] = {UINT64_C(1000000000000000), UINT64_MAX / BUFSIZ,
                                UINT64_MAX - 1, UINT64_MAX};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct report report;
        struct chaos chaos;

        chaos_limit(&chaos, 0);
        report = run(numbers[i], slice_of_string("{}"));
        ck_assert(!chaos_end(&chaos));
        ck_assert_int_eq(report.err, MZ_NO_MEMORY);
        ck_assert_uint_eq(report.len, 0);
        free(report.text);
    }
}
END_TEST

START_TEST(unwinds_without_memory)
{
    size_t refused = 0;
    bool struck = true;

    for (size_t nth = 1; struck; nth++) {
        struct report report;
        struct chaos chaos;

        chaos_begin(&chaos, nth);
        report = run(20, slice_of_string("{}"));
        struck = chaos_end(&chaos);
        /* Not every allocation is needed: a table may grow later. */
        ck_assert(report.err == MZ_OK ||
                  (struck && report.err == MZ_NO_MEMORY));
        refused += report.err == MZ_NO_MEMORY;
        free(report.text);
    }
    ck_assert_uint_gt(refused, 80); /* 20 entries in each of four passes */
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, reports_any_number_of_operations);
    tcase_add_test(tc, takes_any_payload);
    tcase_add_test(tc, prints_points_in_every_locale);
    tcase_add_test(tc, refuses_what_does_not_fit);
    tcase_add_test(tc, unwinds_without_memory);
}

TEST_MAIN("bench", fill)
