/* SPDX-License-Identifier: MIT
 *
 * thread.h - starting a thread.
 *
 * Signals are for the thread that waits for them, which is main: a thread that
 * was started here, and those it starts, get none but those of their own
 * faults.
 */
#ifndef MEMOIZER_BASE_THREAD_H
#define MEMOIZER_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Runs run(arg) in a new thread with a stack of stack_bytes, at least
 * PTHREAD_STACK_MIN; builds with sanitizers, whose frames are larger, give it
 * four times as much. *thread is to be joined; with thread NULL it is detached.
 * False when the system gives no thread. The signals of the caller stay as
 * they are. */
bool thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                  void *arg) __attribute__((warn_unused_result));

#endif
