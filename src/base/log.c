/* SPDX-License-Identifier: MIT
 *
 * log.c - see log.h.
 */
#include "base/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 1024

const char *
log_level_name(enum log_level level)
{
    static const char *const names[LOG_LEVEL_COUNT] = {
        [LOG_DEBUG] = "debug",
        [LOG_VERBOSE] = "verbose",
        [LOG_NOTICE] = "notice",
        [LOG_WARNING] = "warning",
    };

    return names[level];
}

/* Whether a line can be written without waiting. A pipe that is ready takes
 * PIPE_BUF bytes, which is more than a line. */
static bool
is_ready(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLOUT};

    return poll(&ready, 1, 0) > 0;
}

void
log_write(const struct log *log, enum log_level level, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    struct timespec now;
    struct tm utc;
    va_list args;
    size_t len;
    int n;

    if (log == NULL || level < log->level)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    len = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%S", &utc);
    len += (size_t)snprintf(line + len, sizeof line - len, ".%03ldZ %s ",
                            now.tv_nsec / 1000000, log_level_name(level));
    va_start(args, format);
    n = vsnprintf(line + len, sizeof line - len, format, args);
    va_end(args);
    if (n < 0)
        return;
    len += (size_t)n;
    if (len > sizeof line - 1)
        len = sizeof line - 1;
    line[len++] = '\n';
    if (is_ready(log->fd))
        (void)!write(log->fd, line, len);
}
