/* SPDX-License-Identifier: MIT
 *
 * descriptors.c - see descriptors.h.
 */
#include "base/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void
descriptors_keep_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* The lowest free number is the one that is closed. */
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", O_RDWR);
    }
}
