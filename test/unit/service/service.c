/* SPDX-License-Identifier: MIT
 *
 * service.c - verbs without a socket: a line in, an answer out.
 *
 * Conversations are in test/transcripts; here is what they cannot see: memory
 * that runs out, values that are lent, counters.
 */
#include "service/service.h"

#include "chaos.h"
#include "fake_clock.h"
#include "suite.h"

#include "base/mem.h"
#include "wire/wire_json.h"

#include <jansson.h>
#include <string.h>

#define MAX_REQUEST ((size_t)1 << 20)

struct fixture {
    struct fake_clock clock;
    struct store *store;
    struct stats stats;
    struct counters counters;
    struct service service;
    struct session session;
    struct outbox out;
};

static void
begin(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    fake_clock_init(&f->clock);
    struct store_options options = {.clock = &f->clock.clock};
    ck_assert_int_eq(store_new(&options, &f->store), MZ_OK);
    stats_init(&f->stats);
    stats_attach(&f->stats, &f->counters);
    f->service = (struct service){
        .store = f->store,
        .stats = &f->stats,
        .clock = &f->clock.clock,
        .started_mono_ms = clock_mono_ms(&f->clock.clock),
        .max_value = MAX_REQUEST / 2,
        .max_request = MAX_REQUEST,
        .max_clients = 7,
    };
    f->session = (struct session){&f->service, &f->counters, 0, false};
    outbox_init(&f->out);
}

static void
end(struct fixture *f)
{
    outbox_fini(&f->out);
    stats_detach(&f->stats, &f->counters);
    stats_fini(&f->stats);
    store_free(f->store);
}

/* Runs one line; its answer waits in f->out. */
static void
run(struct fixture *f, const char *line)
{
    struct wire_json wire;
    struct command command;
    struct fault fault;
    struct reply reply = {.ops = wire_json_reply_ops(), .out = &f->out};
    char *copy = strdup(line);
    size_t used;

    wire_json_init(&wire, MAX_REQUEST, MAX_REQUEST / 2);
    switch (wire_json_decode(&wire, copy, strlen(copy), true, &command, &fault,
                             &used)) {
    case WIRE_DONE:
        service_run(&f->session, &command, &reply);
        break;
    case WIRE_BAD:
        service_refuse(&f->session, &fault, &reply);
        break;
    default:
        ck_abort_msg("the line was not decoded: %s", line);
    }
    free(copy);
}

/* Takes what waits in the outbox as one string, which the caller frees. */
static char *
take(struct fixture *f)
{
    size_t len = outbox_pending(&f->out), at = 0;
    char *text = malloc(len + 1);

    while (at < len) {
        struct iovec v[4];
        int n = outbox_vectors(&f->out, v, 4);

        ck_assert_int_gt(n, 0);
        for (int i = 0; i < n; i++) {
            memcpy(text + at, v[i].iov_base, v[i].iov_len);
            at += v[i].iov_len;
            outbox_sent(&f->out, v[i].iov_len);
        }
    }
    text[len] = '\0';
    return text;
}

static void
expect(struct fixture *f, const char *line, const char *answer)
{
    char *got;

    run(f, line);
    got = take(f);
    ck_assert_str_eq(got, answer);
    free(got);
}

START_TEST(answers_each_verb)
{
    struct fixture f;

    begin(&f);
    expect(&f, "{\"s\":\"ping\"}", "\"pong\"\n");
    expect(&f, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":1.10,\"ttl\":2}}",
           "ok\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}", "1.10\n");
    expect(&f, "{\"s\":\"has\",\"p\":{\"k\":\"a\"}}", "true\n");
    expect(&f, "{\"s\":\"ttl\",\"p\":{\"k\":\"a\"}}", "2.000\n");
    expect(&f, "{\"s\":\"touch\",\"p\":{\"k\":\"a\",\"ttl\":null}}", "true\n");
    expect(&f, "{\"s\":\"ttl\",\"p\":{\"k\":\"a\"}}", "-1\n");
    expect(&f, "{\"s\":\"ttl\",\"p\":{\"k\":\"b\"}}", "null\n");
    expect(&f, "{\"s\":\"size\"}", "1\n");
    expect(&f, "{\"s\":\"select\",\"p\":{\"db\":15}}", "ok\n");
    expect(&f, "{\"s\":\"size\"}", "0\n");
    expect(&f, "{\"s\":\"select\",\"p\":{\"db\":0}}", "ok\n");
    expect(&f, "{\"s\":\"del\",\"p\":{\"k\":[\"a\",\"b\",\"a\"]}}", "1\n");
    expect(&f, "{\"s\":\"reset\"}", "ok\n");
    ck_assert(!f.session.quit);
    expect(&f, "{\"s\":\"quit\"}", "ok\n");
    ck_assert(f.session.quit);
    end(&f);
}
END_TEST

/* A large value is lent: it outlives its key until it is sent. */
START_TEST(lends_a_large_value)
{
    struct fixture f;
    size_t len = 3 * (size_t)REPLY_LEND_MIN;
    char *line = malloc(len + 64), *want = malloc(len + 4), *got;
    int at = sprintf(line, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":\"");

    memset(line + at, 'x', len);
    strcpy(line + at + len, "\"}}");
    want[0] = '"';
    memset(want + 1, 'x', len);
    strcpy(want + 1 + len, "\"\n");
    begin(&f);
    expect(&f, line, "ok\n");
    run(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}");
    ck_assert_uint_ge(f.out.lent_bytes, len);
    store_reset(f.store, 0);
    got = take(&f);
    ck_assert_str_eq(got, want);
    free(got);
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}", "null\n");
    end(&f);
    free(line);
    free(want);
}
END_TEST

/* Without memory a request is refused, and nothing changes. */
START_TEST(refuses_without_memory)
{
    static const char *const lines[] = {
        "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":2}}",
        "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}",
        "{\"s\":\"stats\"}",
        "{\"s\":\"hello\"}",
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct fixture f;
        struct chaos chaos;
        char *got;

        begin(&f);
        expect(&f, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":1}}", "ok\n");
        outbox_fini(&f.out);
        ck_assert_int_eq(outbox_reserve(&f.out, 256), MZ_OK);
        chaos_limit(&chaos, 16);
        run(&f, lines[i]);
        ck_assert(chaos_end(&chaos));
        ck_assert_uint_eq(f.counters.count[COUNTER_REFUSED], 1);
        got = take(&f);
        ck_assert_msg(strncmp(got, "error no_memory ", 16) == 0,
                      "%s answered %s", lines[i], got);
        free(got);
        expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}", "1\n");
        end(&f);
    }
}
END_TEST

static json_int_t
number(const json_t *object, const char *name)
{
    const json_t *n = json_object_get(object, name);

    ck_assert_msg(json_is_integer(n), "no number %s", name);
    return json_integer_value(n);
}

START_TEST(counts_what_it_does)
{
    struct fixture f;
    char *text;
    json_t *stats;

    begin(&f);
    expect(&f, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":1,\"ttl\":9}}", "ok\n");
    expect(&f, "{\"s\":\"set\",\"p\":{\"k\":\"b\",\"v\":1}}", "ok\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}", "1\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"c\"}}", "null\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"d\"}}", "null\n");
    expect(&f, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":1,\"if\":\"absent\"}}",
           "error exists version is 1\n");
    expect(&f, "{\"s\":\"nope\"}",
           "error unknown_selector unknown selector \"nope\"\n");
    fake_clock_advance(&f.clock, 10000);
    ck_assert_uint_eq(store_sweep(f.store), 1);
    run(&f, "{\"s\":\"stats\"}");
    text = take(&f);
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    stats = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(stats != NULL, "not JSON: %s", text);
    ck_assert_int_eq(number(stats, "uptime_s"), 10);
    ck_assert_int_eq(number(stats, "keys"), 1);
    ck_assert_int_eq(number(stats, "expires"), 0);
    ck_assert_int_eq(number(stats, "expired_keys"), 1);
    ck_assert_int_eq(number(stats, "hits"), 1);
    ck_assert_int_eq(number(stats, "misses"), 2);
    ck_assert_int_eq(number(stats, "refused"), 2);
    ck_assert_int_gt(number(stats, "memory_used"), 0);
    ck_assert_int_gt(number(stats, "memory_rss"), 0);
    ck_assert_int_eq(number(json_object_get(stats, "ops"), "set"), 3);
    ck_assert_int_eq(number(json_object_get(stats, "ops"), "get"), 3);
    ck_assert_int_eq(number(json_object_get(stats, "ops"), "stats"), 1);
    json_decref(stats);
    free(text);
    end(&f);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, answers_each_verb);
    tcase_add_test(tc, lends_a_large_value);
    tcase_add_test(tc, refuses_without_memory);
    tcase_add_test(tc, counts_what_it_does);
}

TEST_MAIN("service", fill)
