/* SPDX-License-Identifier: MIT
 *
 * system_leases.c - leases as many clients see them: one holder at a time,
 * served in the order of asking, handed on when a holder dies in any way that
 * there is; who dies in line is never served; and a line of 50 costs no
 * processor time.
 *
 * How long a hand-over takes is printed and not judged, but for a bound that
 * no machine is too slow for.
 */
#include "crowd.h"
#include "rng.h"
#include "serving.h"
#include "suite.h"

#include "base/clock.h"
#include "base/must.h"

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLIENTS 50
#if defined(MEMOIZER_SANITIZED)
#define TAKINGS         2000
#define ORDER_ROUNDS    2
#define HANDOVER_ROUNDS 5
#else
#define TAKINGS         10000
#define ORDER_ROUNDS    10
#define HANDOVER_ROUNDS 50
#endif
/* Slower than this is a waiter that was found by chance. */
#define HANDOVER_MAX_US 5000000

static struct serving server;
static struct talker watcher; /* asks for figures */

static void
set_up(void)
{
    serving_start(&server, NULL);
    talker_connect(&watcher, server.port);
}

static void
tear_down(void)
{
    talker_close(&watcher);
    serving_stop(&server);
}

/* ---- asking ---- */

/* Asks for a lease of this name, for as long as it takes. */
static void
queue_up(struct talker *t, const char *name)
{
    talker_say(t,
               "{\"s\":\"lock\",\"p\":{\"k\":\"%s\",\"ttl\":3600,"
               "\"wait\":3600}}",
               name);
}

/* Asks, and has come to stand in line as the last of `waiters`. */
static void
stand_in_line(struct talker *t, const char *name, int64_t waiters)
{
    queue_up(t, name);
    talker_await_waiters(&watcher, waiters);
}

/* The token that t has been promised by queue_up(). */
static int64_t
served(struct talker *t)
{
    const int64_t token = answer_number(talker_hear(t));

    must(token > 0);
    return token;
}

static int64_t
take(struct talker *t, const char *name)
{
    queue_up(t, name);
    return served(t);
}

/* Gives a lease back, which is held. */
static void
give(struct talker *t, const char *name, int64_t token)
{
    answer_is(talker_ask(t,
                         "{\"s\":\"unlock\",\"p\":{\"k\":\"%s\",\"token\":"
                         "%" PRId64 "}}",
                         name, token),
              "true");
}

/* Nothing has come for t. */
static void
check_quiet(const struct talker *t)
{
    struct pollfd p = {.fd = t->client.fd, .events = POLLIN};

    ck_assert_int_eq(poll(&p, 1, 0), 0);
}

static void
check_leases(int64_t held, int64_t waiters)
{
    struct slice stats = talker_ask(&watcher, "{\"s\":\"stats\"}");

    ck_assert_int_eq(answer_member(stats, "leases"), held);
    ck_assert_int_eq(answer_member(stats, "lease_waiters"), waiters);
}

/* The lease is free: asking without patience gets it, with this token. */
static void
check_free(const char *name, int64_t token)
{
    struct talker t;

    talker_connect(&t, server.port);
    ck_assert_int_eq(
        answer_number(talker_ask(
            &t, "{\"s\":\"lock\",\"p\":{\"k\":\"%s\",\"ttl\":3600}}", name)),
        token);
    give(&t, name, token);
    talker_close(&t);
}

/* ---- one holder ---- */

/* What the lease guards, and who is at it. */
struct guarded {
    atomic_bool inside;
    int64_t takings;    /* the lease: how many there were */
    int64_t last_token; /* the lease */
};

static void
take_and_give(struct crowd_client *client)
{
    struct guarded *guarded = client->ctx;

    for (int i = 0; i < TAKINGS / CLIENTS; i++) {
        const int64_t token = take(&client->talker, "one");

        must(!atomic_exchange(&guarded->inside, true));
        must(token > guarded->last_token);
        guarded->last_token = token;
        guarded->takings++;
        must(atomic_exchange(&guarded->inside, false));
        give(&client->talker, "one", token);
    }
}

START_TEST(never_two_holders)
{
    struct guarded guarded = {0};
    const int64_t ms = crowd_run(server.port, CLIENTS, take_and_give, &guarded);

    printf("%d clients took a lease %" PRId64 " times in %" PRId64 " ms\n",
           CLIENTS, guarded.takings, ms);
    ck_assert_int_eq(guarded.takings, TAKINGS);
    check_leases(0, 0);
}
END_TEST

/* ---- order ---- */

/* Another order of the clients. */
static void
shuffle(struct rng *rng, struct talker *order[CLIENTS])
{
    for (size_t i = CLIENTS; i > 1; i--) {
        const size_t j = (size_t)rng_below(rng, i);
        struct talker *t = order[i - 1];

        order[i - 1] = order[j];
        order[j] = t;
    }
}

/* They come one by one, and are served one by one. */
static void
serve_in_order(struct talker *order[CLIENTS])
{
    int64_t token = take(order[0], "order");

    for (int i = 1; i < CLIENTS; i++)
        stand_in_line(order[i], "order", i);
    for (int i = 0; i < CLIENTS; i++) {
        for (int n = i + 1; n < CLIENTS; n++)
            check_quiet(order[n]);
        give(order[i], "order", token);
        if (i + 1 < CLIENTS)
            ck_assert_int_eq(served(order[i + 1]), token + 1);
        token++;
    }
}

START_TEST(served_in_the_order_of_asking)
{
    static struct talker talkers[CLIENTS];
    struct talker *order[CLIENTS];
    struct rng rng = {rng_test_seed()};

    for (size_t i = 0; i < CLIENTS; i++) {
        talker_connect(&talkers[i], server.port);
        order[i] = &talkers[i];
    }
    for (int round = 0; round < ORDER_ROUNDS; round++) {
        shuffle(&rng, order);
        serve_in_order(order);
    }
    check_leases(0, 0);
    for (size_t i = 0; i < CLIENTS; i++)
        talker_close(&talkers[i]);
}
END_TEST

/* ---- ways to die ---- */

/* A client that can be made to go. */
struct mortal {
    struct talker talker;
    pid_t pid; /* of the process that has the connection, or 0: ours */
};

/* Lives until it is killed; its connection is told to the parent only by what
 * it does with the lease. */
_Noreturn static void
live(const char *name, int told)
{
    struct talker t;
    char byte = 0;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    talker_connect(&t, server.port);
    (void)take(&t, name);
    must(write(told, &byte, 1) == 1);
    for (;;)
        (void)pause();
}

/* A process that holds the lease. */
static void
hold_in_child(struct mortal *m, const char *name)
{
    int told[2];
    char byte;

    ck_assert_int_eq(pipe(told), 0);
    m->pid = fork();
    ck_assert_int_ge(m->pid, 0);
    if (m->pid == 0)
        live(name, told[1]);
    close(told[1]);
    ck_assert_int_eq(read(told[0], &byte, 1), 1);
    close(told[0]);
}

static void
hold(struct mortal *m, const char *name)
{
    *m = (struct mortal){0};
    talker_connect(&m->talker, server.port);
    (void)take(&m->talker, name);
}

/* A mortal goes; what is left of it is to be tidied up with bury(). */
typedef void go_fn(struct mortal *m);

static void
go_by_reset(struct mortal *m)
{
    talker_reset(&m->talker);
}

static void
go_by_close(struct mortal *m)
{
    talker_close(&m->talker);
}

static void
go_by_shutdown(struct mortal *m)
{
    ck_assert_int_eq(shutdown(m->talker.client.fd, SHUT_RDWR), 0);
}

/* With nothing asked for any more, this is the end as well. */
static void
go_by_end_of_input(struct mortal *m)
{
    client_end_input(&m->talker.client);
}

static void
go_by_kill(struct mortal *m)
{
    ck_assert_int_eq(kill(m->pid, SIGKILL), 0);
}

static void
bury(struct mortal *m)
{
    if (m->pid > 0)
        ck_assert_int_eq(waitpid(m->pid, NULL, 0), m->pid);
    else if (m->talker.client.fd >= 0)
        talker_close(&m->talker);
}

static const struct {
    const char *name;
    go_fn *go;
    bool in_child;
} deaths[] = {
    {"reset", go_by_reset, false},
    {"close", go_by_close, false},
    {"shutdown of both sides", go_by_shutdown, false},
    {"end of input", go_by_end_of_input, false},
    {"killed process", go_by_kill, true},
};

#define DEATHS (sizeof deaths / sizeof deaths[0])

static int64_t
now_us(void)
{
    return clock_mono_us(clock_system());
}

static int
compare_us(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void
print_times(const char *what, const char *death,
            int64_t times_us[HANDOVER_ROUNDS])
{
    const int64_t *max_us = &times_us[HANDOVER_ROUNDS - 1];

    qsort(times_us, HANDOVER_ROUNDS, sizeof times_us[0], compare_us);
    printf("%s, %s: median %" PRId64 " us, maximum %" PRId64 " us of %d\n",
           what, death, times_us[HANDOVER_ROUNDS / 2], *max_us,
           HANDOVER_ROUNDS);
    ck_assert_int_lt(*max_us, HANDOVER_MAX_US);
}

/* From the death of the holder to the token of who waits, both taken by
 * surprise: in us. */
static int64_t
hand_over(size_t death, struct talker *waiter)
{
    struct mortal holder = {0};
    int64_t begin_us, us, token;

    if (deaths[death].in_child)
        hold_in_child(&holder, "mortal");
    else
        hold(&holder, "mortal");
    stand_in_line(waiter, "mortal", 1);
    begin_us = now_us();
    deaths[death].go(&holder);
    token = served(waiter);
    us = now_us() - begin_us;
    bury(&holder);
    check_leases(1, 0);
    give(waiter, "mortal", token);
    return us;
}

START_TEST(dead_holder_hands_over)
{
    struct talker waiter;

    talker_connect(&waiter, server.port);
    for (size_t death = 0; death < DEATHS; death++) {
        int64_t times_us[HANDOVER_ROUNDS];

        for (int i = 0; i < HANDOVER_ROUNDS; i++)
            times_us[i] = hand_over(death, &waiter);
        print_times("holder dies", deaths[death].name, times_us);
    }
    talker_close(&waiter);
}
END_TEST

/* It holds one and stands in line for another: the first is handed on at once,
 * and it is not served with the second. */
static int64_t
hand_over_of_waiting_holder(size_t death, struct talker *other,
                            struct talker *waiter)
{
    struct mortal holder;
    int64_t begin_us, us, token, other_token;

    hold(&holder, "first");
    other_token = take(other, "second");
    stand_in_line(&holder.talker, "second", 1);
    stand_in_line(waiter, "first", 2);
    begin_us = now_us();
    deaths[death].go(&holder);
    token = served(waiter);
    us = now_us() - begin_us;
    talker_await_waiters(&watcher, 0);
    check_leases(2, 0);
    give(other, "second", other_token);
    check_free("second", token + 1);
    give(waiter, "first", token);
    bury(&holder);
    return us;
}

START_TEST(dead_holder_that_waits_hands_over)
{
    struct talker other, waiter;

    talker_connect(&other, server.port);
    talker_connect(&waiter, server.port);
    for (size_t death = 0; death < DEATHS; death++) {
        int64_t times_us[HANDOVER_ROUNDS];

        if (deaths[death].in_child)
            continue;
        for (int i = 0; i < HANDOVER_ROUNDS; i++)
            times_us[i] = hand_over_of_waiting_holder(death, &other, &waiter);
        print_times("waiting holder dies", deaths[death].name, times_us);
    }
    talker_close(&other);
    talker_close(&waiter);
}
END_TEST

/* ---- who leaves the line ---- */

/* Of three in line the middle one dies: the line is shorter at once, no token
 * is spent on it, and the others are served in their order. */
static void
die_in_line(size_t death)
{
    struct talker holder, first, last;
    struct mortal dead = {0};
    int64_t token;

    talker_connect(&holder, server.port);
    talker_connect(&first, server.port);
    talker_connect(&dead.talker, server.port);
    talker_connect(&last, server.port);
    token = take(&holder, "line");
    stand_in_line(&first, "line", 1);
    stand_in_line(&dead.talker, "line", 2);
    stand_in_line(&last, "line", 3);
    deaths[death].go(&dead);
    talker_await_waiters(&watcher, 2);
    check_leases(1, 2);
    check_quiet(&first);
    check_quiet(&last);
    give(&holder, "line", token);
    ck_assert_int_eq(served(&first), token + 1);
    give(&first, "line", token + 1);
    ck_assert_int_eq(served(&last), token + 2);
    give(&last, "line", token + 2);
    check_leases(0, 0);
    bury(&dead);
    talker_close(&holder);
    talker_close(&first);
    talker_close(&last);
}

START_TEST(dead_waiter_leaves_the_line)
{
    for (size_t death = 0; death < DEATHS; death++) {
        if (deaths[death].in_child)
            continue;
        for (int i = 0; i < HANDOVER_ROUNDS / 5; i++)
            die_in_line(death);
    }
}
END_TEST

static const char ask_and_go_on[] =
    "{\"s\":\"lock\",\"p\":{\"k\":\"half\",\"ttl\":3600,\"wait\":3600}}\n"
    "{\"s\":\"incr\",\"p\":{\"k\":\"served\"}}\n{\"s\":\"ping\"}\n";

/* A client that ends its input behind more requests wants their answers, even
 * if it has to wait for a lease in between. They come with the lock, or while
 * it waits. */
static void
be_served_with_ended_input(bool at_once, int64_t n)
{
    const char *rest = strchr(ask_and_go_on, '\n') + 1;
    struct talker holder, half;
    int64_t token;

    talker_connect(&holder, server.port);
    talker_connect(&half, server.port);
    token = take(&holder, "half");
    if (at_once) {
        client_send_text(&half.client, ask_and_go_on);
        client_end_input(&half.client);
        talker_await_waiters(&watcher, 1);
    } else {
        client_send(&half.client, ask_and_go_on,
                    (size_t)(rest - ask_and_go_on));
        talker_await_waiters(&watcher, 1);
        client_send_text(&half.client, rest);
        client_end_input(&half.client);
    }
    check_quiet(&half);
    check_leases(1, 1);
    give(&holder, "half", token);
    ck_assert_int_eq(served(&half), token + 1);
    ck_assert_int_eq(answer_number(talker_hear(&half)), n);
    answer_is(talker_hear(&half), "\"pong\"");
    client_expect_end(&half.client);
    check_free("half", token + 2);
    talker_close(&half);
    talker_close(&holder);
}

START_TEST(ended_input_behind_requests_is_served)
{
    for (int n = 0; n < HANDOVER_ROUNDS; n++)
        be_served_with_ended_input(n % 2 == 0, n + 1);
}
END_TEST

/* A reset is the end whatever was asked for behind the lock: nobody would get
 * the answers. */
START_TEST(reset_behind_requests_leaves_the_line)
{
    const char *rest = strchr(ask_and_go_on, '\n') + 1;
    struct talker holder;
    int64_t token;

    talker_connect(&holder, server.port);
    token = take(&holder, "half");
    for (int n = 0; n < HANDOVER_ROUNDS; n++) {
        struct talker waiter;

        talker_connect(&waiter, server.port);
        if (n % 2 == 0) {
            client_send_text(&waiter.client, ask_and_go_on);
            talker_await_waiters(&watcher, 1);
        } else {
            client_send(&waiter.client, ask_and_go_on,
                        (size_t)(rest - ask_and_go_on));
            talker_await_waiters(&watcher, 1);
            client_send_text(&waiter.client, rest);
        }
        talker_reset(&waiter);
        talker_await_waiters(&watcher, 0);
    }
    give(&holder, "half", token);
    check_free("half", token + 1);
    talker_close(&holder);
}
END_TEST

/* ---- a line that waits ---- */

#define TASKS_MAX 512

struct task {
    int id;
    uint64_t cpu_ns;
    uint64_t switches; /* how often it went to sleep */
};

struct tasks {
    struct task task[TASKS_MAX];
    size_t count;
};

/* A number in a file of /proc, behind `name` (or the first, if NULL). */
static uint64_t
proc_number(int task, const char *file_name, const char *name)
{
    char path[96], line[256];
    uint64_t number = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)server.process.pid,
             task, file_name);
    file = fopen(path, "re");
    if (file == NULL)
        return 0; /* it has just ended */
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t len = name != NULL ? strlen(name) : 0;

        if (strncmp(line, name != NULL ? name : "", len) == 0) {
            number = strtoull(line + len, NULL, 10);
            break;
        }
    }
    fclose(file);
    return number;
}

/* All threads of the server. */
static void
look_at_tasks(struct tasks *tasks)
{
    char path[64];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/task", (int)server.process.pid);
    dir = opendir(path);
    ck_assert_ptr_nonnull(dir);
    tasks->count = 0;
    while ((entry = readdir(dir)) != NULL) {
        struct task *task = &tasks->task[tasks->count];

        if (entry->d_name[0] == '.')
            continue;
        ck_assert_uint_lt(tasks->count++, TASKS_MAX);
        task->id = atoi(entry->d_name);
        task->cpu_ns = proc_number(task->id, "schedstat", NULL);
        task->switches =
            proc_number(task->id, "status", "voluntary_ctxt_switches:");
    }
    closedir(dir);
}

/* How many of them ran meanwhile, and for how long together. */
static size_t
tasks_that_ran(const struct tasks *before, const struct tasks *after,
               uint64_t *cpu_ns)
{
    size_t count = 0;

    *cpu_ns = 0;
    for (size_t i = 0; i < after->count; i++) {
        struct task old = {0};

        for (size_t n = 0; n < before->count; n++)
            if (before->task[n].id == after->task[i].id)
                old = before->task[n];
        count += after->task[i].switches != old.switches;
        *cpu_ns += after->task[i].cpu_ns - old.cpu_ns;
    }
    return count;
}

/* Those in line sleep: hardly any thread of the server runs for a second, which
 * is that of a client whose own patience ends. */
START_TEST(waiting_costs_nothing)
{
    enum {
        OTHERS_MAX = 20 /* accepting, sweeping, watching; who asks for it */
    };
    static struct talker waiters[CLIENTS];
    static struct tasks before, after;
    struct talker holder, timer;
    uint64_t cpu_ns;
    size_t ran;

    talker_connect(&holder, server.port);
    talker_connect(&timer, server.port);
    (void)take(&holder, "slow");
    for (int i = 0; i < CLIENTS; i++) {
        talker_connect(&waiters[i], server.port);
        stand_in_line(&waiters[i], "slow", i + 1);
    }
    look_at_tasks(&before);
    ck_assert_uint_gt(before.count, CLIENTS);
    answer_is(talker_ask(&timer, "{\"s\":\"lock\",\"p\":{\"k\":\"slow\","
                                 "\"ttl\":1,\"wait\":1}}"),
              "null");
    look_at_tasks(&after);
    ran = tasks_that_ran(&before, &after, &cpu_ns);
    printf("a line of %d for a second: %zu of %zu threads ran, for %" PRIu64
           " us\n",
           CLIENTS, ran, after.count, cpu_ns / 1000);
    ck_assert_uint_lt(ran, OTHERS_MAX);
    check_leases(1, CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        talker_reset(&waiters[i]);
    talker_await_waiters(&watcher, 0);
    talker_close(&holder);
    talker_close(&timer);
}
END_TEST

/* The time of a lease ends while its holder lives on. */
START_TEST(lease_ends_by_its_time)
{
    struct talker holder, waiter;
    int64_t begin_us, token, us;

    talker_connect(&holder, server.port);
    talker_connect(&waiter, server.port);
    begin_us = now_us();
    token = answer_number(talker_ask(
        &holder, "{\"s\":\"lock\",\"p\":{\"k\":\"short\",\"ttl\":0.25}}"));
    ck_assert_int_eq(take(&waiter, "short"), token + 1);
    us = now_us() - begin_us;
    ck_assert_int_ge(us, 250000);
    printf("a lease of 250 ms was handed over after %" PRId64 " us\n", us);
    answer_is(talker_ask(&holder,
                         "{\"s\":\"unlock\",\"p\":{\"k\":\"short\","
                         "\"token\":%" PRId64 "}}",
                         token),
              "false");
    give(&waiter, "short", token + 1);
    talker_close(&holder);
    talker_close(&waiter);
}
END_TEST

/* A server that stops does not wait for them. */
START_TEST(stop_with_a_line)
{
    static struct talker waiters[CLIENTS];
    struct talker holder;

    talker_connect(&holder, server.port);
    (void)take(&holder, "stop");
    for (int i = 0; i < CLIENTS; i++) {
        talker_connect(&waiters[i], server.port);
        stand_in_line(&waiters[i], "stop", i + 1);
    }
    talker_close(&watcher);
    serving_stop(&server);
    for (int i = 0; i < CLIENTS; i++) {
        answer_is(talker_hear(&waiters[i]), "null");
        client_expect_end(&waiters[i].client);
        talker_close(&waiters[i]);
    }
    client_expect_end(&holder.client);
    talker_close(&holder);
    set_up();
}
END_TEST

static void
fill(TCase *tc)
{
    setbuf(stdout, NULL);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, never_two_holders);
    tcase_add_test(tc, served_in_the_order_of_asking);
    tcase_add_test(tc, dead_holder_hands_over);
    tcase_add_test(tc, dead_holder_that_waits_hands_over);
    tcase_add_test(tc, dead_waiter_leaves_the_line);
    tcase_add_test(tc, ended_input_behind_requests_is_served);
    tcase_add_test(tc, reset_behind_requests_leaves_the_line);
    tcase_add_test(tc, waiting_costs_nothing);
    tcase_add_test(tc, lease_ends_by_its_time);
    tcase_add_test(tc, stop_with_a_line);
}

TEST_MAIN("system_leases", fill)
