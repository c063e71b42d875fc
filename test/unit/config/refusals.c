/* SPDX-License-Identifier: MIT
 *
 * refusals.c - every way in which options are refused, with its exact text.
 */
#include "loading.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define TEN    "0123456789"
#define LONG64 TEN TEN TEN TEN TEN TEN "0123"

struct refusal {
    const char *file;           /* or NULL */
    const char *environment[2]; /* up to a NULL */
    const char *arguments[5];   /* up to a NULL */
    const char *why;
};

static const struct refusal refusals[] = {
    /* words */
    {0, {0}, {"--prot", "1"}, "unknown option \"--prot\", see --help"},
    {0, {0}, {"--por", "1"}, "unknown option \"--por\", see --help"},
    {0, {0}, {"--PORT", "1"}, "unknown option \"--PORT\", see --help"},
    {0, {0}, {"-x"}, "unknown option \"-x\", see --help"},
    {0, {0}, {"--"}, "unknown option \"--\", see --help"},
    {0, {0}, {"--=1"}, "unknown option \"--=1\", see --help"},
    {0, {0}, {"--po\nrt"}, "unknown option \"--po\\x0art\", see --help"},
    {0,
     {0},
     {"--" LONG64},
     "unknown option \"--" TEN TEN TEN TEN TEN TEN "01...\", see --help"},
    {0,
     {0},
     {"9091"},
     "stray argument \"9091\": options begin with a dash, see --help"},
    {0,
     {0},
     {"-p", "1", ""},
     "stray argument \"\": options begin with a dash, see --help"},
    {0, {0}, {"-"}, "unknown option \"-\", see --help"},
    {0, {0}, {"--help=1"}, "--help: takes no value"},
    {0, {0}, {"-hx"}, "--help: takes no value"},
    {0, {0}, {"--check-config="}, "--check-config: takes no value"},
    /* values that are missing */
    {0,
     {0},
     {"--port"},
     "--port: a value is missing, a number from 0 to 65535"},
    {0, {0}, {"-p"}, "--port: a value is missing, a number from 0 to 65535"},
    {0, {0}, {"--config"}, "--config: a value is missing, FILE"},
    {0, {0}, {"-e"}, "--bench: a value is missing, N"},
    {"\nport\n",
     {0},
     {0},
     "FILE:2: port: a value is missing, a number from 0 to 65535"},
    /* values that are bad, by type and source */
    {0, {0}, {"-p", "x"}, "--port: \"x\" is not a number from 0 to 65535"},
    {0, {0}, {"-p="}, "--port: \"=\" is not a number from 0 to 65535"},
    {0, {0}, {"--port="}, "--port: \"\" is not a number from 0 to 65535"},
    {0, {0}, {"-p", "-0"}, "--port: \"-0\" is not a number from 0 to 65535"},
    {0, {0}, {"-p", "1e3"}, "--port: \"1e3\" is not a number from 0 to 65535"},
    {0, {0}, {"-p", "+1"}, "--port: \"+1\" is not a number from 0 to 65535"},
    {0, {0}, {"-p", " 1"}, "--port: \" 1\" is not a number from 0 to 65535"},
    {0,
     {0},
     {"-p", "18446744073709551617"},
     "--port: \"18446744073709551617\" is not a number from 0 to 65535"},
    {0,
     {"MEMOIZER_PORT=tcp://10.0.0.1:9091"},
     {0},
     "MEMOIZER_PORT: \"tcp://10.0.0.1:9091\" is not a number from 0 to 65535"},
    {"# 1\r\n\r\n \t port \t 70000 \r\n",
     {0},
     {0},
     "FILE:3: port: \"70000\" is not a number from 0 to 65535"},
    {"port 1 # one\n",
     {0},
     {0},
     "FILE:1: port: \"1 # one\" is not a number from 0 to 65535"},
    {0,
     {0},
     {"--max-value", "8tb"},
     "--max-value: \"8tb\" is not a size from 1 to 2147483647 bytes, such as "
     "512, 64kb or 8mb"},
    {0,
     {0},
     {"--max-value", "9223372036854775808"},
     "--max-value: \"9223372036854775808\" is not a size from 1 to 2147483647 "
     "bytes, such as 512, 64kb or 8mb"},
    {0,
     {"MEMOIZER_MAX_REQUEST=1023"},
     {0},
     "MEMOIZER_MAX_REQUEST: \"1023\" is not a size from 1024 to 2147483648 "
     "bytes, such as 512, 64kb or 8mb"},
    {0,
     {0},
     {"--request-timeout=0"},
     "--request-timeout: \"0\" is not a time from 1ms to 2147483647ms, such as "
     "250ms, 10s, 5m or 1h"},
    {"timeout -1s",
     {0},
     {0},
     "FILE:1: timeout: \"-1s\" is not a time from 0ms to 2147483647ms, such as "
     "250ms, 10s, 5m or 1h"},
    {0,
     {0},
     {"--loglevel", "loud"},
     "--loglevel: \"loud\" is not one of debug, verbose, notice, warning"},
    {0,
     {0},
     {"--bind", " ,"},
     "--bind: \" ,\" is not a list of ADDR, separated by commas or blanks"},
    {0,
     {"MEMOIZER_BIND="},
     {0},
     "MEMOIZER_BIND: \"\" is not a list of ADDR, separated by commas or "
     "blanks"},
    {"bind good b\001d\n",
     {0},
     {0},
     "FILE:1: bind: \"good b\\x01d\" is not a list of ADDR, separated by "
     "commas "
     "or blanks"},
    /* names in the file and in the environment */
    {"port 1\nprot 2\n",
     {0},
     {0},
     "FILE:2: unknown option \"prot\", see --help"},
    {"port=1\n", {0}, {0}, "FILE:1: unknown option \"port=1\", see --help"},
    {"--port 1\n", {0}, {0}, "FILE:1: unknown option \"--port\", see --help"},
    {"MAX_VALUE 1",
     {0},
     {0},
     "FILE:1: unknown option \"MAX_VALUE\", see --help"},
    {"bench 1\n", {0}, {0}, "FILE:1: --bench is for the command line only"},
    {0,
     {"MEMOIZER_POTR=1"},
     {0},
     "MEMOIZER_POTR: no option has this name, see --help"},
    {0,
     {"MEMOIZER_PORTS=1"},
     {0},
     "MEMOIZER_PORTS: no option has this name, see --help"},
    {0, {"MEMOIZER_=1"}, {0}, "MEMOIZER_: no option has this name, see --help"},
    {0,
     {"MEMOIZER_MAX-VALUE=1"},
     {0},
     "MEMOIZER_MAX-VALUE: no option has this name, see --help"},
    {0,
     {"MEMOIZER_CHECK_CONFIG=1"},
     {0},
     "MEMOIZER_CHECK_CONFIG: --check-config is for the command line only"},
    /* files */
    {0,
     {0},
     {"-c", "/nowhere/at/all"},
     "--config: /nowhere/at/all: No such file or directory"},
    {0, {0}, {"-c", "/"}, "--config: /: Is a directory"},
    {0, {0}, {"-c", ""}, "--config: : No such file or directory"},
    {0,
     {0},
     {"-c", "/no\nwhere"},
     "--config: /no?where: No such file or directory"},
    /* the benchmark */
    {0,
     {0},
     {"--bench", "-1"},
     "--bench: \"-1\" is not a number of operations from 0 to 1000000000000"},
    {0,
     {0},
     {"--bench", "abc"},
     "--bench: \"abc\" is not a number of operations from 0 to 1000000000000"},
    {0,
     {0},
     {"--bench", "1e9"},
     "--bench: \"1e9\" is not a number of operations from 0 to 1000000000000"},
    {0,
     {0},
     {"-e99999999999999999999"},
     "--bench: \"99999999999999999999\" is not a number of operations from 0 "
     "to "
     "1000000000000"},
    {0,
     {0},
     {"-e", "1000000000001", "-d", "x"},
     "--bench: \"1000000000001\" is not a number of operations from 0 to "
     "1000000000000"},
    {0,
     {0},
     {"--bench="},
     "--bench: \"\" is not a number of operations from 0 "
     "to 1000000000000"},
    {0,
     {0},
     {"--bench=-0"},
     "--bench: \"-0\" is not a number of operations from 0 to 1000000000000"},
    {0, {0}, {"--payload", "x"}, "--payload: only together with --bench"},
    {0,
     {0},
     {"-dx", "--check-config"},
     "--payload: only together with --bench"},
    /* contradictions */
    {0,
     {0},
     {"--max-value", "1gb"},
     "--max-value: 1073741824 bytes, and 1024 for the line around them, do not "
     "fit into the 8454144 of --max-request (default)"},
    {"max-value 1001\n",
     {"MEMOIZER_MAX_REQUEST=2024"},
     {0},
     "FILE:1: max-value: 1001 bytes, and 1024 for the line around them, do not "
     "fit into the 2024 of MEMOIZER_MAX_REQUEST"},
    {"\nmax-request 1mb\n",
     {0},
     {0},
     "--max-value (default): 8388608 bytes, and 1024 for the line around them, "
     "do not fit into the 1048576 of FILE:2: max-request"},
};

START_TEST(every_refusal_has_its_text)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *r = &refusals[i];
        struct loading l;

        load(&l, r->file, r->environment, r->arguments);
        ck_assert_msg(l.err == MZ_BAD_REQUEST, "accepted: %s", r->why);
        ck_assert_str_eq(loading_why(&l), r->why);
        unload(&l);
    }
}
END_TEST

/* What is on the border of the refusals above. */
START_TEST(neighbours_of_refusals_are_good)
{
    static const struct refusal good[] = {
        {"max-value 1000\n", {"MEMOIZER_MAX_REQUEST=2024"}, {0}, 0},
        {0, {"MEMOIZER_TEST_SEED=1"}, {0}, 0},
        {0, {"MEMOIZER_PORT"}, {0}, 0}, /* no variable: it has no = */
        {0, {"XMEMOIZER_POTR=1"}, {0}, 0},
        {0, {"memoizer_potr=1"}, {0}, 0},
        {"", {0}, {0}, 0},
        {"#", {0}, {0}, 0},
        {"  # port x", {0}, {0}, 0},
        {"\n\n \t\r\n", {0}, {0}, 0},
        {"port 1", {0}, {0}, 0},
        {0, {0}, {"-e", "1000000000000", "-d", ""}, 0},
        {0, {0}, {"-e0", "--payload=--bench"}, 0},
        {0, {0}, {"--timeout", "0"}, 0},
    };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct loading l;

        load(&l, good[i].file, good[i].environment, good[i].arguments);
        ck_assert_msg(l.err == MZ_OK, "%zu: %s", i, loading_why(&l));
        unload(&l);
    }
}
END_TEST

/* The file is read first, then the environment, then the command line. */
START_TEST(the_first_fault_is_told)
{
    struct loading l;

    load(&l, "port a\nport b\n", ENV("MEMOIZER_PORT=c"), ARGS("-p", "d"));
    ck_assert_str_eq(loading_why(&l),
                     "FILE:1: port: \"a\" is not a number from 0 to 65535");
    unload(&l);
    load(&l, "port a\n", ENV("MEMOIZER_PORT=c"), ARGS("--prot", "d"));
    ck_assert_str_eq(loading_why(&l), "unknown option \"--prot\", see --help");
    unload(&l);
}
END_TEST

START_TEST(a_nul_in_the_file_is_refused)
{
    static const struct slice file = SLICE_LITERAL("port 1\nbind a\0b\n");
    struct loading l;

    load_bytes(&l, file, NULL, NULL);
    ck_assert_int_eq(l.err, MZ_BAD_REQUEST);
    ck_assert_str_eq(loading_why(&l),
                     "FILE:2: a NUL byte, this is no text file");
    unload(&l);
}
END_TEST

static void
put_run(struct buf *buf, char c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_put_char(buf, c);
}

/* A megabyte of blanks, of a name, of a value. */
START_TEST(lines_may_have_any_length)
{
    struct buf file = {0};
    struct loading l;

    put_run(&file, ' ', 1 << 20);
    buf_put_string(&file, "port");
    put_run(&file, '\t', 1 << 20);
    buf_put_string(&file, "7\nbind ");
    put_run(&file, 'x', 1 << 20);
    load_bytes(&l, buf_slice(&file), NULL, NULL);
    ck_assert_int_eq(l.err, MZ_OK);
    ck_assert_int_eq(l.config.port, 7);
    ck_assert_uint_eq(strlen(l.config.bind.item[0]), 1 << 20);
    unload(&l);

    buf_put_char(&file, '\n');
    put_run(&file, 'y', 1 << 20);
    load_bytes(&l, buf_slice(&file), NULL, NULL);
    ck_assert_str_eq(loading_why(&l),
                     "FILE:3: unknown option \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...\", see --help");
    unload(&l);
    buf_fini(&file);
}
END_TEST

START_TEST(endless_files_are_refused)
{
    struct loading l;

    load(&l, NULL, NULL, ARGS("-c", "/dev/zero"));
    ck_assert_int_eq(l.err, MZ_BAD_REQUEST);
    ck_assert_str_eq(loading_why(&l),
                     "--config: /dev/zero: larger than a configuration can be");
    unload(&l);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, every_refusal_has_its_text);
    tcase_add_test(tc, neighbours_of_refusals_are_good);
    tcase_add_test(tc, the_first_fault_is_told);
    tcase_add_test(tc, a_nul_in_the_file_is_refused);
    tcase_add_test(tc, lines_may_have_any_length);
    tcase_add_test(tc, endless_files_are_refused);
}

TEST_MAIN("config refusals", fill)
