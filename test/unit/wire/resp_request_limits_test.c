/* SPDX-License-Identifier: MIT
 *
 * resp_request_limits_test.c - long, many and slow RESP requests, and what
 * they cost.
 */
#include "resp_rows.h"

#include "chaos.h"
#include "rng.h"
#include "suite.h"

#include "base/mem.h"
#include "base/num.h"

#include <stdint.h>

static void
init(struct resp_request *r)
{
    resp_request_init(r, resp_usual.max_bulk, resp_usual.max_total,
                      resp_usual.max_args);
}

/* ---- limits ---- */

START_TEST(lines_have_a_longest)
{
    struct buf line = {0};

    buf_put_string(&line, "ECHO ");
    resp_put_times(&line, "a", RESP_LINE_MAX - 5);
    buf_put_string(&line, "\n" RESP_PING);
    resp_check_built(&line, &resp_usual, "[ECHO {65531}] | [PING]");

    resp_put_times(&line, "a", RESP_LINE_MAX);
    resp_check_built(&line, &resp_usual, "(65536)");
    resp_put_times(&line, "a", RESP_LINE_MAX + 1);
    resp_check_built(&line, &resp_usual,
                     "FATAL Protocol error: too big inline request");
    /* Redis takes the line if its end comes with it. */
    resp_put_times(&line, "a", RESP_LINE_MAX + 1);
    buf_put_string(&line, "\n" RESP_PING);
    resp_check_built(&line, &resp_usual,
                     "FATAL Protocol error: too big inline request");
    buf_put_string(&line, "post ");
    resp_put_times(&line, "a", RESP_LINE_MAX);
    resp_check_built(&line, &resp_usual, "CLOSE");
}
END_TEST

START_TEST(headers_have_a_longest)
{
    struct buf header = {0};

    resp_put_times(&header, "*", RESP_LINE_MAX);
    resp_check_built(&header, &resp_usual, "(65536)");
    resp_put_times(&header, "*", RESP_LINE_MAX);
    buf_put_string(&header, "\r");
    resp_check_built(&header, &resp_usual, "(65537)");
    resp_put_times(&header, "*", RESP_LINE_MAX);
    buf_put_string(&header, "\r\n");
    resp_check_built(&header, &resp_usual, RESP_BAD_COUNT);
    resp_put_times(&header, "*", RESP_LINE_MAX + 1);
    resp_check_built(&header, &resp_usual,
                     "FATAL Protocol error: too big mbulk count string");

    buf_put_string(&header, "*1\r\n");
    resp_put_times(&header, "$", RESP_LINE_MAX);
    resp_check_built(&header, &resp_usual, "(65540)");
    buf_put_string(&header, "*1\r\n");
    resp_put_times(&header, "$", RESP_LINE_MAX + 1);
    resp_check_built(&header, &resp_usual,
                     "FATAL Protocol error: too big bulk count string");
}
END_TEST

START_TEST(arguments_are_limited_in_number_and_size)
{
    static const struct resp_limits small = {20, 30, 3, false};
    static const struct resp_row rows[] = {
        ROW("*3\r\n$0\r\n\r\n$0\r\n\r\n$1\r\na\r\n", "[\"\" \"\" a]"),
        ROW("*4\r\n", RESP_BAD_COUNT),
        ROW("a b c\n", "[a b c]"),
        ROW("a b c d\n", RESP_BAD_COUNT),
        ROW("*1\r\n$20\r\n01234567890123456789\r\n", "[01234567890123456789]"),
        ROW("*1\r\n$21\r\n", RESP_BAD_LENGTH),
        ROW("*2\r\n$20\r\n01234567890123456789\r\n$10\r\n0123456789\r\n",
            "[01234567890123456789 0123456789]"),
        /* The total is that of one command. */
        ROW("*1\r\n$16\r\n0123456789abcdef\r\n*1\r\n$15\r\n0123456789abcde\r\n",
            "[0123456789abcdef] | [0123456789abcde]"),
    };

    CHECK_ROWS(rows, &small);
}
END_TEST

#define TOO_LARGE                                                              \
    "BAD too_large: the arguments of a command have at most 30 bytes"

START_TEST(a_command_that_is_too_large_is_skipped)
{
    static const struct resp_limits small = {20, 30, 4, false};
    static const struct resp_row rows[] = {
        ROW("*2\r\n$20\r\n01234567890123456789\r\n$"
            "11\r\n01234567890\r\n" RESP_PING,
            TOO_LARGE " | [PING]"),
        ROW("*4\r\n$20\r\n01234567890123456789\r\n$20\r\n0123456789\r\n*"
            "1\r\n89ab"
            "\r\n$0\r\n\r\n$20\r\n01234567890123456789\r\n" RESP_PING
            "PING\r\n",
            TOO_LARGE " | [PING] | [PING]"),
        /* The answer is given when it is known, and only one. */
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n", TOO_LARGE),
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n01234", TOO_LARGE),
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n012345678901234\r",
            TOO_LARGE " | (1)"),
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n012345678901234\r\n$1",
            TOO_LARGE " | (2)"),
        /* Framing is held to the same rules. */
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n0123456789012345\r\n",
            TOO_LARGE " | " RESP_BAD_LENGTH),
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n012345678901234\r\n$"
            "21\r\n",
            TOO_LARGE " | " RESP_BAD_LENGTH),
        ROW("*3\r\n$16\r\n0123456789012345\r\n$15\r\n012345678901234\r\nx\r\n",
            TOO_LARGE " | FATAL Protocol error: expected '$', got 'x'"),
    };

    CHECK_ROWS(rows, &small);
}
END_TEST

#define UNKNOWN_COUNT  "FATAL Protocol error: unauthenticated multibulk length"
#define UNKNOWN_LENGTH "FATAL Protocol error: unauthenticated bulk length"

START_TEST(a_tame_client_may_send_little)
{
    static const struct resp_row rows[] = {
        ROW("*10\r\n", "(5)"),
        ROW("*11\r\n", UNKNOWN_COUNT),
        ROW("*1000000\r\n", UNKNOWN_COUNT),
        ROW("*2147483648\r\n", RESP_BAD_COUNT),
        ROW("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n", UNKNOWN_LENGTH),
        ROW("*1\r\n$16384\r\n", "(12)"),
        ROW("*1\r\n$16385\r\n", UNKNOWN_LENGTH),
        ROW("*1\r\n$99999999999999\r\n", RESP_BAD_LENGTH),
        ROW("a b c d e f g h i j\n", "[a b c d e f g h i j]"),
        /* Redis does not limit lines any further. */
        ROW("a b c d e f g h i j k\n", UNKNOWN_COUNT),
    };
    struct buf line = {0};

    CHECK_ROWS(rows, &resp_tame);
    resp_put_times(&line, "a", RESP_TAME_BULK_MAX);
    buf_put_string(&line, "\n");
    resp_check_built(&line, &resp_tame, "[{16384}]");
    resp_put_times(&line, "a", RESP_TAME_BULK_MAX + 1);
    resp_check_built(&line, &resp_tame,
                     "FATAL Protocol error: too big inline request");
}
END_TEST

START_TEST(a_login_counts_for_the_next_command)
{
    static const char stream[] = "*2\r\n$4\r\nAUTH\r\n$1\r\np\r\n"
                                 "*11\r\n$1\r\na\r\n$1\r\nb\r\n";
    char data[sizeof stream];
    struct resp_delivery d;
    size_t len = sizeof stream - 1, used = 0, more = 0;

    memcpy(data, stream, sizeof data);
    resp_begin(&d, &resp_tame);
    ck_assert_int_eq(resp_step(&d, data, len, &used), WIRE_DONE);
    d.r.tame = false;
    ck_assert_int_eq(resp_step(&d, data + used, len - used, &more), WIRE_MORE);
    ck_assert_uint_eq(more, 0);
    mem_free(resp_finish(&d));
}
END_TEST

/* A password is set while a client is in the middle of a long line. */
START_TEST(a_line_may_become_too_long)
{
    struct buf line = {0};
    struct resp_delivery d;
    char *outcome;

    resp_put_times(&line, "a", 2 * RESP_TAME_BULK_MAX);
    resp_begin(&d, &resp_usual);
    resp_deliver(&d, buf_slice(&line));
    d.r.tame = true;
    resp_deliver(&d, slice_of_string("\n"));
    outcome = resp_finish(&d);
    ck_assert_str_eq(outcome, "FATAL Protocol error: too big inline request");
    mem_free(outcome);
    buf_fini(&line);
}
END_TEST

/* ---- work and memory ---- */

/* What was looked at and said nothing new is spoilt between two pieces; who
 * looks at it again stumbles. */
START_TEST(nothing_is_looked_at_twice)
{
    static const char stream[] = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$26\r\n"
                                 "abcdefghijklmnopqrstuvwxyz\r\n";
    char data[sizeof stream];
    struct resp_command command;
    struct fault fault;
    struct resp_request r;
    size_t len = sizeof stream - 1, used;

    memcpy(data, stream, sizeof data);
    init(&r);
    for (size_t n = 0; n < len; n++) {
        ck_assert_int_eq(
            resp_request_next(&r, data, n, &command, &fault, &used), WIRE_MORE);
        ck_assert_uint_eq(used, 0);
        memset(data, '!', r.parsed);
        if (r.in_bulk && n - r.parsed <= r.bulk_len)
            memset(data + r.parsed, '?', n - r.parsed);
    }
    ck_assert_int_eq(resp_request_next(&r, data, len, &command, &fault, &used),
                     WIRE_DONE);
    ck_assert_uint_eq(used, len);
    ck_assert_uint_eq(command.count, 3);
    ck_assert(slice_is(command.args[0], "!!!"));
    ck_assert_uint_eq(command.args[2].len, 26);
    resp_request_fini(&r);
}
END_TEST

START_TEST(a_line_is_not_searched_twice)
{
    char data[] = "abcdefgh\n";
    struct resp_command command;
    struct fault fault;
    struct resp_request r;
    size_t len = sizeof data - 1, used;

    init(&r);
    for (size_t n = 1; n < len; n++) {
        ck_assert_int_eq(
            resp_request_next(&r, data, n, &command, &fault, &used), WIRE_MORE);
        ck_assert_uint_eq(used, 0);
        data[n - 1] = '\n';
    }
    data[0] = 'a';
    memset(data + 1, '.', len - 2);
    ck_assert_int_eq(resp_request_next(&r, data, len, &command, &fault, &used),
                     WIRE_DONE);
    ck_assert(slice_is(command.args[0], "a......."));
    resp_request_fini(&r);
}
END_TEST

START_TEST(it_is_known_how_much_is_missing)
{
    static const char stream[] = "*2\r\n$1\r\na\r\n$1000\r\nxyz";
    char data[sizeof stream];
    struct resp_delivery d;
    size_t len = sizeof stream - 1, used;

    memcpy(data, stream, sizeof data);
    resp_begin(&d, &resp_usual);
    ck_assert_int_eq(resp_step(&d, NULL, 0, &used), WIRE_MORE);
    ck_assert_uint_eq(resp_request_missing(&d.r), 1);
    ck_assert(!resp_request_in_request(&d.r, 0));
    ck_assert_int_eq(resp_step(&d, data, 9, &used), WIRE_MORE);
    ck_assert_uint_eq(resp_request_missing(&d.r), 2);
    ck_assert(resp_request_in_request(&d.r, 9));
    ck_assert_int_eq(resp_step(&d, data, 13, &used), WIRE_MORE);
    ck_assert_uint_eq(resp_request_missing(&d.r), 1);
    ck_assert_int_eq(resp_step(&d, data, len, &used), WIRE_MORE);
    ck_assert_uint_eq(resp_request_missing(&d.r), 999);
    mem_free(resp_finish(&d));
}
END_TEST

START_TEST(what_is_skipped_is_missing_too)
{
    static const struct resp_limits small = {1000, 500, 4, false};
    char data[] = "*2\r\n$501\r\nxy";
    struct resp_delivery d;
    size_t len = sizeof data - 1, used, more;

    resp_begin(&d, &small);
    ck_assert_int_eq(resp_step(&d, data, len, &used), WIRE_BAD);
    ck_assert_int_eq(resp_step(&d, data + used, len - used, &more), WIRE_MORE);
    ck_assert_uint_eq(used + more, len);
    ck_assert_uint_eq(resp_request_missing(&d.r), 501);
    ck_assert(resp_request_in_request(&d.r, 0));
    ck_assert(d.r.discarding);
    ck_assert_int_eq(resp_step(&d, data, 0, &used), WIRE_MORE);
    ck_assert_uint_eq(resp_request_missing(&d.r), 501);
    mem_free(resp_finish(&d));
}
END_TEST

START_TEST(announced_numbers_allocate_nothing)
{
    static const struct resp_limits huge = {(size_t)1 << 40, (size_t)1 << 40,
                                            SIZE_MAX, false};
    char data[] = "*1000000000\r\n$536870912\r\nx";
    struct chaos chaos;
    struct resp_delivery d;
    size_t used;

    resp_begin(&d, &huge);
    chaos_limit(&chaos, 0);
    ck_assert_int_eq(resp_step(&d, data, 13, &used), WIRE_MORE);
    ck_assert_int_eq(resp_step(&d, data, sizeof data - 1, &used), WIRE_MORE);
    ck_assert(!chaos_end(&chaos));
    ck_assert_uint_eq(resp_request_missing(&d.r), 536870913);
    ck_assert_uint_eq(d.r.args_cap, 0);
    ck_assert_uint_eq(resp_request_left_max(&d.r), SIZE_MAX);
    mem_free(resp_finish(&d));
}
END_TEST

/* DEL of so many keys, as one command or line. */
static void
put_many(struct buf *stream, size_t count)
{
    buf_printf(stream, "*%zu\r\n$3\r\nDEL\r\n", count + 1);
    for (size_t i = 0; i < count; i++) {
        char digits[NUM_I64_SIZE];

        buf_printf(stream, "$%zu\r\n", num_format_u64(digits, i));
        buf_printf(stream, "%s\r\n", digits);
    }
}

START_TEST(many_arguments_grow_with_what_comes)
{
    struct resp_command command;
    struct resp_request r;
    struct fault fault;
    struct buf stream = {0};
    size_t used, before = 0;

    put_many(&stream, 50000);
    init(&r);
    for (size_t n = 0; n < stream.len; n += 7) {
        ck_assert_int_eq(
            resp_request_next(&r, stream.data, n, &command, &fault, &used),
            WIRE_MORE);
        ck_assert_uint_le(r.args_cap, r.arg_count * 2 + 8);
        ck_assert_uint_ge(r.arg_count, before);
        before = r.arg_count;
        resp_request_shrink(&r); /* keeps what is needed */
    }
    ck_assert_int_eq(
        resp_request_next(&r, stream.data, stream.len, &command, &fault, &used),
        WIRE_DONE);
    ck_assert_uint_eq(command.count, 50001);
    for (size_t i = 1; i < command.count; i++) {
        uint64_t n;

        ck_assert_int_eq(num_parse_u64(command.args[i], &n), MZ_OK);
        ck_assert_uint_eq(n, i - 1);
    }
    resp_request_shrink(&r);
    ck_assert_ptr_null(r.args);
    ck_assert_int_eq(
        resp_request_next(&r, stream.data, 0, &command, &fault, &used),
        WIRE_MORE);
    resp_request_fini(&r);
    buf_fini(&stream);
}
END_TEST

#define NO_MEMORY "BAD no_memory: out of memory, try again later"

struct tally {
    size_t done, bad, words;
};

/* Decodes the stream in pieces. All of it must be used. */
static struct tally
count_outcomes(char *data, size_t len, size_t piece)
{
    struct tally tally = {0};
    struct resp_request r;
    size_t at = 0, end = 0;

    init(&r);
    while (end < len) {
        enum wire_status status;

        end = len - end < piece ? len : end + piece;
        do {
            struct resp_command command = {0};
            struct fault fault;
            size_t used;

            status = resp_request_next(&r, data + at, end - at, &command,
                                       &fault, &used);
            at += used;
            tally.done += status == WIRE_DONE;
            tally.words += command.count;
            tally.bad += status == WIRE_BAD && fault.err == MZ_NO_MEMORY;
        } while (status == WIRE_DONE || status == WIRE_BAD);
        ck_assert_int_eq(status, WIRE_MORE);
    }
    ck_assert_uint_eq(at, len);
    resp_request_fini(&r);
    return tally;
}

/* Whatever allocation fails, its command gets one answer and the two around it
 * are served. many has 101 words. */
static void
check_no_memory(const struct buf *many, size_t piece)
{
    struct buf stream = {0};
    bool struck = true;

    for (size_t nth = 1; struck; nth++) {
        struct chaos chaos;
        struct tally tally;

        stream.len = 0; /* decoding has changed it */
        buf_put_string(&stream, RESP_PING);
        buf_put_slice(&stream, buf_slice(many));
        buf_put_string(&stream, RESP_PING);
        ck_assert(!stream.failed);
        chaos_begin(&chaos, nth);
        tally = count_outcomes(stream.data, stream.len, piece);
        struck = chaos_end(&chaos);
        ck_assert_uint_eq(tally.done + tally.bad, 3);
        ck_assert_uint_eq(tally.bad, struck);
        if (!struck) {
            ck_assert_uint_eq(tally.words, 103);
            ck_assert_uint_gt(nth, 4);
        }
    }
    buf_fini(&stream);
}

START_TEST(no_memory_costs_one_command)
{
    struct buf array = {0}, line = {0};

    put_many(&array, 100);
    resp_put_times(&line, "word \"w\\n\" ", 50);
    buf_put_string(&line, "last\r\n");
    for (size_t piece = 1; piece < 2000; piece = piece * 3 + 1) {
        check_no_memory(&array, piece);
        check_no_memory(&line, piece);
    }
    buf_fini(&array);
    buf_fini(&line);
}
END_TEST

START_TEST(no_memory_is_said_with_a_text)
{
    char data[] = RESP_PING;
    struct chaos chaos;
    struct resp_delivery d;
    char *outcome;
    size_t used;

    resp_begin(&d, &resp_usual);
    buf_put_string(&d.outcome, "-"); /* memory for the outcome itself */
    ck_assert_int_eq(buf_reserve(&d.outcome, 200), MZ_OK);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(resp_step(&d, data, sizeof data - 1, &used), WIRE_BAD);
    ck_assert(chaos_end(&chaos));
    outcome = resp_finish(&d);
    ck_assert_str_eq(outcome, "- | " NO_MEMORY);
    mem_free(outcome);
}
END_TEST

/* ---- many ---- */

/* A command of random words in random form, and how it comes out. */
static void
put_random(struct rng *rng, struct buf *stream, struct buf *outcome)
{
    size_t count = 1 + rng_below(rng, 5);
    bool line = rng_below(rng, 4) == 0;

    if (!line)
        buf_printf(stream, "*%zu\r\n", count);
    for (size_t i = 0; i < count; i++) {
        char bytes[20];
        size_t len = rng_below(rng, sizeof bytes);

        for (size_t at = 0; at < len; at++)
            bytes[at] = (char)rng_next(rng);
        buf_put_char(outcome, i == 0 ? '[' : ' ');
        resp_put_word(outcome, slice_of(bytes, len));
        if (!line) {
            buf_printf(stream, "$%zu\r\n", len);
            buf_put(stream, bytes, len);
            buf_put_string(stream, "\r\n");
            continue;
        }
        buf_put_string(stream, " \"");
        for (size_t at = 0; at < len; at++)
            buf_printf(stream, "\\x%02x", (unsigned char)bytes[at]);
        buf_put_string(stream, "\"");
    }
    if (line)
        buf_put_string(stream, rng_below(rng, 2) == 0 ? "\n" : "\r\n");
    if (rng_below(rng, 8) == 0)
        buf_put_string(stream, rng_below(rng, 2) == 0 ? "\r\n" : "*-1\r\n");
    buf_put_char(outcome, ']');
}

START_TEST(thousands_in_one_go_and_in_pieces)
{
    struct rng rng = {rng_test_seed()};
    struct buf stream = {0}, expected = {0};
    static const size_t pieces[] = {SIZE_MAX, 65536, 4099, 61};

    for (size_t i = 0; i < 5000; i++) {
        if (i > 0)
            buf_put_string(&expected, " | ");
        put_random(&rng, &stream, &expected);
    }
    buf_put_char(&expected, '\0');
    ck_assert(!stream.failed && !expected.failed);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *outcome =
            resp_outcome(buf_slice(&stream), &resp_usual, pieces[i], pieces[i]);

        /* No ck_assert_str_eq: nobody wants to read it. */
        ck_assert_msg(strcmp(outcome, expected.data) == 0,
                      "pieces of %zu differ", pieces[i]);
        mem_free(outcome);
    }
    buf_fini(&stream);
    buf_fini(&expected);
}
END_TEST

static void
put_bulk(struct buf *buf, char byte, size_t len)
{
    buf_printf(buf, "$%zu\r\n", len);
    for (size_t i = 0; i < len; i++)
        buf_put_char(buf, byte);
    buf_put_string(buf, "\r\n");
}

START_TEST(large_arguments_are_served_whole)
{
    struct buf stream = {0};

    buf_put_string(&stream, "*3\r\n$3\r\nSET\r\n");
    put_bulk(&stream, '\n', 70000);
    put_bulk(&stream, '\r', (size_t)1 << 20);
    buf_put_string(&stream, RESP_PING);
    resp_check_built(&stream, &resp_usual, "[SET {70000} {1048576}] | [PING]");
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, lines_have_a_longest);
    tcase_add_test(tc, headers_have_a_longest);
    tcase_add_test(tc, arguments_are_limited_in_number_and_size);
    tcase_add_test(tc, a_command_that_is_too_large_is_skipped);
    tcase_add_test(tc, a_tame_client_may_send_little);
    tcase_add_test(tc, a_login_counts_for_the_next_command);
    tcase_add_test(tc, a_line_may_become_too_long);
    tcase_add_test(tc, nothing_is_looked_at_twice);
    tcase_add_test(tc, a_line_is_not_searched_twice);
    tcase_add_test(tc, it_is_known_how_much_is_missing);
    tcase_add_test(tc, what_is_skipped_is_missing_too);
    tcase_add_test(tc, announced_numbers_allocate_nothing);
    tcase_add_test(tc, many_arguments_grow_with_what_comes);
    tcase_add_test(tc, no_memory_costs_one_command);
    tcase_add_test(tc, no_memory_is_said_with_a_text);
    tcase_add_test(tc, thousands_in_one_go_and_in_pieces);
    tcase_add_test(tc, large_arguments_are_served_whole);
}

TEST_MAIN("resp_request_limits", fill)
