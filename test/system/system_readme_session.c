/* SPDX-License-Identifier: MIT
 *
 * system_readme_session.c - the session of the original memoizer's README, as
 * its client holds it: requests end with CR LF, have blanks in their places
 * and "v":null with every get; answers are read up to the LF and trimmed.
 * Then 10,000 sample records are set and read back in another order.
 */
#include "rng.h"
#include "serving.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS     10000
#define UUID_LEN    36
#define SAMPLE_MAX  1024
#define REQUEST_MAX 2048

struct sample {
    char text[SAMPLE_MAX]; /* one line */
    size_t len;
    size_t id; /* where its UUID stands */
};

struct uuid {
    char text[UUID_LEN + 1];
};

static void
read_sample(struct sample *sample)
{
    FILE *file = fopen(MEMOIZER_TEST_DATA "/sample.json", "re");
    const char *id;

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(sample->text, sizeof sample->text, file));
    fclose(file);
    sample->len = strcspn(sample->text, "\r\n");
    sample->text[sample->len] = '\0';
    id = strstr(sample->text, "\"id\": \"");
    ck_assert_ptr_nonnull(id);
    sample->id = (size_t)(id - sample->text) + strlen("\"id\": \"");
    ck_assert_uint_le(sample->id + UUID_LEN, sample->len);
}

/* The record of a user: the sample with their UUID. */
static const char *
record_of(struct sample *sample, const struct uuid *uuid)
{
    memcpy(sample->text + sample->id, uuid->text, UUID_LEN);
    return sample->text;
}

static struct uuid
random_uuid(struct rng *rng)
{
    uint64_t a = rng_next(rng), b = rng_next(rng);
    struct uuid uuid;

    snprintf(uuid.text, sizeof uuid.text, "%08x-%04x-4%03x-%04x-%012llx",
             (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
             (unsigned)(a & 0xfff), 0x8000U | (unsigned)(b >> 48 & 0x3fff),
             (unsigned long long)(b & 0xffffffffffff));
    return uuid;
}

/* An answer as the README's client sees it: up to the LF, trimmed. */
static struct slice
trimmed_answer(struct client *c)
{
    struct slice line;

    ck_assert(client_line(c, &line));
    while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL)
        line.len--;
    while (line.len > 0 && strchr(" \t\r", line.data[0]) != NULL)
        line = slice_of(line.data + 1, line.len - 1);
    return line;
}

static void
expect(struct client *c, const char *request, const char *answer)
{
    struct slice line;

    client_send_text(c, request);
    line = trimmed_answer(c);
    if (!slice_is(line, answer))
        ck_abort_msg("%s is answered %.*s, not %s", request, (int)line.len,
                     line.data, answer);
}

static void
set(struct client *c, const char *key, const char *value)
{
    char request[REQUEST_MAX];

    snprintf(request, sizeof request,
             "{\"s\":\"set\", \"p\": {\"k\": \"%s\",\"v\": %s}}\r\n", key,
             value);
    expect(c, request, "ok");
}

static void
get(struct client *c, const char *key, const char *value)
{
    char request[REQUEST_MAX];

    snprintf(request, sizeof request,
             "{\"s\":\"get\",\"p\": {\"k\": \"%s\",\"v\": null }}\r\n", key);
    expect(c, request, value);
}

static void
shuffle(struct uuid *uuids, size_t count, struct rng *rng)
{
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = (size_t)rng_below(rng, i + 1);
        struct uuid other = uuids[j];

        uuids[j] = uuids[i];
        uuids[i] = other;
    }
}

START_TEST(readme_session)
{
    struct rng rng = {rng_test_seed()};
    struct uuid *uuids = calloc(RECORDS, sizeof *uuids);
    struct sample sample;
    struct serving s;
    struct client c;

    ck_assert_ptr_nonnull(uuids);
    read_sample(&sample);
    serving_start(&s, NULL);
    client_connect(&c, s.port);
    expect(&c, "{\"s\":\"size\", \"p\": {}}\r\n", "0");
    get(&c, "answer", "null");
    set(&c, "answer", "42");
    get(&c, "answer", "42");
    set(&c, "sampled", sample.text);
    get(&c, "sampled", sample.text);
    expect(&c, "{\"s\":\"size\", \"p\": {}}\r\n", "2");

    for (size_t i = 0; i < RECORDS; i++) {
        uuids[i] = random_uuid(&rng);
        set(&c, uuids[i].text, record_of(&sample, &uuids[i]));
    }
    expect(&c, "{\"s\":\"size\", \"p\": {}}\r\n", "10002");
    shuffle(uuids, RECORDS, &rng);
    for (size_t i = 0; i < RECORDS; i++)
        get(&c, uuids[i].text, record_of(&sample, &uuids[i]));
    get(&c, "answer", "42");

    client_close(&c);
    serving_stop(&s);
    free(uuids);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, readme_session);
}

TEST_MAIN("system_readme_session", fill)
