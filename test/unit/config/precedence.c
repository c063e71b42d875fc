/* SPDX-License-Identifier: MIT
 *
 * precedence.c - every option of the table from each of its four sources.
 *
 * The rows of options.def are walked, so that an option that is added is
 * tested without a line here, as long as its type has samples.
 */
#include "loading.h"
#include "suite.h"

#include "config/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FILE_BIT = 1,
    ENV_BIT = 2,
    ARG_BIT = 4
};

/* One accepted text for each source, and what the field is then. */
struct samples {
    const char *text[3];
    int64_t value[3];
};

static struct samples
samples_of(enum option_id id)
{
    static const struct samples list = {{"file.example", "[::1]", "10.0.0.1"},
                                        {0, 0, 0}},
                                number = {{"11", "12", "13"}, {11, 12, 13}},
                                value = {{"1kb", "2KB", "3"}, {1024, 2048, 3}},
                                request = {{"9mb", "8mb+1mb+1", "1gb"},
                                           {9 << 20, (9 << 20) + 1, 1 << 30}},
                                time = {{"11ms", "3s", "2m"},
                                        {11, 3000, 120000}},
                                level = {{"debug", "verbose", "warning"},
                                         {LOG_DEBUG, LOG_VERBOSE, LOG_WARNING}};

    switch (option_row(id)->type) {
    case OPTION_LIST:
        return list;
    case OPTION_INTEGER:
        return number;
    case OPTION_SIZE:
        return id == OPTION_ID_max_value ? value : request;
    case OPTION_DURATION:
        return time;
    case OPTION_LEVEL:
        return level;
    }
    ck_abort_msg("a type without samples");
    return list;
}

static int64_t
number_of(struct config *config, enum option_id id)
{
    const struct option *option = option_row(id);
    void *field = (char *)config + option->offset;

    if (option->type == OPTION_LEVEL)
        return *(enum log_level *)field;
    if (option->type == OPTION_SIZE)
        return (int64_t) * (uint64_t *)field;
    return *(int64_t *)field;
}

static void
put_env_name(char *to, const char *name)
{
    to += sprintf(to, "MEMOIZER_");
    for (; *name != '\0'; name++)
        *to++ = *name == '-' ? '_' : (char)(*name - 'a' + 'A');
    *to = '\0';
}

static void
load_from(struct loading *l, enum option_id id, int sources)
{
    struct samples samples = samples_of(id);
    const char *name = option_row(id)->word.name;
    char file[128], env[128], arg[128], env_name[64];
    const char *environment[] = {NULL, NULL}, *arguments[] = {NULL, NULL};

    put_env_name(env_name, name);
    snprintf(file, sizeof file, "%s %s\n", name, samples.text[0]);
    snprintf(env, sizeof env, "%s=%s", env_name, samples.text[1]);
    snprintf(arg, sizeof arg, "--%s=%s", name, samples.text[2]);
    if (sources & ENV_BIT)
        environment[0] = env;
    if (sources & ARG_BIT)
        arguments[0] = arg;
    load(l, sources & FILE_BIT ? file : NULL, environment, arguments);
}

static void
check_strongest(enum option_id id, int sources)
{
    struct samples samples = samples_of(id);
    int strongest = sources & ARG_BIT ? 2 : sources & ENV_BIT ? 1 : 0;
    struct loading l;

    load_from(&l, id, sources);
    ck_assert_msg(l.err == MZ_OK, "--%s: %s", option_row(id)->word.name,
                  loading_why(&l));
    if (option_row(id)->type == OPTION_LIST) {
        struct config_list *list = option_list(&l.config, id);

        ck_assert_uint_eq(list->count, 1);
        ck_assert_str_eq(list->item[0], samples.text[strongest]);
    } else {
        ck_assert_int_eq(number_of(&l.config, id), samples.value[strongest]);
    }
    unload(&l);
}

START_TEST(the_strongest_source_wins)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        for (int sources = 1; sources < 8; sources++)
            check_strongest((enum option_id)i, sources);
}
END_TEST

START_TEST(defaults_are_in_force_without_a_source)
{
    struct loading l;

    load(&l, NULL, NULL, NULL);
    ck_assert_int_eq(l.err, MZ_OK);
    ck_assert_uint_eq(l.config.bind.count, 1);
    ck_assert_str_eq(l.config.bind.item[0], "localhost");
    ck_assert_int_eq(l.config.port, 9091);
    ck_assert_uint_eq(l.config.max_value, 8 << 20);
    ck_assert_uint_eq(l.config.max_request, (8 << 20) + (64 << 10));
    ck_assert_int_eq(l.config.maxclients, 10000);
    ck_assert_int_eq(l.config.timeout, 0);
    ck_assert_int_eq(l.config.request_timeout, 10000);
    ck_assert_int_eq(l.config.write_timeout, 30000);
    ck_assert_int_eq(l.config.tcp_keepalive, 300000);
    ck_assert_int_eq(l.config.loglevel, LOG_NOTICE);
    ck_assert_int_eq(l.config.action, CONFIG_SERVE);
    ck_assert_uint_eq(l.config.bench_operations, 0);
    ck_assert_ptr_null(l.config.bench_payload);
    unload(&l);
}
END_TEST

/* A source that leaves an option alone leaves the weaker value. */
START_TEST(sources_mix)
{
    struct loading l;

    load(&l, "port 1\ntimeout 1h\nmaxclients 5\n",
         ENV("HOME=/", "MEMOIZER_PORT=2", "MEMOIZER_TIMEOUT=2h"),
         ARGS("--port", "3"));
    ck_assert_int_eq(l.err, MZ_OK);
    ck_assert_int_eq(l.config.port, 3);
    ck_assert_int_eq(l.config.timeout, 7200000);
    ck_assert_int_eq(l.config.maxclients, 5);
    ck_assert_int_eq(l.config.write_timeout, 30000);
    unload(&l);
}
END_TEST

/* "256" or "-1" for a number, "300ms" for a time. */
static void
put_number(char to[64], const struct option *option, int64_t n)
{
    snprintf(to, 64, "%" PRId64 "%s", n,
             option->type == OPTION_DURATION ? "ms" : "");
}

static enum mz_err
set_number(enum option_id id, int64_t n, int64_t *stored)
{
    struct config config = {0};
    struct buf why = {0};
    struct loader loader = {.config = &config, .why = &why};
    struct origin origin = {FROM_COMMAND_LINE, 0};
    char text[64];
    enum mz_err err;

    put_number(text, option_row(id), n);
    err = option_set(&loader, id, origin, slice_of_string(text));
    *stored = number_of(&config, id);
    ck_assert((err == MZ_OK) == (why.len == 0));
    buf_fini(&why);
    return err;
}

START_TEST(ranges_end_where_the_table_says)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        enum option_id id = (enum option_id)i;
        const struct option *option = option_row(id);
        int64_t n;

        if (option->type == OPTION_LIST || option->type == OPTION_LEVEL)
            continue;
        ck_assert_int_eq(set_number(id, option->min, &n), MZ_OK);
        ck_assert_int_eq(n, option->min);
        ck_assert_int_eq(set_number(id, option->max, &n), MZ_OK);
        ck_assert_int_eq(n, option->max);
        ck_assert_int_eq(set_number(id, option->min - 1, &n), MZ_BAD_REQUEST);
        ck_assert_int_eq(set_number(id, option->max + 1, &n), MZ_BAD_REQUEST);
    }
}
END_TEST

static void
check_list(struct loading *l, const char *const *want)
{
    ck_assert_int_eq(l->err, MZ_OK);
    for (size_t i = 0; i < l->config.bind.count; i++) {
        ck_assert_ptr_nonnull(want[i]);
        ck_assert_str_eq(l->config.bind.item[i], want[i]);
    }
    ck_assert_ptr_null(want[l->config.bind.count]);
    unload(l);
}

START_TEST(lists_add_up_within_a_source)
{
    struct loading l;

    load(&l, "bind a\nport 1\nbind b, c\t::1\n", NULL, NULL);
    check_list(&l, ARGS("a", "b", "c", "::1"));
    load(&l, NULL, ENV("MEMOIZER_BIND= a,b c "), NULL);
    check_list(&l, ARGS("a", "b", "c"));
    load(&l, NULL, NULL, ARGS("-b", "a", "-bb", "--bind", "c", "--bind=d e"));
    check_list(&l, ARGS("a", "b", "c", "d", "e"));
}
END_TEST

START_TEST(lists_replace_those_of_weaker_sources)
{
    struct loading l;

    load(&l, "bind a\nbind b\n", ENV("MEMOIZER_BIND=c,d"), NULL);
    check_list(&l, ARGS("c", "d"));
    load(&l, "bind a\nbind b\n", ENV("MEMOIZER_BIND=c,d"), ARGS("-b", "e"));
    check_list(&l, ARGS("e"));
}
END_TEST

START_TEST(the_last_of_one_source_wins)
{
    struct loading l;

    load(&l, "port 1\nport 2\n", NULL, NULL);
    ck_assert_int_eq(l.config.port, 2);
    unload(&l);
    load(&l, NULL, NULL, ARGS("-p1", "--port", "2", "--port=3"));
    ck_assert_int_eq(l.config.port, 3);
    unload(&l);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, the_strongest_source_wins);
    tcase_add_test(tc, defaults_are_in_force_without_a_source);
    tcase_add_test(tc, sources_mix);
    tcase_add_test(tc, ranges_end_where_the_table_says);
    tcase_add_test(tc, lists_add_up_within_a_source);
    tcase_add_test(tc, lists_replace_those_of_weaker_sources);
    tcase_add_test(tc, the_last_of_one_source_wins);
}

TEST_MAIN("config precedence", fill)
