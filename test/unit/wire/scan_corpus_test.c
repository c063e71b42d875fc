/* SPDX-License-Identifier: MIT
 *
 * scan_corpus_test.c - the scanner on test/data/json.
 *
 * Each text is cut to every length and put against the unreadable page behind
 * it, and once whole behind the unreadable page before it.
 */
#include "base/must.h"
#include "guard_page.h"
#include "scan_corpus.h"
#include "scan_judge.h"
#include "suite.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 128

/* One mapping for all texts: they are copied to its end. */
struct room {
    struct guarded guarded;
    char *end;
};

static struct room
room_new(void)
{
    char *zeros = calloc(1, CORPUS_TEXT_MAX);
    struct room room;

    must(zeros != NULL);
    room.guarded = guarded_copy(zeros, CORPUS_TEXT_MAX);
    room.end = room.guarded.data + CORPUS_TEXT_MAX;
    free(zeros);
    return room;
}

/* Where a text that begins behind an unreadable page begins. */
static char *
room_begin(const struct room *room)
{
    return (char *)room->guarded.map + sysconf(_SC_PAGESIZE);
}

static struct scan_verdict
scan_at(const struct scanner *scanner, char *place,
        const struct corpus_text *text, size_t len)
{
    memcpy(place, text->data, len);
    return scan_whole(scanner, place, len, DEPTH_MAX);
}

static bool
is_bare_number(const struct corpus_text *text, const struct scan_verdict *v)
{
    return strchr("-0123456789", text->data[v->begin]) != NULL;
}

/* text, of which v is the verdict, with CR and TAB in the value as blanks. */
static bool
is_unchanged(const struct corpus_text *text, const char *after,
             const struct scan_verdict *v)
{
    for (size_t i = 0; i < text->len; i++) {
        bool blanked = i >= v->begin && i < v->at &&
                       (text->data[i] == '\r' || text->data[i] == '\t');

        if (after[i] != (blanked ? ' ' : text->data[i]))
            return false;
    }
    return true;
}

/* The whole text, at both ends of the room. */
static struct scan_verdict
check_whole(const struct scanner *scanner, const struct room *room,
            const struct corpus_text *text, enum mz_err right)
{
    struct scan_verdict v = scan_at(scanner, room_begin(room), text, text->len);
    struct scan_verdict same =
        scan_at(scanner, room->end - text->len, text, text->len);

    ck_assert_msg(v.err == right, "%s: %s: %s at %zu", scanner->name,
                  text->name, err_code(v.err), v.at);
    ck_assert_int_eq(same.err, right);
    ck_assert_uint_eq(same.at, v.at);
    if (right == MZ_OK)
        ck_assert_msg(is_unchanged(text, room->end - text->len, &v), "%s: %s",
                      scanner->name, text->name);
    return v;
}

/* A text that is cut is refused, except for a number, and except for blanks
 * that are cut behind it. A cut behind the error changes nothing. */
static void
check_prefixes(const struct scanner *scanner, const struct room *room,
               const struct corpus_text *text, const struct scan_verdict *whole)
{
    for (size_t len = 0; len < text->len; len++) {
        struct scan_verdict v = scan_at(scanner, room->end - len, text, len);

        ck_assert_uint_le(v.at, len);
        if (whole->err == MZ_OK && len >= whole->at)
            ck_assert_int_eq(v.err, MZ_OK);
        else if (whole->err == MZ_OK && !is_bare_number(text, whole))
            ck_assert_msg(v.err == MZ_BAD_JSON, "%s: %s: %zu bytes of it",
                          scanner->name, text->name, len);
        else if (whole->err == MZ_TOO_DEEP && len > whole->at)
            ck_assert_int_eq(v.err, MZ_TOO_DEEP);
    }
}

static void
check_text(const struct room *room, const struct corpus_text *text,
           enum mz_err right)
{
    for (size_t k = 0; k < SCANNER_COUNT; k++) {
        struct scan_verdict whole =
            check_whole(&scanners[k], room, text, right);

        check_prefixes(&scanners[k], room, text, &whole);
    }
}

static bool
jansson_accepts(const struct corpus_text *text)
{
    json_t *json = json_loadb(text->data, text->len,
                              JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    bool accepted = json != NULL;

    json_decref(json);
    return accepted;
}

static void
check_folder(const char *folder, size_t count_min, enum mz_err right)
{
    struct corpus corpus = corpus_load(folder);
    struct room room = room_new();

    ck_assert_uint_ge(corpus.count, count_min);
    for (size_t i = 0; i < corpus.count; i++) {
        check_text(&room, &corpus.texts[i], right);
        ck_assert_msg(jansson_accepts(&corpus.texts[i]) == (right == MZ_OK),
                      "jansson and %s", corpus.texts[i].name);
    }
    guarded_free(&room.guarded);
    corpus_free(&corpus);
}

START_TEST(accepts)
{
    check_folder("accept", 188, MZ_OK);
}
END_TEST

START_TEST(rejects)
{
    check_folder("reject", 401, MZ_BAD_JSON);
}
END_TEST

static enum mz_err
err_of_verdict(const char *verdict)
{
    if (strcmp(verdict, "accept") == 0)
        return MZ_OK;
    if (strcmp(verdict, "reject") == 0)
        return MZ_BAD_JSON;
    ck_assert_str_eq(verdict, "too_deep");
    return MZ_TOO_DEEP;
}

/* Every line of either.txt that is no comment names a file, and every file has
 * its line. */
START_TEST(decides_on_either)
{
    struct corpus_text manifest = corpus_read(".", "either.txt");
    struct corpus corpus = corpus_load("either");
    struct room room = room_new();
    char *rest = manifest.data, *line;
    size_t i = 0;

    ck_assert_uint_ge(corpus.count, 57);
    while ((line = strsep(&rest, "\n")) != NULL) {
        char verdict[16], name[64], reason[64];

        if (line[0] == '#' || line[0] == '\0')
            continue;
        ck_assert_int_eq(
            sscanf(line, "%15s %63s %63[^\n]", verdict, name, reason), 3);
        ck_assert_uint_lt(i, corpus.count);
        ck_assert_str_eq(name, corpus.texts[i].name);
        check_text(&room, &corpus.texts[i], err_of_verdict(verdict));
        i++;
    }
    ck_assert_uint_eq(i, corpus.count);
    guarded_free(&room.guarded);
    corpus_free(&corpus);
    corpus_text_free(&manifest);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, accepts);
    tcase_add_test(tc, rejects);
    tcase_add_test(tc, decides_on_either);
}

TEST_MAIN("scan_corpus", fill)
