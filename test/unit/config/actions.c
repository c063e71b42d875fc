/* SPDX-License-Identifier: MIT
 *
 * actions.c - what the command line asks for, its forms, --help; memory that
 * runs out; and whatever random bytes do to the parsers.
 */
#include "chaos.h"
#include "loading.h"
#include "rng.h"
#include "suite.h"

#include "config/option.h"

#include <stdio.h>
#include <string.h>

static void
check_action(const char *const *arguments, enum config_action action)
{
    struct loading l;

    load(&l, NULL, ENV("MEMOIZER_PORT=5"), arguments);
    ck_assert_msg(l.err == MZ_OK, "%s", loading_why(&l));
    ck_assert_int_eq(l.config.action, action);
    unload(&l);
}

START_TEST(each_action_is_seen)
{
    check_action(NULL, CONFIG_SERVE);
    check_action(ARGS("-p", "1"), CONFIG_SERVE);
    check_action(ARGS("--bench", "0"), CONFIG_BENCH);
    check_action(ARGS("--check-config"), CONFIG_CHECK);
    check_action(ARGS("--check-config", "-e", "1"), CONFIG_CHECK);
    check_action(ARGS("--version"), CONFIG_VERSION);
    check_action(ARGS("--help"), CONFIG_HELP);
    check_action(ARGS("-h"), CONFIG_HELP);
    check_action(ARGS("--version", "-h"), CONFIG_HELP);
}
END_TEST

/* Somebody whose configuration is broken can still ask for help. */
START_TEST(help_and_version_need_no_good_values)
{
    static const char *const words[] = {"--help", "--version"};

    for (size_t i = 0; i < 2; i++) {
        struct loading l;

        load(&l, "port x\n", ENV("MEMOIZER_POTR=1"),
             ARGS("--bench", "x", words[i], "--port", "y"));
        ck_assert_int_eq(l.err, MZ_OK);
        ck_assert_int_eq(l.config.port, 9091);
        unload(&l);
        load(&l, NULL, NULL, ARGS(words[i], "--prot"));
        ck_assert_int_eq(l.err, MZ_BAD_REQUEST);
        unload(&l);
    }
}
END_TEST

START_TEST(bench_keeps_the_payload_as_given)
{
    struct loading l;

    load(&l, NULL, NULL,
         ARGS("--bench", "1000000000000", "--payload", "{\"name\":\"Its\"}\n"));
    ck_assert_int_eq(l.err, MZ_OK);
    ck_assert_uint_eq(l.config.bench_operations, UINT64_C(1000000000000));
    ck_assert_str_eq(l.config.bench_payload, "{\"name\":\"Its\"}\n");
    unload(&l);
    load(&l, NULL, NULL, ARGS("-d", "", "-e7"));
    ck_assert_int_eq(l.err, MZ_OK);
    ck_assert_uint_eq(l.config.bench_operations, 7);
    ck_assert_str_eq(l.config.bench_payload, "");
    unload(&l);
}
END_TEST

START_TEST(an_option_has_four_forms)
{
    struct loading l;

    load(&l, NULL, NULL, ARGS("--port", "1", "--maxclients=2"));
    ck_assert_int_eq(l.config.port, 1);
    ck_assert_int_eq(l.config.maxclients, 2);
    unload(&l);
    load(&l, NULL, NULL, ARGS("-p", "3", "-ba=b"));
    ck_assert_int_eq(l.config.port, 3);
    ck_assert_str_eq(l.config.bind.item[0], "a=b");
    unload(&l);
    load(&l, NULL, NULL, ARGS("-p4", "--bind=a=b"));
    ck_assert_int_eq(l.config.port, 4);
    ck_assert_str_eq(l.config.bind.item[0], "a=b");
    unload(&l);
}
END_TEST

/* exec without any argument, not even the program's name. */
START_TEST(an_empty_argv_is_fine)
{
    char *argv[] = {NULL};
    struct config config;
    struct buf why = {0};

    ck_assert_int_eq(config_load(0, argv, NULL, &config, &why), MZ_OK);
    ck_assert_int_eq(config.action, CONFIG_SERVE);
    config_fini(&config);
    buf_fini(&why);
}
END_TEST

static void
check_line_of(const char *help, const struct option_word *word)
{
    char line[128];

    snprintf(line, sizeof line, "--%s%s%s", word->name,
             word->arg != NULL ? " " : "", word->arg != NULL ? word->arg : "");
    ck_assert_msg(strstr(help, line) != NULL, "--help lacks %s", line);
    if (word->short_name != 0) {
        snprintf(line, sizeof line, "\n  -%c, --%s", word->short_name,
                 word->name);
        ck_assert_msg(strstr(help, line) != NULL, "--help lacks %s", line);
    }
}

START_TEST(help_names_every_word_and_fits)
{
    struct buf out = {0};

    config_help(&out);
    buf_put_char(&out, '\0');
    ck_assert(!out.failed);
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        check_line_of(out.data, &option_row((enum option_id)i)->word);
    for (unsigned i = 0; i < ACTION_COUNT; i++)
        check_line_of(out.data, action_word((enum action_id)i));
    ck_assert_ptr_nonnull(strstr(out.data, "docs/OPERATIONS.md"));
    ck_assert_int_eq(out.data[out.len - 2], '\n');
    for (const char *line = out.data; *line != '\0';) {
        size_t len = strcspn(line, "\n");

        ck_assert_uint_lt(len, 80);
        ck_assert(len == 0 || line[len - 1] != ' ');
        line += len + 1;
    }
    buf_fini(&out);
}
END_TEST

/* An allocation that fails is MZ_NO_MEMORY without half a sentence. */
static void
check_without_memory(const char *file, const char *const *arguments,
                     enum mz_err in_the_end)
{
    struct loading l = {0};
    struct chaos chaos;
    bool struck = true;
    size_t n;

    loading_write_file(&l, slice_of_string(file));
    for (n = 1; struck; n++) {
        chaos_begin(&chaos, n);
        loading_run(&l, ENV("MEMOIZER_BIND=c,d"), arguments);
        struck = chaos_end(&chaos);
        ck_assert_int_eq(l.err, struck ? MZ_NO_MEMORY : in_the_end);
        ck_assert(!struck || l.why.len == 0);
        loading_clear(&l);
    }
    ck_assert_uint_gt(n, 4);
    unload(&l);
}

START_TEST(memory_may_run_out_anywhere)
{
    check_without_memory("bind a b\nport 3\n",
                         ARGS("-b", "e", "-e1", "-d", "payload"), MZ_OK);
    check_without_memory("bind a b\nport x\n", ARGS(NULL), MZ_BAD_REQUEST);
    check_without_memory("bind a\n", ARGS("--prot"), MZ_BAD_REQUEST);
    check_without_memory("bind a\n", ARGS("--max-value", "1gb"),
                         MZ_BAD_REQUEST);
}
END_TEST

START_TEST(help_may_run_out_of_memory)
{
    bool struck = true;

    for (size_t n = 1; struck; n++) {
        struct buf out = {0};
        struct chaos chaos;

        chaos_begin(&chaos, n);
        config_help(&out);
        struck = chaos_end(&chaos);
        ck_assert(out.failed == struck);
        buf_fini(&out);
    }
}
END_TEST

/* A piece of what a configuration is made of, or a random byte. */
static void
put_piece(struct rng *rng, struct buf *text)
{
    static const char *const pieces[] = {
        "port",     "bind ",    "max-value", "max-request 9mb\n",
        " ",        "\n",       "timeout ",  "0",
        "9091",     "8mb+64kb", "ms",        "#",
        "loglevel", "debug",    "\r\n",      "\t",
        "1e9",      "-",        "--",        "=",
        "bench",    ",",        "host",      "notice"};
    uint64_t i = rng_below(rng, sizeof pieces / sizeof *pieces + 2);

    if (i < sizeof pieces / sizeof *pieces)
        buf_put_string(text, pieces[i]);
    else
        buf_put_char(text, (char)rng_below(rng, 256));
}

static void
put_pieces(struct rng *rng, struct buf *text)
{
    for (uint64_t left = rng_below(rng, 12); left > 0; left--)
        put_piece(rng, text);
}

/* Good, or refused in one line of text. */
static void
check_outcome(struct loading *l)
{
    bool one_line = true;

    ck_assert(l->err == MZ_OK || l->err == MZ_BAD_REQUEST);
    ck_assert((l->err == MZ_OK) == (l->why.len == 0));
    for (size_t i = 0; i < l->why.len; i++)
        one_line = one_line && (unsigned char)l->why.data[i] >= 0x20;
    ck_assert(one_line);
}

START_TEST(random_files_are_taken_or_refused)
{
    struct rng rng = {rng_test_seed()};
    size_t good = 0;

    for (int round = 0; round < 5000; round++) {
        struct buf file = {0};
        struct loading l;

        buf_put_string(&file, "# random\n");
        put_pieces(&rng, &file);
        load_bytes(&l, buf_slice(&file), NULL, NULL);
        check_outcome(&l);
        good += l.err == MZ_OK;
        unload(&l);
        buf_fini(&file);
    }
    ck_assert_uint_gt(good, 0);
}
END_TEST

START_TEST(random_words_are_taken_or_refused)
{
    struct rng rng = {rng_test_seed()};
    size_t good = 0;

    for (int round = 0; round < 20000; round++) {
        struct buf variable = {0}, first = {0}, second = {0};
        struct loading l;

        buf_put_string(&variable,
                       rng_below(&rng, 2) ? "MEMOIZER_PORT=" : "MEMOIZER_");
        buf_put_string(&first, rng_below(&rng, 2) ? "--" : "-p");
        put_pieces(&rng, &variable);
        put_pieces(&rng, &first);
        put_pieces(&rng, &second);
        buf_put_char(&variable, '\0');
        buf_put_char(&first, '\0');
        buf_put_char(&second, '\0');
        load(&l, NULL, rng_below(&rng, 4) ? NULL : ENV(variable.data),
             ARGS(first.data, rng_below(&rng, 2) ? second.data : NULL));
        check_outcome(&l);
        good += l.err == MZ_OK;
        unload(&l);
        buf_fini(&variable);
        buf_fini(&first);
        buf_fini(&second);
    }
    ck_assert_uint_gt(good, 0);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, each_action_is_seen);
    tcase_add_test(tc, help_and_version_need_no_good_values);
    tcase_add_test(tc, bench_keeps_the_payload_as_given);
    tcase_add_test(tc, an_option_has_four_forms);
    tcase_add_test(tc, an_empty_argv_is_fine);
    tcase_add_test(tc, help_names_every_word_and_fits);
    tcase_add_test(tc, memory_may_run_out_anywhere);
    tcase_add_test(tc, help_may_run_out_of_memory);
    tcase_add_test(tc, random_files_are_taken_or_refused);
    tcase_add_test(tc, random_words_are_taken_or_refused);
}

TEST_MAIN("config actions", fill)
