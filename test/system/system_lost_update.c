/* SPDX-License-Identifier: MIT
 *
 * system_lost_update.c - many requests of one user at once lose nothing of
 * each other's, by any of the three ways that there are: merge, a set with the
 * version that was read, incr. And a logout stays one, whatever a slow request
 * writes afterwards.
 *
 * A session has members c0, c1, ... with an integer each. Compiled a second
 * time with MEMOIZER_LAB for the sizes that take minutes.
 */
#include "crowd.h"
#include "serving.h"
#include "suite.h"

#include "base/must.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct serving server;

static void
set_up(void)
{
    serving_start(&server, NULL);
}

static void
tear_down(void)
{
    serving_stop(&server);
}

/* How many write at once, and how often each. */
struct size {
    size_t clients, updates;
};

#define SIZES(...)                                                             \
    {                                                                          \
        __VA_ARGS__,                                                           \
        {                                                                      \
            0, 0                                                               \
        }                                                                      \
    }
#if defined(MEMOIZER_LAB)
static const struct size merge_sizes[] = SIZES({64, 1000});
static const struct size set_sizes[] = SIZES({64, 1000});
static const struct size incr_sizes[] = SIZES({64, 10000});
static const struct size mixed_sizes[] = SIZES({64, 500});
#elif defined(MEMOIZER_SANITIZED)
static const struct size merge_sizes[] = SIZES({64, 20}, {8, 100});
static const struct size set_sizes[] = SIZES({64, 5}, {8, 50});
static const struct size incr_sizes[] = SIZES({64, 500});
static const struct size mixed_sizes[] = SIZES({32, 20});
#else
static const struct size merge_sizes[] = SIZES({64, 30}, {8, 250});
static const struct size set_sizes[] = SIZES({64, 20}, {8, 200});
static const struct size incr_sizes[] = SIZES({64, 1000});
static const struct size mixed_sizes[] = SIZES({32, 50});
#endif

/* ---- sessions ---- */

/* Takes word, which must come next. */
static void
take(struct slice *rest, const char *word)
{
    const size_t len = strlen(word);

    if (rest->len < len || memcmp(rest->data, word, len) != 0)
        talk_fail("no %s at \"%.*s\"", word, (int)rest->len, rest->data);
    *rest = slice_of(rest->data + len, rest->len - len);
}

/* Takes digits, of which there must be some. */
static int64_t
take_number(struct slice *rest)
{
    size_t len = 0;
    int64_t number;

    while (len < rest->len && rest->data[len] >= '0' && rest->data[len] <= '9')
        len++;
    number = answer_number(slice_of(rest->data, len));
    *rest = slice_of(rest->data + len, rest->len - len);
    return number;
}

/* The values of c0 ... c(count - 1), for the caller to free; -1 where there is
 * none. No other member may be there, and none twice. */
static int64_t *
read_members(struct slice session, size_t count)
{
    int64_t *values = malloc(count * sizeof *values);

    must(values != NULL);
    for (size_t i = 0; i < count; i++)
        values[i] = -1;
    for (const char *before = "{"; session.len != 1; before = ",") {
        size_t i;

        take(&session, before);
        take(&session, "\"c");
        i = (size_t)take_number(&session);
        must(i < count);
        ck_assert_msg(values[i] == -1, "c%zu is there twice", i);
        take(&session, "\":");
        values[i] = take_number(&session);
    }
    take(&session, "}");
    return values;
}

/* Every one of the first count members is there, with first + step * its
 * number as its value. */
static void
check_session(const char *key, size_t count, size_t first, size_t step)
{
    struct talker t;
    int64_t *values;
    size_t lost = 0;

    talker_connect(&t, server.port);
    values = read_members(
        talker_ask(&t, "{\"s\":\"get\",\"p\":{\"k\":\"%s\"}}", key), count);
    for (size_t i = 0; i < count; i++)
        lost += values[i] != (int64_t)(first + step * i);
    ck_assert_msg(lost == 0, "%zu of %zu members are lost or wrong", lost,
                  count);
    free(values);
    answer_is(talker_ask(&t, "{\"s\":\"del\",\"p\":{\"k\":\"%s\"}}", key), "1");
    talker_close(&t);
}

/* What all clients of a run share. */
struct run {
    struct size size;
    atomic_size_t retries;
    atomic_uchar *answered; /* how often each number was the answer */
};

static void
run_all(const char *what, const struct size *sizes, crowd_fn *fn,
        void (*check)(const struct run *run))
{
    for (; sizes->clients > 0; sizes++) {
        const size_t writes = sizes->clients * sizes->updates;
        struct run run = {.size = *sizes};
        int64_t ms;

        run.answered = calloc(writes + 1, sizeof *run.answered);
        must(run.answered != NULL);
        ms = crowd_run(server.port, sizes->clients, fn, &run);
        printf("%s: %zu clients, %zu updates each, %zu tries more, "
               "%" PRId64 " ms\n",
               what, sizes->clients, sizes->updates, atomic_load(&run.retries),
               ms);
        check(&run);
        free(run.answered);
    }
}

/* ---- merge ---- */

static void
merge_different_members(struct crowd_client *client)
{
    struct run *run = client->ctx;

    for (size_t i = 0; i < run->size.updates; i++) {
        const size_t member = client->number * run->size.updates + i;

        answer_is(talker_ask(&client->talker,
                             "{\"s\":\"merge\",\"p\":{\"k\":\"merged\","
                             "\"v\":{\"c%zu\":%zu}}}",
                             member, member + 1),
                  "ok");
    }
}

static void
check_merged(const struct run *run)
{
    check_session("merged", run->size.clients * run->size.updates, 1, 1);
}

START_TEST(merges_lose_nothing)
{
    run_all("merge", merge_sizes, merge_different_members, check_merged);
}
END_TEST

/* ---- get and set with a version ---- */

/* The result of an enveloped get of a session. */
static struct slice
result_of(struct slice answer)
{
    const char *end = memmem(answer.data, answer.len, ",\"ver\":", 7);

    must(end != NULL);
    take(&answer, "{\"i\":1,\"r\":");
    return slice_of(answer.data, (size_t)(end - answer.data));
}

/* The session with one more in member number. */
static void
put_increment(struct buf *out, struct slice session, size_t number)
{
    char name[32];
    const size_t len = (size_t)snprintf(name, sizeof name, "\"c%zu\":", number);
    const char *end = session.data + session.len;
    const char *at = memmem(session.data, session.len, name, len);
    struct slice rest;
    int64_t value;

    if (at == NULL) {
        buf_put(out, session.data, session.len - 1);
        buf_printf(out, "%s%s1}", session.len > 2 ? "," : "", name);
        return;
    }
    at += len;
    buf_put(out, session.data, (size_t)(at - session.data));
    rest = slice_of(at, (size_t)(end - at));
    value = take_number(&rest);
    buf_printf(out, "%" PRId64, value + 1);
    buf_put_slice(out, rest);
}

/* Reads, computes, writes if nobody has written meanwhile. False: somebody
 * has. */
static bool
try_increment(struct crowd_client *client, const char *key, struct buf *session)
{
    struct slice answer = talker_ask(
        &client->talker, "{\"i\":1,\"s\":\"get\",\"p\":{\"k\":\"%s\"}}", key);
    const int64_t version = answer_member(answer, "ver");
    const char *refusal = version != 0 ? "stale" : "exists";
    char only_if[NUM_I64_SIZE] = "\"absent\"";

    session->len = 0;
    put_increment(session,
                  version != 0 ? result_of(answer) : slice_of_string("{}"),
                  client->number);
    must(!session->failed);
    if (version != 0)
        num_format_i64(only_if, version);
    answer = talker_ask(&client->talker,
                        "{\"i\":1,\"s\":\"set\",\"p\":{\"k\":\"%s\","
                        "\"v\":%.*s,\"if\":%s}}",
                        key, (int)session->len, session->data, only_if);
    must(answer_member(answer, "ver") > version);
    if (answer_is_error(answer, refusal))
        return false;
    answer_starts(answer, "{\"i\":1,\"r\":true,");
    return true;
}

static void
increment_own_member(struct crowd_client *client, const char *key)
{
    struct run *run = client->ctx;
    struct buf session = {0};

    for (size_t i = 0; i < run->size.updates; i++)
        while (!try_increment(client, key, &session))
            atomic_fetch_add(&run->retries, 1);
    buf_fini(&session);
}

static void
set_if_unchanged(struct crowd_client *client)
{
    increment_own_member(client, "versioned");
}

static void
check_versioned(const struct run *run)
{
    check_session("versioned", run->size.clients, run->size.updates, 0);
}

START_TEST(sets_with_a_version_lose_nothing)
{
    run_all("set if version", set_sizes, set_if_unchanged, check_versioned);
}
END_TEST

/* ---- incr ---- */

/* Every number is answered once, and those of one client rise. */
static void
increment_counter(struct crowd_client *client)
{
    struct run *run = client->ctx;
    int64_t before = 0;

    for (size_t i = 0; i < run->size.updates; i++) {
        int64_t n = answer_number(talker_ask(
            &client->talker, "{\"s\":\"incr\",\"p\":{\"k\":\"n\"}}"));

        must(n > before);
        must((size_t)n <= run->size.clients * run->size.updates);
        must(atomic_fetch_add(&run->answered[n], 1) == 0);
        before = n;
    }
}

static void
check_counter(const struct run *run)
{
    const size_t sum = run->size.clients * run->size.updates;
    struct talker t;

    for (size_t n = 1; n <= sum; n++)
        ck_assert_uint_eq(atomic_load(&run->answered[n]), 1);
    talker_connect(&t, server.port);
    ck_assert_uint_eq((size_t)answer_number(talker_ask(
                          &t, "{\"s\":\"get\",\"p\":{\"k\":\"n\"}}")),
                      sum);
    answer_is(talker_ask(&t, "{\"s\":\"del\",\"p\":{\"k\":\"n\"}}"), "1");
    talker_close(&t);
}

START_TEST(increments_lose_nothing)
{
    run_all("incr", incr_sizes, increment_counter, check_counter);
}
END_TEST

/* ---- all three ---- */

/* Its own member becomes 1, 2, 3 ...; each write has a higher version. */
static void
merge_own_member(struct crowd_client *client)
{
    struct run *run = client->ctx;
    int64_t version = 0;

    for (size_t i = 1; i <= run->size.updates; i++) {
        struct slice answer =
            talker_ask(&client->talker,
                       "{\"i\":1,\"s\":\"merge\",\"p\":{\"k\":\"mixed\","
                       "\"v\":{\"c%zu\":%zu}}}",
                       client->number, i);

        answer_starts(answer, "{\"i\":1,\"r\":true,");
        must(answer_member(answer, "ver") > version);
        version = answer_member(answer, "ver");
    }
}

/* Of three clients one merges and one sets, both into one session, and one
 * counts beside it. */
static void
merge_set_or_count(struct crowd_client *client)
{
    switch (client->number % 3) {
    case 0:
        merge_own_member(client);
        break;
    case 1:
        increment_own_member(client, "mixed");
        break;
    default:
        increment_counter(client);
        merge_own_member(client);
        break;
    }
}

static void
check_mixed(const struct run *run)
{
    const struct run counters = {
        .size = {run->size.clients / 3, run->size.updates},
        .answered = run->answered,
    };

    check_counter(&counters);
    check_session("mixed", run->size.clients, run->size.updates, 0);
}

START_TEST(different_writers_lose_nothing)
{
    run_all("mixed", mixed_sizes, merge_set_or_count, check_mixed);
}
END_TEST

/* ---- logout ---- */

/* A write of a slow request: what comes before its condition, and behind. */
struct slow_write {
    const char *before, *behind;
};

#define SLOW(selector, more)                                                   \
    "\"s\":\"" selector "\",\"p\":{\"k\":\"login\"" more ",\"if\":"
#define CART ",\"v\":{\"cart\":1}"
static const struct slow_write slow_writes[] = {
    {SLOW("set", CART), "}"},
    {SLOW("set", CART), ",\"ttl\":60}"},
    {SLOW("set", CART), ",\"keep_ttl\":true}"},
    {SLOW("merge", CART), "}"},
    {SLOW("merge", CART), ",\"ttl\":60}"},
    {SLOW("del", ""), "}"},
};

/* Every slow write with this condition is refused with this code; the
 * envelope tells the version of now (0: there is none). */
static void
check_refused(struct talker *slow, const char *only_if, const char *code,
              int64_t version)
{
    for (size_t i = 0; i < sizeof slow_writes / sizeof slow_writes[0]; i++) {
        const struct slow_write *w = &slow_writes[i];
        struct slice answer =
            talker_ask(slow, "{%s%s%s}", w->before, only_if, w->behind);

        ck_assert_msg(answer_is_error(answer, code), "%s%s: %.*s", w->before,
                      only_if, (int)answer.len, answer.data);
        answer =
            talker_ask(slow, "{\"i\":1,%s%s%s}", w->before, only_if, w->behind);
        answer_starts(answer, "{\"i\":1,\"e\":");
        ck_assert_msg(answer_is_error(answer, code), "%s%s: %.*s", w->before,
                      only_if, (int)answer.len, answer.data);
        ck_assert_int_eq(answer_member(answer, "ver"), version);
    }
}

static void
check_refused_version(struct talker *slow, int64_t old, const char *code,
                      int64_t version)
{
    char only_if[NUM_I64_SIZE];

    num_format_i64(only_if, old);
    check_refused(slow, only_if, code, version);
}

static int64_t
log_in(struct talker *t, int user)
{
    struct slice answer =
        talker_ask(t,
                   "{\"i\":1,\"s\":\"set\",\"p\":{\"k\":\"login\","
                   "\"v\":{\"user\":%d},\"ttl\":1800}}",
                   user);

    answer_starts(answer, "{\"i\":1,\"r\":true,");
    return answer_member(answer, "ver");
}

#define HAS "{\"s\":\"has\",\"p\":{\"k\":\"login\"}}"
#define GET "{\"i\":1,\"s\":\"get\",\"p\":{\"k\":\"login\"}}"
#define DEL "{\"s\":\"del\",\"p\":{\"k\":\"login\"}}"

START_TEST(logout_stays_logout)
{
    enum {
        LOGINS = 20
    };
    int64_t old[LOGINS], now;
    struct talker slow, quick;

    talker_connect(&slow, server.port);
    talker_connect(&quick, server.port);
    for (int i = 0; i < LOGINS; i++) {
        old[i] = log_in(&quick, i);
        answer_starts(talker_ask(&slow, GET), "{\"i\":1,\"r\":{\"user\":");
        ck_assert_int_eq(answer_member(talker_ask(&slow, GET), "ver"), old[i]);
        if (i > 0)
            ck_assert_int_gt(old[i], old[i - 1]);
        answer_is(talker_ask(&quick, DEL), "1");
        check_refused(&slow, "\"present\"", "missing", 0);
        for (int n = 0; n <= i; n++)
            check_refused_version(&slow, old[n], "missing", 0);
        answer_is(talker_ask(&slow, HAS), "false");
        answer_is(talker_ask(&slow, GET), "{\"i\":1,\"r\":null,\"ver\":0}");
    }
    now = log_in(&quick, LOGINS);
    for (int i = 0; i < LOGINS; i++) {
        ck_assert_int_gt(now, old[i]);
        check_refused_version(&slow, old[i], "stale", now);
    }
    answer_starts(talker_ask(&slow, GET), "{\"i\":1,\"r\":{\"user\":20},");
    ck_assert_int_eq(answer_member(talker_ask(&slow, GET), "ver"), now);
    answer_is(talker_ask(&quick, DEL), "1");
    talker_close(&slow);
    talker_close(&quick);
}
END_TEST

/* A request under way that writes until it hears that the user has gone. */
static void
write_until_missing(struct crowd_client *client)
{
    static const char *const writes[] = {
        "{\"s\":\"set\",\"p\":{\"k\":\"login\",\"v\":{\"a\":1},"
        "\"if\":\"present\"}}",
        "{\"s\":\"merge\",\"p\":{\"k\":\"login\",\"v\":{\"a\":2},"
        "\"if\":\"present\"}}",
    };
    atomic_size_t *written = client->ctx;
    struct slice answer;

    while (!answer_is_error(
        answer = talker_ask(&client->talker, "%s", writes[client->number % 2]),
        "missing")) {
        answer_is(answer, "ok");
        atomic_fetch_add(written, 1);
    }
}

START_TEST(logout_between_writes_stays_logout)
{
    enum {
        ROUNDS = SERVING_SANITIZED ? 5 : 50,
        CLIENTS = 8
    };
    struct talker t;

    talker_connect(&t, server.port);
    for (int round = 0; round < ROUNDS; round++) {
        atomic_size_t written = 0;
        struct crowd *crowd;

        (void)log_in(&t, round);
        crowd =
            crowd_start(server.port, CLIENTS, write_until_missing, &written);
        while (atomic_load(&written) < CLIENTS)
            answer_is(talker_ask(&t, HAS), "true");
        answer_is(talker_ask(&t, DEL), "1");
        answer_is(talker_ask(&t, HAS), "false");
        (void)crowd_end(crowd);
        answer_is(talker_ask(&t, HAS), "false");
    }
    talker_close(&t);
}
END_TEST

static void
fill(TCase *tc)
{
    setbuf(stdout, NULL);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, sets_with_a_version_lose_nothing);
    tcase_add_test(tc, increments_lose_nothing);
    tcase_add_test(tc, different_writers_lose_nothing);
    tcase_add_test(tc, logout_stays_logout);
    tcase_add_test(tc, logout_between_writes_stays_logout);
    tcase_add_test(tc, merges_lose_nothing);
}

TEST_MAIN("system_lost_update", fill)
