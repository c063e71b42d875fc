/* SPDX-License-Identifier: MIT
 *
 * reply.h - an answer, whatever protocol it goes out in.
 *
 * The service says what the answer is by calling exactly one function for each
 * command, or for an array one to begin it, one for each item and one to end
 * it; the ops of the connection's protocol turn it into bytes.
 */
#ifndef MEMOIZER_WIRE_REPLY_H
#define MEMOIZER_WIRE_REPLY_H

#include "base/err.h"
#include "base/slice.h"
#include "wire/command.h"
#include "wire/outbox.h"

#include <stdbool.h>
#include <stdint.h>

/* Values from this size on are lent, not copied. */
#define REPLY_LEND_MIN 16384

/* What reply_value may append without allocating, the id apart. */
#define REPLY_VALUE_RESERVE (REPLY_LEND_MIN + 256)

#define REPLY_NO_VERSION    UINT64_MAX

/* A value that a read found: JSON on one line for the native protocol. */
struct reply_value {
    struct slice value;
    uint64_t version;
    int64_t ttl_left_ms; /* COMMAND_TTL_NEVER: does not expire */
    /* For value.len >= REPLY_LEND_MIN: who keeps the value alive, and how to
     * give the reference back that the reply takes over. */
    void *owner;
    void (*release)(void *owner);
};

/* What a scan named. */
struct reply_page {
    struct key_list keys;
    uint64_t next; /* the place to go on from; 0: the scan is over */
};

/* What reply_page() may append for keys packed in that many bytes, the id
 * apart. */
#define REPLY_PAGE_RESERVE(packed_len) ((packed_len)*6 + 256)

struct reply {
    const struct reply_ops *ops;
    struct outbox *out; /* lent */
    bool has_id;
    bool has_items;  /* of an array that was begun */
    struct slice id; /* lent until the answer is given */
};

struct reply_ops {
    void (*ok)(struct reply *);
    void (*written)(struct reply *, uint64_t version);
    void (*integer)(struct reply *, int64_t n);
    void (*counted)(struct reply *, int64_t n, uint64_t version);
    void (*boolean)(struct reply *, bool yes);
    void (*value)(struct reply *, const struct reply_value *value);
    void (*missing)(struct reply *);
    void (*seconds)(struct reply *, int64_t ms);
    void (*json)(struct reply *, struct slice json);
    void (*begin_array)(struct reply *, size_t count);
    void (*item_value)(struct reply *, const struct reply_value *value);
    void (*item_missing)(struct reply *);
    void (*end_array)(struct reply *);
    void (*page)(struct reply *, const struct reply_page *page);
    void (*error)(struct reply *, enum mz_err err, const char *text,
                  uint64_t version);
};

/* "ok". */
static inline void
reply_ok(struct reply *r)
{
    r->ops->ok(r);
}

/* "ok" of a write that gave the key this version. */
static inline void
reply_written(struct reply *r, uint64_t version)
{
    r->ops->written(r, version);
}

static inline void
reply_integer(struct reply *r, int64_t n)
{
    r->ops->integer(r, n);
}

/* The number that a write made of a key's value, with the new version. */
static inline void
reply_counted(struct reply *r, int64_t n, uint64_t version)
{
    r->ops->counted(r, n, version);
}

static inline void
reply_boolean(struct reply *r, bool yes)
{
    r->ops->boolean(r, yes);
}

/* A key's value. Allocates nothing when REPLY_VALUE_RESERVE + id.len bytes are
 * reserved, so it may be called under a stripe's lock. */
static inline void
reply_value(struct reply *r, const struct reply_value *value)
{
    r->ops->value(r, value);
}

/* The key of a `get` is not there. */
static inline void
reply_missing(struct reply *r)
{
    r->ops->missing(r);
}

/* Time left in ms; COMMAND_TTL_NEVER: does not expire; 0: no such key. */
static inline void
reply_seconds(struct reply *r, int64_t ms)
{
    r->ops->seconds(r, ms);
}

/* A JSON text of the server's own making, on one line. */
static inline void
reply_json(struct reply *r, struct slice json)
{
    r->ops->json(r, json);
}

/* An answer of count items. What is in the outbox may be sent between them. */
static inline void
reply_begin_array(struct reply *r, size_t count)
{
    r->has_items = false;
    r->ops->begin_array(r, count);
}

/* An item that is a key's value: as reply_value(). */
static inline void
reply_item_value(struct reply *r, const struct reply_value *value)
{
    r->ops->item_value(r, value);
    r->has_items = true;
}

/* An item for a key that is not there. */
static inline void
reply_item_missing(struct reply *r)
{
    r->ops->item_missing(r);
    r->has_items = true;
}

static inline void
reply_end_array(struct reply *r)
{
    r->ops->end_array(r);
}

/* The keys that a scan named, and where it goes on. */
static inline void
reply_page(struct reply *r, const struct reply_page *page)
{
    r->ops->page(r, page);
}

/* A refusal. text: one printable line, or NULL for the error's own. version:
 * the key's where a condition failed (0: missing), else REPLY_NO_VERSION. */
static inline void
reply_error(struct reply *r, enum mz_err err, const char *text,
            uint64_t version)
{
    r->ops->error(r, err, text, version);
}

#endif
