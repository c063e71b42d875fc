/* SPDX-License-Identifier: MIT
 *
 * resp_request.c - requests of the Redis protocol; see resp_request.h.
 *
 * The bytes from `front` on belong to one command. `parsed` of them are done
 * with: headers, and arguments that are whole. They stay in the caller's buffer
 * until the command is complete, unless it is being discarded; then `parsed` is
 * always 0.
 *
 * Errors, their texts and their order are those of Redis 7.0. The differences:
 * a CR must be followed by its LF and an argument by its CRLF, since a client
 * that counts wrong would have bytes of a value run as commands; a NUL is a
 * byte like any other; HTTP is told by its line.
 */
#include "wire/resp_request.h"

#include "base/mem.h"
#include "base/must.h"
#include "base/num.h"
#include "wire/resp_inline.h"
#include "wire/wire_json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ARGS_FIRST 8  /* the array begins with this */
#define ARGS_KEPT  64 /* and is given back when it is larger */

/* The longest header that is valid: a mark, 20 digits, CRLF. */
#define HEADER_MAX ((size_t)23)
#define CRLF_LEN   ((size_t)2)
/* A mark, up to 7 digits, CRLF. */
#define USUAL_HEADER_MAX ((size_t)10)

_Static_assert(sizeof(union resp_arg) == sizeof(struct slice),
               "an array of one can be read as an array of the other");

/* What the decoder was given, and how much of it is done with. */
struct input {
    char *data;
    size_t len;
    size_t used;
    char *front; /* of the command */
};

enum found {
    FOUND_END,
    FOUND_NONE,
    FOUND_TOO_LONG
};

void
resp_request_init(struct resp_request *r, size_t max_bulk, size_t max_total,
                  size_t max_args)
{
    *r = (struct resp_request){
        .max_bulk = max_bulk,
        .max_total = max_total,
        .max_args = max_args,
        .missing = 1,
    };
}

void
resp_request_fini(struct resp_request *r)
{
    mem_free(r->args);
    r->args = NULL;
    r->arg_count = 0;
    r->args_cap = 0;
}

void
resp_request_shrink(struct resp_request *r)
{
    if (r->args_left == 0 && r->args_cap > ARGS_KEPT)
        resp_request_fini(r);
}

size_t
resp_request_missing(const struct resp_request *r)
{
    return r->missing;
}

bool
resp_request_in_request(const struct resp_request *r, size_t left)
{
    return left > 0 || r->args_left > 0;
}

size_t
resp_request_left_max(const struct resp_request *r)
{
    size_t max;

    if (__builtin_mul_overflow(r->max_args, HEADER_MAX + CRLF_LEN, &max) ||
        __builtin_add_overflow(max, r->max_total, &max) ||
        __builtin_add_overflow(max, HEADER_MAX + RESP_LINE_MAX + 1, &max))
        return SIZE_MAX;
    return max;
}

/* ---- refusals ---- */

static void
set_fault(struct fault *fault, enum mz_err err)
{
    fault->err = err;
    fault->has_id = false;
    fault->id = slice_of(NULL, 0);
}

static enum wire_status
fatal(struct fault *fault, const char *what)
{
    set_fault(fault, MZ_BAD_REQUEST);
    snprintf(fault->text, sizeof fault->text, "Protocol error: %s", what);
    return WIRE_FATAL;
}

/* The header of an argument begins with another byte. As in Redis an end of
 * line shows as a blank; what does not print is escaped here. */
static enum wire_status
fatal_mark(struct fault *fault, char got)
{
    unsigned char byte =
        (unsigned char)(got == '\r' || got == '\n' ? ' ' : got);
    char what[sizeof "expected '$', got '\\xff'"];

    if (byte >= 0x20 && byte < 0x7f)
        snprintf(what, sizeof what, "expected '$', got '%c'", byte);
    else
        snprintf(what, sizeof what, "expected '$', got '\\x%02x'", byte);
    return fatal(fault, what);
}

static enum wire_status
too_many_args(const struct resp_request *r, uint64_t count, struct fault *fault)
{
    return fatal(fault, r->tame && count <= r->max_args
                            ? "unauthenticated multibulk length"
                            : "invalid multibulk length");
}

/* Refuses an array whose framing is sound. What of it is there goes at once,
 * the rest as it comes. */
static void
discard(struct resp_request *r, struct input *in)
{
    in->used += r->parsed;
    r->parsed = 0;
    r->arg_count = 0;
    r->discarding = true;
}

static enum wire_status
no_memory(struct fault *fault)
{
    set_fault(fault, MZ_NO_MEMORY);
    snprintf(fault->text, sizeof fault->text, "%s", err_text(MZ_NO_MEMORY));
    return WIRE_BAD;
}

static enum wire_status
too_large(const struct resp_request *r, struct fault *fault)
{
    set_fault(fault, MZ_TOO_LARGE);
    snprintf(fault->text, sizeof fault->text,
             "the arguments of a command have at most %zu bytes", r->max_total);
    return WIRE_BAD;
}

/* ---- what both forms need ---- */

static enum wire_status
need(struct resp_request *r, size_t missing)
{
    r->missing = missing;
    return WIRE_MORE;
}

/* Where the next line ends. Looks no farther than the longest line, whatever
 * else is there, and not twice. */
static enum found
find_end(struct resp_request *r, const struct input *in, char end,
         size_t len_max, struct slice *line)
{
    const char *begin = in->data + in->used + r->parsed;
    size_t left = in->len - in->used - r->parsed;
    size_t window = left > len_max ? len_max + 1 : left;
    size_t seen = r->seen < window ? r->seen : window;
    const char *at = memchr(begin + seen, end, window - seen);

    if (at == NULL && left > len_max)
        return FOUND_TOO_LONG;
    if (at == NULL) {
        r->seen = left;
        return FOUND_NONE;
    }
    r->seen = 0;
    *line = slice_of(begin, (size_t)(at - begin));
    return FOUND_END;
}

static size_t
args_max(const struct resp_request *r)
{
    return r->tame && r->max_args > RESP_TAME_ARGS_MAX ? RESP_TAME_ARGS_MAX
                                                       : r->max_args;
}

/* False without memory. */
static bool
add_arg(struct resp_request *r, size_t at, size_t len)
{
    if (r->arg_count == r->args_cap) {
        size_t cap = r->args_cap == 0 ? ARGS_FIRST : r->args_cap * 2;
        union resp_arg *args;
        size_t bytes;

        if (__builtin_mul_overflow(cap, sizeof *args, &bytes))
            return false;
        args = mem_realloc(r->args, bytes);
        if (args == NULL)
            return false;
        r->args = args;
        r->args_cap = cap;
    }
    r->args[r->arg_count].found.at = at;
    r->args[r->arg_count].found.len = len;
    r->arg_count++;
    return true;
}

/* ---- arrays ---- */

struct header {
    size_t len; /* without its CRLF */
    int64_t n;
};

struct header_kind {
    char mark; /* the first byte; '*' was looked at already */
    const char *invalid;
    const char *too_big;
};

static const struct header_kind count_header = {'*', "invalid multibulk length",
                                                "too big mbulk count string"};
static const struct header_kind length_header = {'$', "invalid bulk length",
                                                 "too big bulk count string"};

/* Nearly every header is a mark, a few digits and CRLF, and is there. Reads
 * such a one in a single pass; false for any other, whatever it is. */
static bool
take_usual_header(const char *begin, size_t left, char mark,
                  struct header *header)
{
    const char *at = begin + 1;
    int64_t n = 0;

    if (left < USUAL_HEADER_MAX || *begin != mark)
        return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (at == begin + USUAL_HEADER_MAX - CRLF_LEN)
            return false;
        n = n * 10 + (*at - '0');
    }
    if (at == begin + 1 || (begin[1] == '0' && at > begin + 2) ||
        at[0] != '\r' || at[1] != '\n')
        return false;
    header->len = (size_t)(at - begin);
    header->n = n;
    return true;
}

/* The number in a header: neither sign nor zeros nor blanks that a number does
 * not need. The header ends at its CR, so the LF has to be looked at. */
static bool
parse_header(struct slice line, int64_t *n)
{
    struct slice digits = slice_of(line.data + 1, line.len - 1);

    return line.data[line.len + 1] == '\n' &&
           num_parse_i64(digits, n) == MZ_OK && !slice_is(digits, "-0");
}

/* WIRE_DONE: the header is whole and has a number. */
static enum wire_status
take_header(struct resp_request *r, const struct input *in,
            const struct header_kind *kind, struct header *header,
            struct fault *fault)
{
    const char *end = in->data + in->len;
    const char *begin = in->data + in->used + r->parsed;
    struct slice line;

    if (take_usual_header(begin, (size_t)(end - begin), kind->mark, header)) {
        r->seen = 0;
        return WIRE_DONE;
    }
    switch (find_end(r, in, '\r', RESP_LINE_MAX, &line)) {
    case FOUND_NONE:
        return need(r, 1);
    case FOUND_TOO_LONG:
        return fatal(fault, kind->too_big);
    case FOUND_END:
        break;
    }
    if (begin + line.len + 1 == end)
        return need(r, 1);
    if (*begin != kind->mark)
        return fatal_mark(fault, *begin);
    if (!parse_header(line, &header->n))
        return fatal(fault, kind->invalid);
    header->len = line.len;
    return WIRE_DONE;
}

/* How many arguments are to come; 0 for the arrays that are skipped. */
static enum wire_status
take_count(struct resp_request *r, struct input *in, struct fault *fault)
{
    struct header header;
    enum wire_status status = take_header(r, in, &count_header, &header, fault);

    if (status != WIRE_DONE)
        return status;
    if (header.n > 0 && (uint64_t)header.n > args_max(r))
        return too_many_args(r, (uint64_t)header.n, fault);
    r->parsed = header.len + CRLF_LEN;
    r->args_left = header.n > 0 ? (size_t)header.n : 0;
    r->total = 0;
    return WIRE_DONE;
}

static enum wire_status
take_length(struct resp_request *r, struct input *in, struct fault *fault)
{
    struct header header;
    enum wire_status status =
        take_header(r, in, &length_header, &header, fault);

    if (status != WIRE_DONE)
        return status;
    if (header.n < 0 || (uint64_t)header.n > r->max_bulk)
        return fatal(fault, length_header.invalid);
    if (r->tame && header.n > (int64_t)RESP_TAME_BULK_MAX)
        return fatal(fault, "unauthenticated bulk length");
    r->in_bulk = true;
    r->bulk_len = (size_t)header.n;
    r->parsed += header.len + CRLF_LEN;
    if (r->discarding) {
        discard(r, in);
        return WIRE_DONE;
    }
    if (r->bulk_len > r->max_total - r->total) {
        discard(r, in);
        return too_large(r, fault);
    }
    r->total += r->bulk_len;
    return WIRE_DONE;
}

/* Drops what is there of an argument that nobody wants. */
static void
drop_bulk(struct resp_request *r, struct input *in)
{
    size_t left = in->len - in->used;
    size_t n = left < r->bulk_len ? left : r->bulk_len;

    in->used += n;
    r->bulk_len -= n;
}

static enum wire_status
take_bulk(struct resp_request *r, struct input *in, struct fault *fault)
{
    size_t at = r->parsed, left;

    if (r->discarding)
        drop_bulk(r, in);
    left = in->len - in->used - at;
    if (left < CRLF_LEN || left - CRLF_LEN < r->bulk_len)
        return need(r, r->bulk_len + CRLF_LEN - left);
    if (memcmp(in->data + in->used + at + r->bulk_len, "\r\n", CRLF_LEN) != 0)
        return fatal(fault, "invalid bulk length");
    if (r->discarding) {
        in->used += CRLF_LEN;
    } else if (add_arg(r, at, r->bulk_len)) {
        r->parsed = at + r->bulk_len + CRLF_LEN;
    } else {
        discard(r, in);
        return no_memory(fault);
    }
    r->in_bulk = false;
    r->args_left--;
    return WIRE_DONE;
}

/* WIRE_DONE: the array is complete, or skipped to its end. */
static enum wire_status
take_array(struct resp_request *r, struct input *in, struct fault *fault)
{
    enum wire_status status = WIRE_DONE;

    if (r->args_left == 0)
        status = take_count(r, in, fault);
    while (status == WIRE_DONE && r->args_left > 0) {
        if (!r->in_bulk)
            status = take_length(r, in, fault);
        if (status == WIRE_DONE)
            status = take_bulk(r, in, fault);
    }
    if (status == WIRE_DONE) {
        in->used += r->parsed;
        r->parsed = 0;
        r->discarding = false;
    }
    return status;
}

/* ---- inline commands ---- */

static enum wire_status
split_line(struct resp_request *r, char *line, size_t len, struct fault *fault)
{
    struct resp_inline words = {line, line + len};
    struct slice word;
    enum resp_word found;

    while ((found = resp_inline_next(&words, &word)) == RESP_WORD) {
        if (r->arg_count == args_max(r))
            return too_many_args(r, r->arg_count + 1, fault);
        if (!add_arg(r, (size_t)(word.data - line), word.len))
            return no_memory(fault);
    }
    if (found == RESP_WORD_UNBALANCED)
        return fatal(fault, "unbalanced quotes in request");
    return WIRE_DONE;
}

static enum wire_status
take_line(struct resp_request *r, struct input *in, struct fault *fault)
{
    size_t len_max = r->tame ? RESP_TAME_BULK_MAX : RESP_LINE_MAX;
    struct slice line;

    switch (find_end(r, in, '\n', len_max, &line)) {
    case FOUND_NONE:
        return need(r, 1);
    case FOUND_TOO_LONG:
        if (wire_looks_like_http(slice_of(in->front, len_max)))
            return WIRE_CLOSE;
        return fatal(fault, "too big inline request");
    case FOUND_END:
        break;
    }
    in->used += line.len + 1;
    if (wire_looks_like_http(line))
        return WIRE_CLOSE;
    return split_line(r, in->front, line.len, fault);
}

/* ---- either ---- */

/* The command is whole: turns the places of its arguments into slices. */
static void
resolve(struct resp_request *r, const char *front, struct resp_command *command)
{
    for (size_t i = 0; i < r->arg_count; i++) {
        union resp_arg *arg = &r->args[i];

        arg->slice = slice_of(front + arg->found.at, arg->found.len);
    }
    command->args = &r->args->slice;
    command->count = r->arg_count;
}

enum wire_status
resp_request_next(struct resp_request *r, char *data, size_t len,
                  struct resp_command *command, struct fault *fault,
                  size_t *used)
{
    struct input in = {.data = data, .len = len};
    enum wire_status status;

    must(len >= r->parsed);
    do {
        if (r->args_left == 0)
            r->arg_count = 0;
        if (in.used == len) {
            status = need(r, r->in_bulk ? r->bulk_len + CRLF_LEN : 1);
            break;
        }
        in.front = data + in.used;
        if (r->args_left > 0 || *in.front == '*')
            status = take_array(r, &in, fault);
        else
            status = take_line(r, &in, fault);
    } while (status == WIRE_DONE && r->arg_count == 0);
    if (status == WIRE_DONE)
        resolve(r, in.front, command);
    *used = in.used;
    return status;
}
