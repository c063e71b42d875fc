/* SPDX-License-Identifier: MIT
 *
 * scan_judge.c - see scan_judge.h.
 */
#include "scan_judge.h"

#include "scan_portable.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

const struct scanner scanners[SCANNER_COUNT] = {
    {"native", scan_blanks, scan_value, scan_string},
    {"portable", scan_blanks_portable, scan_value_portable,
     scan_string_portable},
};

struct scan_verdict
scan_whole(const struct scanner *scanner, char *text, size_t len,
           unsigned depth_max)
{
    struct scan s = {text, text + len, NULL};
    struct scan_verdict v = {MZ_OK, 0, 0, NULL};

    scanner->blanks(&s);
    v.begin = (size_t)(s.at - text);
    v.err = scanner->value(&s, depth_max);
    v.at = (size_t)(s.at - text);
    v.expected = s.expected;
    if (v.err == MZ_OK) {
        scanner->blanks(&s);
        if (s.at != s.end) {
            v.err = MZ_BAD_JSON;
            v.at = (size_t)(s.at - text);
            v.expected = "the end";
        }
    }
    return v;
}

/* CR and TAB before v->at may have become blanks, in a valid value all have. */
static const char *
check_bytes(const char *before, const char *after, size_t len,
            const struct scan_verdict *v)
{
    for (size_t i = 0; i < len; i++) {
        bool was_rewritable = before[i] == '\r' || before[i] == '\t';
        bool inside = i >= v->begin && i < v->at;

        if (before[i] != after[i] &&
            (!was_rewritable || after[i] != ' ' || !inside))
            return "a byte was changed";
        if (v->err == MZ_OK && inside && before[i] == after[i] &&
            was_rewritable)
            return "a CR or TAB is left";
    }
    return NULL;
}

static const char *
check_place(const char *text, size_t len, const struct scan_verdict *v)
{
    if (v->at < v->begin || v->at > len)
        return "the place is outside of the text";
    if (v->err == MZ_BAD_JSON && v->expected == NULL)
        return "nothing was expected";
    if (v->err == MZ_TOO_DEEP &&
        (v->at == len || (text[v->at] != '[' && text[v->at] != '{')))
        return "too deep without a bracket";
    return NULL;
}

static const char *
check_twins(const struct scan_verdict *a, const struct scan_verdict *b)
{
    if (a->err != b->err || a->begin != b->begin || a->at != b->at)
        return "the portable scanner says something else";
    if (a->err == MZ_BAD_JSON && strcmp(a->expected, b->expected) != 0)
        return "the portable scanner expects something else";
    return NULL;
}

/* Integers are read as doubles: fewer of them are beyond jansson. */
static const char *
check_jansson(const char *text, size_t len, const struct scan_verdict *v)
{
    const size_t flags =
        JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    json_error_t error;
    json_t *json = json_loadb(text, len, flags, &error);
    bool accepted = json != NULL;

    json_decref(json);
    if (v->err == MZ_TOO_DEEP || accepted == (v->err == MZ_OK))
        return NULL;
    if (accepted) {
        if (v->at > v->begin && v->at < len && text[v->at] == '\0' &&
            isalnum((unsigned char)text[v->at - 1]))
            return NULL;
        return "jansson accepts it";
    }
    switch (json_error_code(&error)) {
    case json_error_numeric_overflow:
    case json_error_null_byte_in_key:
        return NULL;
    default:
        return "jansson refuses it";
    }
}

const char *
scan_disagreement(const char *text, size_t len, char *scratch)
{
    struct scan_verdict v[SCANNER_COUNT];
    const char *wrong = NULL;

    for (size_t i = 0; i < SCANNER_COUNT && wrong == NULL; i++) {
        if (len > 0)
            memcpy(scratch, text, len);
        v[i] = scan_whole(&scanners[i], scratch, len, SCAN_DEPTH_MAX);
        wrong = check_place(text, len, &v[i]);
        if (wrong == NULL)
            wrong = check_bytes(text, scratch, len, &v[i]);
    }
    if (wrong == NULL)
        wrong = check_twins(&v[0], &v[1]);
    if (wrong == NULL)
        wrong = check_jansson(text, len, &v[0]);
    return wrong;
}
