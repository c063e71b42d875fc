/* SPDX-License-Identifier: MIT
 *
 * serving.c - see serving.h.
 */
#include "serving.h"

#include "base/clock.h"

#include <check.h>
#include <sched.h>

#define WORDS_MAX 32

void
serving_start_with(struct serving *s, const char *const *more,
                   const struct process_options *options)
{
    const char *words[WORDS_MAX] = {"--bind", "127.0.0.1", "--port", "0"};
    size_t count = 4;

    for (size_t i = 0; more != NULL && more[i] != NULL; i++) {
        ck_assert_uint_lt(count, WORDS_MAX - 1);
        words[count++] = more[i];
    }
    process_start(&s->process, MEMOIZER_PROGRAM, words, options);
    process_await_ready(&s->process, 1);
    s->port = process_port(&s->process);
}

void
serving_start(struct serving *s, const char *const *more)
{
    serving_start_with(s, more, NULL);
}

void
serving_alive(const struct serving *s)
{
    struct client c;

    client_connect(&c, s->port);
    client_ask(&c, "{\"s\":\"ping\"}", "\"pong\"");
    client_close(&c);
}

void
serving_stop(struct serving *s)
{
    process_stop(&s->process);
    process_fini(&s->process);
}

void
serving_await_descriptors(const struct serving *s, size_t count)
{
    int64_t deadline_ms = clock_mono_ms(clock_system()) + PROCESS_DEADLINE_MS;
    size_t open;

    /* /proc cannot be waited for; the server closes within moments. */
    while ((open = process_descriptors(&s->process)) > count) {
        if (clock_mono_ms(clock_system()) > deadline_ms)
            ck_abort_msg("%zu descriptors are open, not %zu", open, count);
        sched_yield();
    }
}
