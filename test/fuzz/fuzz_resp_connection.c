/* SPDX-License-Identifier: MIT
 *
 * fuzz_resp_connection.c - any bytes as all that a client of the Redis protocol
 * sends: a whole connection, bytes in, bytes out, against a model.
 *
 *     stream -> resp_request_next() -> resp_run() -> outbox -> answer
 *                                        |                       |
 *                                      store              read again, strictly
 *
 * The layers are those of a connection, called as net/conn_resp.c does, without
 * its socket and threads: store and topics are new for each stream, the clock
 * stands still, and seeds are fixed. What is held:
 *
 * 1. Replies. A strict reader of RESP2 and RESP3 finds exactly one reply to
 *    each command: none while CLIENT REPLY has them dropped; for SUBSCRIBE and
 *    its kin one for each channel; EXEC has an item for each command that was
 *    queued. One error ends a stream that breaks the protocol. Messages are
 *    counted apart: as many come as PUBLISH says.
 * 2. Cuts. The stream in random pieces gives the same bytes as whole. What is
 *    not compared: INFO, which tells of the memory of the process, and
 *    RANDOMKEY, which is as random as it says.
 * 3. A model says what the reply is, byte for byte: see resp_model.h.
 * 4. Memory. No block is larger than ALLOC_MAX, whatever was announced.
 *
 * Messages go out behind each command, as if every command had come by itself:
 * between which two commands they would come does depend on the pieces.
 *
 * The limits are small and, like the cuts, drawn from a hash of the stream: the
 * input is nothing but the stream. Each delivery puts the bytes that are left
 * and the new piece in a fresh block of their exact size, for the address
 * sanitizer to see who looks beyond it or too late.
 */
#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/must.h"
#include "fake_clock.h"
#include "resp_model.h"
#include "rng.h"
#include "service/resp_client.h"
#include "service/resp_multi.h"
#include "service/resp_pubsub.h"
#include "service/script_cache.h"
#include "service/topics.h"
#include "wire/resp_reply.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DELIVERY_COUNT 3 /* in pieces, besides the whole one */
#define ARGS_MAX       ((size_t)1 << 20)
#define DEPTH_MAX      8
#define VECTORS        8
/* The largest limits, doubled as buffers grow, and the store itself. */
#define ALLOC_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct limits {
    size_t max_request, max_value;
};

/* What is queued since MULTI. */
struct queued {
    size_t count;
    bool listens;    /* SUBSCRIBE or its kin: items may be several values */
    bool changes;    /* HELLO: items of either protocol */
    bool is_unknown; /* what is not compared */
};

/* A connection, and all that is behind it. */
struct side {
    struct fake_clock clock;
    struct stats stats;
    struct counters counters;
    struct service service;
    struct session_host host;
    struct session session;
    struct resp_client *client;
    struct resp_request request;
    struct outbox out;
    struct rng rng;
    struct queued queued;
    struct resp_model model;
    struct buf answer; /* to the command that runs */
    struct buf notes;  /* all answers */
};

/* ---- reading replies ---- */

enum dialect {
    DIALECT_2 = 2,
    DIALECT_3 = 3,
    DIALECT_ANY, /* HELLO stands in between */
};

struct reading {
    const char *at, *end;
    enum dialect dialect;
};

/* A line up to its CRLF, with neither byte in it. */
static struct slice
read_line(struct reading *r)
{
    const char *begin = r->at;

    while (r->at < r->end && *r->at != '\r' && *r->at != '\n')
        r->at++;
    must(r->end - r->at >= 2 && r->at[0] == '\r' && r->at[1] == '\n');
    r->at += 2;
    return slice_of(begin, (size_t)(r->at - 2 - begin));
}

static void
check_digits(struct slice s)
{
    size_t i = s.len > 0 && s.data[0] == '-';

    must(s.len > i && s.len <= 20 + i);
    must(s.data[i] != '0' || s.len == 1);
    for (; i < s.len; i++)
        must(s.data[i] >= '0' && s.data[i] <= '9');
}

/* A length or a number of items; -1 for the nulls of RESP2. */
static int64_t
read_count(struct reading *r, bool may_be_null)
{
    struct slice line = read_line(r);
    int64_t n;

    check_digits(line);
    must(line.len < 18);
    n = strtoll(line.data, NULL, 10);
    must(n >= 0 || (n == -1 && may_be_null && r->dialect != DIALECT_3));
    return n;
}

static struct slice
read_bulk(struct reading *r, bool may_be_null)
{
    int64_t len = read_count(r, may_be_null);
    struct slice bytes = {NULL, 0};

    if (len < 0)
        return bytes;
    must(r->end - r->at >= len + 2);
    bytes = slice_of(r->at, (size_t)len);
    r->at += len;
    must(r->at[0] == '\r' && r->at[1] == '\n');
    r->at += 2;
    return bytes;
}

static void
check_printable(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        must(s.data[i] >= ' ' && s.data[i] <= '~');
}

static void
check_error(struct slice s)
{
    check_printable(s);
    must(s.len > 1 && s.data[0] >= 'A' && s.data[0] <= 'Z');
    must(memchr(s.data, ' ', s.len) != NULL);
}

static void
check_double(struct slice s)
{
    char *end;

    must(s.len > 0 && s.data[0] != ' ');
    (void)strtod(s.data, &end);
    must(end == s.data + s.len);
}

static void
check_verbatim(struct slice s)
{
    must(s.len >= 4 && s.data[3] == ':');
}

/* The types that only RESP3 has, aggregates apart. */
static void
read_modern(struct reading *r, char type)
{
    struct slice line;

    must(r->dialect != DIALECT_2);
    switch (type) {
    case '=':
        check_verbatim(read_bulk(r, false));
        return;
    case '!':
        check_error(read_bulk(r, false));
        return;
    default:
        line = read_line(r);
    }
    if (type == '_')
        must(line.len == 0);
    else if (type == '#')
        must(slice_is(line, "t") || slice_is(line, "f"));
    else if (type == ',')
        check_double(line);
    else
        must(type == '(' && line.len > 0);
}

/* The values that follow the head of an aggregate; 0 for others, which are read
 * to their end. */
static size_t
read_head(struct reading *r)
{
    int64_t n;
    char type;

    must(r->at < r->end);
    type = *r->at++;
    switch (type) {
    case '+':
        check_printable(read_line(r));
        return 0;
    case '-':
        check_error(read_line(r));
        return 0;
    case ':':
        check_digits(read_line(r));
        return 0;
    case '$':
        (void)read_bulk(r, true);
        return 0;
    case '*':
        n = read_count(r, true);
        return n < 0 ? 0 : (size_t)n;
    case '%':
    case '~':
    case '>':
        must(r->dialect != DIALECT_2);
        n = read_count(r, false);
        return type == '%' ? 2 * (size_t)n : (size_t)n;
    default:
        read_modern(r, type);
        return 0;
    }
}

/* One value with all that is in it. */
static void
read_value(struct reading *r)
{
    size_t left[DEPTH_MAX] = {1};
    size_t depth = 1;

    while (depth > 0) {
        if (left[depth - 1] == 0) {
            depth--;
            continue;
        }
        left[depth - 1]--;
        must(depth < DEPTH_MAX);
        left[depth++] = read_head(r);
    }
}

/* How many values there are, all whole. */
static size_t
count_values(struct slice bytes, enum dialect dialect)
{
    struct reading r = {bytes.data, bytes.data + bytes.len, dialect};
    size_t n = 0;

    for (; r.at < r.end; n++)
        read_value(&r);
    return n;
}

/* ---- what a command is ---- */

static bool
is_named(const struct resp_command *c, size_t arg, const char *name)
{
    return arg < c->count && c->args[arg].len == strlen(name) &&
           strncasecmp(c->args[arg].data, name, strlen(name)) == 0;
}

static bool
is_joining(const struct resp_command *c)
{
    return is_named(c, 0, "SUBSCRIBE") || is_named(c, 0, "PSUBSCRIBE");
}

static bool
is_leaving(const struct resp_command *c)
{
    return is_named(c, 0, "UNSUBSCRIBE") || is_named(c, 0, "PUNSUBSCRIBE");
}

static bool
is_unknown(const struct resp_command *c)
{
    return is_named(c, 0, "INFO") || is_named(c, 0, "RANDOMKEY");
}

/* Asks for replies again. */
static bool
is_unmuting(const struct resp_command *c)
{
    return (is_named(c, 0, "RESET") && c->count == 1) ||
           (is_named(c, 0, "CLIENT") && is_named(c, 1, "REPLY") &&
            is_named(c, 2, "ON") && c->count == 3);
}

/* ---- checking an answer ---- */

static bool
begins(const struct buf *answer, const char *text)
{
    return answer->len >= strlen(text) &&
           memcmp(answer->data, text, strlen(text)) == 0;
}

/* The numbers that those have who may have several. */
static void
check_count(const struct side *side, const struct resp_command *c, size_t n)
{
    const struct buf *answer = &side->answer;
    bool many = begins(answer, "*") || begins(answer, ">");

    if (many && (is_joining(c) || (is_leaving(c) && c->count > 1)))
        must(n == c->count - 1);
    else if (many && (is_leaving(c) ||
                      (is_named(c, 0, "EXEC") && side->queued.listens)))
        must(n >= 1);
    else
        must(n == 1);
}

/* An array of EXEC has an item for each command. */
static void
check_exec(const struct side *side)
{
    const struct buf *answer = &side->answer;

    if (begins(answer, "*") && !begins(answer, "*-1"))
        must((size_t)strtoll(answer->data + 1, NULL, 10) == side->queued.count);
    else
        must(begins(answer, "*-1") || begins(answer, "_") ||
             begins(answer, "-"));
}

/* What has come of the queue; was_open: there was one. Returns whether the
 * answer may differ. */
static bool
note_queue(struct side *side, const struct resp_command *c, bool was_open)
{
    struct queued *queued = &side->queued;
    bool differs = is_unknown(c);

    if (was_open && is_named(c, 0, "EXEC"))
        differs = queued->is_unknown;
    if (!was_open || !resp_multi_is_open(side->client)) {
        *queued = (struct queued){0};
    } else if (begins(&side->answer, "+QUEUED")) {
        queued->count++;
        queued->listens |= is_joining(c) || is_leaving(c);
        queued->changes |= is_named(c, 0, "HELLO");
        queued->is_unknown |= is_unknown(c);
    }
    return differs;
}

static enum dialect
dialect_of(const struct side *side, const struct resp_command *c, uint8_t proto)
{
    if (is_named(c, 0, "HELLO") ||
        (is_named(c, 0, "EXEC") && side->queued.changes))
        return DIALECT_ANY;
    return proto == 3 ? DIALECT_3 : DIALECT_2;
}

static void
complain(const struct side *side, const struct resp_command *c,
         const struct buf *want)
{
    fprintf(stderr, "fuzz_resp_connection: max_value %zu, db %u\ncommand:",
            side->service.max_value, side->model.db);
    for (size_t i = 0; i < c->count; i++)
        fprintf(stderr, " %zu:%.*s", c->args[i].len, (int)c->args[i].len,
                c->args[i].data);
    fprintf(stderr, "\nanswer:\n%.*s\nwanted:\n%.*s\n", (int)side->answer.len,
            side->answer.data, (int)want->len, want->data);
    abort();
}

/* The model does what is not heard as well. */
static void
check_model(struct side *side, const struct resp_command *c, bool is_heard)
{
    struct buf want = {0};
    const size_t len = side->answer.len;
    enum resp_view view = resp_model_run(&side->model, c, &want);

    if (!is_heard)
        view = RESP_VIEW_NONE;
    if (view != RESP_VIEW_NONE &&
        (len < want.len || memcmp(side->answer.data, want.data, want.len) != 0))
        complain(side, c, &want);
    if (view == RESP_VIEW_IS && len != want.len)
        complain(side, c, &want);
    buf_fini(&want);
}

/* ---- a connection ---- */

/* Takes what waits, as a socket would. */
static void
drain(struct side *side)
{
    struct iovec vectors[VECTORS];
    int count;

    must(!outbox_failed(&side->out));
    while ((count = outbox_vectors(&side->out, vectors, VECTORS)) > 0) {
        size_t len = 0;

        for (int i = 0; i < count; i++) {
            buf_put(&side->answer, vectors[i].iov_base, vectors[i].iov_len);
            len += vectors[i].iov_len;
        }
        outbox_sent(&side->out, len);
    }
    must(outbox_pending(&side->out) == 0);
}

/* A host's: may send between the parts of a reply, or wait. */
static bool
host_send(void *ctx, bool all)
{
    struct side *side = ctx;

    if (all || rng_below(&side->rng, 2) == 0)
        drain(side);
    return true;
}

/* This client is the only one. */
static void
for_each_client(void *ctx,
                bool (*visit)(void *visit_ctx,
                              const struct service_client_view *view),
                void *visit_ctx)
{
    const struct side *side = ctx;
    const struct service_client_view view = {side->client, 9, "127.0.0.1:50000",
                                             "127.0.0.1:9091"};

    must(!visit(visit_ctx, &view));
}

static void
side_init(struct side *side, const struct limits *limits, uint64_t seed)
{
    struct store_options options = {.clock = &side->clock.clock, .seed = 1};
    struct service *service = &side->service;

    memset(side, 0, sizeof *side);
    fake_clock_init(&side->clock);
    stats_init(&side->stats);
    stats_attach(&side->stats, &side->counters);
    side->rng.state = seed;
    service->stats = &side->stats;
    service->clock = &side->clock.clock;
    service->started_mono_ms = clock_mono_ms(service->clock);
    service->max_value = limits->max_value;
    service->max_request = limits->max_request;
    service->peers = (struct service_clients){for_each_client, side};
    must(store_new(&options, &service->store) == MZ_OK);
    must(leases_new(service->clock, 1, &service->leases) == MZ_OK);
    must(script_cache_new(&service->scripts) == MZ_OK);
    must(topics_new(service->clock, &service->topics) == MZ_OK);
    side->host = (struct session_host){.send = host_send, .ctx = side};
    side->session = (struct session){
        .service = service, .counters = &side->counters, .host = &side->host};
    must(resp_client_new(service, &side->client) == MZ_OK);
    resp_request_init(&side->request, limits->max_request,
                      2 * limits->max_request, ARGS_MAX);
    outbox_init(&side->out);
    resp_model_init(&side->model, limits->max_value);
}

static void
side_fini(struct side *side)
{
    resp_model_fini(&side->model);
    buf_fini(&side->answer);
    buf_fini(&side->notes);
    outbox_fini(&side->out);
    resp_request_fini(&side->request);
    resp_client_free(side->client);
    lease_holder_end(side->service.leases, &side->session.holder);
    topics_free(side->service.topics);
    script_cache_free(side->service.scripts);
    leases_free(side->service.leases);
    store_check(side->service.store);
    store_free(side->service.store);
    stats_detach(&side->stats, &side->counters);
    stats_fini(&side->stats);
}

/* Sends the messages that have come. Returns how many. */
static size_t
deliver_messages(struct side *side)
{
    enum dialect dialect = side->client->proto == 3 ? DIALECT_3 : DIALECT_2;
    const char first = side->client->proto == 3 ? '>' : '*';
    size_t n;

    side->answer.len = 0;
    while (resp_client_deliver(side->client, &side->out))
        drain(side);
    drain(side);
    must(side->answer.len == 0 || side->answer.data[0] == first);
    n = count_values(buf_slice(&side->answer), dialect);
    buf_put_slice(&side->notes, buf_slice(&side->answer));
    return n;
}

/* Runs a command: what comes of it is in side->answer. */
static void
run(struct side *side, const struct resp_command *c)
{
    side->answer.len = 0;
    if (rng_below(&side->rng, 4) == 0)
        outbox_shrink(&side->out);
    must(outbox_reserve(&side->out, RESP_REPLY_RESERVE) == MZ_OK);
    resp_run(&side->session, side->client, c, &side->out);
    drain(side);
}

static void
serve(struct side *side, const struct resp_command *c)
{
    const uint8_t proto = side->client->proto;
    const bool was_on = side->client->replies == RESP_REPLIES_ON;
    const bool was_open = resp_multi_is_open(side->client);
    size_t messages, told = 0;
    bool is_heard;

    run(side, c);
    is_heard =
        was_on ? side->client->replies == RESP_REPLIES_ON : is_unmuting(c);
    if (is_heard) {
        check_count(
            side, c,
            count_values(buf_slice(&side->answer), dialect_of(side, c, proto)));
        if (is_named(c, 0, "EXEC"))
            check_exec(side);
    } else {
        must(side->answer.len == 0);
    }
    check_model(side, c, is_heard);
    if (is_named(c, 0, "PUBLISH") && begins(&side->answer, ":"))
        told = (size_t)strtoll(side->answer.data + 1, NULL, 10);
    if (!note_queue(side, c, was_open))
        buf_put_slice(&side->notes, buf_slice(&side->answer));
    messages = deliver_messages(side);
    if (is_named(c, 0, "PUBLISH") && is_heard)
        must(messages == told);
}

static void
refuse(struct side *side, const struct fault *fault, enum wire_status status)
{
    const bool is_heard = side->client->replies == RESP_REPLIES_ON;

    side->answer.len = 0;
    must(outbox_reserve(&side->out, RESP_REPLY_RESERVE) == MZ_OK);
    resp_refuse_request(&side->session, side->client, fault, &side->out);
    drain(side);
    must(count_values(buf_slice(&side->answer), DIALECT_2) == is_heard);
    if (is_heard && status == WIRE_FATAL)
        must(begins(&side->answer, "-ERR Protocol error: "));
    else if (is_heard)
        must(begins(&side->answer, "-ERR the arguments of a command have"));
    buf_put_slice(&side->notes, buf_slice(&side->answer));
}

/* Serves all that is complete in the *len bytes of block and keeps the rest in
 * it. False: the connection would be closed. */
static bool
serve_all(struct side *side, char *block, size_t *len)
{
    enum wire_status status;
    char *data = block;

    do {
        size_t left = *len - (size_t)(data - block), used = 0;
        struct resp_command command = {0};
        struct fault fault = {0};

        status = resp_request_next(&side->request, data, left, &command, &fault,
                                   &used);
        must(used <= left);
        if (status == WIRE_DONE)
            serve(side, &command);
        else if (status == WIRE_BAD || status == WIRE_FATAL)
            refuse(side, &fault, status);
        data += used;
    } while ((status == WIRE_DONE || status == WIRE_BAD) &&
             !side->session.quit);
    *len -= (size_t)(data - block);
    memmove(block, data, *len);
    resp_request_shrink(&side->request);
    return status == WIRE_MORE && !side->session.quit;
}

/* Delivers the stream in pieces of 1 to piece_max bytes; 0: whole. */
static void
deliver(struct side *side, struct slice stream, size_t piece_max)
{
    char *left = malloc(1);
    size_t left_len = 0, done = 0;
    bool open = true;

    must(left != NULL);
    do {
        size_t piece =
            piece_max == 0 ? stream.len : 1 + rng_below(&side->rng, piece_max);
        char *block;

        if (piece > stream.len - done)
            piece = stream.len - done;
        block = malloc(left_len + piece);
        must(block != NULL);
        memcpy(block, left, left_len);
        if (piece > 0)
            memcpy(block + left_len, stream.data + done, piece);
        free(left);
        left = block;
        left_len += piece;
        done += piece;
        open = serve_all(side, left, &left_len);
    } while (open && done < stream.len);
    free(left);
    buf_printf(&side->notes, "%s", open ? "(open)" : "(closed)");
    must(!side->notes.failed && !side->answer.failed);
}

/* ---- a stream ---- */

/* Three of four streams meet their limits; the others have values that are
 * lent to the outbox. */
static struct limits
draw_limits(struct rng *rng)
{
    struct limits limits = {(size_t)64 << 10, (size_t)40 << 10};

    if (rng_below(rng, 4) > 0) {
        limits.max_request = 16 + rng_below(rng, 500);
        limits.max_value = 1 + rng_below(rng, limits.max_request);
    }
    return limits;
}

/* Never says that there is no memory. */
static bool
is_too_much(void *ctx, size_t len)
{
    (void)ctx;
    must(len <= ALLOC_MAX);
    return false;
}

static void
compare(const struct buf *whole, const struct buf *pieces, size_t piece_max)
{
    if (slice_equal(buf_slice(whole), buf_slice(pieces)))
        return;
    fprintf(stderr,
            "fuzz_resp_connection: whole:\n%.*s\nin pieces of up to "
            "%zu:\n%.*s\n",
            (int)whole->len, whole->data, piece_max, (int)pieces->len,
            pieces->data);
    abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct mem_hook hook = {is_too_much, NULL};
    struct slice stream = slice_of((const char *)data, len);
    struct rng rng = {hash_bytes(stream, 0)};
    struct limits limits = draw_limits(&rng);
    struct side whole;

    mem_set_hook(&hook);
    side_init(&whole, &limits, rng_next(&rng));
    deliver(&whole, stream, 0);
    for (size_t i = 0; i < DELIVERY_COUNT; i++) {
        size_t piece_max = (size_t)1 << (3 * i); /* 1, 8, 64 */
        struct side pieces;

        side_init(&pieces, &limits, rng_next(&rng));
        deliver(&pieces, stream, piece_max);
        compare(&whole.notes, &pieces.notes, piece_max);
        side_fini(&pieces);
    }
    side_fini(&whole);
    return 0;
}
