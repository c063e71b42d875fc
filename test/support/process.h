/* SPDX-License-Identifier: MIT
 *
 * process.h - the built server as a child process.
 *
 * Everything waits for an event and has a deadline; what does not come in time
 * fails the test. The child dies with the test program.
 */
#ifndef MEMOIZER_TEST_PROCESS_H
#define MEMOIZER_TEST_PROCESS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How long anything may take before a test gives up; generous, since the
 * machine may be busy and sanitizers are slow. */
#define PROCESS_DEADLINE_MS 20000

/* Of what a child reads and of how it ends. */
struct process {
    pid_t pid;
    int pid_fd; /* readable when it has ended */
    int out_fd, err_fd;
    struct buf out, err; /* what it wrote so far */
    bool reaped;
    int status; /* as waitpid gave it, once reaped */
};

/* How a child is started; {0} is as it is. */
struct process_options {
    const char *const *prefix; /* words before the program, up to a NULL */
    size_t descriptors;        /* soft and hard limit of open files; 0: ours */
};

/* Starts program with args, strings up to a NULL. options may be NULL. The
 * child does not see MEMOIZER_ variables of the environment. */
void process_start(struct process *p, const char *program,
                   const char *const *args,
                   const struct process_options *options);

/* Waits until it has printed `lines` ready lines on stdout. */
void process_await_ready(struct process *p, size_t lines);

#define PROCESS_ADDRESS_SIZE 128

/* The address of ready line i, from 0: what stands behind "listening on ".
 * False: there is no such line. */
bool process_address(const struct process *p, size_t i,
                     char out[PROCESS_ADDRESS_SIZE]);

/* The port of ready line 0. */
uint16_t process_port(const struct process *p);

/* Waits until text stands in what it wrote to stderr from byte `from` on;
 * returns the place behind it. */
size_t process_await_stderr(struct process *p, size_t from, const char *text);

/* Whether text stands in what it has written to stderr so far. */
bool process_said(struct process *p, const char *text);

void process_signal(struct process *p, int signal_number);

/* Stops it as SIGSTOP does, and waits until it stands; SIGCONT goes on. */
void process_pause(struct process *p);

/* Waits for its end, at most timeout_ms: the exit status, 128 + signal number
 * when a signal ended it, or -1 when it still runs. Reads its output to the
 * end. */
int process_wait(struct process *p, int64_t timeout_ms);

/* SIGTERM, and the test fails unless it ends with status 0. */
void process_stop(struct process *p);

/* Ends it by force if it runs, and frees. */
void process_fini(struct process *p);

/* Figures from /proc. */
size_t process_rss_bytes(const struct process *p);
size_t process_descriptors(const struct process *p);
size_t process_threads(const struct process *p);

/* Processor time used so far, in ms. */
int64_t process_cpu_ms(const struct process *p);

#endif
