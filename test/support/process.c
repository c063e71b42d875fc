/* SPDX-License-Identifier: MIT
 *
 * process.c - see process.h.
 */
#include "process.h"

#include "base/clock.h"
#include "base/slice.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX   64
#define PIPE_BYTES (1 << 20)

extern char **environ;

static int64_t
now_ms(void)
{
    return clock_mono_ms(clock_system());
}

static bool
is_ours(const char *variable)
{
    return strncmp(variable, "MEMOIZER_", strlen("MEMOIZER_")) == 0;
}

/* The environment without what would be options of the server. */
static void
clear_environment(void)
{
    size_t kept = 0;

    for (size_t i = 0; environ[i] != NULL; i++) {
        if (!is_ours(environ[i]))
            environ[kept++] = environ[i];
    }
    environ[kept] = NULL;
}

/* Runs in the child. */
static void
become(char *const *argv, const struct process_options *options, int out,
       int err)
{
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    (void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    clear_environment();
    if (options != NULL && options->descriptors > 0) {
        struct rlimit limit = {options->descriptors, options->descriptors};

        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            _exit(126);
    }
    execvp(argv[0], argv);
    _exit(127);
}

static void
open_pipe(int ends[2])
{
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    /* Room for a talkative server while a test is busy elsewhere. */
    (void)fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
}

/* Words for exec; the strings are lent. */
static void
fill_argv(char *argv[ARGS_MAX + 1], const char *program,
          const char *const *args, const struct process_options *options)
{
    const char *words[ARGS_MAX];
    size_t count = 0;

    if (options != NULL && options->prefix != NULL) {
        for (size_t i = 0; options->prefix[i] != NULL; i++)
            words[count++] = options->prefix[i];
    }
    words[count++] = program;
    for (size_t i = 0; args[i] != NULL; i++) {
        ck_assert_uint_lt(count, ARGS_MAX);
        words[count++] = args[i];
    }
    memcpy(argv, words, count * sizeof *argv);
    argv[count] = NULL;
}

void
process_start(struct process *p, const char *program, const char *const *args,
              const struct process_options *options)
{
    char *argv[ARGS_MAX + 1];
    int out[2], err[2];

    *p = (struct process){0};
    fill_argv(argv, program, args, options);
    open_pipe(out);
    open_pipe(err);
    p->pid = fork();
    ck_assert_int_ge(p->pid, 0);
    if (p->pid == 0)
        become(argv, options, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    p->out_fd = out[0];
    p->err_fd = err[0];
    p->pid_fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
    ck_assert_int_ge(p->pid_fd, 0);
    (void)fcntl(p->pid_fd, F_SETFD, FD_CLOEXEC);
}

/* Takes what has been written to *fd; closes it at its end. */
static void
take_output(int *fd, struct buf *text)
{
    char chunk[4096];
    ssize_t n = read(*fd, chunk, sizeof chunk);

    if (n > 0) {
        buf_put(text, chunk, (size_t)n);
        ck_assert(!text->failed);
    } else if (n == 0 || errno != EINTR) {
        close(*fd);
        *fd = -1;
    }
}

/* Waits until something was written; false at the deadline, or when both
 * streams have ended. */
static bool
await_output(struct process *p, int64_t deadline_ms)
{
    struct pollfd polls[2] = {
        {.fd = p->out_fd, .events = POLLIN},
        {.fd = p->err_fd, .events = POLLIN},
    };
    int64_t left_ms = deadline_ms - now_ms();

    if (p->out_fd < 0 && p->err_fd < 0)
        return false;
    if (poll(polls, 2, left_ms > 0 ? (int)left_ms : 0) <= 0)
        return false;
    if (polls[0].revents != 0)
        take_output(&p->out_fd, &p->out);
    if (polls[1].revents != 0)
        take_output(&p->err_fd, &p->err);
    return true;
}

static const char *
find_text(const struct buf *text, size_t from, const char *what)
{
    if (from > text->len || text->len == 0)
        return NULL;
    return memmem(text->data + from, text->len - from, what, strlen(what));
}

static const char ready_text[] = " listening on ";

/* Behind "listening on " of ready line i, or NULL. */
static const char *
find_ready(const struct process *p, size_t i)
{
    size_t from = 0;

    for (;;) {
        const char *at = find_text(&p->out, from, ready_text);
        const char *text = at != NULL ? at + strlen(ready_text) : NULL;
        size_t left;

        if (at == NULL)
            return NULL;
        left = p->out.len - (size_t)(text - p->out.data);
        if (memchr(text, '\n', left) == NULL)
            return NULL;
        if (i-- == 0)
            return text;
        from = (size_t)(text - p->out.data);
    }
}

void
process_await_ready(struct process *p, size_t lines)
{
    int64_t deadline_ms = now_ms() + PROCESS_DEADLINE_MS;

    while (find_ready(p, lines - 1) == NULL) {
        if (!await_output(p, deadline_ms))
            ck_abort_msg("no ready line; stderr: %.*s", (int)p->err.len,
                         p->err.len > 0 ? p->err.data : "");
    }
}

bool
process_address(const struct process *p, size_t i,
                char out[PROCESS_ADDRESS_SIZE])
{
    const char *text = find_ready(p, i);
    size_t len;

    if (text == NULL)
        return false;
    len = (size_t)(strchr(text, '\n') - text);
    ck_assert_uint_lt(len, PROCESS_ADDRESS_SIZE);
    memcpy(out, text, len);
    out[len] = '\0';
    return true;
}

uint16_t
process_port(const struct process *p)
{
    char address[PROCESS_ADDRESS_SIZE];

    ck_assert(process_address(p, 0, address));
    return (uint16_t)strtoul(strrchr(address, ':') + 1, NULL, 10);
}

size_t
process_await_stderr(struct process *p, size_t from, const char *text)
{
    int64_t deadline_ms = now_ms() + PROCESS_DEADLINE_MS;
    const char *at;

    while ((at = find_text(&p->err, from, text)) == NULL) {
        if (!await_output(p, deadline_ms))
            ck_abort_msg("\"%s\" does not stand in stderr: %.*s", text,
                         (int)p->err.len, p->err.len > 0 ? p->err.data : "");
    }
    return (size_t)(at - p->err.data) + strlen(text);
}

bool
process_said(struct process *p, const char *text)
{
    while (await_output(p, 0))
        ;
    return find_text(&p->err, 0, text) != NULL;
}

void
process_signal(struct process *p, int signal_number)
{
    ck_assert(!p->reaped);
    ck_assert_int_eq(kill(p->pid, signal_number), 0);
}

void
process_pause(struct process *p)
{
    siginfo_t info;

    process_signal(p, SIGSTOP);
    ck_assert_int_eq(waitid(P_PID, (id_t)p->pid, &info, WSTOPPED), 0);
    ck_assert_int_eq(info.si_code, CLD_STOPPED);
}

static int
exit_status(const struct process *p)
{
    if (WIFEXITED(p->status))
        return WEXITSTATUS(p->status);
    return 128 + WTERMSIG(p->status);
}

int
process_wait(struct process *p, int64_t timeout_ms)
{
    struct pollfd ended = {.fd = p->pid_fd, .events = POLLIN};
    int64_t deadline_ms = now_ms() + timeout_ms;

    if (p->reaped)
        return exit_status(p);
    for (;;) {
        int64_t left_ms = deadline_ms - now_ms();
        int n = poll(&ended, 1, left_ms > 0 ? (int)left_ms : 0);

        if (n > 0)
            break;
        if (n == 0)
            return -1;
    }
    ck_assert_int_eq(waitpid(p->pid, &p->status, 0), p->pid);
    p->reaped = true;
    while (await_output(p, now_ms() + PROCESS_DEADLINE_MS))
        ;
    return exit_status(p);
}

void
process_stop(struct process *p)
{
    int status;

    process_signal(p, SIGTERM);
    status = process_wait(p, PROCESS_DEADLINE_MS);
    if (status != 0)
        ck_abort_msg("ended with %d; stderr: %.*s", status, (int)p->err.len,
                     p->err.len > 0 ? p->err.data : "");
}

void
process_fini(struct process *p)
{
    if (!p->reaped) {
        kill(p->pid, SIGKILL);
        (void)process_wait(p, PROCESS_DEADLINE_MS);
    }
    if (p->out_fd >= 0)
        close(p->out_fd);
    if (p->err_fd >= 0)
        close(p->err_fd);
    close(p->pid_fd);
    buf_fini(&p->out);
    buf_fini(&p->err);
}

/* A number behind `name` in /proc/PID/status. */
static size_t
status_number(const struct process *p, const char *name)
{
    char path[64], line[256];
    size_t number = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)p->pid);
    file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0)
            number = strtoull(line + strlen(name), NULL, 10);
    }
    fclose(file);
    return number;
}

size_t
process_rss_bytes(const struct process *p)
{
    return status_number(p, "VmRSS:") * 1024;
}

size_t
process_threads(const struct process *p)
{
    return status_number(p, "Threads:");
}

size_t
process_descriptors(const struct process *p)
{
    char path[64];
    size_t count = 0;
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)p->pid);
    dir = opendir(path);
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

int64_t
process_cpu_ms(const struct process *p)
{
    char path[64], line[1024];
    unsigned long long user, kernel;
    const char *behind_name;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)p->pid);
    file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    fclose(file);
    behind_name = strrchr(line, ')');
    ck_assert_ptr_nonnull(behind_name);
    ck_assert_int_eq(sscanf(behind_name + 2,
                            "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
                            "%llu %llu",
                            &user, &kernel),
                     2);
    return (int64_t)((user + kernel) * 1000 /
                     (unsigned long long)sysconf(_SC_CLK_TCK));
}
