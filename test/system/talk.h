/* SPDX-License-Identifier: MIT
 *
 * talk.h - requests that are written like printf's text, and what a test wants
 * to know of an answer.
 *
 * An answer is valid until the next one of the same talker. Owned by one
 * thread, whichever: what goes wrong, a connection that ends too, ends the test
 * program at once, as Check's way to fail is for its own thread only.
 */
#ifndef MEMOIZER_TEST_TALK_H
#define MEMOIZER_TEST_TALK_H

#include "client.h"

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* Tells why, and aborts. */
_Noreturn void talk_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* {0} is one that is not connected. */
struct talker {
    struct client client;
    struct buf request; /* in the making */
};

void talker_connect(struct talker *t, uint16_t port);

/* In order; and with a reset, which leaves nothing behind in the kernel. */
void talker_close(struct talker *t);
void talker_reset(struct talker *t);

/* Sends a request, to which it adds the LF. */
void talker_say(struct talker *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The next answer. */
struct slice talker_hear(struct talker *t);

/* Both. */
struct slice talker_ask(struct talker *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The answer is this one, or begins with it. */
void answer_is(struct slice answer, const char *text);
void answer_starts(struct slice answer, const char *text);

/* The answer is an integer. */
int64_t answer_number(struct slice answer);

/* The integer behind the first "name": of the answer. */
int64_t answer_member(struct slice answer, const char *name);

/* Whether the answer, plain or enveloped, is the error of this code. */
bool answer_is_error(struct slice answer, const char *code);

/* ---- leases ---- */

/* Asks over t until so many callers stand in line for leases. */
void talker_await_waiters(struct talker *t, int64_t count);

#endif
