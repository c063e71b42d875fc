/* SPDX-License-Identifier: MIT
 *
 * resp_set_options.c - see resp_set_options.h.
 *
 * As in Redis, an option may be given twice, and the last time counts.
 */
#include "service/resp_set_options.h"

#define NX      RESP_SET_NX
#define XX      RESP_SET_XX
#define IFEQ    RESP_SET_IFEQ
#define KEEPTTL RESP_SET_KEEPTTL
#define PERSIST RESP_SET_PERSIST
#define EX      RESP_SET_EX
#define PX      RESP_SET_PX
#define EXAT    RESP_SET_EXAT
#define PXAT    RESP_SET_PXAT

#define TIMES   (EX | PX | EXAT | PXAT)
#define LIVES   (TIMES | KEEPTTL | PERSIST)

struct option {
    const char *word;
    unsigned option;
    unsigned excludes; /* options that must not be given before */
    bool takes_word;
};

static const struct option rows[] = {
    {"NX", NX, XX | IFEQ, false},
    {"XX", XX, NX | IFEQ, false},
    {"IFEQ", IFEQ, NX | XX | IFEQ, true},
    {"GET", RESP_SET_GET, 0, false},
    {"KEEPTTL", KEEPTTL, TIMES, false},
    {"PERSIST", PERSIST, TIMES, false},
    {"EX", EX, LIVES & ~(unsigned)EX, true},
    {"PX", PX, LIVES & ~(unsigned)PX, true},
    {"EXAT", EXAT, LIVES & ~(unsigned)EXAT, true},
    {"PXAT", PXAT, LIVES & ~(unsigned)PXAT, true},
};

#define OF_SET   (NX | XX | IFEQ | RESP_SET_GET | KEEPTTL | TIMES)
#define OF_GETEX (PERSIST | TIMES)

static const struct option *
find(const struct resp_call *call, size_t arg)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (resp_is(call, arg, rows[i].word))
            return &rows[i];
    }
    return NULL;
}

static void
note(struct resp_set_options *options, unsigned option, size_t word_arg)
{
    options->given |= option;
    if (option == IFEQ)
        options->ifeq_arg = word_arg;
    if ((option & TIMES) == 0)
        return;
    options->time_arg = word_arg;
    options->unit = option == EX     ? RESP_TIME_EX
                    : option == PX   ? RESP_TIME_PX
                    : option == EXAT ? RESP_TIME_EXAT
                                     : RESP_TIME_PXAT;
}

static bool
parse(struct resp_call *call, size_t first, unsigned allowed,
      struct resp_set_options *options)
{
    *options = (struct resp_set_options){0};
    for (size_t i = first; i < call->count; i++) {
        const struct option *row = find(call, i);

        if (row == NULL || (row->option & allowed) == 0 ||
            (row->excludes & options->given) != 0 ||
            (row->takes_word && i + 1 == call->count)) {
            resp_syntax_error(call);
            return false;
        }
        i += row->takes_word;
        note(options, row->option, i);
    }
    return true;
}

bool
resp_set_options_of_set(struct resp_call *call, size_t first,
                        struct resp_set_options *options)
{
    return parse(call, first, OF_SET, options);
}

bool
resp_set_options_of_getex(struct resp_call *call, size_t first,
                          struct resp_set_options *options)
{
    return parse(call, first, OF_GETEX, options);
}
