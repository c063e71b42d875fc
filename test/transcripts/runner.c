/* SPDX-License-Identifier: MIT
 *
 * runner.c - plays one transcript against a server in this process.
 *
 *     # a comment
 *     option max-value 1kb          before the first statement of another kind
 *     > {"s":"set","p":{"k":"a","v":1}}      send this line
 *     < ok                                   and expect exactly this one
 *     <~ .*"ver":([0-9]+).* => V             a regular expression, with a catch
 *     <error bad_key ~ 65535                 a plain error and what it tells
 *     @ +30s                                 turn the clock
 *
 * README.md has all statements, statements.def their list, text.h the escapes.
 *
 * Each transcript is played three times, each time against a fresh server, and
 * must get the same answers:
 *
 *     blocks     as written: sends that follow each other go out in one send
 *     bytes      one byte a send
 *     pipeline   sends are drawn before the expectations between them, up to a
 *                statement that needs the answers: a catch, the clock, another
 *                connection, ...
 *
 * At the end nothing may be left to read on any connection. The exit status is
 * 0 when all is as expected; else the place, what was expected and what came
 * are on stderr.
 */
#include "base/must.h"
#include "base/num.h"
#include "judge.h"
#include "peer.h"
#include "script.h"
#include "stand.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

#define PEERS 26 /* A to Z */
/* `<quiet` grants the server round trips on another connection: until it has
 * received all that was sent, at most so many, since a connection that was cut
 * may have lost some; and then a few to answer. */
#define QUIET_PINGS_MAX 500
#define QUIET_PINGS     3
#define SHOWN_MAX       240 /* bytes of a line in a message */

enum pass {
    PASS_BLOCKS,
    PASS_BYTES,
    PASS_PIPELINE,
    PASS_COUNT
};

static const char *const pass_names[PASS_COUNT] = {"blocks", "bytes",
                                                   "pipeline"};

struct run {
    const struct script *script;
    enum pass pass;
    struct stand stand;
    bool started;
    struct peer peers[PEERS];
    struct peer helper; /* for `<quiet` */
    size_t current;
    bool begun; /* a connection was opened, so A is not implied */
    struct vars vars;
    const struct step *step;
    size_t sent_until; /* steps before it have been sent */
    struct buf operand;
    struct buf last; /* the last answer, for `&` */
    unsigned pings;
    uint64_t sent; /* bytes, on all connections */
};

static struct peer *
current(struct run *run)
{
    return &run->peers[run->current];
}

static void
show(const char *title, struct slice text)
{
    fprintf(stderr, "  %s", title);
    for (size_t i = 0; i < text.len && i < SHOWN_MAX; i++) {
        unsigned char c = (unsigned char)text.data[i];

        fprintf(stderr, c < 0x20 || c >= 0x7f ? "\\x%02x" : "%c", c);
    }
    if (text.len > SHOWN_MAX)
        fprintf(stderr, "... (%zu bytes)", text.len);
    fprintf(stderr, "\n");
}

/* Tells what is wrong with the step at hand; always false. */
static bool
complain(const struct run *run, const char *why)
{
    fprintf(stderr, "%s:%u: %s (pass %s, connection %c", run->script->path,
            run->step->line, why, pass_names[run->pass],
            (char)('A' + run->current));
    if (run->step->index > 0)
        fprintf(stderr, ", repetition %llu",
                (unsigned long long)run->step->index);
    fprintf(stderr, ")\n");
    return false;
}

static bool
differ(const struct run *run, const char *why, struct slice got)
{
    complain(run, why);
    show("expected: ", buf_slice(&run->operand));
    show("got:      ", got);
    return false;
}

/* The step's text with its escapes replaced, into run->operand. */
static bool
expand(struct run *run, struct slice text)
{
    const char *why;

    run->operand.len = 0;
    run->vars.index = run->step->index;
    return text_expand(&run->operand, text, &run->vars, &why) ||
           complain(run, why);
}

/* ---- connections ---- */

static bool
start(struct run *run)
{
    if (!run->started)
        stand_start(&run->stand);
    run->started = true;
    return true;
}

static bool
find_peer(struct run *run, struct slice name)
{
    if (name.len != 1 || name.data[0] < 'A' || name.data[0] > 'Z')
        return complain(run, "a connection is one letter, A to Z");
    run->current = (size_t)(name.data[0] - 'A');
    return true;
}

static bool
do_CONNECT(struct run *run)
{
    if (!start(run) || !find_peer(run, run->step->text))
        return false;
    peer_close(current(run), false);
    peer_open(current(run), stand_port(&run->stand));
    run->begun = true;
    return true;
}

static bool
do_ON(struct run *run)
{
    if (!find_peer(run, run->step->text))
        return false;
    return current(run)->fd >= 0 || complain(run, "no such connection");
}

/* The connection of a statement is there; the first one is implied. */
static bool
have_peer(struct run *run)
{
    if (!run->begun) {
        start(run);
        peer_open(current(run), stand_port(&run->stand));
        run->begun = true;
    }
    return current(run)->fd >= 0 || complain(run, "no connection is open");
}

static bool
do_SHUT(struct run *run)
{
    if (!have_peer(run))
        return false;
    peer_shut(current(run));
    return true;
}

static bool
do_CLOSE(struct run *run)
{
    peer_close(current(run), false);
    return true;
}

static bool
do_RESET(struct run *run)
{
    peer_close(current(run), true);
    return true;
}

/* ---- sending ---- */

/* Whether a send may be drawn before this step. */
static bool
flows_past(struct step step)
{
    struct slice names;

    switch (step.kind) {
    case STEP_EXPECT:
    case STEP_EXPECT_ERROR:
    case STEP_EXPECT_JSON:
    case STEP_EXPECT_PART:
    case STEP_SAME_PART:
        return true;
    case STEP_EXPECT_REGEX:
    case STEP_SAME_REGEX:
        return !script_split(&step.text, " => ", &names);
    default:
        return false;
    }
}

/* Appends to block what goes out together, from the step at hand on. */
static bool
gather(struct run *run, struct buf *block)
{
    const struct step *end = run->script->steps + run->script->count;

    for (; run->step < end; run->step++) {
        if (run->step->kind == STEP_SEND || run->step->kind == STEP_SEND_RAW) {
            if (!expand(run, run->step->text))
                return false;
            buf_put_slice(block, buf_slice(&run->operand));
            if (run->step->kind == STEP_SEND)
                buf_put_char(block, '\n');
            run->sent_until = (size_t)(run->step - run->script->steps) + 1;
        } else if (run->pass != PASS_PIPELINE || !flows_past(*run->step)) {
            break;
        }
    }
    must(!block->failed);
    return true;
}

static bool
do_SEND(struct run *run)
{
    const struct step *step = run->step;
    struct buf block = {0};
    bool good;

    if ((size_t)(step - run->script->steps) < run->sent_until)
        return true;
    good = have_peer(run) && gather(run, &block);
    if (good)
        run->step = step;
    if (good &&
        !peer_send(current(run), buf_slice(&block), run->pass == PASS_BYTES))
        good = complain(run, "the server does not take what is sent");
    buf_fini(&block);
    return good;
}

static bool
do_SEND_RAW(struct run *run)
{
    return do_SEND(run);
}

/* ---- expecting ---- */

/* The next answer, into run->last, with a NUL behind it for regexec(). */
static bool
next_line(struct run *run)
{
    const char *why;
    struct slice line;

    if (!have_peer(run))
        return false;
    switch (peer_line(current(run), &line)) {
    case PEER_LATE:
        return differ(run, "no answer within the deadline", line);
    case PEER_END:
        return differ(run, "the server has closed the connection", line);
    case PEER_LINE:
        break;
    }
    run->last.len = 0;
    buf_put_slice(&run->last, line);
    must(!run->last.failed && buf_reserve(&run->last, 1) == MZ_OK);
    run->last.data[run->last.len] = '\0';
    return judge_clean(line, &why) || differ(run, why, line);
}

static bool
do_EXPECT(struct run *run)
{
    struct slice line;

    if (!expand(run, run->step->text) || !next_line(run))
        return false;
    line = buf_slice(&run->last);
    return slice_equal(line, buf_slice(&run->operand)) ||
           differ(run, "another answer", line);
}

static bool
do_SAME_REGEX(struct run *run)
{
    struct slice regex = run->step->text, names = {NULL, 0};
    struct slice line = buf_slice(&run->last);
    const char *why;

    (void)script_split(&regex, " => ", &names);
    if (!expand(run, regex))
        return false;
    return judge_regex(line, buf_slice(&run->operand), names, &run->vars,
                       &why) ||
           differ(run, why, line);
}

static bool
do_EXPECT_REGEX(struct run *run)
{
    if (!expand(run, run->step->text) || !next_line(run))
        return false;
    return do_SAME_REGEX(run);
}

static bool
do_EXPECT_ERROR(struct run *run)
{
    struct slice text = run->step->text, fragment = {NULL, 0}, line;
    const char *why;

    (void)script_split(&text, " ~ ", &fragment);
    if (!expand(run, fragment) || !next_line(run))
        return false;
    line = buf_slice(&run->last);
    if (judge_error(line, text, buf_slice(&run->operand), &why))
        return true;
    run->operand.len = 0;
    buf_put_string(&run->operand, "error ");
    buf_put_slice(&run->operand, run->step->text);
    return differ(run, why, line);
}

static bool
compare_json(struct run *run, bool part)
{
    struct slice line = buf_slice(&run->last);
    const char *why;

    return judge_json(line, buf_slice(&run->operand), part, &why) ||
           differ(run, why, line);
}

static bool
do_EXPECT_JSON(struct run *run)
{
    return expand(run, run->step->text) && next_line(run) &&
           compare_json(run, false);
}

static bool
do_EXPECT_PART(struct run *run)
{
    return expand(run, run->step->text) && next_line(run) &&
           compare_json(run, true);
}

static bool
do_SAME_PART(struct run *run)
{
    return expand(run, run->step->text) && compare_json(run, true);
}

/* A ping with a name of its own, and its answer as the very next line. */
static bool
ping(struct run *run, struct peer *peer)
{
    struct buf request = {0};
    struct slice line = {NULL, 0};
    const char *why = "no answer to a ping";
    bool good;

    run->pings++;
    buf_printf(&request, "{\"s\":\"ping\",\"i\":\"ping %u\"}\n", run->pings);
    run->operand.len = 0;
    buf_printf(&run->operand, "{\"i\":\"ping %u\",\"r\":\"pong\"}", run->pings);
    run->sent += request.len;
    good = peer_send(peer, buf_slice(&request), false) &&
           peer_line(peer, &line) == PEER_LINE &&
           judge_json(line, buf_slice(&run->operand), false, &why);
    buf_fini(&request);
    return good || differ(run, why, line);
}

static bool
do_NONE(struct run *run)
{
    if (!have_peer(run))
        return false;
    if (current(run)->partial || current(run)->shut)
        return complain(run, "<none wants a connection between two lines");
    return ping(run, current(run));
}

static bool
do_QUIET(struct run *run)
{
    struct slice pending;
    int made = 0, left = QUIET_PINGS;

    if (!have_peer(run))
        return false;
    if (run->helper.fd < 0)
        peer_open(&run->helper, stand_port(&run->stand));
    while (left > 0) {
        if (!ping(run, &run->helper))
            return false;
        made++;
        if (stand_received(&run->stand) == run->sent || made > QUIET_PINGS_MAX)
            left--;
    }
    run->operand.len = 0;
    pending = peer_pending(current(run));
    if (pending.len > 0)
        return differ(run, "an answer too early", pending);
    return !current(run)->ended || complain(run, "the server has closed");
}

static bool
do_END_OF_INPUT(struct run *run)
{
    struct slice line;

    run->operand.len = 0;
    if (!have_peer(run))
        return false;
    switch (peer_line(current(run), &line)) {
    case PEER_LATE:
        return differ(run, "the connection is still open", line);
    case PEER_LINE:
        return differ(run, "an answer before the end", line);
    case PEER_END:
        break;
    }
    return line.len == 0 || differ(run, "a line without its end", line);
}

/* ---- the world around ---- */

static bool
do_OPTION(struct run *run)
{
    struct slice value = run->step->text;
    struct slice name = script_word(&value);

    if (run->started)
        return complain(run, "options come first");
    return stand_option(&run->stand, name, script_word(&value)) ||
           complain(run, "an unknown option or a bad value");
}

/* Looked at before the run. */
static bool
do_SKIP(struct run *run)
{
    return !run->started || complain(run, "skip comes first");
}

static bool
parse_step(struct slice text, int64_t *ms)
{
    if (text.len < 2 || text.data[0] != '+')
        return false;
    return num_parse_duration(slice_of(text.data + 1, text.len - 1), ms) ==
           MZ_OK;
}

static bool
turn_clock(struct run *run, bool sweep)
{
    int64_t ms;

    start(run);
    if (!parse_step(run->step->text, &ms))
        return complain(run, "the clock wants +TIME, for example +250ms");
    stand_advance(&run->stand, ms, sweep);
    return true;
}

static bool
do_CLOCK(struct run *run)
{
    return turn_clock(run, true);
}

static bool
do_CLOCK_ONLY(struct run *run)
{
    return turn_clock(run, false);
}

/* Waits until the server has the number that the statement names. */
static bool
await(struct run *run, bool (*reached)(struct stand *, uint64_t),
      const char *otherwise)
{
    uint64_t n;

    start(run);
    if (num_parse_u64(run->step->text, &n) != MZ_OK)
        return complain(run, "a number is wanted");
    return reached(&run->stand, n) || complain(run, otherwise);
}

static bool
do_CLIENTS(struct run *run)
{
    return await(run, stand_await_clients, "another number of connections");
}

static bool
do_WAITERS(struct run *run)
{
    return await(run, stand_await_waiters, "another number of waiters");
}

static bool
do_ALLOC_LIMIT(struct run *run)
{
    uint64_t size = SIZE_MAX;

    start(run);
    if (!slice_is(run->step->text, "off") &&
        num_parse_size(run->step->text, &size) != MZ_OK)
        return complain(run, "alloc-limit wants a size, or off");
    stand_limit(&run->stand, size);
    return true;
}

/* script.c has unrolled them. */
static bool
do_REPEAT(struct run *run)
{
    return complain(run, "unreachable");
}

static bool
do_END(struct run *run)
{
    return complain(run, "unreachable");
}

/* ---- a whole run ---- */

/* Every answer has been asked for: nothing is left on any connection. */
static bool
finish(struct run *run)
{
    bool good = true;

    for (run->current = 0; good && run->current < PEERS; run->current++) {
        struct peer *peer = current(run);

        if (peer->fd < 0)
            continue;
        if (peer->shut || peer->ended)
            good = do_END_OF_INPUT(run);
        else if (peer->partial)
            good = do_QUIET(run);
        else
            good = do_NONE(run);
        if (!good)
            break;
    }
    return good;
}

static bool
play(struct run *run)
{
    typedef bool do_fn(struct run *);
    static do_fn *const perform[STEP_COUNT] = {
#define STATEMENT(name, word, what) do_##name,
#include "statements.def"
#undef STATEMENT
    };
    const struct script *script = run->script;

    for (size_t i = 0; i < script->count; i++) {
        run->step = &script->steps[i];
        if (!perform[run->step->kind](run))
            return false;
    }
    return finish(run);
}

static bool
play_pass(const struct script *script, enum pass pass)
{
    struct run run = {.script = script, .pass = pass};
    bool good;

    run.helper.fd = -1;
    for (size_t i = 0; i < PEERS; i++)
        run.peers[i].fd = -1;
    stand_init(&run.stand);
    good = play(&run);
    for (size_t i = 0; i < PEERS; i++)
        peer_close(&run.peers[i], false);
    peer_close(&run.helper, false);
    if (run.started)
        stand_fini(&run.stand);
    vars_fini(&run.vars);
    buf_fini(&run.operand);
    buf_fini(&run.last);
    return good;
}

/* ---- syntax only ---- */

static bool
check_step(struct run *run)
{
    struct slice text = run->step->text, names = {NULL, 0};
    const char *why;
    int64_t ms;

    switch (run->step->kind) {
    case STEP_EXPECT_REGEX:
    case STEP_SAME_REGEX:
        (void)script_split(&text, " => ", &names);
        return expand(run, text) &&
               (judge_check_regex(buf_slice(&run->operand), &why) ||
                complain(run, why));
    case STEP_EXPECT_JSON:
    case STEP_EXPECT_PART:
    case STEP_SAME_PART:
        return expand(run, text) &&
               (judge_check_json(buf_slice(&run->operand), &why) ||
                complain(run, why));
    case STEP_OPTION:
        return do_OPTION(run);
    case STEP_CONNECT:
    case STEP_ON:
        return find_peer(run, text);
    case STEP_CLOCK:
    case STEP_CLOCK_ONLY:
        return parse_step(text, &ms) || complain(run, "@ wants +TIME");
    default:
        return expand(run, text);
    }
}

static bool
check(const struct script *script)
{
    struct run run = {.script = script, .vars.any_is_one = true};
    bool good = true;

    stand_init(&run.stand);
    for (size_t i = 0; i < script->count; i++) {
        run.step = &script->steps[i];
        good = check_step(&run) && good;
    }
    buf_fini(&run.operand);
    return good;
}

/* Whether the script leaves the pass out. */
static bool
skips(const struct script *script, enum pass pass)
{
    for (size_t i = 0; i < script->count; i++) {
        struct slice text = script->steps[i].text;

        if (script->steps[i].kind == STEP_SKIP &&
            slice_is(script_word(&text), pass_names[pass]))
            return true;
    }
    return false;
}

int
main(int argc, char **argv)
{
    bool only_check = argc == 3 && strcmp(argv[1], "--check") == 0;
    struct script script;
    bool good;

    if (argc != 2 && !only_check) {
        fprintf(stderr, "usage: %s [--check] FILE\n", argv[0]);
        return EXIT_FAILURE;
    }
    good = script_read(&script, argv[argc - 1]);
    if (good && only_check)
        good = check(&script);
    for (int pass = 0; good && !only_check && pass < PASS_COUNT; pass++)
        if (!skips(&script, (enum pass)pass))
            good = play_pass(&script, (enum pass)pass);
    script_fini(&script);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
