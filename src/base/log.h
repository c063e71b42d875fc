/* SPDX-License-Identifier: MIT
 *
 * log.h - one line an event, for the people who run the server.
 *
 * "2026-12-01T09:30:00.123Z notice text". Words that came from a client go
 * through quote() first; values, passwords and whole keys are never logged.
 */
#ifndef MEMOIZER_BASE_LOG_H
#define MEMOIZER_BASE_LOG_H

enum log_level {
    LOG_DEBUG,   /* each connection; for finding a fault */
    LOG_VERBOSE, /* what a busy server does often; for the disk to come */
    LOG_NOTICE,  /* start, stop, and what an operator wants to see once */
    LOG_WARNING, /* somebody should look at this */
    LOG_LEVEL_COUNT
};

/* The word of a level in options and in lines, e.g. "notice". Static. */
const char *log_level_name(enum log_level level);

struct log {
    int fd;               /* const: lines go here, one write each */
    enum log_level level; /* const: lines below it are dropped */
};

/* Formats and writes one line; cut at 1 KiB. Usable from any thread: a line
 * is one write. A line that would have to wait for a reader is dropped: nobody
 * who serves may hang on the log. An error of the write is ignored, as there is
 * nowhere to tell it. log may be NULL: nothing is written. */
void log_write(const struct log *log, enum log_level level, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

#endif
