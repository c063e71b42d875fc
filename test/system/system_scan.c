/* SPDX-License-Identifier: MIT
 *
 * system_scan.c - scan, count and drop while the table grows, shrinks and is
 * drained by others.
 *
 * 20,000 keys stay and 180,000 go while a scan is under way: the scan takes
 * them along, so that the last one goes with the last page. Two more clients
 * let the table grow and shrink meanwhile. Every key that stays is named,
 * whichever connection brings the cursor; nothing is named that has gone before
 * the page was asked for, or that never was.
 *
 *     stay:N      there throughout
 *     go:N        there at the start, deleted or dropped during the scan
 *     new:N       come during the scan
 *     tide:N      come and go, all at once, again and again
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

#if defined(MEMOIZER_SANITIZED)
#define STAY     4000
#define GO       36000
#define TIDE     4000
#define NEW_MAX  40000
#define NEW_STEP 100
#else
#define STAY     20000
#define GO       180000
#define TIDE     20000
#define NEW_MAX  200000
#define NEW_STEP 1000
#endif
#define SET_BATCH 500 /* requests that are sent together */
#define DEL_BATCH 100 /* keys of a del */

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

/* ---- many keys ---- */

/* Sets prefix:from ... prefix:(to - 1). */
static void
set_range(struct talker *t, const char *prefix, size_t from, size_t to)
{
    while (from < to) {
        const size_t end = to - from < SET_BATCH ? to : from + SET_BATCH;

        t->request.len = 0;
        for (size_t i = from; i < end; i++)
            buf_printf(&t->request,
                       "{\"s\":\"set\",\"p\":{\"k\":\"%s:%zu\",\"v\":%zu}}\n",
                       prefix, i, i);
        must(!t->request.failed);
        client_send(&t->client, t->request.data, t->request.len);
        for (; from < end; from++)
            answer_is(talker_hear(t), "ok");
    }
}

/* What count and drop of a prefix answer. */
static size_t
ask_prefix(struct talker *t, const char *selector, const char *prefix)
{
    return (size_t)answer_number(talker_ask(
        t, "{\"s\":\"%s\",\"p\":{\"prefix\":\"%s\"}}", selector, prefix));
}

static size_t
size_of_db(struct talker *t)
{
    return (size_t)answer_number(talker_ask(t, "{\"s\":\"size\"}"));
}

/* ---- those that make the table grow and shrink ---- */

struct sea {
    atomic_bool ebb; /* it is to end */
    atomic_size_t tides;
    atomic_size_t grown; /* new:0 ... are there */
};

/* Client 0 brings new keys and leaves them, client 1 brings the tide. */
static void
move(struct crowd_client *client)
{
    struct sea *sea = client->ctx;

    while (!atomic_load(&sea->ebb)) {
        const size_t grown = atomic_load(&sea->grown);

        if (client->number == 1) {
            set_range(&client->talker, "tide", 0, TIDE);
            must(ask_prefix(&client->talker, "drop", "tide:") == TIDE);
            atomic_fetch_add(&sea->tides, 1);
        } else if (grown < NEW_MAX) {
            set_range(&client->talker, "new", grown, grown + NEW_STEP);
            atomic_store(&sea->grown, grown + NEW_STEP);
        } else {
            (void)size_of_db(&client->talker);
        }
    }
}

/* ---- a scan ---- */

struct scan {
    const char *prefix;
    size_t page_keys;
    size_t pages_each; /* that a connection asks for, then comes another */

    struct talker talker;  /* the connection of now */
    struct talker remover; /* deletes what is to go */
    char cursor[64];       /* "" at the start */
    size_t pages;          /* so far */
    size_t named, again;   /* keys that stay: once, and once more */
    size_t gone;           /* go:0 ... are not there any more */
    bool stay[STAY];       /* named */
    struct sea sea;
};

/* The number behind `prefix:` of a name, or SIZE_MAX when it has another
 * prefix. */
static size_t
number_of(struct slice name, const char *prefix)
{
    const size_t len = strlen(prefix);
    uint64_t number;

    if (name.len <= len + 1 || memcmp(name.data, prefix, len) != 0 ||
        name.data[len] != ':')
        return SIZE_MAX;
    if (num_parse_u64(slice_of(name.data + len + 1, name.len - len - 1),
                      &number) != MZ_OK)
        talk_fail("named: %.*s", (int)name.len, name.data);
    return (size_t)number;
}

/* One key of a page. */
static void
see_name(struct scan *scan, struct slice name)
{
    const size_t prefix_len = strlen(scan->prefix);
    size_t n;

    if (name.len < prefix_len ||
        memcmp(name.data, scan->prefix, prefix_len) != 0)
        talk_fail("\"%.*s\" is not asked for", (int)name.len, name.data);
    if ((n = number_of(name, "stay")) < STAY) {
        scan->named += !scan->stay[n];
        scan->again += scan->stay[n];
        scan->stay[n] = true;
    } else if ((n = number_of(name, "go")) < GO) {
        ck_assert_msg(n >= scan->gone, "go:%zu was named and has gone", n);
    } else if (number_of(name, "new") >= NEW_MAX &&
               number_of(name, "tide") >= TIDE) {
        talk_fail("\"%.*s\" has never been", (int)name.len, name.data);
    }
}

/* Takes what stands before the next one of `end`, and that. */
static struct slice
take_up_to(struct slice *rest, char end)
{
    const char *at = memchr(rest->data, end, rest->len);
    struct slice taken;

    if (at == NULL)
        talk_fail("no %c in \"%.*s\"", end, (int)rest->len, rest->data);
    taken = slice_of(rest->data, (size_t)(at - rest->data));
    *rest = slice_of(at + 1, rest->len - taken.len - 1);
    return taken;
}

/* Sees the names of {"keys":["a","b"],"next":"12"}; how many. The cursor is
 * kept; false: there is none. */
static bool
see_page(struct scan *scan, struct slice page)
{
    size_t keys = 0;
    struct slice next;

    answer_is(take_up_to(&page, '['), "{\"keys\":");
    while (page.len > 0 && page.data[0] != ']') {
        if (keys++ > 0)
            answer_is(take_up_to(&page, '"'), ",");
        else
            answer_is(take_up_to(&page, '"'), "");
        see_name(scan, take_up_to(&page, '"'));
    }
    ck_assert_uint_le(keys, scan->page_keys);
    answer_is(take_up_to(&page, ':'), "],\"next\"");
    if (slice_is(page, "null}"))
        return false;
    answer_is(take_up_to(&page, '"'), "");
    next = take_up_to(&page, '"');
    answer_is(page, "}");
    ck_assert_uint_lt(next.len, sizeof scan->cursor);
    memcpy(scan->cursor, next.data, next.len);
    scan->cursor[next.len] = '\0';
    return true;
}

/* The next page, by the next connection if it is time. False: it is the
 * last. */
static bool
ask_page(struct scan *scan)
{
    const bool first = scan->cursor[0] == '\0';

    if (scan->pages++ % scan->pages_each == 0) {
        if (!first)
            talker_reset(&scan->talker);
        talker_connect(&scan->talker, server.port);
    }
    return see_page(scan, talker_ask(&scan->talker,
                                     "{\"s\":\"scan\",\"p\":{\"prefix\":\"%s\","
                                     "\"count\":%zu%s%s%s}}",
                                     scan->prefix, scan->page_keys,
                                     first ? "" : ",\"after\":\"", scan->cursor,
                                     first ? "" : "\""));
}

/* As large a part of the keys that are to go goes as has been named of those
 * that stay; but for the last few. */
static void
let_go(struct scan *scan)
{
    const size_t target = GO / STAY * scan->named;
    struct buf *request = &scan->remover.request;

    while (scan->gone + DEL_BATCH <= target) {
        request->len = 0;
        buf_put_string(request, "{\"s\":\"del\",\"p\":{\"k\":[");
        for (size_t i = scan->gone; i < scan->gone + DEL_BATCH; i++)
            buf_printf(request, "%s\"go:%zu\"", i > scan->gone ? "," : "", i);
        buf_put_string(request, "]}}\n");
        must(!request->failed);
        client_send(&scan->remover.client, request->data, request->len);
        ck_assert_int_eq(answer_number(talker_hear(&scan->remover)), DEL_BATCH);
        scan->gone += DEL_BATCH;
    }
}

/* A count names those that stay, whatever moves: after 1, 2, 4, 8 ... pages. */
static void
check_count(struct scan *scan)
{
    if ((scan->pages & (scan->pages - 1)) == 0)
        ck_assert_uint_eq(ask_prefix(&scan->remover, "count", "stay:"), STAY);
}

/* Nobody else is there: counts are exact. Drops all. */
static void
check_quiet_counts(struct scan *scan)
{
    struct talker *t = &scan->remover;
    const size_t left = GO - scan->gone, grown = atomic_load(&scan->sea.grown);

    ck_assert_uint_eq(ask_prefix(t, "count", "stay:"), STAY);
    ck_assert_uint_eq(ask_prefix(t, "count", "go:"), left);
    ck_assert_uint_eq(ask_prefix(t, "count", "new:"), grown);
    ck_assert_uint_eq(ask_prefix(t, "count", "tide:"), 0);
    ck_assert_uint_eq(ask_prefix(t, "count", ""), STAY + left + grown);
    ck_assert_uint_eq(size_of_db(t), STAY + left + grown);
    ck_assert_uint_eq(ask_prefix(t, "drop", "go:"), left);
    ck_assert_uint_eq(ask_prefix(t, "drop", "go:"), 0);
    ck_assert_uint_eq(ask_prefix(t, "drop", "new:"), grown);
    ck_assert_uint_eq(ask_prefix(t, "count", "stay"), STAY);
    ck_assert_uint_eq(ask_prefix(t, "drop", ""), STAY);
    ck_assert_uint_eq(size_of_db(t), 0);
}

/* All pages, while everything moves. */
static void
scan_all(struct scan *scan)
{
    struct crowd *crowd;
    int64_t ms;

    talker_connect(&scan->remover, server.port);
    set_range(&scan->remover, "stay", 0, STAY);
    set_range(&scan->remover, "go", 0, GO);
    ck_assert_uint_eq(ask_prefix(&scan->remover, "count", "stay:"), STAY);
    ck_assert_uint_eq(ask_prefix(&scan->remover, "count", "go:"), GO);
    ck_assert_uint_eq(size_of_db(&scan->remover), STAY + GO);
    crowd = crowd_start(server.port, 2, move, &scan->sea);
    while (ask_page(scan)) {
        let_go(scan);
        check_count(scan);
    }
    let_go(scan);
    atomic_store(&scan->sea.ebb, true);
    ms = crowd_end(crowd);
    printf("pages of %zu, prefix \"%s\": %zu pages in %" PRId64 " ms, %zu "
           "names again; %zu keys went, %zu came, %zu tides\n",
           scan->page_keys, scan->prefix, scan->pages, ms, scan->again,
           scan->gone, atomic_load(&scan->sea.grown),
           atomic_load(&scan->sea.tides));
    ck_assert_uint_eq(scan->named, STAY);
    talker_close(&scan->talker);
    check_quiet_counts(scan);
    talker_close(&scan->remover);
}

static void
run_scan(const char *prefix, size_t page_keys, size_t pages_each)
{
    struct scan *scan = calloc(1, sizeof *scan);

    must(scan != NULL);
    scan->prefix = prefix;
    scan->page_keys = page_keys;
    scan->pages_each = pages_each;
    scan_all(scan);
    free(scan);
}

START_TEST(small_pages_of_a_prefix)
{
    run_scan("stay:", 7, 2);
}
END_TEST

START_TEST(pages_of_everything)
{
    run_scan("", 100, 2);
}
END_TEST

START_TEST(large_pages_of_everything)
{
    run_scan("", 10000, 1);
}
END_TEST

/* ---- drop by others ---- */

#define DROP_GROUPS 10
#define DROP_GROUP  (STAY / DROP_GROUPS)

/* Each client drops the prefix of its own, and must be told how many they
 * were, whatever the others do. */
static void
drop_own(struct crowd_client *client)
{
    char prefix[32];

    snprintf(prefix, sizeof prefix, "d%zu:", client->number);
    must(ask_prefix(&client->talker, "count", prefix) == DROP_GROUP);
    must(ask_prefix(&client->talker, "drop", prefix) == DROP_GROUP);
    must(ask_prefix(&client->talker, "count", prefix) == 0);
}

START_TEST(drops_side_by_side)
{
    struct talker t;

    talker_connect(&t, server.port);
    for (int i = 0; i < DROP_GROUPS; i++) {
        char prefix[32];

        snprintf(prefix, sizeof prefix, "d%d", i);
        set_range(&t, prefix, 0, DROP_GROUP);
    }
    set_range(&t, "stay", 0, STAY);
    (void)crowd_run(server.port, DROP_GROUPS, drop_own, NULL);
    ck_assert_uint_eq(size_of_db(&t), STAY);
    ck_assert_uint_eq(ask_prefix(&t, "drop", "stay:"), STAY);
    talker_close(&t);
}
END_TEST

/* ---- databases ---- */

#define DATABASES 16

/* Database db has keys p<db>:0 ... and q:0 ..., as many as these. */
static size_t
p_keys(size_t db)
{
    return 10 + db;
}

static size_t
q_keys(size_t db)
{
    return 100 - db;
}

/* A scan names those of this database, of the prefix, and no other. */
static void
check_names(struct talker *t, const char *prefix, size_t count)
{
    struct slice page = talker_ask(
        t, "{\"s\":\"scan\",\"p\":{\"prefix\":\"%s\",\"count\":10000}}",
        prefix);
    size_t keys = 0;

    answer_is(take_up_to(&page, '['), "{\"keys\":");
    while (page.len > 0 && page.data[0] != ']') {
        (void)take_up_to(&page, '"');
        answer_starts(take_up_to(&page, '"'), prefix);
        keys++;
    }
    answer_is(page, "],\"next\":null}");
    ck_assert_uint_eq(keys, count);
}

static void
check_database(struct talker *t, size_t db, size_t p, size_t q)
{
    char prefix[32];

    snprintf(prefix, sizeof prefix, "p%zu:", db);
    ck_assert_uint_eq(size_of_db(t), p + q);
    ck_assert_uint_eq(ask_prefix(t, "count", ""), p + q);
    ck_assert_uint_eq(ask_prefix(t, "count", "p"), p);
    ck_assert_uint_eq(ask_prefix(t, "count", prefix), p);
    ck_assert_uint_eq(ask_prefix(t, "count", "q:"), q);
    check_names(t, prefix, p);
    check_names(t, "p", p);
    check_names(t, "q:", q);
    check_names(t, "", p + q);
}

/* What each database goes through, while the others are as they are. */
static void
check_all(struct talker talkers[DATABASES], const size_t p[DATABASES],
          const size_t q[DATABASES])
{
    for (size_t db = 0; db < DATABASES; db++)
        check_database(&talkers[db], db, p[db], q[db]);
}

START_TEST(only_the_selected_database)
{
    struct talker talkers[DATABASES];
    size_t p[DATABASES], q[DATABASES];

    for (size_t db = 0; db < DATABASES; db++) {
        char prefix[32];

        talker_connect(&talkers[db], server.port);
        answer_is(talker_ask(&talkers[db],
                             "{\"s\":\"select\",\"p\":{\"db\":%zu}}", db),
                  "ok");
        snprintf(prefix, sizeof prefix, "p%zu", db);
        set_range(&talkers[db], prefix, 0, p[db] = p_keys(db));
        set_range(&talkers[db], "q", 0, q[db] = q_keys(db));
    }
    check_all(talkers, p, q);
    for (size_t db = 0; db < DATABASES; db++) {
        ck_assert_uint_eq(ask_prefix(&talkers[db], "drop", "q"), q[db]);
        q[db] = 0;
        check_all(talkers, p, q);
    }
    for (size_t db = DATABASES; db-- > 0;) {
        answer_is(talker_ask(&talkers[db], "{\"s\":\"reset\"}"), "ok");
        p[db] = 0;
        check_all(talkers, p, q);
    }
    for (size_t db = 0; db < DATABASES; db++)
        talker_close(&talkers[db]);
}
END_TEST

static void
fill(TCase *tc)
{
    setbuf(stdout, NULL);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, small_pages_of_a_prefix);
    tcase_add_test(tc, pages_of_everything);
    tcase_add_test(tc, large_pages_of_everything);
    tcase_add_test(tc, drops_side_by_side);
    tcase_add_test(tc, only_the_selected_database);
}

TEST_MAIN("system_scan", fill)
