/* SPDX-License-Identifier: MIT
 *
 * system.c - what stands between us and the system: memory, clocks, the log,
 * the texts of errors.
 */
#include "chaos.h"
#include "fake_clock.h"
#include "suite.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/thread.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

START_TEST(memory_of_no_bytes_is_memory)
{
    void *a = mem_alloc(0), *b = mem_alloc(0), *c = mem_alloc_zeroed(0, 8);

    ck_assert(a != NULL && b != NULL && c != NULL);
    ck_assert_ptr_ne(a, b);
    a = mem_realloc(a, 0);
    ck_assert_ptr_nonnull(a);
    mem_free(a);
    mem_free(b);
    mem_free(c);
    mem_free(NULL);
}
END_TEST

/* Asserting for each byte would take seconds. */
static bool
is_zeroed(const unsigned char *bytes, size_t len)
{
    size_t i = 0;

    while (i < len && bytes[i] == 0)
        i++;
    return i == len;
}

START_TEST(products_that_overflow_give_no_memory)
{
    unsigned char *zeros = mem_alloc_zeroed(100, 3);

    ck_assert_ptr_nonnull(zeros);
    ck_assert(is_zeroed(zeros, 300));
    mem_free(zeros);
    ck_assert_ptr_null(mem_alloc_zeroed(SIZE_MAX / 2, 3));
    ck_assert_ptr_null(mem_alloc_zeroed(3, SIZE_MAX / 2));
    ck_assert_ptr_null(mem_alloc_array(SIZE_MAX));
    ck_assert_ptr_null(mem_alloc_array(SIZE_MAX - 4096));
}
END_TEST

START_TEST(arrays_are_zeroed_and_aligned)
{
    static const size_t sizes[] = {
        1, 63, 64, 65, 1000, (2 << 20) - 1, 2 << 20, 2 << 21, (2 << 21) + 1};

    /* twice each: the second may get the first one's dirty memory */
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i / 2];
        unsigned char *array = mem_alloc_array(size);

        ck_assert_ptr_nonnull(array);
        ck_assert_uint_eq((uintptr_t)array % 64, 0);
        ck_assert(is_zeroed(array, size));
        memset(array, 1, size);
        mem_free_array(array, size);
    }
    mem_free_array(NULL, 64);
}
END_TEST

/* Each front asks the hook, and asks once. */
START_TEST(the_nth_allocation_fails)
{
    struct chaos chaos;
    void *a, *b, *c, *d, *moved;

    for (size_t nth = 1; nth <= 5; nth++) {
        chaos_begin(&chaos, nth);
        a = mem_alloc(1);
        b = mem_alloc_zeroed(1, 1);
        c = mem_alloc_array(1);
        d = mem_alloc_array(2 << 20);
        moved = mem_realloc(NULL, 1);
        ck_assert(chaos_end(&chaos));
        ck_assert((a == NULL) == (nth == 1));
        ck_assert((b == NULL) == (nth == 2));
        ck_assert((c == NULL) == (nth == 3));
        ck_assert((d == NULL) == (nth == 4));
        ck_assert((moved == NULL) == (nth == 5));
        mem_free(a);
        mem_free(b);
        mem_free_array(c, 1);
        mem_free_array(d, 2 << 20);
        mem_free(moved);
    }
    chaos_begin(&chaos, 2);
    a = mem_alloc(1);
    ck_assert(!chaos_end(&chaos));
    mem_free(a);
}
END_TEST

START_TEST(a_refused_realloc_keeps_the_block)
{
    struct chaos chaos;
    char *block = mem_alloc(8);

    ck_assert_ptr_nonnull(block);
    memcpy(block, "content", 8);
    chaos_limit(&chaos, 8);
    ck_assert_ptr_null(mem_realloc(block, 9));
    ck_assert(chaos_end(&chaos));
    ck_assert_str_eq(block, "content");
    block = mem_realloc(block, 1000);
    ck_assert_str_eq(block, "content");
    mem_free(block);
}
END_TEST

START_TEST(clocks_agree_with_the_machine)
{
    const struct clock *clock = clock_system();
    int64_t before = clock_mono_ms(clock), ns = clock_mono_ns();
    int64_t after = clock_mono_ms(clock), wall = clock_wall_ms(clock);

    ck_assert_int_le(before, ns / 1000000);
    ck_assert_int_ge(after, ns / 1000000);
    ck_assert_int_le(wall / 1000 - time(NULL), 1);
    ck_assert_int_ge(wall / 1000 - time(NULL), -1);
}
END_TEST

START_TEST(fake_clocks_are_turned)
{
    struct fake_clock a, b;
    int64_t mono, wall;

    fake_clock_init(&a);
    fake_clock_init(&b);
    mono = clock_mono_ms(&a.clock);
    wall = clock_wall_ms(&a.clock);
    ck_assert_int_gt(mono, 0);
    fake_clock_advance(&a, 1500);
    ck_assert_int_eq(clock_mono_ms(&a.clock), mono + 1500);
    ck_assert_int_eq(clock_wall_ms(&a.clock), wall + 1500);
    ck_assert_int_eq(clock_mono_ms(&b.clock), mono);
}
END_TEST

struct pipe {
    int from, to;
};

static struct pipe
pipe_open(void)
{
    int fd[2];

    ck_assert_int_eq(pipe2(fd, O_CLOEXEC | O_NONBLOCK), 0);
    return (struct pipe){fd[0], fd[1]};
}

/* What is in the pipe; closes it. */
static size_t
pipe_drain(struct pipe *pipe, char *text, size_t size)
{
    ssize_t len = read(pipe->from, text, size - 1);

    close(pipe->from);
    close(pipe->to);
    if (len < 0)
        len = 0;
    text[len] = '\0';
    return (size_t)len;
}

START_TEST(a_log_line_has_time_level_and_text)
{
    static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddZ notice 7 keys\n";
    struct pipe pipe = pipe_open();
    struct log log = {pipe.to, LOG_DEBUG};
    char text[2048];

    log_write(&log, LOG_NOTICE, "%d %s", 7, "keys");
    ck_assert_uint_eq(pipe_drain(&pipe, text, sizeof text), sizeof shape - 1);
    for (size_t i = 0; i < sizeof shape - 1; i++)
        if (shape[i] == 'd' && i < 23)
            ck_assert(isdigit((unsigned char)text[i]));
        else
            ck_assert_int_eq(text[i], shape[i]);
}
END_TEST

START_TEST(lines_below_the_level_are_dropped)
{
    static const char *const words[] = {" debug ", " verbose ", " notice ",
                                        " warning "};

    for (int level = LOG_DEBUG; level <= LOG_WARNING; level++) {
        struct pipe pipe = pipe_open();
        struct log log = {pipe.to, (enum log_level)level};
        char text[2048];

        for (int i = LOG_DEBUG; i <= LOG_WARNING; i++)
            log_write(&log, (enum log_level)i, "text");
        pipe_drain(&pipe, text, sizeof text);
        for (int i = LOG_DEBUG; i <= LOG_WARNING; i++)
            ck_assert((strstr(text, words[i]) != NULL) == (i >= level));
    }
    log_write(NULL, LOG_WARNING, "nowhere");
}
END_TEST

START_TEST(long_log_lines_are_cut)
{
    struct pipe pipe = pipe_open();
    struct log log = {pipe.to, LOG_DEBUG};
    char text[8192];
    size_t len;

    log_write(&log, LOG_WARNING, "%*d", 5000, 1);
    log_write(&log, LOG_WARNING, "next");
    len = pipe_drain(&pipe, text, sizeof text);
    ck_assert_uint_eq(strcspn(text, "\n"), 1023);
    ck_assert_int_eq(text[len - 1], '\n');
    ck_assert_ptr_nonnull(strstr(text + 1024, " warning next\n"));
}
END_TEST

/* Also where a line just fits and just does not. */
START_TEST(every_length_gives_one_line)
{
    for (int width = 960; width < 1024; width++) {
        struct pipe pipe = pipe_open();
        struct log log = {pipe.to, LOG_DEBUG};
        char text[2048];
        size_t len;

        log_write(&log, LOG_NOTICE, "%*d", width, 1);
        len = pipe_drain(&pipe, text, sizeof text);
        ck_assert_uint_le(len, 1024);
        ck_assert_uint_eq(strcspn(text, "\n"), len - 1);
    }
}
END_TEST

/* The reader has gone to sleep: whoever logs must not wait for it. */
START_TEST(a_full_log_pipe_drops_lines)
{
    struct log log;
    int ends[2];
    char block[4096] = {0};

    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    while (write(ends[1], block, sizeof block) > 0)
        continue;
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, 0), 0);
    log = (struct log){ends[1], LOG_DEBUG};
    log_write(&log, LOG_WARNING, "nobody reads this");
    close(ends[0]);
    close(ends[1]);
}
END_TEST

/* In a child, since it closes what everybody needs. */
START_TEST(closed_standard_descriptors_are_kept)
{
    pid_t child = fork();
    int status;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct stat null, opened;
        bool good = stat("/dev/null", &null) == 0;

        close(STDIN_FILENO);
        close(STDERR_FILENO);
        descriptors_keep_standard();
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd += STDERR_FILENO)
            good = good && fstat(fd, &opened) == 0 &&
                   opened.st_rdev == null.st_rdev;
        _exit(good ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(a_closed_log_hurts_nobody)
{
    struct log log = {-1, LOG_DEBUG};

    log_write(&log, LOG_WARNING, "text");
}
END_TEST

static void
read_whole(const char *path, struct buf *text)
{
    FILE *file = fopen(path, "r");
    int c;

    ck_assert_msg(file != NULL, "%s", path);
    while ((c = getc(file)) != EOF)
        buf_put_char(text, (char)c);
    fclose(file);
    buf_put_char(text, '\0');
    ck_assert(!text->failed);
}

START_TEST(the_protocol_names_every_error)
{
    struct buf protocol = {0};

    read_whole(SOURCE_DIR "/docs/PROTOCOL.md", &protocol);
    for (int err = MZ_OK + 1; err < MZ_ERR_COUNT; err++) {
        char quoted[64];

        snprintf(quoted, sizeof quoted, "`%s`", err_code((enum mz_err)err));
        ck_assert_msg(strstr(protocol.data, quoted) != NULL,
                      "docs/PROTOCOL.md does not name %s", quoted);
    }
    buf_fini(&protocol);
}
END_TEST

/* An answer is "error CODE TEXT": a code is one word, a text one line. */
START_TEST(error_words_fit_their_answers)
{
    ck_assert_str_eq(err_code(MZ_OK), "ok");
    for (int i = MZ_OK + 1; i < MZ_ERR_COUNT; i++) {
        enum mz_err err = (enum mz_err)i;

        ck_assert_uint_gt(strlen(err_code(err)), 0);
        for (const char *c = err_code(err); *c != '\0'; c++)
            ck_assert(islower((unsigned char)*c) || *c == '_');
        ck_assert_uint_gt(strlen(err_resp_prefix(err)), 0);
        for (const char *c = err_resp_prefix(err); *c != '\0'; c++)
            ck_assert(isupper((unsigned char)*c));
        ck_assert_uint_gt(strlen(err_text(err)), 0);
        for (const char *c = err_text(err); *c != '\0'; c++)
            ck_assert(*c >= 0x20 && *c < 0x7f);
        for (int j = MZ_OK; j < i; j++)
            ck_assert_str_ne(err_code(err), err_code((enum mz_err)j));
    }
}
END_TEST

/* What a thread sees of itself. */
struct self {
    sigset_t blocked;
    size_t stack_bytes;
    int pipe_end; /* one byte when all is written; closed then */
};

static void *
look_at_self(void *arg)
{
    struct self *self = arg;
    pthread_attr_t attr;

    ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, NULL, &self->blocked), 0);
    ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attr), 0);
    ck_assert_int_eq(pthread_attr_getstacksize(&attr, &self->stack_bytes), 0);
    pthread_attr_destroy(&attr);
    ck_assert_int_eq((int)write(self->pipe_end, "x", 1), 1);
    return arg;
}

/* Joined for _i 0, detached for 1. */
START_TEST(threads_get_a_stack_and_no_signals)
{
    const size_t stack_bytes = (size_t)192 << 10;
    struct self self = {0};
    sigset_t before, after;
    pthread_t thread;
    void *result;
    char byte;
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    self.pipe_end = ends[1];
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ck_assert(thread_start(_i == 0 ? &thread : NULL, stack_bytes, look_at_self,
                           &self));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ck_assert_int_eq((int)read(ends[0], &byte, 1), 1);
    if (_i == 0) {
        ck_assert_int_eq(pthread_join(thread, &result), 0);
        ck_assert_ptr_eq(result, &self);
    }
    ck_assert_uint_ge(self.stack_bytes, stack_bytes);
    ck_assert_uint_le(self.stack_bytes, 5 * stack_bytes);
    ck_assert_int_eq(sigismember(&self.blocked, SIGTERM), 1);
    ck_assert_int_eq(sigismember(&self.blocked, SIGUSR1), 1);
    ck_assert_int_eq(sigismember(&self.blocked, SIGSEGV), 0);
    ck_assert_int_eq(sigismember(&after, SIGTERM),
                     sigismember(&before, SIGTERM));
    close(ends[0]);
    close(ends[1]);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, memory_of_no_bytes_is_memory);
    tcase_add_test(tc, products_that_overflow_give_no_memory);
    tcase_add_test(tc, arrays_are_zeroed_and_aligned);
    tcase_add_test(tc, the_nth_allocation_fails);
    tcase_add_test(tc, a_refused_realloc_keeps_the_block);
    tcase_add_test(tc, clocks_agree_with_the_machine);
    tcase_add_test(tc, fake_clocks_are_turned);
    tcase_add_test(tc, a_log_line_has_time_level_and_text);
    tcase_add_test(tc, lines_below_the_level_are_dropped);
    tcase_add_test(tc, long_log_lines_are_cut);
    tcase_add_test(tc, every_length_gives_one_line);
    tcase_add_test(tc, a_full_log_pipe_drops_lines);
    tcase_add_test(tc, closed_standard_descriptors_are_kept);
    tcase_add_test(tc, a_closed_log_hurts_nobody);
    tcase_add_test(tc, the_protocol_names_every_error);
    tcase_add_test(tc, error_words_fit_their_answers);
    tcase_add_loop_test(tc, threads_get_a_stack_and_no_signals, 0, 2);
}

TEST_MAIN("system", fill)
