/* SPDX-License-Identifier: MIT
 *
 * entry_test.c - sizes, contents and reference counts of entries.
 *
 * What is freed too early or too late is for AddressSanitizer to see.
 */
#include "store/entry.h"

#include "chaos.h"
#include "suite.h"

#include <string.h>

/* len bytes that tell their place. */
static char *
pattern(size_t len)
{
    char *bytes = malloc(len + 1);

    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i * 7 + 3);
    return bytes;
}

/* Makes an entry and holds everything in it against what was asked for. */
static void
check_round_trip(size_t key_len, size_t value_len, uint8_t db,
                 enum value_kind kind)
{
    char *key = pattern(key_len), *value = pattern(value_len);
    struct entry *entry =
        entry_new(slice_of(key, key_len), db, slice_of(value, value_len), kind);
    size_t size = sizeof *entry + key_len + value_len;

    ck_assert_ptr_nonnull(entry);
    ck_assert(slice_equal(entry_key(entry), slice_of(key, key_len)));
    ck_assert(slice_equal(entry_value(entry), slice_of(value, value_len)));
    ck_assert_uint_eq(entry->version, 0);
    ck_assert_uint_eq(entry->db, db);
    ck_assert_uint_eq(entry->kind, kind);
    ck_assert_uint_eq(entry->visited, 0);
    ck_assert_int_eq(entry_is_shared(entry), value_len >= ENTRY_SHARED_MIN);
    if (value_len >= ENTRY_SHARED_MIN)
        size = (size + 3) / 4 * 4 + 4;
    ck_assert_uint_eq(entry_size(entry), size);
    entry_release(entry);
    free(key);
    free(value);
}

START_TEST(keeps_what_it_is_given)
{
    const size_t values[] = {0,
                             1,
                             500,
                             ENTRY_SHARED_MIN - 1,
                             ENTRY_SHARED_MIN,
                             ENTRY_SHARED_MIN + 1,
                             ENTRY_SHARED_MIN + 2,
                             ENTRY_SHARED_MIN + 3,
                             1000000};
    const size_t keys[] = {0, 1, 2, 3, 36, ENTRY_KEY_MAX};
    uint8_t db = 0;

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            db = (uint8_t)((db + 1) % ENTRY_DB_COUNT);
            check_round_trip(keys[k], values[v], db,
                             v % 2 == 0 ? VALUE_JSON : VALUE_BYTES);
        }
    }
}
END_TEST

START_TEST(empty_slices_may_be_null)
{
    struct entry *entry =
        entry_new(slice_of(NULL, 0), 15, slice_of(NULL, 0), VALUE_BYTES);

    ck_assert_ptr_nonnull(entry);
    ck_assert_uint_eq(entry_size(entry), 16);
    entry_release(entry);
    entry_release(NULL);
}
END_TEST

START_TEST(a_retained_entry_outlives_a_release)
{
    char *value = pattern(ENTRY_SHARED_MIN);
    struct slice bytes = slice_of(value, ENTRY_SHARED_MIN);
    struct entry *entry =
        entry_new(slice_of_string("key"), 0, bytes, VALUE_BYTES);

    ck_assert_ptr_nonnull(entry);
    entry_retain(entry);
    entry_retain(entry);
    entry_release(entry);
    entry_release(entry);
    ck_assert(slice_equal(entry_value(entry), bytes));
    entry_release(entry);
    free(value);
}
END_TEST

START_TEST(no_memory_is_null)
{
    struct slice bytes = slice_of_string("bytes");
    struct entry *entry;
    struct chaos chaos;

    chaos_begin(&chaos, 1);
    entry = entry_new(bytes, 0, bytes, VALUE_JSON);
    ck_assert(chaos_end(&chaos));
    ck_assert_ptr_null(entry);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, keeps_what_it_is_given);
    tcase_add_test(tc, empty_slices_may_be_null);
    tcase_add_test(tc, a_retained_entry_outlives_a_release);
    tcase_add_test(tc, no_memory_is_null);
}

TEST_MAIN("store entry", fill)
