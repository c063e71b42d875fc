/* SPDX-License-Identifier: MIT
 *
 * resp_request.h - the Redis protocol: bytes to one command, an array of words.
 *
 * A function over bytes: no sockets, no clock, no knowledge of commands. Both
 * forms of a request are read, the array of bulk strings and the inline line.
 * Arguments are slices of the caller's bytes and may hold anything; nothing is
 * copied. What is allocated is the array of slices, and it grows with what has
 * arrived, never with a number that was only announced.
 *
 * The state remembers what of the incomplete command is parsed already, so that
 * a slow sender costs no second look. What comes of a stream does not depend on
 * the pieces in which it arrives. Owned by one thread.
 */
#ifndef MEMOIZER_WIRE_RESP_REQUEST_H
#define MEMOIZER_WIRE_RESP_REQUEST_H

#include "base/slice.h"
#include "wire/command.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of an inline line before its LF, and of a header before its CR. */
#define RESP_LINE_MAX ((size_t)64 << 10)

/* While tame: arguments of a command, bytes of one and of an inline line. */
#define RESP_TAME_ARGS_MAX 10
#define RESP_TAME_BULK_MAX ((size_t)16 << 10)

/* A command: 1 or more arguments, the name first. */
struct resp_command {
    const struct slice *args;
    size_t count;
};

/* While a command arrives its arguments are places behind its first byte, as
 * the caller's bytes may move; a complete one has slices, at the same place. */
union resp_arg {
    struct {
        size_t at, len;
    } found;
    struct slice slice;
};

struct resp_request {
    size_t max_bulk;  /* const: bytes of one argument */
    size_t max_total; /* const: bytes of all arguments of an array */
    size_t max_args;  /* const */
    bool tame;        /* the caller's: the client has not logged in */

    /* Private: the incomplete command at the front of the input. */
    bool discarding;      /* refused already: skip its arguments */
    bool in_bulk;         /* the header of an argument was read */
    size_t bulk_len;      /* in_bulk: so many bytes of it are to come */
    size_t args_left;     /* of an array, with the one in_bulk */
    size_t parsed;        /* bytes that are done with but must stay */
    size_t seen;          /* bytes behind them without an end of line */
    size_t total;         /* bytes of the arguments announced so far */
    size_t missing;       /* at least so many bytes are to come */
    union resp_arg *args; /* arg_count of args_cap */
    size_t arg_count, args_cap;
};

/* Nothing is allocated yet. */
void resp_request_init(struct resp_request *r, size_t max_bulk,
                       size_t max_total, size_t max_args);

void resp_request_fini(struct resp_request *r);

/* Decodes the next command of the len bytes at data, which it may change in
 * place (escapes of inline words). *used says how many bytes are done with, for
 * every status: the caller drops them before the next call, but not before it
 * is done with the command, whose arguments lie in them. r->tame may be changed
 * between calls.
 *
 * WIRE_DONE fills *command, valid until the next call; commands without words
 * are skipped. WIRE_BAD (too many bytes in all, no memory) and WIRE_FATAL (a
 * protocol error, with Redis's text without "-ERR ") fill *fault; neither is
 * touched otherwise. After WIRE_BAD the rest of the command is skipped without
 * a word as it comes in. After WIRE_FATAL and WIRE_CLOSE (HTTP) nothing more
 * can be decoded. At the end of input WIRE_MORE means that nothing is left to
 * serve: half a command is never run, nor a line without its LF. */
enum wire_status resp_request_next(struct resp_request *r, char *data,
                                   size_t len, struct resp_command *command,
                                   struct fault *fault, size_t *used);

/* After WIRE_MORE: a command needs at least so many more bytes, 1 or more. It
 * may be a mere claim of the client, so read with it, but do not allocate by
 * it more than a multiple of what is there. */
size_t resp_request_missing(const struct resp_request *r);

/* True while a command has begun and is not complete, given the number of bytes
 * that were left over. */
bool resp_request_in_request(const struct resp_request *r, size_t left);

/* At most so many bytes are left over after WIRE_MORE. */
size_t resp_request_left_max(const struct resp_request *r);

/* Gives the memory of a command with many arguments back, unless one arrives
 * right now. Ends the life of the last command. */
void resp_request_shrink(struct resp_request *r);

#endif
