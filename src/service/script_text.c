/* SPDX-License-Identifier: MIT
 *
 * script_text.c - see script_text.h.
 */
#include "service/script_text.h"

#include <openssl/evp.h>
#include <string.h>

/* ---- signs ---- */

/* Not those of <ctype.h>, which depend on the locale. */
static bool
is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

static bool
is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* ---- reading ---- */

/* How much of `redis.call("` has been read: the next string is a command. */
enum call_part {
    CALL_NOTHING,
    CALL_REDIS,
    CALL_DOT,
    CALL_CALL,
    CALL_PARENTHESIS,
};

struct reader {
    const char *at, *end;
    struct buf *out;
    enum call_part call;
};

static char
peek(const struct reader *r, size_t ahead)
{
    return ahead < (size_t)(r->end - r->at) ? r->at[ahead] : '\0';
}

static void
note_call(struct reader *r, struct slice token)
{
    if (slice_is(token, "redis"))
        r->call = CALL_REDIS;
    else if (r->call == CALL_REDIS && slice_is(token, "."))
        r->call = CALL_DOT;
    else if (r->call == CALL_DOT &&
             (slice_is(token, "call") || slice_is(token, "pcall")))
        r->call = CALL_CALL;
    else if (r->call == CALL_CALL && slice_is(token, "("))
        r->call = CALL_PARENTHESIS;
    else
        r->call = CALL_NOTHING;
}

/* The blank between two tokens. */
static void
put_gap(struct reader *r)
{
    if (r->out->len > 0)
        buf_put_char(r->out, ' ');
}

/* Takes len bytes as one word or sign. */
static void
put_token(struct reader *r, size_t len)
{
    const struct slice token = slice_of(r->at, len);

    put_gap(r);
    buf_put_slice(r->out, token);
    note_call(r, token);
    r->at += len;
}

/* Length of the opening bracket "[[" or "[==[" that text begins with, 0: it
 * does not. */
static size_t
long_bracket(const struct reader *r, size_t ahead)
{
    size_t len = 1;

    if (peek(r, ahead) != '[')
        return 0;
    while (peek(r, ahead + len) == '=')
        len++;
    return peek(r, ahead + len) == '[' ? len + 1 : 0;
}

/* Skips to behind the bracket that closes one of that length. */
static bool
skip_long(struct reader *r, size_t bracket)
{
    for (; r->at < r->end; r->at++) {
        size_t len = 1;

        if (*r->at != ']')
            continue;
        while (peek(r, len) == '=')
            len++;
        if (len + 1 == bracket && peek(r, len) == ']') {
            r->at += bracket;
            return true;
        }
    }
    return false;
}

/* From "--" on. */
static bool
skip_comment(struct reader *r)
{
    size_t bracket = long_bracket(r, 2);

    if (bracket > 0) {
        r->at += 2 + bracket;
        return skip_long(r, bracket);
    }
    while (r->at < r->end && !is_line_end(*r->at))
        r->at++;
    return true;
}

/* Length of the string that text begins with, quotes included; 0: it does not
 * end. *plain: there is nothing in it that depends on the kind of quotes. */
static size_t
string_len(const struct reader *r, bool *plain)
{
    const char quote = *r->at;

    *plain = true;
    for (size_t i = 1; i < (size_t)(r->end - r->at); i++) {
        const char c = r->at[i];

        if (c == quote)
            return i + 1;
        if (is_line_end(c))
            return 0;
        if (c == '\\' || c == '"')
            *plain = false;
        if (c == '\\')
            i++;
    }
    return 0;
}

static void
put_command(struct buf *out, struct slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];

        buf_put_char(out, (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c));
    }
}

static bool
put_string(struct reader *r)
{
    bool plain;
    size_t len = string_len(r, &plain);
    struct slice inside;

    if (len == 0)
        return false;
    if (!plain) {
        put_token(r, len);
        return true;
    }
    inside = slice_of(r->at + 1, len - 2);
    put_gap(r);
    buf_put_char(r->out, '"');
    if (r->call == CALL_PARENTHESIS)
        put_command(r->out, inside);
    else
        buf_put_slice(r->out, inside);
    buf_put_char(r->out, '"');
    r->call = CALL_NOTHING;
    r->at += len;
    return true;
}

/* Length of the word or the sign that text begins with; 0: it is neither. */
static size_t
token_len(const struct reader *r)
{
    static const char *const signs[] = {"...", "..", "==", "~=", "<=", ">="};
    size_t len = 0;

    while (is_word(peek(r, len)))
        len++;
    if (len > 0)
        return len;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        len = strlen(signs[i]);
        if (len <= (size_t)(r->end - r->at) &&
            memcmp(r->at, signs[i], len) == 0)
            return len;
    }
    return *r->at != '\0' && strchr("+-*/%^#<>=(){}[];:,.", *r->at) != NULL;
}

static bool
read_one(struct reader *r)
{
    size_t len;

    if (is_blank(*r->at)) {
        r->at++;
        return true;
    }
    if (*r->at == '-' && peek(r, 1) == '-')
        return skip_comment(r);
    if (*r->at == '"' || *r->at == '\'')
        return put_string(r);
    if (long_bracket(r, 0) > 0)
        return false;
    len = token_len(r);
    if (len > 0)
        put_token(r, len);
    return len > 0;
}

enum mz_err
script_text_canonical(struct slice text, struct buf *out)
{
    struct reader r = {
        .at = text.data, .end = text.data + text.len, .out = out};

    if (text.len == 0 || text.len > SCRIPT_TEXT_MAX)
        return MZ_BAD_REQUEST;
    while (r.at < r.end) {
        if (!read_one(&r))
            return MZ_BAD_REQUEST;
    }
    return out->failed ? MZ_NO_MEMORY : MZ_OK;
}

/* ---- SHA1 ---- */

enum mz_err
script_sha1(struct slice bytes, struct script_sha1 *out)
{
    unsigned char made[EVP_MAX_MD_SIZE];
    unsigned len;

    if (!EVP_Digest(bytes.data, bytes.len, made, &len, EVP_sha1(), NULL) ||
        len != sizeof out->bytes)
        return MZ_NO_MEMORY;
    memcpy(out->bytes, made, sizeof out->bytes);
    return MZ_OK;
}

/* -1: no hex digit. */
static int
digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
script_sha1_parse(struct slice hex, struct script_sha1 *out)
{
    if (hex.len != 2 * sizeof out->bytes)
        return false;
    for (size_t i = 0; i < sizeof out->bytes; i++) {
        int high = digit(hex.data[2 * i]), low = digit(hex.data[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        out->bytes[i] = (unsigned char)(high * 16 + low);
    }
    return true;
}

void
script_sha1_format(char out[SCRIPT_SHA1_TEXT_SIZE],
                   const struct script_sha1 *sha1)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < sizeof sha1->bytes; i++) {
        out[2 * i] = digits[sha1->bytes[i] >> 4];
        out[2 * i + 1] = digits[sha1->bytes[i] & 15];
    }
    out[SCRIPT_SHA1_TEXT_SIZE - 1] = '\0';
}
