/* SPDX-License-Identifier: MIT
 *
 * linear.h - judges a log of what threads did to keys, and when: could it have
 * happened one operation after the other?
 *
 * Every operation boils down to what it learned and what it did at one moment
 * between its call and its return: it found a version, it found nothing, it
 * wrote, it deleted. The writes of a key carry versions, so their order is
 * known; only deletes and misses do not say where they belong. For each key,
 * all by itself:
 *
 * 1. Places. With w1 w2 ... the writes by version, the history is
 *
 *        miss*  w1 seen* delete? miss*  w2 seen* delete? miss*  w3 ...
 *        gap 0  `------ gap 1 ------'   `------ gap 2 ------'
 *
 *    Writes, reads that found a version and deletes of one version have their
 *    place. Such a sequence can be put on the time line exactly when nobody
 *    returned before somebody of an earlier place was called: one pass with
 *    the latest call so far finds stale reads, lost writes, versions against
 *    real time.
 * 2. Ranges. The same comparison leaves to each other delete, and to each miss,
 *    a run of gaps. A gap before a write that wanted the key to be there takes
 *    no delete. What has only one gap left gets its place, which narrows the
 *    rest; so this is repeated until nothing moves (at most LINEAR_ROUNDS).
 * 3. Matching. A gap takes one delete at most, and one before a write that
 *    wanted the key to be missing, or with a miss in it, takes exactly one. A
 *    matching that places all deletes and one that fills all those gaps give
 *    one that does both (Mendelsohn and Dulmage), and as ranges are intervals
 *    each of the two is found greedily.
 * 4. Each miss left needs some delete that can be in one of its gaps and was
 *    called before the miss returned.
 *
 * O(n log n) a key. It gives no false alarm: what is reported has no
 * explanation. It lets pass only what needs the misses of step 4 to be placed
 * together; everything about versions, values and conditions is exact.
 *
 * A key is missing at the start of the log, and nothing expires. For values
 * that follow from the ones before, as of merge and incr: session_linear.h.
 */
#ifndef MEMOIZER_TEST_LINEAR_H
#define MEMOIZER_TEST_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an operation learned or did. */
enum linear_kind {
    LINEAR_SEEN,   /* the key had this version */
    LINEAR_MISS,   /* the key was missing */
    LINEAR_WRITE,  /* it put value and was given version */
    LINEAR_DELETE, /* it removed a key that was there */
};

/* The state that it claims to have met, where that is more than its kind
 * says. */
enum linear_need {
    LINEAR_ANY,
    LINEAR_ABSENT,  /* a write: the key was missing */
    LINEAR_PRESENT, /* a write: the key was there */
    LINEAR_VERSION, /* a write or a delete: it had the version `needed` */
    LINEAR_OTHER,   /* seen: it had another version than `needed` */
};

/* No value was seen: a refusal names only the version. */
#define LINEAR_NO_VALUE UINT64_MAX

struct linear_op {
    uint64_t version; /* seen or written */
    uint64_t needed;  /* for LINEAR_VERSION and LINEAR_OTHER */
    uint64_t value;   /* seen or written: a number that is written only once */
    int64_t call_ns, return_ns;
    uint32_t key;
    uint16_t thread; /* only for reports */
    uint8_t kind;    /* enum linear_kind */
    uint8_t need;    /* enum linear_need */
};

enum linear_fault {
    LINEAR_FINE,
    LINEAR_BACKWARDS, /* it returns before it was called */
    LINEAR_REUSED,    /* two writes were given one version */
    LINEAR_UNKNOWN,   /* a version that nobody wrote */
    LINEAR_FOREIGN,   /* a version with another value than was written */
    LINEAR_CONDITION, /* a write or refusal that its condition forbids */
    LINEAR_ORDER,     /* against real time: a stale read, a lost write */
    LINEAR_NO_DELETE, /* it met a missing key that nobody can have deleted */
    LINEAR_NO_KEY,    /* a delete with nothing there to remove */
};

struct linear_verdict {
    enum linear_fault fault;
    struct linear_op a; /* the operation that cannot be */
    struct linear_op b; /* LINEAR_REUSED, _FOREIGN, _ORDER: the other one */
};

/* Judges the log; sorts ops as it needs. The first fault found is in
 * *verdict. True when there is none. */
bool linear_check(struct linear_op *ops, size_t count,
                  struct linear_verdict *verdict);

/* A word for a fault. Static. */
const char *linear_fault_text(enum linear_fault fault);

/* Prints a verdict to stdout, the operations with their times. */
void linear_print(const struct linear_verdict *verdict);

#endif
