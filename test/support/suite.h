/* SPDX-License-Identifier: MIT
 *
 * suite.h - the main of a Check program with one suite.
 *
 *     static void fill(TCase *tc) { tcase_add_test(tc, adds_two); }
 *     TEST_MAIN("num", fill)
 *
 * Tests run in one process (CK_FORK=no), so that the sanitizers see all; a
 * failing test ends the program. Time limits are CTest's.
 */
#ifndef MEMOIZER_TEST_SUITE_H
#define MEMOIZER_TEST_SUITE_H

#include <check.h>
#include <stdlib.h>

#define TEST_MAIN(name, fill)                                                  \
    int main(void)                                                             \
    {                                                                          \
        Suite *suite = suite_create(name);                                     \
        TCase *tc = tcase_create(name);                                        \
        SRunner *runner = srunner_create(suite);                               \
        int failed;                                                            \
                                                                               \
        tcase_set_timeout(tc, 0);                                              \
        fill(tc);                                                              \
        suite_add_tcase(suite, tc);                                            \
        srunner_set_fork_status(runner, CK_NOFORK);                            \
        srunner_run_all(runner, CK_NORMAL);                                    \
        failed = srunner_ntests_failed(runner);                                \
        srunner_free(runner);                                                  \
        return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;                      \
    }

#endif
