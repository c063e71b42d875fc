/* SPDX-License-Identifier: MIT
 *
 * resp_fixture.h - commands of the Redis protocol without a socket.
 *
 *     expect(&f, "+OK\r\n", "SET", "a", "1");
 *     expect(&f, "$1\r\n1\r\n", "GET", "a");
 *
 * A store with a clock that the test turns, a session and a client of RESP2.
 */
#ifndef MEMOIZER_TEST_RESP_FIXTURE_H
#define MEMOIZER_TEST_RESP_FIXTURE_H

#include "service/resp_client.h"
#include "service/service.h"

#include "fake_clock.h"

#include <stddef.h>
#include <stdint.h>

#define RESP_FIXTURE_MAX_REQUEST ((size_t)4 << 20)
#define RESP_FIXTURE_MAX_VALUE   ((size_t)1 << 20)

struct resp_fixture {
    struct fake_clock clock;
    struct store *store;
    struct stats stats;
    struct counters counters;
    struct service service; /* may be changed between commands */
    struct session session; /* the same */
    struct resp_client *client;
    struct outbox out;
    struct buf said; /* the last reply, with a NUL behind it */
};

void resp_fixture_init(struct resp_fixture *f);
void resp_fixture_fini(struct resp_fixture *f);

/* From now on RESP2 or RESP3, as after HELLO. */
void resp_speak(struct resp_fixture *f, uint8_t proto);

/* Runs a command, its words to NULL, and returns the reply: valid until the
 * next one. */
struct slice resp_say(struct resp_fixture *f, ...) __attribute__((sentinel));

/* The same for words of any bytes. */
struct slice resp_say_words(struct resp_fixture *f, const struct slice *words,
                            size_t count);

/* Runs a command and fails the test unless the reply is `want`. */
#define expect(f, want, ...)                                                   \
    resp_expect(__FILE__, __LINE__, f, want, __VA_ARGS__, NULL)

void resp_expect(const char *file, int line, struct resp_fixture *f,
                 const char *want, ...) __attribute__((sentinel));

/* The same, in RESP2 and in RESP3. */
#define expect_both(f, want2, want3, ...)                                      \
    do {                                                                       \
        resp_speak(f, 2);                                                      \
        expect(f, want2, __VA_ARGS__);                                         \
        resp_speak(f, 3);                                                      \
        expect(f, want3, __VA_ARGS__);                                         \
        resp_speak(f, 2);                                                      \
    } while (0)

#endif
