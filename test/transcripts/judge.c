/* SPDX-License-Identifier: MIT
 *
 * judge.c - see judge.h.
 */
#include "judge.h"

#include "base/must.h"
#include "script.h"

#include <jansson.h>
#include <regex.h>
#include <stdlib.h>

#define GROUPS_MAX 8
/* TEXT of an error: a sentence, a client's word of 64 bytes, escapes. */
#define ERROR_LINE_MAX 512

static bool
fail(const char **why, const char *what)
{
    *why = what;
    return false;
}

bool
judge_clean(struct slice line, const char **why)
{
    json_t *text;

    /* RESP ends its lines with CR LF; a transcript has to expect it. */
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    for (size_t i = 0; i < line.len; i++)
        if ((unsigned char)line.data[i] < 0x20)
            return fail(why, "a control byte in an answer");
    text = json_stringn(line.len > 0 ? line.data : "", line.len);
    if (text == NULL)
        return fail(why, "an answer that is not UTF-8");
    json_decref(text);
    return true;
}

/* The C library wants a terminated pattern. */
static bool
compile(regex_t *compiled, struct slice regex, const char **why)
{
    struct buf text = {0};
    int failed;

    buf_put_slice(&text, regex);
    buf_put_char(&text, '\0');
    must(!text.failed);
    failed = regcomp(compiled, text.data, REG_EXTENDED);
    buf_fini(&text);
    return failed == 0 || fail(why, "a malformed regular expression");
}

static bool
catch_groups(struct slice line, const regmatch_t *groups, struct slice names,
             struct vars *vars, const char **why)
{
    for (size_t i = 1;; i++) {
        struct slice name = script_word(&names);
        size_t from, to;

        if (name.len == 0)
            return true;
        if (i > GROUPS_MAX || groups[i].rm_so < 0)
            return fail(why, "a variable without a group that matched");
        from = (size_t)groups[i].rm_so;
        to = (size_t)groups[i].rm_eo;
        vars_set(vars, name, slice_of(line.data + from, to - from));
    }
}

bool
judge_regex(struct slice line, struct slice regex, struct slice names,
            struct vars *vars, const char **why)
{
    regex_t compiled;
    regmatch_t groups[GROUPS_MAX + 1];
    bool matched;

    if (!compile(&compiled, regex, why))
        return false;
    matched = regexec(&compiled, line.data, GROUPS_MAX + 1, groups, 0) == 0 &&
              groups[0].rm_so == 0 && groups[0].rm_eo == (regoff_t)line.len;
    regfree(&compiled);
    if (!matched)
        return fail(why, "the line does not match");
    return catch_groups(line, groups, names, vars, why);
}

bool
judge_error(struct slice line, struct slice code, struct slice fragment,
            const char **why)
{
    static const struct slice head = SLICE_LITERAL("error ");
    size_t text_at = head.len + code.len + 1;
    const char *text = line.data + text_at;

    if (line.len < text_at ||
        !slice_equal(slice_of(line.data, head.len), head) ||
        !slice_equal(slice_of(line.data + head.len, code.len), code) ||
        line.data[text_at - 1] != ' ')
        return fail(why, "not that error");
    if (line.len == text_at)
        return fail(why, "an error without a text");
    if (line.len > ERROR_LINE_MAX)
        return fail(why, "the text of an error is not cut");
    if (fragment.len > 0 &&
        memmem(text, line.len - text_at, fragment.data, fragment.len) == NULL)
        return fail(why, "the text does not say that");
    return true;
}

static json_t *
parse(struct slice text)
{
    return json_loadb(text.data != NULL ? text.data : "", text.len,
                      JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES,
                      NULL);
}

static bool same(const json_t *expected, const json_t *got, bool part);

static bool
same_object(const json_t *expected, const json_t *got, bool part)
{
    /* jansson's iterators want it writable and leave it as it is. */
    json_t *members = json_deep_copy(expected), *value;
    const char *name;
    bool good = part || json_object_size(members) == json_object_size(got);

    json_object_foreach(members, name, value)
    {
        good = good && same(value, json_object_get(got, name), part);
    }
    json_decref(members);
    return good;
}

static bool
same_number(const json_t *expected, const json_t *got)
{
    if (json_is_integer(expected) && json_is_integer(got))
        return json_integer_value(expected) == json_integer_value(got);
    return json_is_number(got) &&
           !(json_number_value(expected) < json_number_value(got)) &&
           !(json_number_value(expected) > json_number_value(got));
}

static bool
same(const json_t *expected, const json_t *got, bool part)
{
    const char *text = json_string_value(expected);

    if (got == NULL)
        return false;
    if (text != NULL && strcmp(text, "?") == 0)
        return true;
    if (text != NULL && strcmp(text, "#") == 0)
        return json_is_number(got);
    if (text != NULL && strcmp(text, "*") == 0)
        return json_is_string(got) && json_string_length(got) > 0;
    if (json_is_number(expected))
        return same_number(expected, got);
    if (json_typeof(expected) != json_typeof(got))
        return false;
    if (json_is_object(expected))
        return same_object(expected, got, part);
    if (!json_is_array(expected))
        return json_equal(expected, got);
    for (size_t i = 0; i < json_array_size(expected); i++)
        if (!same(json_array_get(expected, i), json_array_get(got, i), part))
            return false;
    return json_array_size(expected) == json_array_size(got);
}

bool
judge_json(struct slice line, struct slice expected, bool part,
           const char **why)
{
    json_t *want = parse(expected), *got = parse(line);
    bool good = false;

    if (want == NULL)
        fail(why, "the expected text is no JSON");
    else if (got == NULL)
        fail(why, "the answer is no JSON");
    else if (!same(want, got, part))
        fail(why, part ? "not an object with that" : "not the same JSON");
    else
        good = true;
    json_decref(want);
    json_decref(got);
    return good;
}

bool
judge_check_regex(struct slice regex, const char **why)
{
    regex_t compiled;

    if (!compile(&compiled, regex, why))
        return false;
    regfree(&compiled);
    return true;
}

bool
judge_check_json(struct slice json, const char **why)
{
    json_t *parsed = parse(json);
    bool good = parsed != NULL;

    json_decref(parsed);
    return good || fail(why, "not JSON that can be compared");
}
