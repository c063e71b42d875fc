/* SPDX-License-Identifier: MIT
 *
 * sock.h - what the net layer asks of the kernel's sockets.
 *
 * Thin: each function is one step with its error handling, none knows a
 * protocol. Descriptors are the caller's. All times are of the machine's
 * monotonic clock.
 */
#ifndef MEMOIZER_NET_SOCK_H
#define MEMOIZER_NET_SOCK_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* "[IPv6 address%zone]:port" and the NUL. */
#define SOCK_ADDRESS_SIZE 96

/* A deadline that never comes. */
#define SOCK_NEVER INT64_MAX

/* An address as people write it: "127.0.0.1:9091", "[::1]:9091". */
void sock_format_address(char out[SOCK_ADDRESS_SIZE],
                         const struct sockaddr_storage *address);

/* A port in host order; address is IPv4 or IPv6. */
uint16_t sock_port(const struct sockaddr_storage *address);
void sock_set_port(struct sockaddr_storage *address, uint16_t port);

/* Length of the address within its storage. */
socklen_t sock_address_len(const struct sockaddr_storage *address);

/* How an accepted connection behaves. */
struct sock_options {
    int64_t receive_wait_ms;  /* a blocking recv gives up after it; > 0 */
    int64_t keepalive_ms;     /* probe a silent peer after it; 0: never */
    int64_t write_timeout_ms; /* how long a peer may leave answers unread */
};

/* Prepares an accepted connection: answers go out at once (no Nagle), a
 * vanished peer is noticed. Best effort: a kernel that lacks one of the
 * options costs comfort, not correctness. */
void sock_prepare(int fd, const struct sock_options *options);

/* Waits until fd has one of the poll events (or an error, which the next call
 * on fd tells). False when the deadline came first. */
bool sock_wait(int fd, short events, int64_t deadline_mono_ms);

/* Bytes that the peer has not acknowledged yet. */
size_t sock_unsent(int fd);

/* Whether nothing can be sent to the peer any more: a reset, or an error. Never
 * blocks, and does not take the error away. */
bool sock_is_reset(int fd);

/* Ends a connection so that the peer still gets what was sent last: says that
 * nothing more comes, then takes in and drops what the peer still sends, for
 * at most wait_ms and a bounded number of bytes. A close with unread bytes
 * would reset the connection and could destroy the answer on its way. Leaves
 * fd open. When the receiving side is shut down it only waits, in naps of some
 * milliseconds and for at most wait_ms, until what was sent has arrived. */
void sock_finish(int fd, int64_t wait_ms);

/* Sends text if the kernel takes it at once, else drops it. Never waits. */
void sock_send_now(int fd, const char *text);

/* The first byte that has arrived, without taking it; -1: none yet. */
int sock_peek(int fd);

/* Raises the limit of open descriptors as far as allowed and returns it. */
size_t sock_raise_descriptor_limit(void);

#endif
