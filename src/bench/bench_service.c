/* SPDX-License-Identifier: MIT
 *
 * bench_service.c - see bench_service.h.
 *
 * A turn is an even number of passes over a stretch of the keys, which is cut
 * into one lane for each thread. Each pass asks once for each session of the
 * stretch: the first pass with one value, the second with the other. Turn by
 * turn the stretch moves on through the keys, so that with many of them no
 * turn finds in the processor's cache what the one before it left there.
 *
 * A pass that deletes is followed by one that puts the sessions back, whose
 * time does not count; the threads wait for each other, so that no deletion is
 * beside a set. Otherwise the passes follow one another without a stop.
 */
#include "bench/bench_service.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/must.h"
#include "base/thread.h"
#include "bench/bench_keys.h"
#include "bench/gate.h"
#include "service/service.h"
#include "session/leases.h"
#include "stats/stats.h"
#include "store/store.h"
#include "wire/outbox.h"
#include "wire/wire_json.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define KEY_SEED    UINT64_C(20231128) /* the same keys in every run */
#define STACK_BYTES ((size_t)256 << 10)
#define VALUE_MAX   ((size_t)8 << 20) /* as the server's default */

/* A key as struct key_list has it. */
#define PACKED_LEN (2 + BENCH_KEY_LEN)

static const char session_text[] =
    "{\"user\":{\"id\":4711,\"name\":\"Ada Lovelace\","
    "\"mail\":\"ada@example.org\",\"roles\":[\"editor\",\"billing\"]},"
    "\"seen\":1733029200,\"locale\":\"en-GB\",\"theme\":\"dark\","
    "\"csrf\":\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd1\","
    "\"cart\":[{\"sku\":\"B-20931\",\"count\":2,\"price\":12.50},"
    "{\"sku\":\"C-00417\",\"count\":1,\"price\":89.00}],"
    "\"visited\":[\"/\",\"/books\",\"/books/20931\",\"/cart\"],"
    "\"address\":{\"street\":\"12 St James's Square\",\"city\":\"London\","
    "\"zip\":\"SW1Y 4JH\"},"
    "\"note\":\"Please leave the parcel with the neighbour, the bell does not "
    "work\"}";

_Static_assert(sizeof session_text - 1 == BENCH_SESSION_LEN,
               "a session is as long as the header says");

struct row {
    const char *title, *name;
    enum verb verb;
    uint8_t db;
    unsigned keys;         /* that a request names; 0: all lanes name one */
    struct slice value[2]; /* of even and of odd passes */
};

#define PAIR(even, odd)                                                        \
    {                                                                          \
        SLICE_LITERAL(even), SLICE_LITERAL(odd)                                \
    }
#define NO_VALUE PAIR("", "")

static const struct row rows[BENCH_ROWS] = {
    [BENCH_GET] = {"get", "get", VERB_GET, 0, 1, NO_VALUE},
    [BENCH_SET] = {"set", "set", VERB_SET, 0, 1,
                   PAIR(session_text, session_text)},
    [BENCH_MERGE_REPLACE] = {"merge, a member replaced", "merge_replace",
                             VERB_MERGE, 0, 1,
                             PAIR("{\"seen\":1733029261}",
                                  "{\"seen\":1733029322}")},
    [BENCH_MERGE_TOGGLE] = {"merge, a member added or removed", "merge_toggle",
                            VERB_MERGE, 0, 1,
                            PAIR("{\"flash\":\"Saved.\"}", "{\"flash\":null}")},
    [BENCH_MERGE_SHARED] = {"merge, all into one session", "merge_shared",
                            VERB_MERGE, 0, 0,
                            PAIR("{\"seen\":1733029261}",
                                 "{\"seen\":1733029322}")},
    [BENCH_INCR] = {"incr", "incr", VERB_INCR, 1, 1, NO_VALUE},
    [BENCH_MGET] = {"mget of 50 keys", "mget", VERB_MGET, 0, BENCH_MGET_KEYS,
                    NO_VALUE},
    [BENCH_DEL] = {"del", "del", VERB_DEL, 0, 1, NO_VALUE},
};

struct bench_service {
    struct stats stats;
    struct service service;
    char *packed; /* owned: key_count keys of PACKED_LEN; const in a turn */
    uint64_t key_count;
    uint64_t next; /* owner: the key where the next turn begins */
};

/* What one thread does in a turn; its own while it runs. */
struct lane {
    const struct bench_service *bench;
    struct gate *gate;
    unsigned threads; /* that go through the gate */
    enum bench_row row;
    unsigned passes;
    uint64_t first, sessions; /* of the keys; its share of the stretch */
    bool timed;
    struct latency latency;
    uint64_t requests;
    int64_t took_ns;
    struct counters counters;
    struct session session;
    struct outbox out;
    struct reply reply;
    pthread_t thread;
};

const char *
bench_row_title(enum bench_row row)
{
    return rows[row].title;
}

const char *
bench_row_name(enum bench_row row)
{
    return rows[row].name;
}

/* ---- one pass ---- */

static struct command
make_command(const struct row *row, unsigned pass)
{
    return (struct command){
        .verb = row->verb,
        .many = row->keys > 1,
        .value = row->value[pass % 2],
        .ttl_ms =
            row->verb == VERB_MERGE ? COMMAND_TTL_KEEP : COMMAND_TTL_NEVER,
        .by = 1,
    };
}

static inline void
ask(struct lane *lane, struct command *command, unsigned keys, uint64_t i)
{
    const uint64_t at = keys > 0 ? lane->first + i * keys : 0;
    const char *packed = lane->bench->packed + at * PACKED_LEN;

    command->key = slice_of(packed + 2, BENCH_KEY_LEN);
    command->keys.packed = slice_of(packed, (size_t)keys * PACKED_LEN);
    command->keys.count = keys;
    service_run(&lane->session, command, &lane->reply);
    outbox_sent(&lane->out, outbox_pending(&lane->out));
}

/* The time of count requests, from begin to end. */
static int64_t
run_plain(struct lane *lane, struct command *command, unsigned keys,
          uint64_t count)
{
    const int64_t begin_ns = clock_mono_ns();

    for (uint64_t i = 0; i < count; i++)
        ask(lane, command, keys, i);
    return clock_mono_ns() - begin_ns;
}

/* The same, with a look at the clock behind each. */
static int64_t
run_timed(struct lane *lane, struct command *command, unsigned keys,
          uint64_t count)
{
    const int64_t begin_ns = clock_mono_ns();
    int64_t before_ns = begin_ns;

    for (uint64_t i = 0; i < count; i++) {
        int64_t now_ns;

        ask(lane, command, keys, i);
        now_ns = clock_mono_ns();
        latency_add(&lane->latency, (uint64_t)(now_ns - before_ns));
        before_ns = now_ns;
    }
    return before_ns - begin_ns;
}

static void
run_pass(struct lane *lane, unsigned pass)
{
    const struct row *row = &rows[lane->row];
    const uint64_t count =
        row->keys > 0 ? lane->sessions / row->keys : lane->sessions;
    struct command command = make_command(row, pass);

    lane->session.db = row->db;
    lane->requests += count;
    lane->took_ns +=
        (lane->timed ? run_timed : run_plain)(lane, &command, row->keys, count);
}

static void
restore_sessions(struct lane *lane)
{
    struct command set = make_command(&rows[BENCH_SET], 0);

    gate_meet(lane->gate, lane->threads);
    lane->session.db = rows[BENCH_SET].db;
    (void)run_plain(lane, &set, 1, lane->sessions);
    gate_meet(lane->gate, lane->threads);
}

static void *
run_lane(void *ctx)
{
    struct lane *lane = ctx;

    if (!gate_wait(lane->gate))
        return NULL;
    for (unsigned pass = 0; pass < lane->passes; pass++) {
        run_pass(lane, pass);
        if (lane->row == BENCH_DEL)
            restore_sessions(lane);
    }
    return NULL;
}

/* ---- one turn ---- */

static void
lane_init(struct lane *lane, struct bench_service *bench)
{
    lane->bench = bench;
    stats_attach(&bench->stats, &lane->counters);
    lane->session.service = &bench->service;
    lane->session.counters = &lane->counters;
    outbox_init(&lane->out);
    lane->reply.ops = wire_json_reply_ops();
    lane->reply.out = &lane->out;
}

static void
lane_fini(struct lane *lane, struct bench_service *bench)
{
    lease_holder_end(bench->service.leases, &lane->session.holder);
    outbox_fini(&lane->out);
    stats_detach(&bench->stats, &lane->counters);
}

static struct lane *
lanes_new(struct bench_service *bench, unsigned threads)
{
    struct lane *lanes = mem_alloc_zeroed(threads, sizeof(*lanes));

    for (unsigned i = 0; i < threads && lanes != NULL; i++)
        lane_init(&lanes[i], bench);
    return lanes;
}

static void
lanes_free(struct lane *lanes, struct bench_service *bench, unsigned threads)
{
    for (unsigned i = 0; i < threads && lanes != NULL; i++)
        lane_fini(&lanes[i], bench);
    mem_free(lanes);
}

/* A figure is one of requests that were served: reads that found their key,
 * writes that were not refused. */
static enum mz_err
check_served(const struct lane *lane)
{
    const struct counters *counters = &lane->counters;

    if (outbox_failed(&lane->out) ||
        atomic_load(&counters->count[COUNTER_REFUSED]) > 0)
        return MZ_NO_MEMORY;
    must(atomic_load(&counters->count[COUNTER_MISSES]) == 0);
    return MZ_OK;
}

/* Runs one thread for each lane. */
static enum mz_err
run_lanes(struct lane *lanes, unsigned threads)
{
    struct gate gate = {0};
    enum mz_err err = MZ_OK;
    unsigned created = 0;

    for (; created < threads; created++) {
        struct lane *lane = &lanes[created];

        lane->gate = &gate;
        lane->threads = threads;
        if (!thread_start(&lane->thread, STACK_BYTES, run_lane, lane))
            break;
    }
    gate_open(&gate, created, threads);
    if (created < threads)
        err = MZ_NO_MEMORY;
    for (unsigned i = 0; i < created; i++) {
        must(pthread_join(lanes[i].thread, NULL) == 0);
        if (err == MZ_OK)
            err = check_served(&lanes[i]);
    }
    return err;
}

/* All begin together, so the slowest says how long it took. */
static void
collect(const struct lane *lanes, unsigned threads, struct latency *latency,
        struct bench_time *time)
{
    *time = (struct bench_time){0};
    for (unsigned i = 0; i < threads; i++) {
        time->requests += lanes[i].requests;
        if (lanes[i].took_ns > time->took_ns)
            time->took_ns = lanes[i].took_ns;
        if (latency != NULL)
            latency_merge(latency, &lanes[i].latency);
    }
}

/* How many sessions each lane gets: half of what the turn asks for, since
 * there are two passes at least, but no more than there are; so many that
 * every mget finds all its keys in the lane. */
static uint64_t
lane_sessions(const struct bench_service *bench, const struct bench_turn *turn)
{
    const uint64_t wanted = turn->sessions / 2;
    const uint64_t stretch =
        wanted < bench->key_count ? wanted : bench->key_count;
    const uint64_t mgets = stretch / turn->threads / BENCH_MGET_KEYS;

    return (mgets > 0 ? mgets : 1) * BENCH_MGET_KEYS;
}

/* Even, so that what was added has been removed again. */
static unsigned
count_passes(const struct bench_turn *turn, uint64_t stretch)
{
    const uint64_t pairs = (turn->sessions / 2 + stretch - 1) / stretch;

    must(pairs <= UINT32_MAX / 2);
    return pairs > 0 ? (unsigned)pairs * 2 : 2;
}

enum mz_err
bench_service_take_turn(struct bench_service *bench,
                        const struct bench_turn *turn, struct latency *latency,
                        struct bench_time *time)
{
    const unsigned threads = turn->threads;
    uint64_t sessions, stretch;
    struct lane *lanes;
    enum mz_err err;

    must(threads >= 1 && threads <= BENCH_THREADS_MAX);
    sessions = lane_sessions(bench, turn);
    stretch = sessions * threads;
    must(stretch <= bench->key_count);
    lanes = lanes_new(bench, threads);
    if (lanes == NULL)
        return MZ_NO_MEMORY;
    if (stretch > bench->key_count - bench->next)
        bench->next = 0;
    for (unsigned i = 0; i < threads; i++) {
        lanes[i].row = turn->row;
        lanes[i].passes = count_passes(turn, stretch);
        lanes[i].first = bench->next + i * sessions;
        lanes[i].sessions = sessions;
        lanes[i].timed = latency != NULL;
    }
    bench->next += stretch;
    err = run_lanes(lanes, threads);
    collect(lanes, threads, latency, time);
    lanes_free(lanes, bench, threads);
    return err;
}

/* ---- all of it ---- */

static void
pack_keys(struct bench_service *bench, const struct bench_keys *keys)
{
    for (uint64_t i = 0; i < keys->count; i++) {
        char *packed = bench->packed + i * PACKED_LEN;
        const struct slice key = bench_keys_at(keys, i);

        packed[0] = BENCH_KEY_LEN;
        packed[1] = 0;
        memcpy(packed + 2, key.data, key.len);
    }
}

/* One lane over everything, in this thread. */
static enum mz_err
fill_store(struct bench_service *bench)
{
    struct lane *lane = lanes_new(bench, 1);
    enum mz_err err;

    if (lane == NULL)
        return MZ_NO_MEMORY;
    lane->sessions = bench->key_count;
    lane->row = BENCH_SET;
    run_pass(lane, 0);
    lane->row = BENCH_INCR;
    run_pass(lane, 0);
    err = check_served(lane);
    lanes_free(lane, bench, 1);
    return err;
}

/* In one order they are put in, in another they are asked for. */
static enum mz_err
use_keys(struct bench_service *bench, struct bench_keys *keys)
{
    enum mz_err err;

    bench->packed = mem_alloc_array((size_t)keys->count * PACKED_LEN);
    if (bench->packed == NULL)
        return MZ_NO_MEMORY;
    pack_keys(bench, keys);
    err = fill_store(bench);
    bench_keys_shuffle(keys);
    pack_keys(bench, keys);
    return err;
}

static enum mz_err
service_open(struct service *service, struct stats *stats)
{
    enum mz_err err;

    service->stats = stats;
    service->clock = clock_system();
    service->merge_seed = hash_random_seed();
    service->max_value = VALUE_MAX;
    err = store_new(NULL, &service->store);
    if (err == MZ_OK)
        err = leases_new(service->clock, 1, &service->leases);
    return err;
}

enum mz_err
bench_service_new(uint64_t key_count, struct bench_service **out)
{
    struct bench_service *bench = mem_alloc_zeroed(1, sizeof(*bench));
    struct bench_keys keys = {0};
    size_t bytes;
    enum mz_err err;

    if (bench == NULL ||
        __builtin_mul_overflow(key_count, PACKED_LEN, &bytes)) {
        mem_free(bench);
        return MZ_NO_MEMORY;
    }
    stats_init(&bench->stats);
    bench->key_count = key_count;
    err = service_open(&bench->service, &bench->stats);
    if (err == MZ_OK)
        err = bench_keys_init(&keys, key_count, KEY_SEED);
    if (err == MZ_OK)
        err = use_keys(bench, &keys);
    bench_keys_fini(&keys);
    if (err == MZ_OK)
        *out = bench;
    else
        bench_service_free(bench);
    return err;
}

void
bench_service_free(struct bench_service *bench)
{
    if (bench == NULL)
        return;
    leases_free(bench->service.leases);
    store_free(bench->service.store);
    if (bench->packed != NULL)
        mem_free_array(bench->packed, (size_t)bench->key_count * PACKED_LEN);
    stats_fini(&bench->stats);
    mem_free(bench);
}

static void
note_whole(void *ctx, const struct store_view *view)
{
    *(uint64_t *)ctx += view->value.len == BENCH_SESSION_LEN;
}

uint64_t
bench_service_count_whole(struct bench_service *bench)
{
    uint64_t whole = 0;

    for (uint64_t i = 0; i < bench->key_count; i++) {
        const char *packed = bench->packed + i * PACKED_LEN;
        const struct store_key key = {slice_of(packed + 2, BENCH_KEY_LEN), 0};

        (void)store_get(bench->service.store, key, note_whole, &whole);
    }
    return whole;
}
