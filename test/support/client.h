/* SPDX-License-Identifier: MIT
 *
 * client.h - a client of the native protocol, as plain as tests need it.
 *
 * Whatever goes wrong, a time-out too, fails the test. Owned by one thread.
 */
#ifndef MEMOIZER_TEST_CLIENT_H
#define MEMOIZER_TEST_CLIENT_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_DEADLINE_MS 20000

struct client {
    int fd;
    char *in; /* received; not through base/mem.h, whose failures are tested */
    size_t in_len, in_cap;
    size_t taken; /* bytes of it that were handed out */
    bool reset;   /* the connection ended by a reset */
};

/* Connects to 127.0.0.1. */
void client_connect(struct client *c, uint16_t port);

/* Connects to "127.0.0.1:9091" or "[::1]:9091". */
void client_connect_to(struct client *c, const char *address);

void client_send(struct client *c, const void *data, size_t len);
void client_send_text(struct client *c, const char *text);

/* Sends what the kernel takes at once; returns how much. 0 also when the
 * connection is gone. */
size_t client_send_some(struct client *c, const void *data, size_t len);

/* The next line without its LF, valid until the next call. False at the end of
 * the connection, in order or by reset; half a line before it fails the
 * test. */
bool client_line(struct client *c, struct slice *line);

/* Sends request and a LF, and wants answer. */
void client_ask(struct client *c, const char *request, const char *answer);

/* The next line is answer, or begins with it. */
void client_expect(struct client *c, const char *answer);
void client_expect_start(struct client *c, const char *start);

/* The connection ends in order, without another byte. */
void client_expect_end(struct client *c);

/* Says that nothing more will be sent. */
void client_end_input(struct client *c);

/* In order; and with a reset. */
void client_close(struct client *c);
void client_reset(struct client *c);

#endif
