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
    ck_assert_int_eq(leases_new(&f->clock.clock, 1, &f->service.leases), MZ_OK);
    f->session =
        (struct session){.service = &f->service, .counters = &f->counters};
    outbox_init(&f->out);
}

static void
end(struct fixture *f)
{
    outbox_fini(&f->out);
    stats_detach(&f->stats, &f->counters);
    stats_fini(&f->stats);
    lease_holder_end(f->service.leases, &f->session.holder);
    leases_free(f->service.leases);
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
    expect(&f, "{\"s\":\"mget\",\"p\":{\"k\":[\"a\"]}}", "[null]\n");
    expect(&f, "{\"s\":\"set\",\"p\":{\"k\":\"ab\",\"v\":2}}", "ok\n");
    expect(&f, "{\"s\":\"scan\",\"p\":{\"prefix\":\"a\"}}",
           "{\"keys\":[\"ab\"],\"next\":null}\n");
    expect(&f, "{\"s\":\"count\",\"p\":{\"prefix\":\"b\"}}", "0\n");
    expect(&f, "{\"s\":\"drop\",\"p\":{\"prefix\":\"a\"}}", "1\n");
    expect(&f, "{\"s\":\"lock\",\"p\":{\"k\":\"a\",\"ttl\":9}}", "1\n");
    expect(&f, "{\"s\":\"unlock\",\"p\":{\"k\":\"a\",\"token\":1}}", "true\n");
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
        "{\"s\":\"scan\"}",
        "{\"s\":\"lock\",\"p\":{\"k\":\"l\",\"ttl\":9}}",
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

/* A host that takes what is sent to it. */
struct taker {
    struct fixture *f;
    struct buf taken;
    size_t most; /* bytes that ever waited */
    bool leaves; /* after the first that was sent to it */
};

static bool
take_all(void *ctx, bool all)
{
    struct taker *taker = ctx;
    size_t len = outbox_pending(&taker->f->out);
    char *text;

    if (taker->most < len)
        taker->most = len;
    if (!all && len < 100000)
        return true;
    text = take(taker->f);
    buf_put(&taker->taken, text, len);
    free(text);
    return !taker->leaves;
}

static void
begin_taking(struct taker *taker, struct session_host *host, struct fixture *f)
{
    *taker = (struct taker){.f = f};
    *host = (struct session_host){.send = take_all, .ctx = taker};
    f->session.host = host;
}

/* A value of len x, as JSON. */
static char *
long_value(size_t len)
{
    char *text = malloc(len + 3);

    memset(text, 'x', len + 2);
    text[0] = text[len + 1] = '"';
    text[len + 2] = '\0';
    return text;
}

/* {"s":"mget","p":{"k":["KEY","KEY",...]}} */
static void
put_mget(struct buf *line, const char *key, size_t count)
{
    buf_put_string(line, "{\"s\":\"mget\",\"p\":{\"k\":[");
    for (size_t i = 0; i < count; i++)
        buf_printf(line, "%s\"%s\"", i > 0 ? "," : "", key);
    buf_put(line, "]}}", 4);
}

/* An array is sent while it is made, so it may be larger than memory: copied
 * values and lent ones. */
START_TEST(sends_a_large_array_in_pieces)
{
    static const size_t lens[] = {1000, 3 * (size_t)REPLY_LEND_MIN};

    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        const size_t count = 10000000 / lens[i];
        char *value = long_value(lens[i]);
        struct buf line = {0}, want = {0};
        struct session_host host;
        struct taker taker;
        struct fixture f;

        begin(&f);
        buf_printf(&line, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":%s}}",
                   value);
        buf_put(&line, "", 1);
        expect(&f, line.data, "ok\n");
        line.len = 0;
        put_mget(&line, "a", count);
        for (size_t k = 0; k < count; k++)
            buf_printf(&want, "%c%s", k == 0 ? '[' : ',', value);
        buf_put_string(&want, "]\n");
        begin_taking(&taker, &host, &f);
        run(&f, line.data);
        (void)take_all(&taker, true);
        ck_assert(slice_equal(buf_slice(&taker.taken), buf_slice(&want)));
        ck_assert_uint_lt(taker.most, 100000 + 2 * lens[i]);
        buf_fini(&taker.taken);
        buf_fini(&line);
        buf_fini(&want);
        free(value);
        end(&f);
    }
}
END_TEST

/* An array that cannot be ended is refused as a whole. */
START_TEST(takes_back_an_array_that_cannot_be_ended)
{
    struct buf line = {0};
    struct session_host host;
    struct taker taker;
    struct fixture f;
    struct chaos chaos;
    char *got;

    begin(&f);
    put_mget(&line, "none", 10);
    expect(&f, "{\"s\":\"ping\"}", "\"pong\"\n");
    run(&f, "{\"s\":\"ping\"}");
    begin_taking(&taker, &host, &f);
    chaos_limit(&chaos, 8192);
    run(&f, line.data);
    ck_assert(chaos_end(&chaos));
    got = take(&f);
    ck_assert_msg(strncmp(got, "error no_memory ", 16) == 0, "answered %s",
                  got);
    ck_assert(slice_is(buf_slice(&taker.taken), "\"pong\"\n"));
    free(got);
    buf_fini(&taker.taken);
    buf_fini(&line);
    end(&f);
}
END_TEST

/* ... unless its beginning has been sent: then nothing may follow it. */
START_TEST(gives_up_an_array_whose_beginning_was_sent)
{
    char *value = long_value(3 * (size_t)REPLY_LEND_MIN);
    struct buf line = {0};
    struct session_host host;
    struct taker taker;
    struct fixture f;

    begin(&f);
    buf_printf(&line, "{\"s\":\"set\",\"p\":{\"k\":\"a\",\"v\":%s}}", value);
    buf_put(&line, "", 1);
    expect(&f, line.data, "ok\n");
    line.len = 0;
    put_mget(&line, "a", 10);
    begin_taking(&taker, &host, &f);
    taker.leaves = true;
    run(&f, line.data);
    ck_assert_uint_gt(taker.taken.len, 0);
    ck_assert(outbox_failed(&f.out));
    buf_fini(&taker.taken);
    buf_fini(&line);
    free(value);
    end(&f);
}
END_TEST

/* Bytes that the other protocol has written. */
static void
put_bytes(struct fixture *f, const char *key, const char *bytes, size_t len)
{
    const struct store_write write = {
        .key = {slice_of_string(key), 0},
        .value = slice_of(bytes, len),
        .kind = VALUE_BYTES,
        .ttl_ms = STORE_NEVER,
    };
    uint64_t version;

    ck_assert_int_eq(store_set(f->store, &write, &version), MZ_OK);
}

#define PUT_BYTES(f, key, text) put_bytes(f, key, text, sizeof(text) - 1)

START_TEST(reads_bytes_as_json_or_text)
{
    struct fixture f;

    begin(&f);
    PUT_BYTES(&f, "json", " \r\n{\"a\" :\n\t[1.10,\r\n\"\\n\"]}\n");
    PUT_BYTES(&f, "text", "caf\xc3\xa9 \"\\\n\0");
    PUT_BYTES(&f, "binary", "\xff\xfe");
    PUT_BYTES(&f, "empty", "");
    PUT_BYTES(&f, "two", "1 2");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"json\"}}",
           "{\"a\" :  [1.10,  \"\\n\"]}\n");
    expect(&f, "{\"i\":1,\"s\":\"get\",\"p\":{\"k\":\"text\",\"touch\":9}}",
           "{\"i\":1,\"r\":\"caf\xc3\xa9 \\\"\\\\\\n\\u0000\",\"ver\":2,"
           "\"ttl\":9.000}\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"empty\"}}", "\"\"\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"two\"}}", "\"1 2\"\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"binary\"}}",
           "error not_json the value is neither JSON nor UTF-8 text\n");
    expect(&f, "{\"s\":\"mget\",\"p\":{\"k\":[\"two\",\"json\",\"none\"]}}",
           "[\"1 2\",{\"a\" :  [1.10,  \"\\n\"]},null]\n");
    expect(&f, "{\"s\":\"mget\",\"p\":{\"k\":[\"two\",\"binary\",\"none\"]}}",
           "error not_json the value is neither JSON nor UTF-8 text\n");
    end(&f);
}
END_TEST

/* Around the size from which on values are lent, and 128 levels deep. */
START_TEST(reads_long_and_deep_bytes)
{
    struct fixture f;

    begin(&f);
    for (size_t len = REPLY_LEND_MIN - 3; len < REPLY_LEND_MIN + 3; len++) {
        struct buf bytes = {0}, want = {0};
        char *got;

        for (size_t i = 0; i < len; i++)
            buf_put_char(&bytes, '\n');
        put_bytes(&f, "a", bytes.data, len);
        run(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}");
        got = take(&f);
        buf_put_char(&want, '"');
        for (size_t i = 0; i < len; i++)
            buf_put_string(&want, "\\n");
        buf_put(&want, "\"\n", 3);
        ck_assert_str_eq(got, want.data);
        free(got);
        buf_fini(&bytes);
        buf_fini(&want);
    }
    for (size_t depth = 128; depth <= 129; depth++) {
        char brackets[2 * 129 + 1] = {0};
        char *got;

        memset(brackets, '[', depth);
        memset(brackets + depth, ']', depth);
        put_bytes(&f, "a", brackets, 2 * depth);
        run(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}");
        got = take(&f);
        ck_assert_int_eq(got[0], depth == 128 ? '[' : '"');
        free(got);
    }
    end(&f);
}
END_TEST

START_TEST(merges_and_counts_bytes)
{
    struct fixture f;

    begin(&f);
    PUT_BYTES(&f, "a", "{\"x\":1,\n\"y\":1.10}\n");
    expect(&f, "{\"s\":\"merge\",\"p\":{\"k\":\"a\",\"v\":{\"x\":2}}}", "ok\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"a\"}}", "{\"x\":2,\"y\":1.10}\n");
    PUT_BYTES(&f, "b", "no JSON");
    expect(&f, "{\"s\":\"merge\",\"p\":{\"k\":\"b\",\"v\":{\"x\":2}}}",
           "error not_json the value is neither JSON nor UTF-8 text\n");
    expect(&f, "{\"s\":\"get\",\"p\":{\"k\":\"b\"}}", "\"no JSON\"\n");
    PUT_BYTES(&f, "n", "41");
    expect(&f, "{\"s\":\"incr\",\"p\":{\"k\":\"n\"}}", "42\n");
    end(&f);
}
END_TEST

static void
note_sleep(void *ctx)
{
    *(int *)ctx += 1;
}

static void
note_wake(void *ctx)
{
    *(int *)ctx += 100;
}

/* Only who stands in line sleeps. */
START_TEST(sleeps_only_in_line)
{
    int calls = 0;
    struct session_host host = {
        .sleep = note_sleep, .wake = note_wake, .ctx = &calls};
    struct fixture f;

    begin(&f);
    f.session.host = &host;
    expect(&f, "{\"s\":\"lock\",\"p\":{\"k\":\"l\",\"ttl\":9,\"wait\":9}}",
           "1\n");
    expect(&f, "{\"s\":\"lock\",\"p\":{\"k\":\"l\",\"ttl\":9}}", "null\n");
    ck_assert_int_eq(calls, 0);
    /* A server that stops lets nobody wait. */
    leases_stop(f.service.leases);
    expect(&f, "{\"s\":\"lock\",\"p\":{\"k\":\"l\",\"ttl\":9,\"wait\":9}}",
           "null\n");
    ck_assert_int_eq(calls, 101);
    end(&f);
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
    tcase_add_test(tc, sends_a_large_array_in_pieces);
    tcase_add_test(tc, takes_back_an_array_that_cannot_be_ended);
    tcase_add_test(tc, gives_up_an_array_whose_beginning_was_sent);
    tcase_add_test(tc, reads_bytes_as_json_or_text);
    tcase_add_test(tc, reads_long_and_deep_bytes);
    tcase_add_test(tc, merges_and_counts_bytes);
    tcase_add_test(tc, sleeps_only_in_line);
    tcase_add_test(tc, counts_what_it_does);
}

TEST_MAIN("service", fill)
