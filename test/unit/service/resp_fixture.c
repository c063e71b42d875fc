/* SPDX-License-Identifier: MIT
 *
 * resp_fixture.c - see resp_fixture.h.
 */
#include "resp_fixture.h"

#include "service/script_cache.h"
#include "service/topics.h"
#include "wire/resp_reply.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WORDS_MAX 64

void
resp_fixture_init(struct resp_fixture *f)
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
        .max_value = RESP_FIXTURE_MAX_VALUE,
        .max_request = RESP_FIXTURE_MAX_REQUEST,
        .max_clients = 7,
    };
    ck_assert_int_eq(leases_new(&f->clock.clock, 1, &f->service.leases), MZ_OK);
    ck_assert_int_eq(script_cache_new(&f->service.scripts), MZ_OK);
    ck_assert_int_eq(topics_new(&f->clock.clock, &f->service.topics), MZ_OK);
    f->session =
        (struct session){.service = &f->service, .counters = &f->counters};
    ck_assert_int_eq(resp_client_new(&f->service, &f->client), MZ_OK);
    outbox_init(&f->out);
}

void
resp_fixture_fini(struct resp_fixture *f)
{
    buf_fini(&f->said);
    outbox_fini(&f->out);
    resp_client_free(f->client);
    lease_holder_end(f->service.leases, &f->session.holder);
    stats_detach(&f->stats, &f->counters);
    stats_fini(&f->stats);
    topics_free(f->service.topics);
    script_cache_free(f->service.scripts);
    leases_free(f->service.leases);
    store_check(f->store);
    store_free(f->store);
}

void
resp_speak(struct resp_fixture *f, uint8_t proto)
{
    f->client->proto = proto;
}

/* What waits in the outbox, as a connection would send it. */
static void
fetch(struct resp_fixture *f)
{
    struct iovec vectors[8];
    int count;

    ck_assert(!outbox_failed(&f->out));
    f->said.len = 0;
    while ((count = outbox_vectors(&f->out, vectors, 8)) > 0) {
        size_t len = 0;

        for (int i = 0; i < count; i++) {
            buf_put(&f->said, vectors[i].iov_base, vectors[i].iov_len);
            len += vectors[i].iov_len;
        }
        outbox_sent(&f->out, len);
    }
    buf_put_char(&f->said, '\0');
    ck_assert(!f->said.failed);
    f->said.len--;
}

struct slice
resp_say_words(struct resp_fixture *f, const struct slice *words, size_t count)
{
    const struct resp_command command = {words, count};

    ck_assert_int_eq(outbox_reserve(&f->out, RESP_REPLY_RESERVE), MZ_OK);
    resp_run(&f->session, f->client, &command, &f->out);
    fetch(f);
    return buf_slice(&f->said);
}

static struct slice
say(struct resp_fixture *f, va_list list)
{
    struct slice words[WORDS_MAX];
    const char *word;
    size_t count = 0;

    while ((word = va_arg(list, const char *)) != NULL) {
        ck_assert_uint_lt(count, WORDS_MAX);
        words[count++] = slice_of_string(word);
    }
    return resp_say_words(f, words, count);
}

struct slice
resp_say(struct resp_fixture *f, ...)
{
    va_list list;
    struct slice reply;

    va_start(list, f);
    reply = say(f, list);
    va_end(list);
    return reply;
}

void
resp_expect(const char *file, int line, struct resp_fixture *f,
            const char *want, ...)
{
    va_list list;
    struct slice reply;

    va_start(list, want);
    reply = say(f, list);
    va_end(list);
    if (!slice_is(reply, want)) {
        fprintf(stderr, "%s:%d: reply is\n%.*s\nnot\n%s\n", file, line,
                (int)reply.len, reply.data, want);
        ck_abort_msg("%s:%d: another reply", file, line);
    }
}
