/* SPDX-License-Identifier: MIT
 *
 * resp_request_test.c - what is a command of the Redis protocol, and what is
 * none.
 *
 * Unless a comment says otherwise, Redis 7.0.15 takes the rows in the same way.
 */
#include "resp_rows.h"

#include "suite.h"

/* ---- arrays ---- */

START_TEST(arrays_are_commands)
{
    static const struct resp_row rows[] = {
        ROW("", ""),
        ROW(RESP_PING, "[PING]"),
        ROW(RESP_PING RESP_PING, "[PING] | [PING]"),
        ROW("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhello\r\n", "[SET k hello]"),
        ROW("*2\r\n$4\r\nECHO\r\n$0\r\n\r\n", "[ECHO \"\"]"),
        ROW("*1\r\n$0\r\n\r\n" RESP_PING, "[\"\"] | [PING]"),
        ROW("*2\r\n$1\r\na\r\n$7\r\n\x00\r\n$1\r\n\r\n" RESP_PING,
            "[a \\x00\\x0d\\x0a$1\\x0d\\x0a] | [PING]"),
        ROW("*2\r\n$4\r\n*1\r\n\r\n$3\r\n\xff\"'\r\n",
            "[*1\\x0d\\x0a \\xff\"']"),
        ROW("*2\r\n$3\r\nGET\r\n$1\r\nk", "(18)"),
        ROW(RESP_PING "*", "[PING] | (1)"),
        ROW("*2147483\r\n", "FATAL Protocol error: invalid multibulk length"),
        ROW("*10\r\n", "(5)"),
        ROW("*10\r", "(4)"),
        ROW("*1\r\n$536870912\r", "(15)"),
        ROW("*1\r\n$1048576\r\n", "(14)"),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(commands_without_words_are_skipped)
{
    static const struct resp_row rows[] = {
        ROW("*0\r\n", ""),
        ROW("*-1\r\n", ""),
        ROW("*-1\r\n" RESP_PING "*0\r\n*-7\r\n" RESP_PING, "[PING] | [PING]"),
        ROW("*-9223372036854775808\r\n" RESP_PING, "[PING]"),
        ROW("\r\n", ""),
        ROW("\n \t\n\r\r\n \v\f\n" RESP_PING, "[PING]"),
        ROW("\r\n*2\r\n$4\r\nECHO\r\n$3\r\nend\r\n", "[ECHO end]"),
        ROW("PING\n\r\n\r\n" RESP_PING "\r\nPING\r\n",
            "[PING] | [PING] | [PING]"),
        ROW("\r\n ", "(1)"),
        /* Not an array: it does not begin the line. */
        ROW(" *1\r\n$4\r\nPING\r\n", "[*1] | [$4] | [PING]"),
        ROW("\r*1\r\n$4\r\nPING\r\n", "[*1] | [$4] | [PING]"),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(counts_are_plain_numbers)
{
    static const struct resp_row rows[] = {
        ROW("*\r\n", RESP_BAD_COUNT),
        ROW("*\r\n" RESP_PING, RESP_BAD_COUNT),
        ROW("*1x\n$4\r\nPING\r\n", RESP_BAD_COUNT),
        ROW("*-\r\n", RESP_BAD_COUNT),
        ROW("*-0\r\n" RESP_PING, RESP_BAD_COUNT),
        ROW("*+5\r\n", RESP_BAD_COUNT),
        ROW("*007\r\n", RESP_BAD_COUNT),
        ROW("*00\r\n", RESP_BAD_COUNT),
        ROW("* 5\r\n", RESP_BAD_COUNT),
        ROW("*5 \r\n", RESP_BAD_COUNT),
        ROW("*x\r\n", RESP_BAD_COUNT),
        ROW("*1.0\r\n", RESP_BAD_COUNT),
        ROW("*1e1\r\n", RESP_BAD_COUNT),
        ROW("*\n\r\n", RESP_BAD_COUNT),
        ROW("*2147483648\r\n", RESP_BAD_COUNT),
        ROW("*4294967297\r\n" RESP_PING, RESP_BAD_COUNT),
        ROW("*9223372036854775807\r\n", RESP_BAD_COUNT),
        ROW("*9223372036854775808\r\n", RESP_BAD_COUNT),
        ROW("*18446744073709551617\r\n" RESP_PING, RESP_BAD_COUNT),
        ROW("*-9223372036854775809\r\n", RESP_BAD_COUNT),
        ROW("*12345678901234567890\r\n", RESP_BAD_COUNT),
        ROW("*123456789012345678901\r\n", RESP_BAD_COUNT),
        /* No CR at all, or only later. */
        ROW("*1\n$4\nPING\n", "(11)"),
        ROW("*1\n$4\r\nPING\r\n", RESP_BAD_COUNT),
        /* Redis waits for more. */
        ROW("*1\x00\r\n", RESP_BAD_COUNT),
        /* Redis takes any byte for the LF. */
        ROW("*1\rX$4\r\nPING\r\n", RESP_BAD_COUNT),
        ROW("*1\r\r\n$4\r\nPING\r\n", RESP_BAD_COUNT),
        ROW("*0\rX" RESP_PING, RESP_BAD_COUNT),
        ROW(RESP_PING "*x\r\n" RESP_PING, "[PING] | " RESP_BAD_COUNT),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(lengths_are_plain_numbers)
{
    static const struct resp_row rows[] = {
        ROW("*1\r\n$\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$\r\n" RESP_PING, RESP_BAD_LENGTH),
        ROW("*1\r\n$-1\r\n", RESP_BAD_LENGTH),
        ROW("*2\r\n$4\r\nECHO\r\n$-1\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$-0\r\n\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$+4\r\nPING\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$04\r\nPING\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$ 4\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$4 \r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$4x\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$$4\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$4\nPING\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$536870913\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$9223372036854775807\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$9223372036854775808\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$18446744073709551615\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$18446744073709551616\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$12345678901234567890\r\n", RESP_BAD_LENGTH),
        ROW("*2\r\n$3\r\nGET\r\n$99999999999999\r\n", RESP_BAD_LENGTH),
        /* Redis takes any two bytes for the CRLF. */
        ROW("*1\r\n$4\rXPING\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$4\r\nPINGab" RESP_PING, RESP_BAD_LENGTH),
        ROW("*1\r\n$4\r\nPING\r\r\n", RESP_BAD_LENGTH),
        ROW("*1\r\n$3\r\nPING\r\n" RESP_PING, RESP_BAD_LENGTH),
        ROW("*1\r\n$5\r\nPING\r\n" RESP_PING, RESP_BAD_LENGTH),
        ROW("*1\r\n$4\r\nPING\n" RESP_PING, RESP_BAD_LENGTH),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(an_argument_begins_with_a_dollar)
{
    static const struct resp_row rows[] = {
        ROW("*1\r\nx\r\n", "FATAL Protocol error: expected '$', got 'x'"),
        ROW("*1\r\n*1\r\n*1\r\n",
            "FATAL Protocol error: expected '$', got '*'"),
        ROW("*1\r\nx4\r\nPING\r\n",
            "FATAL Protocol error: expected '$', got 'x'"),
        ROW("*1\r\n:4\r\n", "FATAL Protocol error: expected '$', got ':'"),
        ROW("*2\r\n$1\r\na\r\nb\r\n",
            "FATAL Protocol error: expected '$', got 'b'"),
        ROW("*1\r\n'\r\n", "FATAL Protocol error: expected '$', got '''"),
        ROW("*1\r\n\\\r\n", "FATAL Protocol error: expected '$', got '\\'"),
        ROW("*1\r\n\r\n", "FATAL Protocol error: expected '$', got ' '"),
        ROW("*1\r\n\n\r\n", "FATAL Protocol error: expected '$', got ' '"),
        /* As in Redis, not before the header is whole. */
        ROW("*1\r\nx", "(5)"),
        /* Redis sends the byte as it is. */
        ROW("*1\r\n\x01\r\n",
            "FATAL Protocol error: expected '$', got '\\x01'"),
        ROW("*1\r\n\x7f\r\n",
            "FATAL Protocol error: expected '$', got '\\x7f'"),
        ROW("*1\r\n\xff\r\n",
            "FATAL Protocol error: expected '$', got '\\xff'"),
        /* Redis waits for more. */
        ROW("*1\r\n\x00\r\n",
            "FATAL Protocol error: expected '$', got '\\x00'"),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

/* ---- inline commands ---- */

#define UNBALANCED "FATAL Protocol error: unbalanced quotes in request"

START_TEST(inline_words_are_split_at_blanks)
{
    static const struct resp_row rows[] = {
        ROW("PING\n", "[PING]"),
        ROW("PING\r\n", "[PING]"),
        ROW("PING\r\r\n", "[PING]"),
        ROW("  SET \t k\vv  w \r\n", "[SET k\\x0bv w]"),
        ROW("ECHO \v\fa\n", "[ECHO a]"),
        ROW("ECHO a\rb\n", "[ECHO a b]"),
        ROW("SET k \xff\x80\n", "[SET k \\xff\\x80]"),
        ROW("GET k\nGET l\r\n" RESP_PING "GET m\n",
            "[GET k] | [GET l] | [PING] | [GET m]"),
        ROW("PING", "(4)"),
        ROW("PING\r", "(5)"),
        ROW("$4\r\n:1\n+OK\n-1\n", "[$4] | [:1] | [+OK] | [-1]"),
        ROW("a\\nb \\x41\n", "[a\\nb \\x41]"),
        ROW("a*1\n", "[a*1]"),
        /* Redis waits for more. */
        ROW("ECHO a\x00z\n\x00\n", "[ECHO a\\x00z] | [\\x00]"),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(inline_quotes_hold_words_together)
{
    static const struct resp_row rows[] = {
        ROW("ECHO \"a b\"\n", "[ECHO a\\x20b]"),
        ROW("ECHO 'a b'\r\n", "[ECHO a\\x20b]"),
        ROW("ECHO a\"b c\"\n", "[ECHO ab\\x20c]"),
        ROW("ECHO a'b c' d\n", "[ECHO ab\\x20c d]"),
        ROW("ECHO \"\" ''\n", "[ECHO \"\" \"\"]"),
        ROW("\"\"\n", "[\"\"]"),
        ROW("\"PI\"\v'NG'\n", "[PI NG]"),
        ROW("ECHO \"it's\" '\"'\n", "[ECHO it's \"]"),
        ROW("ECHO \"\\n\\r\\t\\b\\a\"\n", "[ECHO \\x0a\\x0d\\x09\\x08\\x07]"),
        ROW("ECHO \"\\q\\\"\\\\\\'\\0\"\n", "[ECHO q\"\\'0]"),
        ROW("ECHO \"\\x41\\x4a\\x4Az\\x00\\xfF\"\n", "[ECHO AJJz\\x00\\xff]"),
        ROW("ECHO \"\\x4\" \"\\xg1\" \"\\x4g\" \"\\x\"\n",
            "[ECHO x4 xg1 x4g x]"),
        ROW("ECHO \"\\n41\" \"\\441\"\n", "[ECHO \\x0a41 441]"),
        ROW("ECHO 'a\\'b\\n\\x41\\\\c'\n", "[ECHO a'b\\n\\x41\\\\c]"),
        ROW("ECHO \"a\rb\"\n", "[ECHO a\\x0db]"),
        ROW("SET \"k\\n\" 'v'\nGET \"k\\n\"\n",
            "[SET k\\x0a v] | [GET k\\x0a]"),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(inline_quotes_must_be_balanced)
{
    static const struct resp_row rows[] = {
        ROW("ECHO \"a\n", UNBALANCED),
        ROW("ECHO \"a\r\n", UNBALANCED),
        ROW("ECHO 'a\n", UNBALANCED),
        ROW("ECHO \"\n", UNBALANCED),
        ROW("ECHO \"a\"b\n", UNBALANCED),
        ROW("ECHO 'a'b\n", UNBALANCED),
        ROW("ECHO \"a\"\"b\"\n", UNBALANCED),
        ROW("ECHO \"a\\\n", UNBALANCED),
        ROW("ECHO \"a\\\"\n", UNBALANCED),
        ROW("ECHO 'a\\'\n", UNBALANCED),
        ROW("ECHO 'a\\\\'\n", UNBALANCED),
        ROW("ECHO \"\\x4\n", UNBALANCED),
        ROW("PING\nECHO \"a\nPING\n", "[PING] | " UNBALANCED),
        ROW("{\"s\":\"size\",\"p\":{}}\n", UNBALANCED),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

START_TEST(http_is_closed)
{
    static const struct resp_row rows[] = {
        ROW("POST / x\r\n" RESP_PING, "CLOSE"),
        ROW("host: x\r\n" RESP_PING, "CLOSE"),
        ROW(RESP_PING "Host: it's\r\n", "[PING] | CLOSE"),
        /* Redis answers these, but not the Host: that comes with them. */
        ROW("GET / HTTP/1.1\r\nSET a 1\r\n", "CLOSE"),
        ROW("OPTIONS * HTTP/2\n", "CLOSE"),
        ROW("\r\nPUT /\"x HTTP/1.0 \r\n", "CLOSE"),
        /* No line of HTTP. */
        ROW("POSTS a\nGET HTTP/x\n", "[POSTS a] | [GET HTTP/x]"),
        ROW("*2\r\n$3\r\nGET\r\n$14\r\n/ HTTP/1.1\r\nab\r\n",
            "[GET /\\x20HTTP/1.1\\x0d\\x0aab]"),
    };

    CHECK_ROWS(rows, &resp_usual);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, arrays_are_commands);
    tcase_add_test(tc, commands_without_words_are_skipped);
    tcase_add_test(tc, counts_are_plain_numbers);
    tcase_add_test(tc, lengths_are_plain_numbers);
    tcase_add_test(tc, an_argument_begins_with_a_dollar);
    tcase_add_test(tc, inline_words_are_split_at_blanks);
    tcase_add_test(tc, inline_quotes_hold_words_together);
    tcase_add_test(tc, inline_quotes_must_be_balanced);
    tcase_add_test(tc, http_is_closed);
}

TEST_MAIN("resp_request", fill)
