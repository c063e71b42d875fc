/* SPDX-License-Identifier: MIT
 *
 * json_walk.c - brackets, quotes, and what escapes in names mean.
 *
 * Names with escapes are never decoded as a whole, since that would need
 * memory: a reader gives their bytes one after the other.
 */
#include "session/json_walk.h"

#include "base/hash.h"
#include "base/must.h"

/* Names are hashed in blocks of this size, each with the hash of those before
 * as its seed, so that a name with escapes needs no more room. XXH3 is at its
 * best up to 240 bytes. */
#define HASH_BLOCK 240

static char
peek(const struct json_walk *walk)
{
    must(walk->at < walk->end);
    return *walk->at;
}

static void
take(struct json_walk *walk, char c)
{
    must(peek(walk) == c);
    walk->at++;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void
skip_blanks(struct json_walk *walk)
{
    while (walk->at < walk->end && is_blank(*walk->at))
        walk->at++;
}

/* How many backslashes stand before `at`, looking back no further than
 * `from`. */
static size_t
backslashes_before(const char *at, const char *from)
{
    size_t n = 0;

    while (at - n > from && at[-(ptrdiff_t)n - 1] == '\\')
        n++;
    return n;
}

/* Steps over the string at walk->at and gives what is between its quotes. A
 * quote behind an odd number of backslashes is an escaped one. */
static struct slice
skip_string(struct json_walk *walk)
{
    const char *from, *quote;

    take(walk, '"');
    from = walk->at;
    do {
        quote = memchr(walk->at, '"', (size_t)(walk->end - walk->at));
        must(quote != NULL);
        walk->at = quote + 1;
    } while (backslashes_before(quote, from) % 2 == 1);
    return slice_of(from, (size_t)(quote - from));
}

/* Steps over the array or object at walk->at. Which bracket closes which is
 * the scanner's business, so counting them is enough. */
static void
skip_nested(struct json_walk *walk)
{
    size_t depth = 0;

    do {
        switch (peek(walk)) {
        case '"':
            (void)skip_string(walk);
            continue;
        case '{':
        case '[':
            depth++;
            break;
        case '}':
        case ']':
            depth--;
            break;
        default:
            break;
        }
        walk->at++;
    } while (depth > 0);
}

static bool
ends_scalar(char c)
{
    return c == ',' || c == '}' || c == ']' || is_blank(c);
}

struct json_walk
json_walk_begin(struct slice text)
{
    struct json_walk walk = {text.data, text.data + text.len};

    skip_blanks(&walk);
    return walk;
}

struct slice
json_walk_value(struct json_walk *walk)
{
    const char *from = walk->at;

    switch (peek(walk)) {
    case '"':
        (void)skip_string(walk);
        break;
    case '{':
    case '[':
        skip_nested(walk);
        break;
    default:
        while (walk->at < walk->end && !ends_scalar(*walk->at))
            walk->at++;
        must(walk->at > from);
        break;
    }
    return slice_of(from, (size_t)(walk->at - from));
}

bool
json_walk_at_object(const struct json_walk *walk)
{
    return peek(walk) == '{';
}

void
json_walk_enter(struct json_walk *walk)
{
    take(walk, '{');
}

bool
json_walk_member(struct json_walk *walk, struct slice *name)
{
    skip_blanks(walk);
    if (peek(walk) == '}') {
        walk->at++;
        return false;
    }
    if (peek(walk) == ',') {
        walk->at++;
        skip_blanks(walk);
    }
    *name = skip_string(walk);
    skip_blanks(walk);
    take(walk, ':');
    skip_blanks(walk);
    return true;
}

/* ---- names ---- */

/* Gives the bytes that a name means. */
struct name_reader {
    const char *at, *end;
    unsigned char encoded[4]; /* of an escape, as UTF-8 */
    unsigned given, len;      /* of encoded */
};

static struct name_reader
reader_of(struct slice name)
{
    return (struct name_reader){.at = name.data, .end = name.data + name.len};
}

static uint32_t
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    c = (char)(c | 0x20);
    must(c >= 'a' && c <= 'f');
    return (uint32_t)(c - 'a') + 10;
}

/* The four hex digits of an escape. */
static uint32_t
read_hex4(struct name_reader *r)
{
    uint32_t unit = 0;

    must(r->end - r->at >= 4);
    for (int i = 0; i < 4; i++)
        unit = unit << 4 | hex_digit(*r->at++);
    return unit;
}

/* What a \u escape stands for, behind its u; with a high surrogate the low one
 * follows as an escape of its own. */
static uint32_t
read_code_point(struct name_reader *r)
{
    uint32_t high = read_hex4(r), low;

    if ((high & 0xf800) != 0xd800)
        return high;
    must(high < 0xdc00 && r->end - r->at >= 6);
    must(r->at[0] == '\\' && r->at[1] == 'u');
    r->at += 2;
    low = read_hex4(r);
    must((low & 0xfc00) == 0xdc00);
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static void
encode_utf8(struct name_reader *r, uint32_t c)
{
    unsigned len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0x00, 0xc0, 0xe0, 0xf0};

    for (unsigned i = len - 1; i > 0; i--) {
        r->encoded[i] = (unsigned char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    r->encoded[0] = (unsigned char)(first[len] | c);
    r->given = 0;
    r->len = len;
}

/* Decodes the escape behind a backslash into r->encoded. */
static void
read_escape(struct name_reader *r)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char *letter;

    must(r->at < r->end);
    if (*r->at == 'u') {
        r->at++;
        encode_utf8(r, read_code_point(r));
        return;
    }
    letter = memchr(letters, *r->at++, sizeof letters - 1);
    must(letter != NULL);
    encode_utf8(r, (unsigned char)meanings[letter - letters]);
}

/* The next byte, or -1 at the end. */
static int
reader_next(struct name_reader *r)
{
    if (r->given < r->len)
        return r->encoded[r->given++];
    if (r->at == r->end)
        return -1;
    if (*r->at != '\\')
        return (unsigned char)*r->at++;
    r->at++;
    read_escape(r);
    return r->encoded[r->given++];
}

static bool
has_escape(struct slice name)
{
    return name.len > 0 && memchr(name.data, '\\', name.len) != NULL;
}

bool
json_name_equal(struct slice a, struct slice b)
{
    struct name_reader reader_a = reader_of(a), reader_b = reader_of(b);
    int byte;

    if (!has_escape(a) && !has_escape(b))
        return slice_equal(a, b);
    do {
        byte = reader_next(&reader_a);
        if (byte != reader_next(&reader_b))
            return false;
    } while (byte >= 0);
    return true;
}

/* Full blocks, then the rest, which is hashed even when it is empty. */
static uint64_t
hash_plain(struct slice name, uint64_t seed)
{
    while (name.len >= HASH_BLOCK) {
        seed = hash_bytes(slice_of(name.data, HASH_BLOCK), seed);
        name = slice_of(name.data + HASH_BLOCK, name.len - HASH_BLOCK);
    }
    return hash_bytes(name, seed);
}

uint64_t
json_name_hash(struct slice name, uint64_t seed)
{
    struct name_reader reader = reader_of(name);
    char block[HASH_BLOCK];
    size_t len = 0;
    int byte;

    if (!has_escape(name))
        return hash_plain(name, seed);
    while ((byte = reader_next(&reader)) >= 0) {
        block[len++] = (char)byte;
        if (len == HASH_BLOCK) {
            seed = hash_bytes(slice_of(block, len), seed);
            len = 0;
        }
    }
    return hash_bytes(slice_of(block, len), seed);
}
