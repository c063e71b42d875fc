/* SPDX-License-Identifier: MIT
 *
 * text.c - see text.h.
 */
#include "text.h"

#include "base/mem.h"
#include "base/must.h"
#include "base/num.h"

#include <ctype.h>

/* A typing error must not fill the memory. */
#define TEXT_MAX ((size_t)64 << 20)

struct expansion {
    struct buf *out;
    struct slice rest; /* what is left of the text */
    const struct vars *vars;
    const char *why;
};

void
vars_fini(struct vars *vars)
{
    for (size_t i = 0; i < vars->count; i++) {
        buf_fini(&vars->list[i].name);
        buf_fini(&vars->list[i].value);
    }
    mem_free(vars->list);
    *vars = (struct vars){0};
}

static struct var *
find(const struct vars *vars, struct slice name)
{
    for (size_t i = 0; i < vars->count; i++)
        if (slice_equal(buf_slice(&vars->list[i].name), name))
            return &vars->list[i];
    return NULL;
}

void
vars_set(struct vars *vars, struct slice name, struct slice value)
{
    struct var *var = find(vars, name);

    if (var == NULL) {
        size_t size = (vars->count + 1) * sizeof *vars->list;

        vars->list = mem_realloc(vars->list, size);
        must(vars->list != NULL);
        var = &vars->list[vars->count++];
        *var = (struct var){{0}, {0}};
        buf_put_slice(&var->name, name);
    }
    var->value.len = 0;
    buf_put_slice(&var->value, value);
    must(!var->name.failed && !var->value.failed);
}

static bool
fail(struct expansion *e, const char *why)
{
    e->why = why;
    return false;
}

static void
skip(struct expansion *e, size_t n)
{
    e->rest = slice_of(e->rest.data + n, e->rest.len - n);
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* rest is behind "\x". */
static bool
expand_hex(struct expansion *e)
{
    int high = e->rest.len >= 2 ? hex_digit(e->rest.data[0]) : -1;
    int low = e->rest.len >= 2 ? hex_digit(e->rest.data[1]) : -1;

    if (high < 0 || low < 0)
        return fail(e, "\\x wants two hexadecimal digits");
    buf_put_char(e->out, (char)(high << 4 | low));
    skip(e, 2);
    return true;
}

/* Length of "*N}" at s, or 0 if it is something else. */
static size_t
count_length(struct slice s, uint64_t *count)
{
    size_t i = 1;

    if (s.len < 3 || s.data[0] != '*')
        return 0;
    while (i < s.len && isdigit((unsigned char)s.data[i]))
        i++;
    if (i == 1 || i == s.len || s.data[i] != '}')
        return 0;
    if (num_parse_u64(slice_of(s.data + 1, i - 1), count) != MZ_OK)
        return 0;
    return i + 1;
}

/* rest is behind "\{". */
static bool
expand_repetition(struct expansion *e)
{
    struct buf unit = {0};
    const char *why;
    uint64_t count = 0;
    size_t len = 1, tail = 0;
    bool good;

    while (len < e->rest.len && tail == 0) {
        tail = count_length(slice_of(e->rest.data + len, e->rest.len - len),
                            &count);
        len += tail == 0;
    }
    if (tail == 0)
        return fail(e, "\\{ wants TEXT*N} or $NAME}");
    good = text_expand(&unit, slice_of(e->rest.data, len), e->vars, &why);
    if (!good)
        fail(e, why);
    else if (count > TEXT_MAX / (unit.len + 1))
        good = fail(e, "a repetition of more than 64 MiB");
    for (uint64_t i = 0; good && i < count; i++)
        buf_put_slice(e->out, buf_slice(&unit));
    skip(e, len + tail);
    buf_fini(&unit);
    return good;
}

static bool
put_sum(struct expansion *e, struct slice value, char sign, struct slice by)
{
    uint64_t a, b;

    if (num_parse_u64(by, &b) != MZ_OK)
        return fail(e, "arithmetic wants $NAME+N or $NAME-N");
    if (num_parse_u64(value, &a) != MZ_OK)
        return fail(e, "arithmetic on what is no number");
    buf_printf(e->out, "%llu",
               (unsigned long long)(sign == '+' ? a + b : a - b));
    return true;
}

static bool
value_of(struct expansion *e, struct slice name, struct buf *value)
{
    const struct var *var = find(e->vars, name);

    if (slice_is(name, "I") && e->vars->index > 0)
        buf_printf(value, "%llu", (unsigned long long)e->vars->index);
    else if (e->vars->any_is_one)
        buf_put_string(value, "1");
    else if (var != NULL)
        buf_put_slice(value, buf_slice(&var->value));
    else
        return fail(e, "a variable that nothing has set");
    return true;
}

/* rest is behind "\{$". */
static bool
expand_variable(struct expansion *e)
{
    const char *end = memchr(e->rest.data, '}', e->rest.len);
    struct buf value = {0};
    size_t len, name_len = 0;
    struct slice name, by;
    bool good;

    if (end == NULL)
        return fail(e, "\\{$ without }");
    len = (size_t)(end - e->rest.data);
    while (name_len < len && isalnum((unsigned char)e->rest.data[name_len]))
        name_len++;
    name = slice_of(e->rest.data, name_len);
    if (name_len == 0 || (name_len < len && e->rest.data[name_len] != '+' &&
                          e->rest.data[name_len] != '-'))
        return fail(e, "a variable is \\{$NAME}");
    good = value_of(e, name, &value);
    if (good && name_len < len) {
        by = slice_of(name.data + name_len + 1, len - name_len - 1);
        good = put_sum(e, buf_slice(&value), name.data[name_len], by);
    } else if (good) {
        buf_put_slice(e->out, buf_slice(&value));
    }
    skip(e, len + 1);
    buf_fini(&value);
    return good;
}

/* rest is behind the backslash. */
static bool
expand_escape(struct expansion *e)
{
    static const char from[] = "rnt\\", to[] = "\r\n\t\\";
    char c = e->rest.len > 0 ? e->rest.data[0] : '\0';
    const char *plain = c != '\0' ? strchr(from, c) : NULL;

    if (plain != NULL) {
        buf_put_char(e->out, to[plain - from]);
        skip(e, 1);
        return true;
    }
    if (c == 'x') {
        skip(e, 1);
        return expand_hex(e);
    }
    if (c != '{')
        return fail(e, "an unknown escape; a JSON escape is written \\\\u0000");
    skip(e, 1);
    if (e->rest.len == 0 || e->rest.data[0] != '$')
        return expand_repetition(e);
    skip(e, 1);
    return expand_variable(e);
}

bool
text_expand(struct buf *out, struct slice text, const struct vars *vars,
            const char **why)
{
    struct expansion e = {out, text, vars, NULL};
    bool good = true;

    while (good && e.rest.len > 0) {
        const char *slash = memchr(e.rest.data, '\\', e.rest.len);
        size_t len = slash == NULL ? e.rest.len : (size_t)(slash - e.rest.data);

        buf_put(out, e.rest.data, len);
        skip(&e, len);
        if (slash != NULL) {
            skip(&e, 1);
            good = expand_escape(&e);
        }
    }
    must(!out->failed);
    *why = e.why;
    return good;
}
