/* SPDX-License-Identifier: MIT
 *
 * resp_config_test.c - CONFIG.
 */
#include "resp_fixture.h"

#include "suite.h"

#include "service/events.h"

#include <stdio.h>
#include <string.h>

/* The options that tools cannot do without. */
START_TEST(shows_what_tools_ask_for)
{
    static const char *const names[] = {"databases",
                                        "save",
                                        "appendonly",
                                        "timeout",
                                        "maxmemory",
                                        "maxmemory-policy",
                                        "maxclients",
                                        "notify-keyspace-events",
                                        "replica-read-only",
                                        "slave-read-only",
                                        "port",
                                        "bind",
                                        "client-output-buffer-limit",
                                        "tcp-keepalive"};
    struct resp_fixture f;
    char want[128];

    resp_fixture_init(&f);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(want, sizeof want, "*2\r\n$%zu\r\n%s\r\n$", strlen(names[i]),
                 names[i]);
        ck_assert(strncmp(resp_say(&f, "CONFIG", "GET", names[i], NULL).data,
                          want, strlen(want)) == 0);
    }
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(gets_by_pattern)
{
    static const char *const bind[] = {"127.0.0.1", "::1"};
    struct resp_fixture f;

    resp_fixture_init(&f);
    f.service.setup = (struct service_setup){
        .bind = bind,
        .bind_count = 2,
        .port = 9091,
        .idle_timeout_ms = 1500,
        .tcp_keepalive_ms = 300000,
    };
    expect_both(&f, "*2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n",
                "%1\r\n$9\r\ndatabases\r\n$2\r\n16\r\n", "CONFIG", "GET",
                "databases");
    expect_both(&f, "*0\r\n", "%0\r\n", "CONFIG", "GET", "nosuch");
    expect(&f, "*2\r\n$4\r\nPORT\r\n$4\r\n9091\r\n", "config", "get", "PORT",
           "por?", "port");
    expect(&f, "*2\r\n$4\r\nport\r\n$4\r\n9091\r\n", "config", "get", "por?",
           "PORT");
    expect(&f, "*2\r\n$4\r\nport\r\n$4\r\n9091\r\n", "config", "get", "PORT*");
    expect(&f, "*2\r\n$4\r\nbind\r\n$13\r\n127.0.0.1 ::1\r\n", "CONFIG", "GET",
           "bin[a-d]");
    expect(&f, "*2\r\n$7\r\ntimeout\r\n$1\r\n2\r\n", "CONFIG", "GET",
           "timeout");
    expect(&f, "*2\r\n$13\r\ntcp-keepalive\r\n$3\r\n300\r\n", "CONFIG", "GET",
           "tcp-k*");
    expect(&f,
           "*4\r\n$10\r\nmaxclients\r\n$1\r\n7\r\n$9\r\nmaxmemory\r\n$1\r\n0"
           "\r\n",
           "CONFIG", "GET", "maxmemory", "nosuch", "*clients");
    expect(&f, "-ERR wrong number of arguments for 'config|get' command\r\n",
           "CONFIG", "GET");
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(sets_events)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    ck_assert_int_eq(events_start(f.service.topics, &f.service.events), MZ_OK);
    expect(&f, "*2\r\n$22\r\nnotify-keyspace-events\r\n$0\r\n\r\n", "CONFIG",
           "GET", "notify-keyspace-events");
    expect(&f, "+OK\r\n", "CONFIG", "SET", "Notify-keyspace-events", "Egx");
    expect(&f, "*2\r\n$22\r\nnotify-keyspace-events\r\n$3\r\ngxE\r\n", "CONFIG",
           "GET", "notify-keyspace-events");
    expect(&f,
           "-ERR CONFIG SET failed (possibly related to argument "
           "'notify-keyspace-events') - Invalid event class character. Use "
           "'Ag$lshzxeKEtmdn'.\r\n",
           "CONFIG", "SET", "notify-keyspace-events", "Q");
    expect(&f,
           "-ERR CONFIG SET failed (possibly related to argument "
           "'notify-keyspace-events') - duplicate parameter\r\n",
           "CONFIG", "SET", "notify-keyspace-events", "E",
           "notify-keyspace-events", "K");
    expect(&f,
           "-ERR CONFIG SET failed (possibly related to argument 'port') - "
           "can't set immutable config\r\n",
           "CONFIG", "SET", "notify-keyspace-events", "K", "port", "1");
    expect(&f, "*2\r\n$22\r\nnotify-keyspace-events\r\n$3\r\ngxE\r\n", "CONFIG",
           "GET", "notify-keyspace-events");
    events_stop(f.service.events);
    f.service.events = NULL;
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(sets_nothing)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    expect(&f,
           "-ERR Unknown option or number of arguments for CONFIG SET - "
           "'nosuch'\r\n",
           "CONFIG", "SET", "nosuch", "1");
    expect(&f,
           "-ERR Unknown option or number of arguments for CONFIG SET - "
           "'dir'\r\n",
           "CONFIG", "SET", "port", "1", "dir", "/etc");
    expect(&f,
           "-ERR CONFIG SET failed (possibly related to argument 'databases') "
           "- can't set immutable config\r\n",
           "CONFIG", "SET", "databases", "1");
    expect(&f, "-ERR syntax error\r\n", "CONFIG", "SET", "a", "b", "c");
    expect(&f, "-ERR wrong number of arguments for 'config|set' command\r\n",
           "CONFIG", "SET", "a");
    expect(&f, "-ERR The server is running without a config file\r\n", "CONFIG",
           "REWRITE");
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, shows_what_tools_ask_for);
    tcase_add_test(tc, gets_by_pattern);
    tcase_add_test(tc, sets_events);
    tcase_add_test(tc, sets_nothing);
}

TEST_MAIN("resp_config", fill)
