/* SPDX-License-Identifier: MIT
 *
 * topics.h - who listens to which channel and to which pattern.
 *
 * A subscriber joins topics: channels by name, and patterns, which take
 * whatever is published to a channel that they match. A message goes into the
 * mailbox of each subscriber that listens; those of one publisher arrive in
 * the order in which it sent them.
 *
 * Names and messages are any bytes. Databases have nothing to do with them.
 *
 * Locking: a rwlock guards the topics; publishing reads. The mutexes of
 * mailboxes come after it. No lock of the store may be held.
 */
#ifndef MEMOIZER_SERVICE_TOPICS_H
#define MEMOIZER_SERVICE_TOPICS_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/slice.h"
#include "service/mailbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topics;

enum topic_kind {
    TOPIC_CHANNEL,
    TOPIC_PATTERN, /* see resp_glob.h */
    TOPIC_KINDS
};

/* clock: lent, for the limits of mailboxes. MZ_NO_MEMORY leaves *out alone. */
enum mz_err topics_new(const struct clock *clock, struct topics **out) MZ_CHECK;

/* All subscribers have been freed. NULL is fine. */
void topics_free(struct topics *topics);

/* ---- a subscriber; owned by one thread ---- */

struct subscriber;

/* Listens to nothing yet. MZ_NO_MEMORY leaves *out alone. */
enum mz_err subscriber_new(struct topics *topics, const struct waker *waker,
                           struct subscriber **out) MZ_CHECK;

/* Leaves all topics, and frees: afterwards the waker is not called, and not
 * running. NULL is fine. */
void subscriber_free(struct subscriber *subscriber);

struct mailbox *subscriber_mailbox(struct subscriber *subscriber);

/* How many topics it listens to. */
size_t subscriber_count(const struct subscriber *subscriber,
                        enum topic_kind kind);

/* No change when it listens to it already. On MZ_NO_MEMORY it does not. */
enum mz_err subscriber_join(struct subscriber *subscriber, enum topic_kind kind,
                            struct slice name) MZ_CHECK;

/* No change when it does not listen to it. */
void subscriber_leave(struct subscriber *subscriber, enum topic_kind kind,
                      struct slice name);

/* The topic that it joined first of those it listens to: the name is valid
 * until it leaves. False when there is none. */
bool subscriber_first(const struct subscriber *subscriber, enum topic_kind kind,
                      struct slice *name);

/* ---- any thread ---- */

/* Sends message to all who listen: *receivers says how many that were, one who
 * listens twice counts twice. MZ_NO_MEMORY: nobody got it. */
enum mz_err topics_publish(struct topics *topics, struct slice channel,
                           struct slice message, size_t *receivers) MZ_CHECK;

/* The names of the channels that somebody listens to and that match the
 * pattern, each as a size_t with its length and its bytes. Returns how many.
 * Out of memory sets names->failed. */
size_t topics_list(struct topics *topics, struct slice pattern,
                   struct buf *names);

/* Who listens to the channel by its name. */
size_t topics_listeners(struct topics *topics, struct slice channel);

/* How many channels, or patterns, somebody listens to. */
size_t topics_count(struct topics *topics, enum topic_kind kind);

#endif
