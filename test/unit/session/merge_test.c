/* SPDX-License-Identifier: MIT
 *
 * merge_test.c - merge patches, byte by byte.
 *
 * In the tables of this file ' stands for ", so that JSON can be read.
 */
#include "chaos.h"
#include "guard_page.h"
#include "session/merge.h"
#include "suite.h"

#include <stdio.h>

#define SEED       0x5eed
#define ROW_MAX    1000
#define WIDE_COUNT 100000

struct row {
    const char *target; /* NULL: missing */
    const char *patch;
    const char *result;
};

/* RFC 7396, appendix A, in its order. */
static const struct row rfc_rows[] = {
    {"{'a':'b'}", "{'a':'c'}", "{'a':'c'}"},
    {"{'a':'b'}", "{'b':'c'}", "{'a':'b','b':'c'}"},
    {"{'a':'b'}", "{'a':null}", "{}"},
    {"{'a':'b','b':'c'}", "{'a':null}", "{'b':'c'}"},
    {"{'a':['b']}", "{'a':'c'}", "{'a':'c'}"},
    {"{'a':'c'}", "{'a':['b']}", "{'a':['b']}"},
    {"{'a':{'b':'c'}}", "{'a':{'b':'d','c':null}}", "{'a':{'b':'d'}}"},
    {"{'a':[{'b':'c'}]}", "{'a':[1]}", "{'a':[1]}"},
    {"['a','b']", "['c','d']", "['c','d']"},
    {"{'a':'b'}", "['c']", "['c']"},
    {"{'a':'foo'}", "null", "null"},
    {"{'a':'foo'}", "'bar'", "'bar'"},
    {"{'e':null}", "{'a':1}", "{'e':null,'a':1}"},
    {"[1,2]", "{'a':'b','c':null}", "{'a':'b'}"},
    {"{}", "{'a':{'bb':{'ccc':null}}}", "{'a':{'bb':{}}}"},
};

/* RFC 7396, section 3. */
static const struct row rfc_document[] = {
    {"{'title':'Goodbye!','author':{'givenName':'John','familyName':'Doe'},"
     "'tags':['example','sample'],'content':'This will be unchanged'}",
     "{'title':'Hello!','phoneNumber':'+01-123-456-7890',"
     "'author':{'familyName':null},'tags':['example']}",
     "{'title':'Hello!','author':{'givenName':'John'},'tags':['example'],"
     "'content':'This will be unchanged','phoneNumber':'+01-123-456-7890'}"},
};

/* Cases from bug reports. */
static const struct row report_rows[] = {
    {"{'a':1,'b':{'c':2,'d':3},'e':[1,2]}",
     "{'a':null,'b':{'c':null,'x':{'y':1}},'e':[9],'n':4}",
     "{'b':{'d':3,'x':{'y':1}},'e':[9],'n':4}"},
    {"{'b':{'d':3}}", "5", "5"},
    {"5", "{'q':1}", "{'q':1}"},
    {NULL, "{'a':{'b':null},'c':1}", "{'a':{},'c':1}"},
    {"{'q':1}", "{'z':null}", "{'q':1}"},
    {"{'a':7.6,'b':1.1,'c':0.1,'d':22.4,'e':-0.3}", "{'e':null}",
     "{'a':7.6,'b':1.1,'c':0.1,'d':22.4}"},
};

/* What is kept is kept as it was, what is sent is written as it was sent. */
static const struct row byte_rows[] = {
    {"{'a':1.10,'b':1E5,'c':-0,'d':45232446983204764922041}", "{'e':1.50}",
     "{'a':1.10,'b':1E5,'c':-0,'d':45232446983204764922041,'e':1.50}"},
    {"{'z':1,'a':2,'m':3}", "{'a':9,'b':8,'A':7}",
     "{'z':1,'a':9,'m':3,'b':8,'A':7}"},
    {" { 'a' : [ 1 ,\t2 ] , 'b' :\n2 } ", " { 'b' : { 'c' : 3 } , 'd' : [ ] } ",
     "{'a' : [ 1 ,\t2 ],'b':{ 'c' : 3 },'d':[ ]}"},
    {"{ 'a' : { 'b' : 1 , 'c' : 2 } }", "{'a':{'c':null}}", "{'a':{'b' : 1}}"},
    {"{ 'a' : 1 }", "{}", "{'a' : 1}"},
    {"{}", "{}", "{}"},
    {NULL, "{}", "{}"},
    {NULL, " 1.0 ", "1.0"},
    {NULL, "{ 'a' : { } }", "{ 'a' : { } }"},
    {NULL, "{ 'a' : { 'b' : 1 } , 'c' : null }", "{'a':{ 'b' : 1 }}"},
    {"'text'", "{ 'a' : 1 }", "{ 'a' : 1 }"},
    {" {'a':1} ", " ' x ' ", "' x '"},
    {"{'a':'\\u0041\\/'}", "{'b':'\\u0042\\/'}",
     "{'a':'\\u0041\\/','b':'\\u0042\\/'}"},
    {"{'a':'}','b':'\\\\','c':'\\''}", "{'b':null}", "{'a':'}','c':'\\''}"},
    {"{'nul':null}", "{'n':'null'}", "{'nul':null,'n':'null'}"},
};

/* null removes in objects at every depth, never in arrays. */
static const struct row null_rows[] = {
    {"{}", "{'a':[null,{'b':null}]}", "{'a':[null,{'b':null}]}"},
    {"{}", "{'a':{'b':{'c':null,'d':[null]},'e':null}}",
     "{'a':{'b':{'d':[null]}}}"},
    {"{'a':[1]}", "{'a':{'b':null,'c':1}}", "{'a':{'c':1}}"},
    {"{'a':{'b':1}}", "{'a':{'b':null}}", "{'a':{}}"},
    {"{'a':1,'b':2,'c':3}", "{'a':null,'b':null,'c':null}", "{}"},
    {"{'a':1,'b':2}", "{'a':null,'c':3}", "{'b':2,'c':3}"},
    {"{'a':{'b':{'c':1}}}", "{'a':{'b':null},'x':{'y':null}}",
     "{'a':{},'x':{}}"},
};

/* Doubled members in the target (first), in the patch, in both. */
static const struct row doubled_rows[] = {
    {"{'a':1,'b':2,'a':3}", "{'c':4}", "{'a':1,'b':2,'a':3,'c':4}"},
    {"{'a':1,'b':2,'a':3}", "{'a':4}", "{'a':4,'b':2}"},
    {"{'a':1,'b':2,'a':3}", "{'a':null}", "{'b':2}"},
    {"{'a':{'x':1},'b':2,'a':{'y':2}}", "{'a':{'z':3}}",
     "{'a':{'y':2,'z':3},'b':2}"},
    {"{'a':{'x':1},'a':{'y':2}}", "{'a':{'x':3}}", "{'a':{'y':2,'x':3}}"},
    {"{'a':{'x':1},'a':5}", "{'a':{'z':3}}", "{'a':{'z':3}}"},
    {"{'a':5,'a':{'x':{'y':1}}}", "{'a':{'x':{'z':3}}}",
     "{'a':{'x':{'y':1,'z':3}}}"},
    {"{'a':{'x':{'p':1},'x':{'q':2}},'a':{'x':{'r':3}}}", "{'a':{'x':{'s':4}}}",
     "{'a':{'x':{'r':3,'s':4}}}"},
    {"{}", "{'a':1,'b':2,'a':3}", "{'b':2,'a':3}"},
    {"{'a':0}", "{'a':1,'b':2,'a':3}", "{'a':3,'b':2}"},
    {"{'a':0}", "{'a':1,'a':null}", "{}"},
    {"{'a':0}", "{'a':null,'a':1}", "{'a':1}"},
    {NULL, "{'a':null,'a':1}", "{'a':1}"},
    {NULL, "{'x':{'a':1,'a':2}}", "{'x':{'a':2}}"},
    {"{'a':{'k':1}}", "{'a':{'x':1},'a':{'y':2}}", "{'a':{'k':1,'y':2}}"},
    {"{'a':1,'a':2}", "{'a':3,'a':4}", "{'a':4}"},
};

/* Names are compared decoded, and a kept one keeps its bytes. */
static const struct row name_rows[] = {
    {"{'\\u0061':1,'b':2}", "{'a':3}", "{'\\u0061':3,'b':2}"},
    {"{'a':1}", "{'\\u0061':3}", "{'a':3}"},
    {"{'a':1,'\\u0061':2}", "{'a':3}", "{'a':3}"},
    {"{'a':1,'\\u0061':2}", "{'b':3}", "{'a':1,'\\u0061':2,'b':3}"},
    {"{}", "{'a':1,'\\u0061':2}", "{'\\u0061':2}"},
    {"{'\xc3\xa9':1}", "{'\\u00e9':2}", "{'\xc3\xa9':2}"},
    {"{'\\uD83D\\uDE00':1}", "{'\xf0\x9f\x98\x80':2}", "{'\\uD83D\\uDE00':2}"},
    {"{'a\\u0000b':1,'a':2}", "{'a':null}", "{'a\\u0000b':1}"},
    {"{'a\\u0000b':1,'a':2}", "{'a\\u0000b':null}", "{'a':2}"},
    {"{'a\\u0000b':1}", "{'a\\u0000c':2}", "{'a\\u0000b':1,'a\\u0000c':2}"},
    {"{'\\u0000':1}", "{'\\u0000':{'\\u0000':2}}", "{'\\u0000':{'\\u0000':2}}"},
    {"{'':1}", "{'':2}", "{'':2}"},
    {"{'':{'':1}}", "{'':{'':null}}", "{'':{}}"},
    {"{'a/b':1,'\\'':2,'\\\\':3}", "{'a\\/b':4,'\\u0022':5,'\\u005c':6}",
     "{'a/b':4,'\\'':5,'\\\\':6}"},
    {"{'a':{'a':{'a':1}}}", "{'a':{'a':{'a':2}}}", "{'a':{'a':{'a':2}}}"},
    {"{'A':1}", "{'a':2}", "{'A':1,'a':2}"},
};

/* The text with quotes for apostrophes. */
static struct slice
quoted(char out[ROW_MAX], const char *text)
{
    size_t len = text == NULL ? 0 : strlen(text);

    ck_assert_uint_lt(len, ROW_MAX);
    for (size_t i = 0; i < len; i++)
        out[i] = text[i] == '\'' ? '"' : text[i];
    return slice_of(out, len);
}

/* Merges with every out_cap from 0 to a byte more than is needed, at the end
 * of writable memory, and with both texts at the end of readable memory. */
static void
check_merge(struct slice patch, struct slice target, struct slice expected)
{
    struct guarded p = guarded_copy(patch.data, patch.len);
    struct guarded t = guarded_copy(target.data, target.len);
    struct merge_patch *prepared;

    patch.data = p.data;
    target.data = target.len == 0 ? NULL : t.data;
    ck_assert_int_eq(merge_patch_new(patch, SEED, &prepared), MZ_OK);
    for (size_t cap = 0; cap <= expected.len + 1; cap++) {
        char zeros[ROW_MAX + 1] = {0};
        struct guarded out = guarded_copy(zeros, cap);
        size_t len = 0;
        enum mz_err err = merge_apply(prepared, target, out.data, cap, &len);

        ck_assert_uint_eq(len, expected.len);
        if (cap < expected.len)
            ck_assert_int_eq(err, MZ_TOO_LARGE);
        else
            ck_assert_int_eq(err, MZ_OK);
        if (err == MZ_OK && !slice_equal(slice_of(out.data, len), expected))
            ck_abort_msg("patch %.*s\ngot  %.*s\nnot  %.*s", (int)patch.len,
                         patch.data, (int)len, out.data, (int)expected.len,
                         expected.data);
        guarded_free(&out);
    }
    ck_assert_uint_le(expected.len, merge_size_max(prepared, target.len));
    merge_patch_free(prepared);
    guarded_free(&p);
    guarded_free(&t);
}

static void
check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char target[ROW_MAX], patch[ROW_MAX], result[ROW_MAX];

        check_merge(quoted(patch, rows[i].patch),
                    quoted(target, rows[i].target),
                    quoted(result, rows[i].result));
    }
}

#define ROWS_TEST(rows)                                                        \
    START_TEST(rows##_hold)                                                    \
    {                                                                          \
        check_rows(rows, sizeof rows / sizeof rows[0]);                        \
    }                                                                          \
    END_TEST

ROWS_TEST(rfc_rows)
ROWS_TEST(rfc_document)
ROWS_TEST(report_rows)
ROWS_TEST(byte_rows)
ROWS_TEST(null_rows)
ROWS_TEST(doubled_rows)
ROWS_TEST(name_rows)

START_TEST(one_patch_serves_many_targets)
{
    static const struct row rows[] = {
        {"{'a':{'x':1},'b':2}", NULL, "{'a':{'x':1,'y':2},'c':3}"},
        {NULL, NULL, "{'a':{'y':2},'c':3}"},
        {"{'c':0,'a':{'y':0},'a':{}}", NULL, "{'c':3,'a':{'y':2}}"},
        {"[]", NULL, "{'a':{'y':2},'c':3}"},
        {"{'a':{'x':1},'b':2}", NULL, "{'a':{'x':1,'y':2},'c':3}"},
    };
    char text[ROW_MAX], target[ROW_MAX], result[ROW_MAX], out[ROW_MAX];
    struct merge_patch *patch;
    size_t len;

    ck_assert_int_eq(merge_patch_new(quoted(text, "{'a':{'y':2},'b':null,"
                                                  "'c':3}"),
                                     SEED, &patch),
                     MZ_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct slice expected = quoted(result, rows[i].result);

        ck_assert_int_eq(merge_apply(patch, quoted(target, rows[i].target), out,
                                     sizeof out, &len),
                         MZ_OK);
        ck_assert(slice_equal(slice_of(out, len), expected));
    }
    merge_patch_free(patch);
}
END_TEST

/* {"a":{"a": ... leaf ... }} with that many objects. */
static struct slice
nested(char *out, unsigned depth, const char *name, const char *leaf)
{
    size_t len = 0;

    for (unsigned i = 0; i < depth; i++)
        len += (size_t)sprintf(out + len, "{\"%s\":", name);
    len += (size_t)sprintf(out + len, "%s", leaf);
    for (unsigned i = 0; i < depth; i++)
        out[len++] = '}';
    return slice_of(out, len);
}

START_TEST(merges_at_depth_128)
{
    static char patch[2000], target[2000], result[2000], fresh[2000];

    check_merge(nested(patch, 128, "a", "2"), nested(target, 128, "a", "1"),
                nested(result, 128, "a", "2"));
    check_merge(nested(patch, 127, "a", "{\"b\":2}"),
                nested(target, 127, "a", "{\"a\":1}"),
                nested(result, 127, "a", "{\"a\":1,\"b\":2}"));
    check_merge(nested(patch, 128, "a", "null"), nested(target, 128, "a", "1"),
                nested(result, 127, "a", "{}"));
    check_merge(nested(patch, 127, "a", "{\"x\":null}"), slice_of(NULL, 0),
                nested(fresh, 127, "a", "{}"));
}
END_TEST

START_TEST(unwinds_without_memory)
{
    char text[ROW_MAX];
    struct slice patch = quoted(text, "{'a':{'b':null,'c':1},'d':[1]}");
    size_t n;

    for (n = 1;; n++) {
        struct merge_patch *prepared = NULL;
        struct chaos chaos;
        enum mz_err err;

        chaos_begin(&chaos, n);
        err = merge_patch_new(patch, SEED, &prepared);
        if (!chaos_end(&chaos)) {
            ck_assert_int_eq(err, MZ_OK);
            merge_patch_free(prepared);
            break;
        }
        ck_assert_int_eq(err, MZ_NO_MEMORY);
        ck_assert_ptr_null(prepared);
    }
    ck_assert_uint_gt(n, 1);
    merge_patch_free(NULL);
}
END_TEST

START_TEST(applying_allocates_nothing)
{
    char text[ROW_MAX], old[ROW_MAX], out[ROW_MAX];
    struct slice target = quoted(old, "{'\\u0061':{'x\\n':1,'c':2},'e':3}");
    struct merge_patch *patch;
    struct chaos chaos;
    size_t len;

    ck_assert_int_eq(
        merge_patch_new(quoted(text, "{'a':{'x\\u000a':null,'z':1},'d':[1]}"),
                        SEED, &patch),
        MZ_OK);
    chaos_begin(&chaos, 1);
    ck_assert_int_eq(merge_apply(patch, target, out, sizeof out, &len), MZ_OK);
    ck_assert(!chaos_end(&chaos));
    merge_patch_free(patch);
}
END_TEST

/* {"n0":V,"n1":V,...} with V the index plus `add`. */
static struct slice
wide(char *out, const char *prefix, unsigned count, unsigned add)
{
    size_t len = 0;

    for (unsigned i = 0; i < count; i++)
        len += (size_t)sprintf(out + len, "%c\"%s%u\":%u", i == 0 ? '{' : ',',
                               prefix, i, i + add);
    out[len++] = '}';
    return slice_of(out, len);
}

/* Quadratic work would take minutes, and CTest would end it. */
START_TEST(merges_100000_members)
{
    const size_t room = 32 * WIDE_COUNT;
    char *old = malloc(room), *text = malloc(room), *out = malloc(2 * room);
    char *expected = malloc(2 * room);
    struct slice target = wide(old, "n", WIDE_COUNT, 0);
    struct slice result = wide(expected, "n", WIDE_COUNT, 1);
    struct merge_patch *patch;
    size_t len;

    ck_assert_int_eq(
        merge_patch_new(wide(text, "n", WIDE_COUNT, 1), SEED, &patch), MZ_OK);
    ck_assert_int_eq(merge_apply(patch, target, out, 2 * room, &len), MZ_OK);
    ck_assert(slice_equal(slice_of(out, len), result));
    merge_patch_free(patch);

    /* All new: the one text behind the other. */
    ck_assert_int_eq(
        merge_patch_new(wide(text, "m", WIDE_COUNT, 2), SEED, &patch), MZ_OK);
    result = wide(text, "m", WIDE_COUNT, 2);
    ck_assert_int_eq(merge_apply(patch, target, out, 2 * room, &len), MZ_OK);
    ck_assert_uint_eq(len, target.len + result.len - 1);
    ck_assert_mem_eq(out, target.data, target.len - 1);
    ck_assert_mem_eq(out + target.len, result.data + 1, result.len - 1);
    merge_patch_free(patch);
    free(old);
    free(text);
    free(out);
    free(expected);
}
END_TEST

/* A member doubled 100,000 times, under a patch that merges into it; and a
 * long value at the bottom of 127 objects, which none of them may step over
 * once more. */
START_TEST(stays_linear_against_malice)
{
    const size_t room = 32 * WIDE_COUNT;
    char *text = malloc(room), *leaf = malloc(room), *out = malloc(room);
    char patch_text[2000];
    struct merge_patch *patch;
    struct slice target;
    size_t len = 0;

    for (unsigned i = 0; i < WIDE_COUNT; i++)
        len += (size_t)sprintf(text + len, "%c\"a\":{\"b\":{\"x%u\":1}}",
                               i == 0 ? '{' : ',', i);
    text[len++] = '}';
    ck_assert_int_eq(
        merge_patch_new(nested(patch_text, 2, "a", "{}"), SEED, &patch), MZ_OK);
    ck_assert_int_eq(merge_apply(patch, slice_of(text, len), out, room, &len),
                     MZ_OK);
    ck_assert(slice_is(slice_of(out, len),
                       "{\"a\":{\"b\":{\"x99999\":1},\"a\":{}}}"));
    merge_patch_free(patch);

    memset(leaf, 'x', room / 2);
    leaf[0] = leaf[room / 2 - 1] = '"';
    leaf[room / 2] = '\0';
    target = nested(text, 127, "a", leaf);
    ck_assert_int_eq(
        merge_patch_new(nested(patch_text, 127, "a", "{}"), SEED, &patch),
        MZ_OK);
    ck_assert_int_eq(merge_apply(patch, target, out, room, &len), MZ_OK);
    ck_assert_uint_eq(len, 127 * 6 + 2);
    merge_patch_free(patch);
    free(text);
    free(leaf);
    free(out);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, rfc_rows_hold);
    tcase_add_test(tc, rfc_document_hold);
    tcase_add_test(tc, report_rows_hold);
    tcase_add_test(tc, byte_rows_hold);
    tcase_add_test(tc, null_rows_hold);
    tcase_add_test(tc, doubled_rows_hold);
    tcase_add_test(tc, name_rows_hold);
    tcase_add_test(tc, one_patch_serves_many_targets);
    tcase_add_test(tc, merges_at_depth_128);
    tcase_add_test(tc, unwinds_without_memory);
    tcase_add_test(tc, applying_allocates_nothing);
    tcase_add_test(tc, merges_100000_members);
    tcase_add_test(tc, stays_linear_against_malice);
}

TEST_MAIN("merge", fill)
