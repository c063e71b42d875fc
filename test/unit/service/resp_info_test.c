/* SPDX-License-Identifier: MIT
 *
 * resp_info_test.c - INFO, as those read it who need it.
 */
#include "resp_fixture.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value behind "\r\nname:", a number. */
static long long
number(struct slice reply, const char *name)
{
    char field[64];
    const char *at;

    snprintf(field, sizeof field, "\r\n%s:", name);
    at = strstr(reply.data, field);
    ck_assert_msg(at != NULL, "no %s", name);
    return atoll(at + strlen(field));
}

static bool
has(struct slice reply, const char *text)
{
    return strstr(reply.data, text) != NULL;
}

START_TEST(has_the_fields)
{
    static const char *const fields[] = {"redis_version",
                                         "memoizer_version",
                                         "redis_mode",
                                         "os",
                                         "arch_bits",
                                         "process_id",
                                         "run_id",
                                         "tcp_port",
                                         "uptime_in_seconds",
                                         "uptime_in_days",
                                         "executable",
                                         "config_file",
                                         "connected_clients",
                                         "maxclients",
                                         "blocked_clients",
                                         "used_memory",
                                         "used_memory_human",
                                         "used_memory_rss",
                                         "used_memory_peak",
                                         "maxmemory",
                                         "maxmemory_policy",
                                         "mem_fragmentation_ratio",
                                         "loading",
                                         "rdb_bgsave_in_progress",
                                         "rdb_changes_since_last_save",
                                         "rdb_last_save_time",
                                         "rdb_last_bgsave_status",
                                         "aof_enabled",
                                         "aof_rewrite_in_progress",
                                         "total_connections_received",
                                         "total_commands_processed",
                                         "instantaneous_ops_per_sec",
                                         "total_net_input_bytes",
                                         "total_net_output_bytes",
                                         "rejected_connections",
                                         "expired_keys",
                                         "evicted_keys",
                                         "keyspace_hits",
                                         "keyspace_misses",
                                         "pubsub_channels",
                                         "pubsub_patterns",
                                         "role",
                                         "connected_slaves",
                                         "cluster_enabled"};
    struct resp_fixture f;

    resp_fixture_init(&f);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        number(resp_say(&f, "INFO", NULL), fields[i]);
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(tells_the_version_first)
{
    static const char *const asked[] = {"server", "SERVER", "all", "everything",
                                        "default"};
    struct resp_fixture f;
    struct slice reply;

    resp_fixture_init(&f);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        reply = resp_say(&f, "INFO", asked[i], NULL);
        ck_assert(has(reply, "\r\n# Server\r\nredis_version:7.2.4\r\n"));
        ck_assert(has(reply, "\r\nredis_mode:standalone\r\n"));
    }
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(sections)
{
    struct resp_fixture f;
    struct slice reply;

    resp_fixture_init(&f);
    expect_both(&f, "$30\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n",
                "=34\r\ntxt:# Cluster\r\ncluster_enabled:0\r\n\r\n", "INFO",
                "cluster");
    expect_both(&f, "$0\r\n\r\n", "=4\r\ntxt:\r\n", "INFO", "nosuch");
    expect(&f,
           "$80\r\n# Replication\r\nrole:master\r\nconnected_slaves:0\r\n\r\n"
           "# Cluster\r\ncluster_enabled:0\r\n\r\n",
           "INFO", "CLUSTER", "nosuch", "replication", "cluster");
    reply = resp_say(&f, "INFO", NULL);
    ck_assert(has(reply, "# Modules\r\n") && !has(reply, "# Commandstats"));
    reply = resp_say(&f, "INFO", "all", NULL);
    ck_assert(!has(reply, "# Modules\r\n") && has(reply, "# Commandstats"));
    reply = resp_say(&f, "INFO", "everything", NULL);
    ck_assert(has(reply, "# Modules\r\n") && has(reply, "# Commandstats"));
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(counts)
{
    struct resp_fixture f;
    struct slice reply;

    resp_fixture_init(&f);
    expect(&f, "+OK\r\n", "SET", "a", "1", "EX", "10");
    expect(&f, "+OK\r\n", "SELECT", "5");
    expect(&f, "+OK\r\n", "SET", "b", "1");
    expect(&f, "$1\r\n1\r\n", "GET", "b");
    expect(&f, "$-1\r\n", "GET", "nosuch");
    ck_assert(resp_say(&f, "NOSUCH", NULL).data[0] == '-');
    f.service.clients = 3;
    reply = resp_say(&f, "INFO", "everything", NULL);
    ck_assert(has(reply, "\r\ndb0:keys=1,expires=1,avg_ttl=0\r\n"));
    ck_assert(has(reply, "\r\ndb5:keys=1,expires=0,avg_ttl=0\r\n"));
    ck_assert(!has(reply, "\r\ndb1:"));
    ck_assert(has(reply, "\r\ncmdstat_get:calls=2,usec=0,usec_per_call=0.00,"));
    ck_assert(has(reply, "\r\ncmdstat_set:calls=2,"));
    ck_assert(has(reply, "\r\nerrorstat_ERR:count=1\r\n"));
    ck_assert_int_eq(number(reply, "keyspace_hits"), 1);
    ck_assert_int_eq(number(reply, "keyspace_misses"), 1);
    ck_assert_int_eq(number(reply, "connected_clients"), 3);
    ck_assert_int_eq(number(reply, "maxclients"), 7);
    ck_assert_int_eq(number(reply, "total_commands_processed"), 6);
    ck_assert_int_gt(number(reply, "used_memory"), 0);
    ck_assert_int_ge(number(reply, "used_memory_peak"),
                     number(reply, "used_memory"));
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(counts_from_resetstat_on)
{
    struct resp_fixture f;
    struct slice reply;

    resp_fixture_init(&f);
    expect(&f, "$-1\r\n", "GET", "a");
    expect(&f, "+OK\r\n", "CONFIG", "RESETSTAT");
    expect(&f, "$-1\r\n", "GET", "a");
    reply = resp_say(&f, "INFO", "ALL", NULL);
    ck_assert_int_eq(number(reply, "keyspace_misses"), 1);
    ck_assert(has(reply, "\r\ncmdstat_get:calls=1,"));
    ck_assert_int_eq(number(reply, "total_commands_processed"), 2);
    resp_fixture_fini(&f);
}
END_TEST

START_TEST(tells_the_rate)
{
    struct resp_fixture f;

    resp_fixture_init(&f);
    resp_say(&f, "INFO", NULL);
    fake_clock_advance(&f.clock, 2000);
    resp_say(&f, "INFO", NULL);
    for (int i = 0; i < 99; i++)
        expect(&f, "+PONG\r\n", "PING");
    fake_clock_advance(&f.clock, 2000);
    ck_assert_int_eq(
        number(resp_say(&f, "INFO", NULL), "instantaneous_ops_per_sec"), 50);
    ck_assert_int_eq(number(resp_say(&f, "INFO", NULL), "uptime_in_seconds"),
                     4);
    resp_fixture_fini(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, has_the_fields);
    tcase_add_test(tc, tells_the_version_first);
    tcase_add_test(tc, sections);
    tcase_add_test(tc, counts);
    tcase_add_test(tc, counts_from_resetstat_on);
    tcase_add_test(tc, tells_the_rate);
}

TEST_MAIN("resp_info", fill)
