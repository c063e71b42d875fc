/* SPDX-License-Identifier: MIT
 *
 * wire_json.c - lines of the native protocol; see wire_json.h.
 *
 * Finds where a line ends, or that it is too long, or that it is HTTP. What
 * stands in it is wire_json_request.h's. docs/WIRE.md draws both.
 *
 * Of the incomplete line at the front of the input the first `blanks` bytes
 * are dropped already, and the next `seen` bytes hold no LF. What comes of a
 * stream must not depend on the pieces in which it arrives.
 */
#include "wire/wire_json.h"

#include "wire/wire_json_request.h"

#include <stdio.h>

/* What the decoder was given, and how much of it is done with. */
struct input {
    char *data;
    size_t len;
    size_t used;
    bool at_end;
};

/* A line that is not blank, without its LF and the blanks before it. */
struct line {
    char *data;
    size_t len;
    size_t blanks; /* so many bytes of the line came before */
};

enum framing {
    LINE_WHOLE,
    LINE_NONE,
    LINE_TOO_LONG
};

void
wire_json_init(struct wire_json *w, size_t max_request, size_t max_value)
{
    *w = (struct wire_json){.max_request = max_request, .max_value = max_value};
}

bool
wire_json_in_request(const struct wire_json *w, size_t left)
{
    return left > 0 || w->discarding;
}

/* ---- framing ---- */

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Drops the rest of a line that was too long. False: its LF is not there. */
static bool
discard(struct wire_json *w, struct input *in)
{
    size_t left = in->len - in->used;
    const char *lf = left == 0 ? NULL : memchr(in->data + in->used, '\n', left);

    if (lf == NULL) {
        in->used = in->len;
        return false;
    }
    in->used = (size_t)(lf - in->data) + 1;
    w->discarding = false;
    return true;
}

/* Drops blank lines, and the blanks before a request: a connection that has
 * sent nothing else has not begun one. False: these blanks alone make the line
 * too long. */
static bool
drop_blanks(struct wire_json *w, struct input *in)
{
    for (; in->used < in->len; in->used++) {
        char c = in->data[in->used];

        if (c == '\n')
            w->blanks = 0;
        else if (!is_blank(c))
            break;
        else if (w->blanks == w->max_request)
            return false;
        else
            w->blanks++;
    }
    return true;
}

/* The line that begins with the next byte, which is not blank. On
 * LINE_TOO_LONG the line has as many bytes as are too many, whether more are
 * there or not: what comes of it must not depend on how the bytes arrive. */
static enum framing
cut_line(struct wire_json *w, struct input *in, struct line *line)
{
    size_t left = in->len - in->used;
    size_t len_max = w->max_request - w->blanks;
    bool overfull = left > len_max;
    size_t window = overfull ? len_max + 1 : left;
    const char *lf;

    *line = (struct line){in->data + in->used, window, w->blanks};
    lf = memchr(line->data + w->seen, '\n', window - w->seen);
    if (lf == NULL && overfull)
        return LINE_TOO_LONG;
    if (lf == NULL && !in->at_end) {
        w->seen = left;
        return LINE_NONE;
    }
    if (lf != NULL)
        line->len = (size_t)(lf - line->data);
    in->used += line->len + (lf != NULL);
    w->seen = 0;
    w->blanks = 0;
    return LINE_WHOLE;
}

static enum framing
next_line(struct wire_json *w, struct input *in, struct line *line)
{
    enum framing found;

    if (w->discarding && !discard(w, in))
        return LINE_NONE;
    if (w->seen == 0 && !drop_blanks(w, in)) {
        *line = (struct line){in->data + in->used, 0, w->blanks};
        found = LINE_TOO_LONG;
    } else if (in->used == in->len) {
        found = LINE_NONE;
    } else {
        found = cut_line(w, in, line);
    }
    if (found == LINE_TOO_LONG) {
        w->seen = 0;
        w->blanks = 0;
        w->discarding = true;
        (void)discard(w, in);
    }
    return found;
}

/* ---- HTTP ---- */

static size_t
trimmed_len(struct slice line)
{
    while (line.len > 0 && is_blank(line.data[line.len - 1]))
        line.len--;
    return line.len;
}

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* word: in lower case. */
static bool
is_first_word(struct slice line, const char *word)
{
    size_t len = strlen(word), at = 0;

    while (at < line.len && is_blank(line.data[at]))
        at++;
    if (line.len - at < len ||
        (line.len - at > len && !is_blank(line.data[at + len])))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (lower(line.data[at + i]) != word[i])
            return false;
    }
    return true;
}

/* How many digits the text ends in. */
static size_t
digits_at_end(struct slice text)
{
    size_t n = 0;

    while (n < text.len && text.data[text.len - 1 - n] >= '0' &&
           text.data[text.len - 1 - n] <= '9')
        n++;
    return n;
}

/* " HTTP/" and one number, or two with a dot between them. */
static bool
ends_in_http_version(struct slice line)
{
    static const struct slice http = SLICE_LITERAL("HTTP/");
    size_t digits;

    line.len = trimmed_len(line);
    digits = digits_at_end(line);
    if (digits == 0)
        return false;
    line.len -= digits;
    if (line.len > 0 && line.data[line.len - 1] == '.') {
        line.len--;
        digits = digits_at_end(line);
        if (digits == 0)
            return false;
        line.len -= digits;
    }
    return line.len > http.len &&
           is_blank(line.data[line.len - http.len - 1]) &&
           memcmp(line.data + line.len - http.len, http.data, http.len) == 0;
}

static bool
begins_like_http(struct slice line)
{
    return is_first_word(line, "post") || is_first_word(line, "host:");
}

bool
wire_looks_like_http(struct slice line)
{
    return begins_like_http(line) || ends_in_http_version(line);
}

/* What is wrong with a line that is no JSON, or too deep. */
static void
describe(const struct request *r, const struct line *line, enum mz_err err)
{
    const struct scan *s = &r->scan;
    size_t place = line->blanks + (size_t)(s->at - line->data) + 1;
    char *text = r->fault->text;

    if (err == MZ_TOO_DEEP)
        snprintf(text, FAULT_TEXT_SIZE, "%s at byte %zu", err_text(err), place);
    else
        snprintf(text, FAULT_TEXT_SIZE, "expected %s at byte %zu%s",
                 s->expected, place,
                 s->at == s->end ? ", the end of the line" : "");
}

static enum wire_status
decode_line(const struct wire_json *w, const struct line *line,
            struct command *command, struct fault *fault)
{
    struct request r = {
        .max_value = w->max_value,
        .fault = fault,
        .scan = {line->data, line->data + line->len, NULL},
    };
    enum mz_err err = request_scan(&r);

    if (err == MZ_OK)
        err = request_judge(&r);
    else if (wire_looks_like_http(slice_of(line->data, line->len)))
        return WIRE_CLOSE;
    else
        describe(&r, line, err);
    if (err == MZ_OK) {
        *command = r.command;
        command->has_id = request_has_id(&r);
        command->id = slice_of(r.i.data, r.i.len);
        return WIRE_DONE;
    }
    fault->err = err;
    fault->has_id = request_has_id(&r);
    fault->id = slice_of(r.i.data, r.i.len);
    return WIRE_BAD;
}

/* The line is cut, so that its end says nothing: only its first word can tell
 * that it is HTTP. */
static enum wire_status
refuse_long_line(const struct wire_json *w, const struct line *line,
                 struct fault *fault)
{
    if (begins_like_http(slice_of(line->data, line->len)))
        return WIRE_CLOSE;
    fault->err = MZ_TOO_LARGE;
    fault->has_id = false;
    fault->id = slice_of(NULL, 0);
    snprintf(fault->text, sizeof(fault->text),
             "a request line has at most %zu bytes", w->max_request);
    return WIRE_BAD;
}

enum wire_status
wire_json_decode(struct wire_json *w, char *data, size_t len, bool at_end,
                 struct command *command, struct fault *fault, size_t *used)
{
    struct input in = {data, len, 0, at_end};
    struct line line;
    enum framing found = next_line(w, &in, &line);

    *used = in.used;
    switch (found) {
    case LINE_WHOLE:
        return decode_line(w, &line, command, fault);
    case LINE_TOO_LONG:
        return refuse_long_line(w, &line, fault);
    case LINE_NONE:
        break;
    }
    return WIRE_MORE;
}
