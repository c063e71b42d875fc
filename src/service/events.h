/* SPDX-License-Identifier: MIT
 *
 * events.h - tells subscribers what happens to keys, as Redis does with
 * notify-keyspace-events.
 *
 *     a write, the sweeper              the events' thread
 *       | stripe's lock                   |
 *       | events_observer: queue -------> | takes what waits
 *       | unlock                          | publishes __keyspace@0__:key event
 *       :                                 |       and __keyevent@0__:event key
 *
 * The events are set ($), del, expire and persist (g), and expired (x). What a
 * command did is told as what became of its keys: INCR is a set, RENAME a set
 * and a del, FLUSHDB a del for each key.
 *
 * The order of events for one key is the order of its changes. They come a
 * moment after the reply. The queue is bounded: when subscribers are told more
 * slowly than keys change, what does not fit is lost and counted, and writers
 * go on at their speed.
 *
 * Locking: a mutex guards the queue; it comes after the stripes and is held
 * for one copy. While no events are wanted the observer takes no lock.
 */
#ifndef MEMOIZER_SERVICE_EVENTS_H
#define MEMOIZER_SERVICE_EVENTS_H

#include "base/err.h"
#include "base/slice.h"
#include "service/topics.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct events;

/* Starts the thread; no events are wanted yet. topics is lent.
 * MZ_NO_MEMORY leaves *out alone. */
enum mz_err events_start(struct topics *topics, struct events **out) MZ_CHECK;

/* Drops what waits, ends the thread, and frees. The store tells nothing more.
 * NULL is fine. */
void events_stop(struct events *events);

/* For store_new(): valid until events_stop(). */
const struct store_observer *events_observer(const struct events *events);

/* Which events are wanted, in the letters of notify-keyspace-events: K and E
 * pick the channels, the others the classes. False, and no change, when there
 * is another letter among them. Any thread. */
bool events_want(struct events *events, struct slice letters);

#define EVENTS_LETTERS_SIZE 20

/* The same letters as Redis tells them, with a NUL. Any thread. */
const char *events_wanted(const struct events *events,
                          char out[EVENTS_LETTERS_SIZE]);

/* What a refusal of other letters says. */
#define EVENTS_LETTERS "Ag$lshzxeKEtmdn"

/* How many events were lost. Any thread. */
uint64_t events_lost(const struct events *events);

#endif
