/* SPDX-License-Identifier: MIT
 *
 * json_walk.h - steps over a JSON text that is known to be valid.
 *
 * Whoever stored the text had it scanned, so this walk checks no grammar: it
 * finds where members and values begin and end. It allocates nothing, builds
 * nothing and is fit to run under a lock. It never looks beyond the end: a
 * text that turns out not to be JSON ends the program (must), or gives a wrong
 * span within the text, but no byte from elsewhere.
 *
 * Every step costs time in proportion to the bytes that it steps over.
 */
#ifndef MEMOIZER_SESSION_JSON_WALK_H
#define MEMOIZER_SESSION_JSON_WALK_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in a text that somebody else owns. */
struct json_walk {
    const char *at;  /* the next byte */
    const char *end; /* one past the last byte; never read */
};

/* A walk over text that stands at its first byte that is no blank. */
struct json_walk json_walk_begin(struct slice text);

/* Steps over the value that begins at walk->at, and gives its bytes. */
struct slice json_walk_value(struct json_walk *walk);

/* True when the value at walk->at is an object. */
bool json_walk_at_object(const struct json_walk *walk);

/* Steps into the object at walk->at. json_walk_member() goes on. */
void json_walk_enter(struct json_walk *walk);

/* In an object, behind its brace or behind a value: stands at the value of the
 * next member, whose name is *name: the bytes between its quotes, as they are
 * in the text. False when there is none; the walk is behind the object then. */
bool json_walk_member(struct json_walk *walk, struct slice *name);

/* Names as json_walk_member() gives them, compared and hashed as what they
 * mean: "a" and "\u0061" are equal and have the same hash. */
bool json_name_equal(struct slice a, struct slice b);
uint64_t json_name_hash(struct slice name, uint64_t seed);

#endif
