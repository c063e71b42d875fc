/* SPDX-License-Identifier: MIT
 *
 * command_test.c - names of verbs, and lists of keys.
 */
#include "suite.h"

#include "wire/command.h"

START_TEST(verbs_have_their_selectors)
{
    ck_assert_str_eq(verb_name(VERB_GET), "get");
    ck_assert_str_eq(verb_name(VERB_SELECT), "select");
    ck_assert_str_eq(verb_name((enum verb)(VERB_TOTAL - 1)), "quit");
}
END_TEST

START_TEST(an_empty_list_has_no_key)
{
    struct key_list list = {{NULL, 0}, 0};
    struct slice key = {NULL, 0};

    ck_assert(!key_list_next(&list, &key));
    ck_assert(!key_list_next(&list, &key));
}
END_TEST

START_TEST(keys_come_off_in_order)
{
    static char packed[2 + 2 + 65535 + 2 + 3] = {0, 0};
    struct key_list list = {{packed, sizeof(packed)}, 3};
    struct slice key;

    memset(packed + 2, '\xff', 2);
    memset(packed + 4, 'x', 65535);
    memcpy(packed + 4 + 65535, "\3\0a\0b", 5);
    ck_assert(key_list_next(&list, &key));
    ck_assert_uint_eq(key.len, 0);
    ck_assert(key_list_next(&list, &key));
    ck_assert_uint_eq(key.len, 65535);
    ck_assert_int_eq(key.data[65534], 'x');
    ck_assert_uint_eq(list.count, 1);
    ck_assert(key_list_next(&list, &key));
    ck_assert(slice_equal(key, slice_of("a\0b", 3)));
    ck_assert(!key_list_next(&list, &key));
    ck_assert_uint_eq(list.packed.len, 0);
}
END_TEST

START_TEST(keys_that_were_packed_are_counted)
{
    static const char packed[] = "\1\0a\0\0\2\0bc";
    struct key_list list = key_list_over(slice_of(packed, sizeof packed - 1));
    struct slice key;

    ck_assert_uint_eq(list.count, 3);
    ck_assert(key_list_next(&list, &key));
    ck_assert(slice_is(key, "a"));
    ck_assert_uint_eq(key_list_over(slice_of(NULL, 0)).count, 0);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, verbs_have_their_selectors);
    tcase_add_test(tc, an_empty_list_has_no_key);
    tcase_add_test(tc, keys_come_off_in_order);
    tcase_add_test(tc, keys_that_were_packed_are_counted);
}

TEST_MAIN("command", fill)
