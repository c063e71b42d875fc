/* SPDX-License-Identifier: MIT
 *
 * config.c - all sources in their order, and what only shows when they are
 * together.
 *
 * The command line is walked twice: first for what it asks for (--config must
 * be known before its file is read, and --help is served whatever the values
 * are), at last for the options, which outrank those of the other sources.
 */
#include "config/config.h"

#include "base/mem.h"
#include "base/must.h"
#include "base/num.h"
#include "base/quote.h"
#include "config/option.h"
#include "config/sources.h"

#include <inttypes.h>
#include <string.h>

/* What a set line has around its value: names, braces, a key, a ttl. */
#define ENVELOPE_BYTES 1024

#define BENCH_MAX      UINT64_C(1000000000000)

static enum mz_err
read_defaults(struct loader *loader)
{
    const struct origin origin = {FROM_DEFAULT, 0};
    enum mz_err err = MZ_OK;

    for (unsigned i = 0; err == MZ_OK && i < OPTION_COUNT; i++) {
        enum option_id id = (enum option_id)i;

        err = option_set(loader, id, origin,
                         slice_of_string(option_row(id)->def));
    }
    must(err != MZ_BAD_REQUEST);
    return err;
}

static enum config_action
action_of(const struct actions *actions)
{
    if (actions->value[ACTION_HELP] != NULL)
        return CONFIG_HELP;
    if (actions->value[ACTION_VERSION] != NULL)
        return CONFIG_VERSION;
    if (actions->value[ACTION_CHECK_CONFIG] != NULL)
        return CONFIG_CHECK;
    if (actions->value[ACTION_BENCH] != NULL)
        return CONFIG_BENCH;
    return CONFIG_SERVE;
}

static enum mz_err
read_bench_operations(struct loader *loader, const char *text)
{
    uint64_t *n = &loader->config->bench_operations;
    char quoted[QUOTE_SIZE];

    if (text == NULL)
        return MZ_OK;
    if (text[0] != '-' && num_parse_u64(slice_of_string(text), n) == MZ_OK &&
        *n <= BENCH_MAX)
        return MZ_OK;
    buf_printf(loader->why,
               "--bench: \"%s\" is not a number of operations from 0 to "
               "%" PRIu64,
               quote(quoted, slice_of_string(text)), BENCH_MAX);
    return option_refused(loader);
}

static enum mz_err
read_bench(struct loader *loader, const struct actions *actions)
{
    const char *payload = actions->value[ACTION_PAYLOAD];
    size_t size;

    if (payload == NULL)
        return read_bench_operations(loader, actions->value[ACTION_BENCH]);
    if (actions->value[ACTION_BENCH] == NULL) {
        buf_put_string(loader->why, "--payload: only together with --bench");
        return option_refused(loader);
    }
    size = strlen(payload) + 1;
    loader->config->bench_payload = mem_alloc(size);
    if (loader->config->bench_payload == NULL)
        return MZ_NO_MEMORY;
    memcpy(loader->config->bench_payload, payload, size);
    return read_bench_operations(loader, actions->value[ACTION_BENCH]);
}

/* The options contradict each other. */
static enum mz_err
check_together(struct loader *loader)
{
    const struct config *config = loader->config;

    if (config->max_value + ENVELOPE_BYTES <= config->max_request)
        return MZ_OK;
    option_put_origin(loader, OPTION_ID_max_value,
                      loader->origin[OPTION_ID_max_value]);
    buf_printf(loader->why,
               ": %" PRIu64 " bytes, and %d for the line around "
               "them, do not fit into the %" PRIu64 " of ",
               config->max_value, ENVELOPE_BYTES, config->max_request);
    option_put_origin(loader, OPTION_ID_max_request,
                      loader->origin[OPTION_ID_max_request]);
    return option_refused(loader);
}

/* Everything behind the first walk over the command line. */
static enum mz_err
read_sources(struct loader *loader, int argc, char *const *argv,
             char *const *environment, const struct actions *actions)
{
    enum mz_err err = MZ_OK;

    loader->path = actions->value[ACTION_CONFIG];
    if (loader->path != NULL)
        err = file_read(loader);
    if (err == MZ_OK)
        err = environment_read(loader, environment);
    if (err == MZ_OK)
        err = arguments_read_options(loader, argc, argv);
    if (err == MZ_OK)
        err = read_bench(loader, actions);
    if (err == MZ_OK)
        err = check_together(loader);
    return err;
}

enum mz_err
config_load(int argc, char *const *argv, char *const *environment,
            struct config *config, struct buf *why)
{
    struct loader loader = {.config = config, .why = why};
    struct actions actions;
    enum mz_err err;

    *config = (struct config){0};
    err = read_defaults(&loader);
    if (err == MZ_OK)
        err = arguments_read_actions(&loader, argc, argv, &actions);
    if (err == MZ_OK) {
        config->action = action_of(&actions);
        if (config->action != CONFIG_HELP && config->action != CONFIG_VERSION)
            err = read_sources(&loader, argc, argv, environment, &actions);
    }
    if (err == MZ_NO_MEMORY) /* half a sentence says nothing */
        buf_consume(why, why->len);
    return err;
}

void
config_fini(struct config *config)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (option_row((enum option_id)i)->type == OPTION_LIST)
            option_list_clear(option_list(config, (enum option_id)i));
    mem_free(config->bench_payload);
    *config = (struct config){0};
}
