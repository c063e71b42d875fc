/* SPDX-License-Identifier: MIT
 *
 * descriptors.h - keeps 0, 1 and 2 from becoming somebody's socket.
 */
#ifndef MEMOIZER_BASE_DESCRIPTORS_H
#define MEMOIZER_BASE_DESCRIPTORS_H

/* Opens /dev/null on each of stdin, stdout and stderr that is closed. Without
 * it the first sockets get these numbers, and what is meant for the log goes
 * to a client. To be called before anything else is opened. Where /dev/null
 * cannot be opened there is nothing better to do, and it does nothing. */
void descriptors_keep_standard(void);

#endif
