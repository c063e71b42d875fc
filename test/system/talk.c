/* SPDX-License-Identifier: MIT
 *
 * talk.c - see talk.h.
 */
#include "talk.h"

#include "base/clock.h"
#include "base/must.h"
#include "base/num.h"

#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
talk_fail(const char *format, ...)
{
    va_list words;

    va_start(words, format);
    (void)vfprintf(stderr, format, words);
    va_end(words);
    (void)fputc('\n', stderr);
    abort();
}

void
talker_connect(struct talker *t, uint16_t port)
{
    *t = (struct talker){0};
    client_connect(&t->client, port);
}

void
talker_close(struct talker *t)
{
    client_close(&t->client);
    buf_fini(&t->request);
}

void
talker_reset(struct talker *t)
{
    client_reset(&t->client);
    buf_fini(&t->request);
}

static void say(struct talker *t, const char *format, va_list words)
    __attribute__((format(printf, 2, 0)));

static void
say(struct talker *t, const char *format, va_list words)
{
    char text[512], *longer = NULL;
    va_list again;
    int len;

    va_copy(again, words);
    len = vsnprintf(text, sizeof text, format, words);
    must(len >= 0);
    if ((size_t)len >= sizeof text)
        must(vasprintf(&longer, format, again) == len);
    va_end(again);
    t->request.len = 0;
    buf_put(&t->request, longer != NULL ? longer : text, (size_t)len);
    buf_put_char(&t->request, '\n');
    free(longer);
    must(!t->request.failed);
    client_send(&t->client, t->request.data, t->request.len);
}

void
talker_say(struct talker *t, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    say(t, format, words);
    va_end(words);
}

struct slice
talker_hear(struct talker *t)
{
    struct slice answer;

    if (!client_line(&t->client, &answer))
        talk_fail("the end of the connection instead of an answer");
    return answer;
}

struct slice
talker_ask(struct talker *t, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    say(t, format, words);
    va_end(words);
    return talker_hear(t);
}

/* ---- answers ---- */

static bool
starts_with(struct slice s, const char *text)
{
    const size_t len = strlen(text);

    return s.len >= len && memcmp(s.data, text, len) == 0;
}

void
answer_is(struct slice answer, const char *text)
{
    if (!slice_is(answer, text))
        talk_fail("\"%.*s\" instead of \"%s\"", (int)answer.len, answer.data,
                  text);
}

void
answer_starts(struct slice answer, const char *text)
{
    if (!starts_with(answer, text))
        talk_fail("\"%.*s\" instead of \"%s...\"", (int)answer.len, answer.data,
                  text);
}

int64_t
answer_number(struct slice answer)
{
    int64_t number = 0;

    if (num_parse_i64(answer, &number) != MZ_OK)
        talk_fail("\"%.*s\" is no integer", (int)answer.len, answer.data);
    return number;
}

int64_t
answer_member(struct slice answer, const char *name)
{
    char quoted[64];
    const int len = snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = memmem(answer.data, answer.len, quoted, (size_t)len);
    size_t digits = 0, left;

    if (at == NULL)
        talk_fail("no %s in \"%.*s\"", name, (int)answer.len, answer.data);
    at += len;
    left = (size_t)(answer.data + answer.len - at);
    while (digits < left && strchr(",}", at[digits]) == NULL)
        digits++;
    return answer_number(slice_of(at, digits));
}

bool
answer_is_error(struct slice answer, const char *code)
{
    char plain[64], enveloped[64];

    snprintf(plain, sizeof plain, "error %s ", code);
    snprintf(enveloped, sizeof enveloped, "\"e\":{\"code\":\"%s\",", code);
    return starts_with(answer, plain) ||
           memmem(answer.data, answer.len, enveloped, strlen(enveloped)) !=
               NULL;
}

/* ---- leases ---- */

void
talker_await_waiters(struct talker *t, int64_t count)
{
    const int64_t deadline_ms =
        clock_mono_ms(clock_system()) + CLIENT_DEADLINE_MS;
    int64_t waiters;

    /* Nobody tells when a client has come to stand in line. */
    while ((waiters = answer_member(talker_ask(t, "{\"s\":\"stats\"}"),
                                    "lease_waiters")) != count) {
        if (clock_mono_ms(clock_system()) > deadline_ms)
            talk_fail("%" PRId64 " stand in line, not %" PRId64, waiters,
                      count);
        sched_yield();
    }
}
