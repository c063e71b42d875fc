/* SPDX-License-Identifier: MIT
 *
 * command.h - a request, whatever protocol it came in.
 *
 * The decoder of a protocol fills a struct command; the service runs it. All
 * slices point into the connection's receive buffer and are valid until the
 * next call of the decoder.
 */
#ifndef MEMOIZER_WIRE_COMMAND_H
#define MEMOIZER_WIRE_COMMAND_H

#include "base/err.h"
#include "base/quote.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum verb {
#define COMMAND(name, selector, required, optional, ignored) VERB_##name,
#include "wire/commands.def"
#undef COMMAND
    VERB_TOTAL
};

enum param {
#define PARAM(name, text) PARAM_##name,
#include "wire/params.def"
#undef PARAM
    PARAM_TOTAL
};

/* The native selector of a verb, e.g. "get". Static. */
const char *verb_name(enum verb verb);

/* What the protocols promise of keys and databases. */
#define COMMAND_KEY_MAX 65535 /* bytes */
#define COMMAND_DBS     16

/* As in store_if, without the store. */
enum command_condition {
    COMMAND_ALWAYS,
    COMMAND_IF_ABSENT,
    COMMAND_IF_PRESENT,
    COMMAND_IF_VERSION,
};

/* Lifetimes in ms: > 0, or one of these. */
#define COMMAND_TTL_NEVER INT64_MAX   /* no deadline */
#define COMMAND_TTL_KEEP  INT64_C(-1) /* keep_ttl */

/* The keys of a request that names many, packed: each as two bytes of length,
 * low byte first, and its bytes. */
struct key_list {
    struct slice packed;
    size_t count; /* how many are left */
};

/* The list over keys that somebody packed. */
struct key_list key_list_over(struct slice packed);

/* Takes the next key off the list; false when there is none. */
bool key_list_next(struct key_list *list, struct slice *key);

/* How many keys one page of a scan has at most, and if nothing is said. */
#define COMMAND_PAGE_MAX     10000
#define COMMAND_PAGE_DEFAULT 100

/* Places of a scan are below this, so that every client can carry them as a
 * number. */
#define COMMAND_CURSOR_END (UINT64_C(1) << 53)

struct command {
    enum verb verb;
    bool has_id;      /* answers are enveloped */
    bool many;        /* keys instead of key */
    struct slice id;  /* the JSON text of "i", as sent */
    struct slice key; /* decoded bytes, at most 65,535 */
    struct key_list keys;
    struct slice value;   /* JSON text without the blanks around it */
    int64_t ttl_ms;       /* COMMAND_TTL_NEVER if not given, KEEP of merge */
    int64_t get_touch_ms; /* of get: > 0, or 0 if not given */
    int64_t by;           /* of incr */
    struct slice prefix;  /* of scan, count, drop: decoded bytes */
    uint64_t cursor;      /* of scan: 0 is the beginning */
    uint32_t page_count;  /* of scan: 1 to COMMAND_PAGE_MAX keys */
    int64_t wait_ms;      /* of lock: 0 or more */
    int64_t token;        /* of unlock */
    enum command_condition condition;
    uint64_t if_version; /* for COMMAND_IF_VERSION */
    uint8_t db;          /* of select: 0 to 15 */
};

/* Why a request is refused. */
#define FAULT_TEXT_SIZE (QUOTE_SIZE + 128)
struct fault {
    enum mz_err err;
    bool has_id;
    struct slice id;            /* as in struct command */
    char text[FAULT_TEXT_SIZE]; /* one printable line, terminated */
};

/* What a decoder made of the bytes that are there. */
enum wire_status {
    WIRE_DONE,  /* a command is ready */
    WIRE_MORE,  /* the rest is the beginning of a request, or nothing */
    WIRE_BAD,   /* a fault to answer; the connection goes on */
    WIRE_FATAL, /* a fault to answer, then close: framing is lost */
    WIRE_CLOSE, /* close at once without an answer: this is not our protocol */
};

#endif
