/* SPDX-License-Identifier: MIT
 *
 * session_wire.c - see session_wire.h.
 *
 * A request is built in a buffer of the stack that has room for the longest
 * one there is; an answer is read word by word, with no more tolerance than
 * the protocol grants.
 */
#include "session_wire.h"

#include "base/must.h"
#include "base/num.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 512

/* ---- requests ---- */

struct line {
    char text[LINE_BYTES];
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void
put(struct line *line, const char *format, ...)
{
    const size_t room = sizeof(line->text) - line->len;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(line->text + line->len, room, format, args);
    va_end(args);
    must(n >= 0 && (size_t)n < room);
    line->len += (size_t)n;
}

static void
put_object(struct line *line, const struct session_value *value)
{
    const char *comma = "";

    put(line, "{");
    for (int i = 0; i < SESSION_MEMBERS; i++) {
        const uint16_t member = value->members[i];

        if (member == 0)
            continue;
        put(line, "%s\"%c\":", comma, 'a' + i);
        if (member == SESSION_NULL)
            put(line, "null");
        else
            put(line, "%" PRIu16, member);
        comma = ",";
    }
    put(line, "}");
}

static void
put_value(struct line *line, const struct session_value *value)
{
    if (value->type == SESSION_OBJECT)
        put_object(line, value);
    else
        put(line, "%" PRId64, value->number);
}

static void
put_ttl(struct line *line, const struct session_request *request)
{
    if (request->ttl == SESSION_KEEP_TTL)
        put(line, ",\"keep_ttl\":true");
    else if (request->ttl == SESSION_TTL)
        put(line, ",\"%s\":" SESSION_WIRE_TTL,
            request->kind == SESSION_GET ? "touch" : "ttl");
    else if (request->kind == SESSION_TOUCH)
        put(line, ",\"ttl\":null");
}

static void
put_condition(struct line *line, const struct session_request *request)
{
    if (request->only_if == SESSION_IF_ABSENT)
        put(line, ",\"if\":\"absent\"");
    else if (request->only_if == SESSION_IF_PRESENT)
        put(line, ",\"if\":\"present\"");
    else if (request->only_if == SESSION_IF_VERSION)
        put(line, ",\"if\":%" PRIu64, request->if_version);
}

static void
put_request(struct line *line, uint32_t key, uint64_t id,
            const struct session_request *request)
{
    static const char *const selectors[] = {"get",  "has", "set",  "merge",
                                            "incr", "del", "touch"};

    put(line, "{\"s\":\"%s\",\"p\":{\"k\":\"s%" PRIu32 "\"",
        selectors[request->kind], key);
    if (request->kind == SESSION_SET || request->kind == SESSION_MERGE) {
        put(line, ",\"v\":");
        put_value(line, &request->value);
    }
    if (request->kind == SESSION_INCR)
        put(line, ",\"by\":%" PRId64, request->value.number);
    put_ttl(line, request);
    put_condition(line, request);
    put(line, "},\"i\":%" PRIu64 "}\n", id);
}

/* ---- answers ---- */

/* What is left of an answer. */
struct reader {
    struct slice whole, left;
};

_Noreturn static void
no_answer(const struct reader *r)
{
    ck_abort_msg("no such answer: %.*s", (int)r->whole.len, r->whole.data);
}

/* Takes this word if it comes next. */
static bool
took(struct reader *r, const char *word)
{
    const size_t len = strlen(word);

    if (r->left.len < len || memcmp(r->left.data, word, len) != 0)
        return false;
    r->left = slice_of(r->left.data + len, r->left.len - len);
    return true;
}

static void
take(struct reader *r, const char *word)
{
    if (!took(r, word))
        no_answer(r);
}

/* The bytes up to the next one of ends, which stays. */
static struct slice
take_until(struct reader *r, const char *ends)
{
    size_t len = 0;
    struct slice token;

    while (len < r->left.len && strchr(ends, r->left.data[len]) == NULL)
        len++;
    token = slice_of(r->left.data, len);
    r->left = slice_of(r->left.data + len, r->left.len - len);
    return token;
}

static int64_t
take_number(struct reader *r)
{
    int64_t number = 0;

    if (num_parse_i64(take_until(r, ",}"), &number) != MZ_OK)
        no_answer(r);
    return number;
}

static uint64_t
take_version(struct reader *r)
{
    uint64_t version = 0;

    if (took(r, ",\"ver\":") &&
        num_parse_u64(take_until(r, ",}"), &version) != MZ_OK)
        no_answer(r);
    return version;
}

/* Behind its opening brace. */
static struct session_value
take_members(struct reader *r)
{
    struct session_value value = {.type = SESSION_OBJECT};

    while (!took(r, "}")) {
        int64_t number;
        int i = 0;

        take(r, "\"");
        while (i < SESSION_MEMBERS && !took(r, (char[]){(char)('a' + i), 0}))
            i++;
        take(r, "\":");
        number = take_number(r);
        if (i == SESSION_MEMBERS || value.members[i] != 0 || number <= 0 ||
            number >= SESSION_NULL)
            no_answer(r);
        value.members[i] = (uint16_t)number;
        if (r->left.len == 0 || r->left.data[0] != '}')
            take(r, ",");
    }
    return value;
}

static void
take_error(struct reader *r, struct session_answer *answer)
{
    if (took(r, "exists"))
        answer->code = SESSION_EXISTS;
    else if (took(r, "missing"))
        answer->code = SESSION_ABSENT;
    else if (took(r, "stale"))
        answer->code = SESSION_STALE;
    else if (took(r, "not_integer"))
        answer->code = SESSION_NOT_INTEGER;
    else
        no_answer(r);
    take(r, "\",\"text\":\"");
    (void)take_until(r, "\"");
    take(r, "\"}");
    answer->version = take_version(r);
}

/* The result of a get, or the number of an incr or a del. */
static void
take_value(struct reader *r, struct session_answer *answer)
{
    answer->found = !took(r, "null");
    if (!answer->found)
        return;
    if (took(r, "{")) {
        answer->value = take_members(r);
    } else {
        answer->value.type = SESSION_INTEGER;
        answer->value.number = take_number(r);
    }
}

static void
take_result(struct reader *r, enum session_kind kind,
            struct session_answer *answer)
{
    if (kind == SESSION_GET || kind == SESSION_INCR) {
        take_value(r, answer);
    } else if (kind == SESSION_DEL) {
        answer->found = took(r, "1");
        if (!answer->found)
            take(r, "0");
    } else {
        answer->found = took(r, "true");
        if (!answer->found)
            take(r, "false");
    }
    answer->version = take_version(r);
    if (took(r, ",\"ttl\":")) {
        answer->expires = !took(r, "null");
        if (answer->expires)
            (void)take_until(r, "}");
    }
}

void
session_connect(struct session_conn *conn, uint16_t port)
{
    conn->id = 0;
    client_connect(&conn->client, port);
}

void
session_close(struct session_conn *conn)
{
    client_close(&conn->client);
}

static struct session_answer
take_answer(struct reader *r, uint64_t id, enum session_kind kind)
{
    struct session_answer answer = {.code = SESSION_OK};
    struct line opening = {.len = 0};

    put(&opening, "{\"i\":%" PRIu64 ",\"", id);
    take(r, opening.text);
    if (took(r, "e\":{\"code\":\"")) {
        take_error(r, &answer);
    } else {
        take(r, "r\":");
        take_result(r, kind, &answer);
    }
    take(r, "}");
    if (r->left.len != 0)
        no_answer(r);
    return answer;
}

struct session_answer
session_ask(struct session_conn *conn, uint32_t key,
            const struct session_request *request)
{
    struct line line = {.len = 0};
    struct reader r;

    put_request(&line, key, ++conn->id, request);
    client_send(&conn->client, line.text, line.len);
    if (!client_line(&conn->client, &r.whole))
        ck_abort_msg("the end instead of an answer");
    r.left = r.whole;
    return take_answer(&r, conn->id, (enum session_kind)request->kind);
}
