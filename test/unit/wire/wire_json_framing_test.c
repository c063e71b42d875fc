/* SPDX-License-Identifier: MIT
 *
 * wire_json_framing_test.c - many lines, long lines, slow lines and HTTP, and
 * whatever else needs limits.
 */
#include "wire_json_rows.h"

#include "rng.h"
#include "suite.h"

#include "base/buf.h"
#include "base/mem.h"
#include "wire/wire_json.h"

#include <jansson.h>

#define LIMIT     ((size_t)64)
#define UNLIMITED ((size_t)1 << 24)

static void
put_times(struct buf *buf, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_put_string(buf, text);
}

/* Decodes a large line, whole and in pieces. */
static void
check_large(struct buf *line, size_t max_value, const char *outcome)
{
    struct delivery delivery = {UNLIMITED, max_value, 0, false};
    char *whole = rows_outcome(buf_slice(line), &delivery);
    char *pieces;

    rows_check_match("a large line", whole, outcome);
    delivery.piece = line->len / 5 + 1;
    pieces = rows_outcome(buf_slice(line), &delivery);
    ck_assert_str_eq(whole, pieces);
    mem_free(whole);
    mem_free(pieces);
    buf_fini(line);
}

START_TEST(lines_are_served_one_by_one)
{
    static const struct row rows[] = {
        {"", ""},
        {"\n", ""},
        {" \r\n\t\n\r\r \n", ""},
        {"{'s':'ping'}\n", "ping"},
        {"{'s':'ping'}\r\n", "ping"},
        {"\r\n \n\r \t{'s':'ping'}\r\r\n", "ping"},
        {"{'s':'ping'}", "(12)"},
        {"{'s':'ping'}\n{'s':'s", "ping | (7)"},
        {"{'s':'ping'}\n  {", "ping | (1)"},
        {"{'s':'ping'}\n \t\r", "ping"},
        {"{'s':'ping'}\n\n{'s':'size'}\n", "ping | size"},
        {"{'s':'ping'}\n{\n{'s':'nope'}\n{'s':'size','i':1}\n",
         "ping | bad_json: * | unknown_selector: * | size i=1"},
        {"{\n'\ns':'ping'}\n", "bad_json: * | bad_json: * | bad_json: *"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        rows_check_stream(&rows[i], LIMIT, false);
}
END_TEST

START_TEST(the_end_of_input_ends_a_line)
{
    static const struct row rows[] = {
        {"", ""},
        {" \t\r", ""},
        {"{'s':'ping'}", "ping"},
        {"{'s':'ping'}\r", "ping"},
        {"{'s':'ping'}\n", "ping"},
        {"{'s':'ping'}\n {'s':'size','i':1} ", "ping | size i=1"},
        {"{'i':1,'s':'ping'", "i=1 bad_json: *, the end of the line"},
        {"{'s':'ping'}x", "bad_json: expected the end of the line *"},
        {"POST", "CLOSE"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        rows_check_stream(&rows[i], LIMIT, true);
}
END_TEST

#define PING "{'s':'ping'}"

/* Blanks, a text, blanks, and what follows. */
static void
check_long(size_t before, const char *text, size_t after, const char *rest,
           const char *outcome)
{
    struct buf stream = {0};
    struct row row = {NULL, outcome};

    put_times(&stream, " ", before);
    buf_put_string(&stream, text);
    put_times(&stream, " ", after);
    buf_put_string(&stream, rest);
    buf_put_char(&stream, '\0');
    row.stream = stream.data;
    rows_check_stream(&row, LIMIT, false);
    rows_check_stream(&row, LIMIT, true);
    buf_fini(&stream);
}

#define TOO_LARGE "too_large: a request line has at most 64 bytes"

START_TEST(long_lines_are_refused_once_and_dropped)
{
    static const struct row unfinished[] = {
        {"0123456789012345678901234567890123456789012345678901234567890123"
         "4",
         TOO_LARGE},
        {"0123456789012345678901234567890123456789012345678901234567890123"
         "4 and what comes behind it {'s':'reset'}",
         TOO_LARGE},
        {"{'i':1,'s':'ping'}                                              "
         "                             {'s':'reset'}",
         TOO_LARGE},
    };

    check_long(0, PING, 52, "\n", "ping");
    check_long(0, PING, 53, "\n", TOO_LARGE);
    check_long(0, PING, 51, "\r\n", "ping");
    check_long(0, PING, 52, "\r\n", TOO_LARGE);
    check_long(52, PING, 0, "\n", "ping");
    check_long(53, PING, 0, "\n", TOO_LARGE);
    check_long(26, PING, 27, "\n", TOO_LARGE);
    check_long(64, "", 0, "\n", "");
    check_long(64, "", 0, "\n" PING "\n", "ping");
    check_long(65, "", 0, "\n", TOO_LARGE);
    check_long(64, "x", 0, "\n", TOO_LARGE);
    check_long(200, PING, 0, "\n" PING "\n", TOO_LARGE " | ping");
    check_long(0, PING, 500, "\n{'s':'size'}\n", TOO_LARGE " | size");
    check_long(0, PING, 500, "{'s':'reset'}\n\n" PING "\n",
               TOO_LARGE " | ping");
    check_long(0, PING, 99,
               "\n" PING "\n{'a very long line, longer than the "
               "limit of sixty-four bytes for each of them':1}\n",
               TOO_LARGE " | ping | " TOO_LARGE);
    for (size_t i = 0; i < sizeof(unfinished) / sizeof(*unfinished); i++) {
        rows_check_stream(&unfinished[i], LIMIT, false);
        rows_check_stream(&unfinished[i], LIMIT, true);
    }
}
END_TEST

START_TEST(a_long_line_is_answered_at_its_first_byte_too_many)
{
    char line[LIMIT + 1];
    struct wire_json w;
    struct command command;
    struct fault fault;
    size_t used;

    memset(line, 'x', sizeof(line));
    wire_json_init(&w, LIMIT, LIMIT);
    ck_assert(!wire_json_in_request(&w, 0));
    ck_assert_int_eq(
        wire_json_decode(&w, line, LIMIT, false, &command, &fault, &used),
        WIRE_MORE);
    ck_assert_uint_eq(used, 0);
    ck_assert(wire_json_in_request(&w, LIMIT));
    ck_assert_int_eq(
        wire_json_decode(&w, line, LIMIT + 1, false, &command, &fault, &used),
        WIRE_BAD);
    ck_assert_int_eq(fault.err, MZ_TOO_LARGE);
    ck_assert(!fault.has_id);
    ck_assert_uint_eq(used, LIMIT + 1);
    ck_assert(wire_json_in_request(&w, 0));
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(wire_json_decode(&w, line, sizeof(line), i % 2,
                                          &command, &fault, &used),
                         WIRE_MORE);
        ck_assert_uint_eq(used, sizeof(line));
    }
    line[LIMIT] = '\n';
    ck_assert_int_eq(wire_json_decode(&w, line, sizeof(line), false, &command,
                                      &fault, &used),
                     WIRE_MORE);
    ck_assert(!wire_json_in_request(&w, 0));
}
END_TEST

/* Looking a second time would find the LF that is put where the decoder has
 * looked already. */
START_TEST(no_byte_of_a_slow_line_is_looked_at_twice)
{
    size_t len = (size_t)1 << 20, more = 0;
    struct buf line = {0};
    struct wire_json w;
    struct command command;
    struct fault fault;
    size_t used;

    buf_put_string(&line, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":\"");
    put_times(&line, "x", len);
    buf_put_string(&line, "\"}}\n");
    wire_json_init(&w, line.len, line.len);
    for (size_t have = 1; have < line.len; have++) {
        char *last = &line.data[have - 1], was = *last;

        more += wire_json_decode(&w, line.data, have, false, &command, &fault,
                                 &used) == WIRE_MORE;
        *last = '\n';
        more += wire_json_decode(&w, line.data, have, false, &command, &fault,
                                 &used) == WIRE_MORE;
        *last = was;
        if (used > 0)
            break;
    }
    ck_assert_uint_eq(more, 2 * (line.len - 1));
    ck_assert_int_eq(wire_json_decode(&w, line.data, line.len, false, &command,
                                      &fault, &used),
                     WIRE_DONE);
    ck_assert_uint_eq(used, line.len);
    ck_assert_uint_eq(command.value.len, len + 2);
    buf_fini(&line);
}
END_TEST

START_TEST(http_is_closed)
{
    static const struct row rows[] = {
        {"POST / HTTP/1.1\r\nHost: x\r\n\r\n{'s':'reset'}\n", "CLOSE"},
        {"GET / HTTP/1.1\r\n", "CLOSE"},
        {"OPTIONS * HTTP/1.1  \r\r\n", "CLOSE"},
        {"PRI * HTTP/2.0\n", "CLOSE"},
        {"x HTTP/2\n", "CLOSE"},
        {"x\tHTTP/10.25\n", "CLOSE"},
        {"[1] HTTP/1.1\n", "CLOSE"},
        {"{'s':'size'}\n{'s':'size'} HTTP/1.1\r\n{'s':'reset'}\n",
         "size | CLOSE"},
        {"post\n", "CLOSE"},
        {" \tPoSt x\n", "CLOSE"},
        {"Host:\n", "CLOSE"},
        {"hOST: x\r\n", "CLOSE"},
        {"POSTER\n", "bad_json: *"},
        {"POS\n", "bad_json: *"},
        {"Host x\n", "bad_json: *"},
        {"Host:x\n", "bad_json: *"},
        {"Hostess: x\n", "bad_json: *"},
        {"a POST\n", "bad_json: *"},
        {"HTTP/1.1\n", "bad_json: *"},
        {"/HTTP/1.1\n", "bad_json: *"},
        {"x HTTP/\n", "bad_json: *"},
        {"x HTTP/.1\n", "bad_json: *"},
        {"x HTTP/1.\n", "bad_json: *"},
        {"x HTTP/1.1.1\n", "bad_json: *"},
        {"x HTTP/1.1x\n", "bad_json: *"},
        {"x http/1.1\n", "bad_json: *"},
        {"x HTTQ/1.1\n", "bad_json: *"},
        {"1\n", "bad_request: *"},
        {".1\n", "bad_json: *"},
        {"x1\n", "bad_json: *"},
        {"{'s':'get','p':{'k':'POST / HTTP/1.1'}}\n", "get k=POST / HTTP/1.1"},
        {"0123456789012345678901234567890123456789012345678901234567890123"
         "4 POST\n{'s':'ping'}\n",
         TOO_LARGE " | ping"},
        {"POST 34567890123456789012345678901234567890123456789012345678901"
         "234 x",
         "CLOSE"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        rows_check_stream(&rows[i], LIMIT, false);
    ck_assert(!wire_looks_like_http(slice_of(NULL, 0)));
    ck_assert(wire_looks_like_http(slice_of_string(" HTTP/1")));
}
END_TEST

/* n brackets around a value, between two parts of a line. */
static void
check_depth(const char *before, bool objects, size_t n, const char *after,
            const char *outcome)
{
    struct buf line = {0};

    buf_put_string(&line, before);
    put_times(&line, objects ? "{\"a\":" : "[", n);
    if (after != NULL) {
        buf_put_string(&line, objects ? "1" : "");
        put_times(&line, objects ? "}" : "]", n);
        buf_put_string(&line, after);
    }
    buf_put_char(&line, '\n');
    check_large(&line, UNLIMITED, outcome);
}

START_TEST(depth_is_limited)
{
    static const char set[] = "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":";

    for (int objects = 0; objects < 2; objects++) {
        check_depth(set, objects, 128, "}}", "set k=a v=*");
        check_depth(set, objects, 129, "}}", "too_deep: *");
        check_depth(set, objects, 129, NULL, "too_deep: *");
        check_depth(set, objects, 100000, "}}", "too_deep: *");
        check_depth("{\"p\":{\"x\":", objects, 128, "}}", "bad_request: *");
        check_depth("{\"p\":{\"x\":", objects, 129, "}}", "too_deep: *");
        check_depth("{\"x\":", objects, 129, "}", "bad_request: *");
        check_depth("{\"i\":", objects, 130, "}", "too_deep: *");
        check_depth("", objects, 130, "", "bad_*");
        check_depth("", objects, 131, "", "too_deep: *");
        check_depth("{\"p\":1,\"p\":", objects, 129, "}", "bad_request: *");
        check_depth("{\"p\":{},\"p\":", objects, 130, "}", "too_deep: *");
    }
    check_depth("{\"p\":", false, 129, "}", "bad_request: *");
    check_depth("{\"p\":", false, 130, "}", "too_deep: *");
    check_depth("{\"i\":7,\"p\":{\"v\":", false, 129, " HTTP/1.1", "CLOSE");
    check_depth("{\"i\":7,\"p\":{\"v\":", false, 5000000, NULL,
                "i=7 too_deep: the value is nested deeper than 128 levels at "
                "byte 145");
}
END_TEST

static void
put_key(struct buf *line, size_t len, bool escaped)
{
    buf_put_char(line, '"');
    for (size_t n = 0; n < len; n++)
        buf_put_string(line, escaped ? "\\u0078" : "x");
    buf_put_char(line, '"');
}

START_TEST(keys_have_a_longest_length)
{
    for (int escaped = 0; escaped < 2; escaped++) {
        for (size_t len = 65534; len <= 65537; len++) {
            struct buf one = {0}, many = {0};
            bool good = len <= 65535;

            buf_put_string(&one, "{\"s\":\"has\",\"p\":{\"k\":");
            put_key(&one, len, escaped);
            buf_put_string(&one, "}}\n");
            check_large(&one, UNLIMITED, good ? "has k=xxx*" : "bad_key: *");

            buf_put_string(&many, "{\"s\":\"del\",\"p\":{\"k\":[\"\",");
            put_key(&many, len, escaped);
            buf_put_string(&many, ",\"y\"]}}\n");
            check_large(&many, UNLIMITED,
                        good ? "del keys=3 k= k=xxx* k=y" : "bad_key: *");
        }
    }
}
END_TEST

START_TEST(values_have_a_largest_size)
{
    for (size_t len = 999; len <= 1001; len++) {
        struct buf line = {0};

        buf_put_string(&line, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\": \"");
        put_times(&line, "x", len - 2);
        buf_put_string(&line, "\" },\"i\":7}\n");
        check_large(&line, 1000,
                    len <= 1000
                        ? "set k=a v=\"xx*\" i=7"
                        : "i=7 too_large: the value has 1001 bytes, the limit "
                          "is 1000");
    }
}
END_TEST

START_TEST(words_of_the_client_are_cut)
{
    struct buf name = {0}, selector = {0};

    buf_put_string(&name, "{\"s\":\"ping\",\"");
    put_times(&name, "\xc3\xa9", 5000);
    buf_put_string(&name, "\":1}\n");
    check_large(&name, UNLIMITED,
                "bad_request: unknown member \"\\xc3\\xa9*...\"");
    buf_put_string(&selector, "{\"s\":\"");
    put_times(&selector, "x", 5000);
    buf_put_string(&selector, "\"}\n");
    check_large(&selector, UNLIMITED,
                "unknown_selector: unknown selector "
                "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"");
}
END_TEST

/* B04: the limit is that of a line, not of what waits. B08: a line without an
 * end, at the default limit. */
START_TEST(the_limit_is_that_of_one_line)
{
    struct delivery delivery = {80000, 80000, 0, false};
    struct delivery endless = {8454144, 8388608, 65536, false};
    struct buf stream = {0}, line = {0};
    char *outcome;

    for (int i = 0; i < 3; i++) {
        buf_put_string(&stream, "{\"s\":\"set\",\"p\":{\"k\":\"b04\",\"v\":\"");
        put_times(&stream, "x", 70000);
        buf_put_string(&stream, "\"}}\n");
    }
    buf_put_string(&stream, "{\"s\":\"size\"}\n");
    outcome = rows_outcome(buf_slice(&stream), &delivery);
    rows_check_match("b04", outcome,
                     "set k=b04 v=*| set k=b04 v=*| set k=b04 v=*| size");
    mem_free(outcome);
    buf_fini(&stream);

    buf_put_string(&line, "{\"s\":\"set\",\"p\":{\"k\":\"b08\",\"v\":\"");
    put_times(&line, "a", 9000000);
    buf_put_string(&line, "\n{\"s\":\"size\"}\n");
    outcome = rows_outcome(buf_slice(&line), &endless);
    rows_check_match("b08", outcome,
                     "too_large: a request line has at most 8454144 bytes | "
                     "size");
    mem_free(outcome);
    buf_fini(&line);
}
END_TEST

/* Any pieces, any bytes: the same outcome. */
START_TEST(pieces_do_not_matter)
{
    static const char *const words[] = {
        "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}",
        "\n",
        " ",
        "\r",
        "\t",
        "{",
        "}",
        "\"s\":",
        "\"get\"",
        "\"p\":{",
        "\"k\":",
        "\"\\u0061\"",
        ",",
        "[",
        "]",
        "POST",
        " HTTP/1.1",
        "\xc3\xa9",
        "\xff",
        "\"i\":1",
        "\n\n",
        "x",
        "{\"s\":\"ping\",\"i\":\"\\n\"}\n",
        "                    ",
    };
    struct rng rng = {rng_test_seed()};

    for (int round = 0; round < 1500; round++) {
        struct delivery delivery = {20 + rng_below(&rng, 60), 30, 0,
                                    rng_below(&rng, 2) == 0};
        struct buf stream = {0};
        char *whole;

        for (size_t n = rng_below(&rng, 25); n > 0; n--)
            buf_put_string(
                &stream,
                words[rng_below(&rng, sizeof(words) / sizeof(*words))]);
        whole = rows_outcome(buf_slice(&stream), &delivery);
        for (int i = 0; i < 3; i++) {
            char *pieces;

            delivery.piece = 1 + rng_below(&rng, 9);
            pieces = rows_outcome(buf_slice(&stream), &delivery);
            ck_assert_msg(strcmp(whole, pieces) == 0,
                          "%.*s\nat most %zu, by %zu: %s\nwhole: %s",
                          (int)stream.len, stream.data, delivery.max_request,
                          delivery.piece, pieces, whole);
            mem_free(pieces);
        }
        mem_free(whole);
        buf_fini(&stream);
    }
}
END_TEST

/* jansson takes its memory from these. */
static size_t allocations, allocation_that_fails;

static void *
counted_malloc(size_t len)
{
    return ++allocations == allocation_that_fails ? NULL : malloc(len);
}

static char *
outcome_failing(const char *line, size_t nth)
{
    const struct delivery delivery = {UNLIMITED, UNLIMITED, 0, false};
    char *outcome;

    allocations = 0;
    allocation_that_fails = nth;
    json_set_alloc_funcs(counted_malloc, free);
    outcome = rows_outcome(slice_of_string(line), &delivery);
    json_set_alloc_funcs(malloc, free);
    return outcome;
}

START_TEST(only_escapes_need_memory)
{
    char *outcome = outcome_failing(
        "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":\"\\n\",\"if\":\"absent\"},"
        "\"i\":\"\\n\"}\n",
        1);

    ck_assert_str_eq(outcome, "set k=a v=\"\\n\" absent i=\"\\n\"");
    ck_assert_uint_eq(allocations, 0);
    mem_free(outcome);
}
END_TEST

START_TEST(without_memory_for_escapes_the_request_is_refused)
{
    static const char *const lines[] = {
        "{\"i\":1,\"\\u0073\":\"ping\"}\n",
        "{\"i\":1,\"s\":\"\\u0070ing\"}\n",
        "{\"i\":1,\"s\":\"size\",\"p\":{\"\\u006b\":1}}\n",
        "{\"i\":1,\"s\":\"get\",\"p\":{\"k\":\"\\u006b\"}}\n",
        "{\"i\":1,\"s\":\"del\",\"p\":{\"k\":[\"a\",\"\\u006b\"]}}\n",
        "{\"i\":1,\"s\":\"del\",\"p\":{\"k\":\"\",\"if\":\"\\u0061bsent\"}}\n",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        size_t nth = 1;

        for (;; nth++) {
            char *outcome = outcome_failing(lines[i], nth);
            bool failed = allocations >= nth;

            rows_check_match(lines[i], outcome,
                             failed ? "i=1 no_memory: *" : "* i=1");
            mem_free(outcome);
            if (!failed)
                break;
        }
        ck_assert_uint_gt(nth, 1);
    }
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, lines_are_served_one_by_one);
    tcase_add_test(tc, the_end_of_input_ends_a_line);
    tcase_add_test(tc, long_lines_are_refused_once_and_dropped);
    tcase_add_test(tc, a_long_line_is_answered_at_its_first_byte_too_many);
    tcase_add_test(tc, no_byte_of_a_slow_line_is_looked_at_twice);
    tcase_add_test(tc, http_is_closed);
    tcase_add_test(tc, depth_is_limited);
    tcase_add_test(tc, keys_have_a_longest_length);
    tcase_add_test(tc, values_have_a_largest_size);
    tcase_add_test(tc, words_of_the_client_are_cut);
    tcase_add_test(tc, the_limit_is_that_of_one_line);
    tcase_add_test(tc, pieces_do_not_matter);
    tcase_add_test(tc, only_escapes_need_memory);
    tcase_add_test(tc, without_memory_for_escapes_the_request_is_refused);
}

TEST_MAIN("wire_json_framing", fill)
