/* SPDX-License-Identifier: MIT
 *
 * resp_client.h - what a connection that speaks the Redis protocol carries
 * beside its session.
 *
 * Owned by the connection's thread.
 */
#ifndef MEMOIZER_SERVICE_RESP_CLIENT_H
#define MEMOIZER_SERVICE_RESP_CLIENT_H

#include "base/buf.h"
#include "base/err.h"
#include "service/service.h"
#include "wire/outbox.h"
#include "wire/resp_request.h"

#include <stdbool.h>
#include <stdint.h>

/* What CLIENT REPLY has asked for. */
enum resp_replies {
    RESP_REPLIES_ON,
    RESP_REPLIES_OFF,
    RESP_REPLIES_SKIP, /* that of the next command */
};

struct resp_client {
    uint8_t proto; /* 2 or 3 */
    uint64_t id;   /* 1 or more, no other connection has or had it */
    enum resp_replies replies;
    struct buf name, lib_name, lib_version;
};

/* A client of RESP2 without a name. MZ_NO_MEMORY leaves *out alone. */
enum mz_err resp_client_new(struct service *service,
                            struct resp_client **out) MZ_CHECK;

/* NULL is fine. */
void resp_client_free(struct resp_client *client);

/* Back to a fresh client of RESP2, as RESET wants it; the id stays. */
void resp_client_reset(struct resp_client *client);

/* Runs a command and gives its reply to out. */
void resp_run(struct session *session, struct resp_client *client,
              const struct resp_command *command, struct outbox *out);

/* Answers a request that could not be decoded, or that the connection refuses:
 * the text of fault without "-ERR ". */
void resp_refuse_request(struct session *session, struct resp_client *client,
                         const struct fault *fault, struct outbox *out);

#endif
