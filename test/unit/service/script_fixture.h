/* SPDX-License-Identifier: MIT
 *
 * script_fixture.h - scripts whose text is not here: by name of their row.
 *
 *     script_show(&f, SHA1, canonical);  as if a client had loaded its text
 *     expect(&f, ":1\r\n", "EVALSHA", SHA1, "1", "lock", "me");
 */
#ifndef MEMOIZER_TEST_SCRIPT_FIXTURE_H
#define MEMOIZER_TEST_SCRIPT_FIXTURE_H

#include "resp_fixture.h"

#include "service/script_cache.h"
#include "service/script_run.h"

#include <check.h>

/* The SHA1 of the text that the client sends, and that of its canonical form,
 * as in scripts.def. */
#define LARAVEL_ADD                                                            \
    "a08c9c69b7c07ae2485190873b90d128a23e502d",                                \
        "01b05c6bf89c7d7be88a5abac8291672d3648b37"
#define LARAVEL_REFRESH                                                        \
    "d5f94f1848f0c54fff99d99dbc4d54184a157c02",                                \
        "f619cc7fd7260da97c40f6be7792523ea6483901"
#define LARAVEL_SLOT                                                           \
    "420ca604de4310d8301943a71390ee669720d640",                                \
        "54594414c6e6deba735a24228da9ef1b19def8e8"
#define LARAVEL_SLOTS                                                          \
    "817a53172668fd358fc83b7f104147cccda1c466",                                \
        "c31d2ec9235579a2efafdd43f331b6173e36692d"
#define REDISLOCK_OBTAIN                                                       \
    "eb0c00d98f6f33b4262419a509002884540f30be",                                \
        "f7aa619eb92739677049bfbe12341195c3a5cccc"
#define REDISLOCK_REFRESH                                                      \
    "5a22d7e8431313862816d4416b5e46dd70fc340d",                                \
        "0a8311e71106eda9ec023fd68b05c891e02e07a4"
#define REDISLOCK_RELEASE                                                      \
    "9470c810040e272ee6c579d8d4331aaf6332a7b1",                                \
        "de763e30c39a72305ff2f0515efc7811226eedaa"
#define REDISLOCK_PTTL                                                         \
    "66e1084c2d842a7e8c271925aae90219fac4e129",                                \
        "394acbf37721c0c10e33d05f9cf5f4fedd69d29a"
#define DJANGO_INCR                                                            \
    "f4a7da3e5d8ea3b46642af08427151cae0190400",                                \
        "e7b7aef62fe076bc53593127fd29a35e163c0292"
#define DJANGO_INCR_ANY                                                        \
    "4d15273b16b10c15e1d9202cbe93c959ab7d250b",                                \
        "79d5e0e8b55197c9609e386648162577d72f98c4"

/* Returns sha1. */
static inline const char *
script_show(struct resp_fixture *f, const char *sha1, const char *canonical)
{
    const struct script *script = script_find(slice_of_string(canonical));
    struct script_sha1 name;

    ck_assert_ptr_nonnull(script);
    ck_assert(script_sha1_parse(slice_of_string(sha1), &name));
    script_cache_put(f->service.scripts, &name, script);
    return sha1;
}

#endif
