/* SPDX-License-Identifier: MIT
 *
 * resp_command_cmd_test.c - COMMAND and ACL.
 */
#include "resp_fixture.h"

#include "suite.h"

#include "service/resp_category.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GET_2                                                                  \
    "*10\r\n$3\r\nget\r\n:2\r\n*2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n" \
    "*3\r\n+@read\r\n+@string\r\n+@fast\r\n*0\r\n*1\r\n*6\r\n$5\r\nflags\r\n"  \
    "*2\r\n+RO\r\n+access\r\n$12\r\nbegin_search\r\n*4\r\n$4\r\ntype\r\n$"     \
    "5\r\n"                                                                    \
    "index\r\n$4\r\nspec\r\n*2\r\n$5\r\nindex\r\n:1\r\n$9\r\nfind_keys\r\n"    \
    "*4\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n*6\r\n$7\r\nlastkey\r\n" \
    ":0\r\n$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n*0\r\n"
#define GET_3                                                                  \
    "*10\r\n$3\r\nget\r\n:2\r\n~2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n" \
    "~3\r\n+@read\r\n+@string\r\n+@fast\r\n~0\r\n~1\r\n%3\r\n$5\r\nflags\r\n"  \
    "~2\r\n+RO\r\n+access\r\n$12\r\nbegin_search\r\n%2\r\n$4\r\ntype\r\n$"     \
    "5\r\n"                                                                    \
    "index\r\n$4\r\nspec\r\n%1\r\n$5\r\nindex\r\n:1\r\n$9\r\nfind_keys\r\n"    \
    "%2\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n%3\r\n$7\r\nlastkey\r\n" \
    ":0\r\n$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n~0\r\n"

/* As redis-server tells it. */
START_TEST(info)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect_both(&f, "*1\r\n" GET_2, "*1\r\n" GET_3, "COMMAND", "INFO", "GET");
    expect_both(&f, "*3\r\n$-1\r\n" GET_2 "$-1\r\n",
                "*3\r\n_\r\n" GET_3 "_\r\n", "command", "info", "nosuch", "get",
                "x");
    resp_fixture_fini(&f);
}
END_TEST

/* Passes one reply of RESP2, and returns what is behind it. */
static const char *
skip_reply(const char *at)
{
    char type = *at;
    char *end;
    long n = strtol(at + 1, &end, 10);

    if (type == '$') {
        ck_assert(strncmp(end, "\r\n", 2) == 0);
        return n < 0 ? end + 2 : end + 2 + n + 2;
    }
    if (type == '*') {
        ck_assert(strncmp(end, "\r\n", 2) == 0);
        end += 2;
        for (long i = 0; i < n; i++)
            end = (char *)(uintptr_t)skip_reply(end);
        return end;
    }
    ck_assert(type == '+' || type == ':' || type == '-');
    at = strstr(at, "\r\n");
    ck_assert_ptr_nonnull(at);
    return at + 2;
}

/* Every command is there, and each reply is one. */
START_TEST(all)
{
    struct resp_fixture f;
    struct slice reply;
    size_t count;
    char head[32];

    resp_fixture_init(&f);
    resp_rows(&count);
    snprintf(head, sizeof head, ":%zu\r\n", count);
    expect(&f, head, "COMMAND", "COUNT");
    snprintf(head, sizeof head, "*%zu\r\n", count);
    reply = resp_say(&f, "COMMAND", NULL);
    ck_assert(strncmp(reply.data, head, strlen(head)) == 0);
    ck_assert_ptr_eq(skip_reply(reply.data), reply.data + reply.len);
    reply = resp_say(&f, "COMMAND", "INFO", NULL);
    ck_assert_ptr_eq(skip_reply(reply.data), reply.data + reply.len);
    reply = resp_say(&f, "COMMAND", "LIST", NULL);
    ck_assert(strncmp(reply.data, head, strlen(head)) == 0);
    ck_assert_ptr_eq(skip_reply(reply.data), reply.data + reply.len);
    snprintf(head, sizeof head, "*%zu\r\n", 2 * count);
    reply = resp_say(&f, "COMMAND", "DOCS", NULL);
    ck_assert(strncmp(reply.data, head, strlen(head)) == 0);
    ck_assert_ptr_eq(skip_reply(reply.data), reply.data + reply.len);
    resp_fixture_fini(&f);
}
END_TEST

/* Whoever adds a command says something about it. */
START_TEST(all_are_documented)
{
    size_t count;
    const struct resp_row *rows = resp_rows(&count);

    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(resp_doc(&rows[i]) != NULL,
                      "no row for %s in "
                      "resp_docs.def",
                      rows[i].name);
        ck_assert_msg(i == 0 || strcasecmp(rows[i - 1].name, rows[i].name) < 0,
                      "%s is not in its place", rows[i].name);
    }
}
END_TEST

START_TEST(docs)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect_both(&f, "*0\r\n", "%0\r\n", "COMMAND", "DOCS", "nosuch");
    expect_both(&f,
                "*2\r\n$4\r\nping\r\n*6\r\n$7\r\nsummary\r\n$15\r\nPing the "
                "server\r\n$5\r\nsince\r\n$5\r\n1.0.0\r\n$5\r\ngroup\r\n$10"
                "\r\nconnection\r\n",
                "%1\r\n$4\r\nping\r\n%3\r\n$7\r\nsummary\r\n$15\r\nPing the "
                "server\r\n$5\r\nsince\r\n$5\r\n1.0.0\r\n$5\r\ngroup\r\n$10"
                "\r\nconnection\r\n",
                "COMMAND", "DOCS", "PING", "nosuch");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(list)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "*1\r\n$4\r\nping\r\n", "COMMAND", "LIST", "FILTERBY", "pattern",
           "PIN*");
    expect(&f, "*0\r\n", "COMMAND", "LIST", "FILTERBY", "MODULE", "x");
    expect(&f, "*0\r\n", "COMMAND", "LIST", "FILTERBY", "ACLCAT", "nosuch");
    ck_assert_ptr_nonnull(strstr(
        resp_say(&f, "COMMAND", "LIST", "FILTERBY", "ACLCAT", "fast", NULL)
            .data,
        "\r\nping\r\n"));
    expect(&f, "-ERR syntax error\r\n", "COMMAND", "LIST", "x");
    expect(&f, "-ERR syntax error\r\n", "COMMAND", "LIST", "FILTERBY", "x",
           "y");
    expect(&f, "-ERR unknown subcommand 'FOO'. Try COMMAND HELP.\r\n",
           "COMMAND", "FOO");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(getkeys)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "*1\r\n$1\r\na\r\n", "COMMAND", "GETKEYS", "get", "a");
    expect(&f, "*2\r\n$1\r\na\r\n$1\r\nc\r\n", "COMMAND", "GETKEYS", "MSET",
           "a", "b", "c", "d");
    expect(&f, "*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n", "COMMAND", "GETKEYS",
           "mget", "a", "b", "c");
    expect(&f, "*1\r\n$1\r\nk\r\n", "COMMAND", "GETKEYS", "object", "encoding",
           "k");
    expect(&f, "-ERR The command has no key arguments\r\n", "COMMAND",
           "GETKEYS", "ping", "x");
    expect(&f, "-ERR Invalid command specified\r\n", "COMMAND", "GETKEYS",
           "nosuch", "x");
    expect(&f, "-ERR Invalid number of arguments specified for command\r\n",
           "COMMAND", "GETKEYS", "get", "a", "b");
    expect(&f, "-ERR Invalid number of arguments specified for command\r\n",
           "COMMAND", "GETKEYS", "memory", "doctor");
    expect(&f,
           "-ERR wrong number of arguments for 'command|getkeys' command\r\n",
           "COMMAND", "GETKEYS", "get");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(acl)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f, "$7\r\ndefault\r\n", "ACL", "WHOAMI");
    expect(&f, "*1\r\n$7\r\ndefault\r\n", "ACL", "USERS");
    expect(&f, "*1\r\n$34\r\nuser default on nopass ~* &* +@all\r\n", "ACL",
           "LIST");
    expect(&f, "-ERR Unknown category 'nosuch'\r\n", "ACL", "CAT", "nosuch");
    expect(&f,
           "-ERR unknown subcommand or wrong number of arguments for 'CAT'. "
           "Try ACL HELP.\r\n",
           "ACL", "CAT", "a", "b");
    ck_assert_ptr_nonnull(
        strstr(resp_say(&f, "ACL", "CAT", NULL).data, "\r\nconnection\r\n"));
    ck_assert_ptr_nonnull(
        strstr(resp_say(&f, "ACL", "CAT", "STRING", NULL).data, "\r\nget\r\n"));
    expect(&f, "-ERR unknown subcommand 'SETUSER'. Try ACL HELP.\r\n", "ACL",
           "SETUSER", "x");
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, info);
    tcase_add_test(tc, all);
    tcase_add_test(tc, all_are_documented);
    tcase_add_test(tc, docs);
    tcase_add_test(tc, list);
    tcase_add_test(tc, getkeys);
    tcase_add_test(tc, acl);
}

TEST_MAIN("resp_command_cmd", fill)
