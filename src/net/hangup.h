/* SPDX-License-Identifier: MIT
 *
 * hangup.h - tells a thread that is asleep, and not over its socket, that the
 * client has gone.
 *
 *     connection's thread          watching thread             client
 *       | hangup_watch(fd, fn)        | epoll_wait               |
 *       | lease_take() sleeps         :                          |
 *       :                             : <------------------- close
 *       : <--- fn: lease_abandon() ---|
 *       | hangup_forget(fd)           | epoll_wait
 *
 * One thread for all connections of a server. It sleeps until a connection
 * that is watched ends; a client that only sends more does not wake it.
 *
 * A client has gone when nothing can be sent to it any more (a reset, or both
 * directions are shut down), or when it has ended its input and every byte of
 * it has been taken, blanks at its end apart. A client may send some requests
 * and then end its input, and still wants the answers: so bytes that nobody has
 * read yet keep it there, until a reset; and for a caller that has read them
 * itself only a reset counts. shutdown(2) of the receiving side by ourselves
 * looks like the end of input, and is treated so.
 *
 * Locking: a mutex guards the watches, and is held while fn runs and while the
 * socket is asked, without waiting, how it is. In the order of locks it comes
 * after the registry and before the leases.
 */
#ifndef MEMOIZER_NET_HANGUP_H
#define MEMOIZER_NET_HANGUP_H

#include "base/err.h"

struct hangup;

/* Starts the thread, which watches nothing yet. MZ_NO_MEMORY: there is no
 * memory, descriptor or thread for it; *out is unchanged. */
enum mz_err hangup_start(struct hangup **out) MZ_CHECK;

/* Ends the thread and frees. What is still watched is forgotten. Nobody else
 * may be in a function of it. NULL is fine. */
void hangup_stop(struct hangup *hangup);

/* Called by the watching thread under the mutex: it is short, and calls no
 * function of this header. */
typedef void hangup_fn(void *ctx);

/* What counts as gone. */
enum hangup_kind {
    HANGUP_END,   /* a reset, or the end of input */
    HANGUP_RESET, /* a reset: the caller has read requests that want answers */
};

/* Calls fn(ctx) once, when the client of fd has gone; soon if it has gone
 * already. fd is a connected stream socket of the caller's that is not watched
 * yet, and stays open until hangup_forget(). MZ_NO_MEMORY: it is not
 * watched. Any thread. */
enum mz_err hangup_watch(struct hangup *hangup, int fd, enum hangup_kind kind,
                         hangup_fn *fn, void *ctx) MZ_CHECK;

/* Ends the watch, whether or not fn has been called: afterwards it is not
 * running and will not be called. Harmless when fd is not watched. Any thread.
 */
void hangup_forget(struct hangup *hangup, int fd);

#endif
