/* SPDX-License-Identifier: MIT
 *
 * wire_json_reply_test.c - every answer of the native protocol, plain and
 * enveloped.
 */
#include "chaos.h"
#include "suite.h"

#include "wire/wire_json.h"

#include <stdint.h>
#include <string.h>

struct given {
    struct outbox out;
    struct reply reply;
    int releases;
};

static void
given_init(struct given *g, const char *id)
{
    *g = (struct given){.reply = {.ops = wire_json_reply_ops(),
                                  .out = &g->out,
                                  .has_id = id != NULL}};
    outbox_init(&g->out);
    if (id != NULL)
        g->reply.id = slice_of_string(id);
}

/* Takes all that waits off the outbox and compares. */
static void
expect_bytes(struct given *g, const char *bytes, size_t len)
{
    struct iovec vectors[8];
    int count = outbox_vectors(&g->out, vectors, 8);
    size_t at = 0;

    ck_assert(!outbox_failed(&g->out));
    ck_assert_uint_eq(outbox_pending(&g->out), len);
    for (int i = 0; i < count; at += vectors[i++].iov_len)
        ck_assert_mem_eq(vectors[i].iov_base, bytes + at, vectors[i].iov_len);
    ck_assert_uint_eq(at, len);
    outbox_sent(&g->out, len);
}

static void
expect(struct given *g, const char *text)
{
    struct iovec vector;

    if (outbox_vectors(&g->out, &vector, 1) == 1 &&
        vector.iov_len == strlen(text))
        ck_assert_msg(memcmp(vector.iov_base, text, vector.iov_len) == 0,
                      "%.*s  instead of  %s", (int)vector.iov_len,
                      (char *)vector.iov_base, text);
    expect_bytes(g, text, strlen(text));
}

/* Each answer is given twice: plain, and with the id 7. */
#define EXPECT_BOTH(call, plain, enveloped)                                    \
    do {                                                                       \
        for (int with_id = 0; with_id < 2; with_id++) {                        \
            struct given g;                                                    \
                                                                               \
            given_init(&g, with_id ? "7" : NULL);                              \
            call;                                                              \
            expect(&g, with_id ? (enveloped) : (plain));                       \
            outbox_fini(&g.out);                                               \
        }                                                                      \
    } while (0)

START_TEST(results_are_plain_or_enveloped)
{
    EXPECT_BOTH(reply_ok(&g.reply), "ok\n", "{\"i\":7,\"r\":true}\n");
    EXPECT_BOTH(reply_written(&g.reply, 12), "ok\n",
                "{\"i\":7,\"r\":true,\"ver\":12}\n");
    EXPECT_BOTH(reply_written(&g.reply, UINT64_MAX - 1), "ok\n",
                "{\"i\":7,\"r\":true,\"ver\":18446744073709551614}\n");
    EXPECT_BOTH(reply_integer(&g.reply, 0), "0\n", "{\"i\":7,\"r\":0}\n");
    EXPECT_BOTH(reply_integer(&g.reply, INT64_MIN), "-9223372036854775808\n",
                "{\"i\":7,\"r\":-9223372036854775808}\n");
    EXPECT_BOTH(reply_boolean(&g.reply, true), "true\n",
                "{\"i\":7,\"r\":true}\n");
    EXPECT_BOTH(reply_boolean(&g.reply, false), "false\n",
                "{\"i\":7,\"r\":false}\n");
    EXPECT_BOTH(reply_missing(&g.reply), "null\n",
                "{\"i\":7,\"r\":null,\"ver\":0}\n");
    EXPECT_BOTH(reply_json(&g.reply, slice_of_string("{\"a\":[1]}")),
                "{\"a\":[1]}\n", "{\"i\":7,\"r\":{\"a\":[1]}}\n");
}
END_TEST

START_TEST(seconds_have_three_decimals)
{
    EXPECT_BOTH(reply_seconds(&g.reply, 1799250), "1799.250\n",
                "{\"i\":7,\"r\":1799.250}\n");
    EXPECT_BOTH(reply_seconds(&g.reply, 1), "0.001\n",
                "{\"i\":7,\"r\":0.001}\n");
    EXPECT_BOTH(reply_seconds(&g.reply, COMMAND_TTL_NEVER), "-1\n",
                "{\"i\":7,\"r\":-1}\n");
    EXPECT_BOTH(reply_seconds(&g.reply, 0), "null\n", "{\"i\":7,\"r\":null}\n");
}
END_TEST

START_TEST(errors_have_code_and_text)
{
    EXPECT_BOTH(
        reply_error(&g.reply, MZ_STALE, "version is 13", 13),
        "error stale version is 13\n",
        "{\"i\":7,\"e\":{\"code\":\"stale\",\"text\":\"version is 13\"},"
        "\"ver\":13}\n");
    EXPECT_BOTH(reply_error(&g.reply, MZ_MISSING, NULL, 0),
                "error missing the key does not exist\n",
                "{\"i\":7,\"e\":{\"code\":\"missing\",\"text\":\"the key does "
                "not exist\"},\"ver\":0}\n");
    EXPECT_BOTH(
        reply_error(&g.reply, MZ_BAD_JSON, "a \"b\" \\x0a\\", REPLY_NO_VERSION),
        "error bad_json a \"b\" \\x0a\\\n",
        "{\"i\":7,\"e\":{\"code\":\"bad_json\",\"text\":"
        "\"a \\\"b\\\" \\\\x0a\\\\\"}}\n");
    EXPECT_BOTH(reply_error(&g.reply, MZ_TIMEOUT, "", REPLY_NO_VERSION),
                "error timeout \n",
                "{\"i\":7,\"e\":{\"code\":\"timeout\",\"text\":\"\"}}\n");
}
END_TEST

static void
give_array(struct reply *reply, int items)
{
    struct reply_value value = {.value = SLICE_LITERAL("{\"a\":1}"),
                                .version = 12};

    reply_begin_array(reply, (size_t)items);
    for (int i = 0; i < items; i++) {
        if (i % 2 == 0)
            reply_item_value(reply, &value);
        else
            reply_item_missing(reply);
    }
    reply_end_array(reply);
}

START_TEST(arrays_have_their_items)
{
    EXPECT_BOTH(give_array(&g.reply, 0), "[]\n", "{\"i\":7,\"r\":[]}\n");
    EXPECT_BOTH(give_array(&g.reply, 3), "[{\"a\":1},null,{\"a\":1}]\n",
                "{\"i\":7,\"r\":[{\"a\":1},null,{\"a\":1}]}\n");
}
END_TEST

/* Two arrays in a row: the second one begins without a comma. */
START_TEST(arrays_begin_anew)
{
    struct given g;

    given_init(&g, NULL);
    give_array(&g.reply, 2);
    give_array(&g.reply, 1);
    expect(&g, "[{\"a\":1},null]\n[{\"a\":1}]\n");
    outbox_fini(&g.out);
}
END_TEST

static void
give_page(struct reply *reply, const char *packed, size_t len, uint64_t next)
{
    struct reply_page page = {key_list_over(slice_of(packed, len)), next};

    reply_page(reply, &page);
}

#define PAGE(packed, next) give_page(&g.reply, packed, sizeof(packed) - 1, next)

START_TEST(pages_name_keys)
{
    EXPECT_BOTH(PAGE("", 0), "{\"keys\":[],\"next\":null}\n",
                "{\"i\":7,\"r\":{\"keys\":[],\"next\":null}}\n");
    EXPECT_BOTH(PAGE("\1\0a\0\0", UINT64_C(9007199254740991)),
                "{\"keys\":[\"a\",\"\"],\"next\":\"9007199254740991\"}\n",
                "{\"i\":7,\"r\":{\"keys\":[\"a\",\"\"],"
                "\"next\":\"9007199254740991\"}}\n");
    EXPECT_BOTH(PAGE("\1\0\xff\1\0b\1\0\x80", 0),
                "{\"keys\":[\"b\"],\"next\":null,\"binary\":2}\n",
                "{\"i\":7,\"r\":{\"keys\":[\"b\"],\"next\":null,"
                "\"binary\":2}}\n");
}
END_TEST

/* Every byte, as it stands in a string of JSON. */
START_TEST(names_are_escaped)
{
    EXPECT_BOTH(PAGE("\x0d\0\0\1\b\t\n\v\f\r\x1f\"\\/\x7f", 0),
                "{\"keys\":[\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f"
                "\\\"\\\\/\x7f\"],\"next\":null}\n",
                "{\"i\":7,\"r\":{\"keys\":[\"\\u0000\\u0001\\b\\t\\n\\u000b"
                "\\f\\r\\u001f\\\"\\\\/\x7f\"],\"next\":null}}\n");
}
END_TEST

/* The room that is said to be enough is. */
START_TEST(a_page_fits_into_its_reserve)
{
    char packed[2 + 200];
    struct chaos chaos;
    struct given g;

    memset(packed, 1, sizeof packed);
    packed[0] = (char)200;
    packed[1] = 0;
    given_init(&g, NULL);
    ck_assert_int_eq(outbox_reserve(&g.out, REPLY_PAGE_RESERVE(sizeof packed)),
                     MZ_OK);
    chaos_begin(&chaos, 1);
    give_page(&g.reply, packed, sizeof packed, 1);
    ck_assert(!chaos_end(&chaos));
    ck_assert(!outbox_failed(&g.out));
    outbox_fini(&g.out);
}
END_TEST

START_TEST(ids_come_back_as_they_were)
{
    struct given g;

    given_init(&g, "\"a\\n\\u00e9\"");
    reply_ok(&g.reply);
    expect(&g, "{\"i\":\"a\\n\\u00e9\",\"r\":true}\n");
    outbox_fini(&g.out);
}
END_TEST

START_TEST(values_tell_version_and_time_in_an_envelope)
{
    struct reply_value value = {
        .value = SLICE_LITERAL("{\"a\":1.10}"),

        .version = 12,
        .ttl_left_ms = 1799250,
    };

    EXPECT_BOTH(reply_value(&g.reply, &value), "{\"a\":1.10}\n",
                "{\"i\":7,\"r\":{\"a\":1.10},\"ver\":12,\"ttl\":1799.250}\n");
    value.ttl_left_ms = COMMAND_TTL_NEVER;
    value.value = slice_of_string("null");
    EXPECT_BOTH(reply_value(&g.reply, &value), "null\n",
                "{\"i\":7,\"r\":null,\"ver\":12,\"ttl\":null}\n");
}
END_TEST

static void
count_release(void *ctx)
{
    ++*(int *)ctx;
}

/* Around the size from which on values are lent: the same bytes, and what is
 * lent is given back when it is sent. */
START_TEST(large_values_are_lent)
{
    static const char head[] = "{\"i\":\"long id\",\"r\":";
    static const char tail[] =
        ",\"ver\":18446744073709551614,\"ttl\":315360000000.000}\n";

    for (size_t len = REPLY_LEND_MIN - 1; len <= REPLY_LEND_MIN + 1; len++) {
        struct buf block = {0}, expected = {0};
        struct reply_value value = {.version = UINT64_MAX - 1,
                                    .ttl_left_ms = INT64_C(315360000000000)};
        bool lent = len >= REPLY_LEND_MIN;
        struct chaos chaos;
        struct given g;

        for (size_t i = 0; i < len; i++)
            buf_put_char(&block, (char)('0' + i % 10));
        value.value = buf_slice(&block);
        given_init(&g, "\"long id\"");
        value.owner = &g.releases;
        value.release = count_release;
        ck_assert_int_eq(
            outbox_reserve(&g.out, REPLY_VALUE_RESERVE + g.reply.id.len),
            MZ_OK);
        chaos_begin(&chaos, 1);
        reply_value(&g.reply, &value);
        ck_assert(!chaos_end(&chaos));
        ck_assert_uint_eq(g.out.lent_bytes, lent ? len : 0);
        ck_assert_int_eq(g.releases, 0);
        buf_put_string(&expected, head);
        buf_put_slice(&expected, value.value);
        buf_put_string(&expected, tail);
        expect_bytes(&g, expected.data, expected.len);
        ck_assert_int_eq(g.releases, lent);
        outbox_fini(&g.out);
        buf_fini(&expected);
        buf_fini(&block);
    }
}
END_TEST

START_TEST(answers_follow_each_other)
{
    struct given g;

    given_init(&g, NULL);
    reply_ok(&g.reply);
    reply_missing(&g.reply);
    g.reply.has_id = true;
    g.reply.id = slice_of_string("1");
    reply_integer(&g.reply, 5);
    expect(&g, "ok\nnull\n{\"i\":1,\"r\":5}\n");
    outbox_fini(&g.out);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, results_are_plain_or_enveloped);
    tcase_add_test(tc, seconds_have_three_decimals);
    tcase_add_test(tc, errors_have_code_and_text);
    tcase_add_test(tc, arrays_have_their_items);
    tcase_add_test(tc, arrays_begin_anew);
    tcase_add_test(tc, pages_name_keys);
    tcase_add_test(tc, names_are_escaped);
    tcase_add_test(tc, a_page_fits_into_its_reserve);
    tcase_add_test(tc, ids_come_back_as_they_were);
    tcase_add_test(tc, values_tell_version_and_time_in_an_envelope);
    tcase_add_test(tc, large_values_are_lent);
    tcase_add_test(tc, answers_follow_each_other);
}

TEST_MAIN("wire_json_reply", fill)
