/* SPDX-License-Identifier: MIT
 *
 * resp_pubsub.c - commands of the Redis protocol that send messages and listen
 * to them.
 *
 * What comes for a client that listens waits in its mailbox, and goes out
 * between two commands. Before a client is told that it has left a topic it
 * gets what was sent to it until then.
 */
#include "service/resp_pubsub.h"

#include "service/resp_subcommand.h"
#include "service/topics.h"

#include <string.h>

/* Of messages so much is moved into the outbox at a time. */
#define BATCH_BYTES ((size_t)64 << 10)

/* ---- the client ---- */

static size_t
count_topics(const struct resp_client *client)
{
    const struct subscriber *subscriber = client->subscriber;

    return subscriber == NULL ? 0
                              : subscriber_count(subscriber, TOPIC_CHANNEL) +
                                    subscriber_count(subscriber, TOPIC_PATTERN);
}

static void
show_topics(struct resp_client *client)
{
    const struct subscriber *subscriber = client->subscriber;
    size_t channels = 0, patterns = 0;

    if (subscriber != NULL) {
        channels = subscriber_count(subscriber, TOPIC_CHANNEL);
        patterns = subscriber_count(subscriber, TOPIC_PATTERN);
    }
    atomic_store_explicit(&client->shown.channels, (uint32_t)channels,
                          memory_order_relaxed);
    atomic_store_explicit(&client->shown.patterns, (uint32_t)patterns,
                          memory_order_relaxed);
}

bool
resp_client_is_confined(const struct resp_client *client)
{
    return client->proto == 2 && count_topics(client) > 0;
}

bool
resp_client_deliver(struct resp_client *client, struct outbox *out)
{
    return client->subscriber != NULL &&
           mailbox_take(subscriber_mailbox(client->subscriber), out,
                        client->proto, BATCH_BYTES);
}

bool
resp_client_is_cut(struct resp_client *client)
{
    return client->subscriber != NULL &&
           mailbox_is_cut(subscriber_mailbox(client->subscriber));
}

void
resp_client_stop_listening(struct resp_client *client)
{
    subscriber_free(client->subscriber);
    client->subscriber = NULL;
    show_topics(client);
}

/* Makes the client one that can listen. */
static enum mz_err
begin_listening(struct resp_call *call)
{
    const struct session_host *host = call->session->host;
    struct topics *topics = call->session->service->topics;
    struct waker waker = {NULL, NULL};
    enum mz_err err = MZ_OK;

    if (call->client->subscriber != NULL)
        return MZ_OK;
    if (host != NULL && host->listen != NULL) {
        waker = (struct waker){host->wake_up, host->ctx};
        err = host->listen(host->ctx);
    }
    if (err != MZ_OK)
        return err;
    return subscriber_new(topics, &waker, &call->client->subscriber);
}

/* ---- SUBSCRIBE and its kin ---- */

/* The confirmations of a command. */
struct confirming {
    const char *verb;
    enum topic_kind kind;
};

/* name NULL: there was nothing to leave. */
static void
confirm(struct resp_call *call, const struct confirming *with,
        const struct slice *name)
{
    resp_begin_push(&call->out, 3);
    resp_put_bulk_string(&call->out, with->verb);
    if (name != NULL)
        resp_put_bulk(&call->out, *name);
    else
        resp_put_null(&call->out);
    resp_put_integer(&call->out, (int64_t)count_topics(call->client));
}

static void
subscribe(struct resp_call *call, const struct confirming *with)
{
    enum mz_err err = begin_listening(call);

    if (err != MZ_OK) {
        resp_refuse(call, err);
        return;
    }
    for (size_t i = 1; i < call->count; i++) {
        const struct slice *name = &call->args[i];

        if (!resp_have_item_room(call, name->len))
            break;
        err = subscriber_join(call->client->subscriber, with->kind, *name);
        if (err == MZ_OK)
            confirm(call, with, name);
        else
            resp_refuse(call, err);
    }
    show_topics(call->client);
}

void
resp_run_SUBSCRIBE(struct resp_call *call)
{
    static const struct confirming with = {"subscribe", TOPIC_CHANNEL};

    subscribe(call, &with);
}

void
resp_run_PSUBSCRIBE(struct resp_call *call)
{
    static const struct confirming with = {"psubscribe", TOPIC_PATTERN};

    subscribe(call, &with);
}

/* ---- UNSUBSCRIBE and its kin ---- */

/* Gives the client what has come so far; but not between the items of a reply
 * of EXEC. False: the connection is over. */
static bool
deliver_rest(struct resp_call *call)
{
    struct outbox *out = call->muted != NULL ? call->muted : call->out.out;

    while (!call->in_exec && resp_client_deliver(call->client, out)) {
        if (!resp_have_item_room(call, 0))
            return false;
    }
    return true;
}

/* False: the connection is over. */
static bool
leave(struct resp_call *call, const struct confirming *with, struct slice name)
{
    struct subscriber *subscriber = call->client->subscriber;

    if (subscriber != NULL)
        subscriber_leave(subscriber, with->kind, name);
    if (!deliver_rest(call) || !resp_have_item_room(call, name.len))
        return false;
    confirm(call, with, &name);
    return true;
}

/* The name that it has left goes with the topic, so it is copied. */
static void
leave_all(struct resp_call *call, const struct confirming *with)
{
    struct subscriber *subscriber = call->client->subscriber;
    struct buf copy = {0};
    struct slice name;
    bool goes_on = true;

    while (goes_on && subscriber_first(subscriber, with->kind, &name)) {
        copy.len = 0;
        buf_put_slice(&copy, name);
        if (copy.failed) {
            resp_refuse(call, MZ_NO_MEMORY);
            break;
        }
        goes_on = leave(call, with, buf_slice(&copy));
    }
    buf_fini(&copy);
}

static void
unsubscribe(struct resp_call *call, const struct confirming *with)
{
    struct resp_client *client = call->client;
    struct subscriber *subscriber = client->subscriber;
    size_t i = 1;

    if (call->count > 1) {
        while (i < call->count && leave(call, with, call->args[i]))
            i++;
    } else if (subscriber != NULL &&
               subscriber_count(subscriber, with->kind) > 0) {
        leave_all(call, with);
    } else {
        confirm(call, with, NULL);
    }
    /* From now on its connection waits as others do. */
    if (count_topics(client) == 0 && !call->in_exec)
        resp_client_stop_listening(client);
    show_topics(client);
}

void
resp_run_UNSUBSCRIBE(struct resp_call *call)
{
    static const struct confirming with = {"unsubscribe", TOPIC_CHANNEL};

    unsubscribe(call, &with);
}

void
resp_run_PUNSUBSCRIBE(struct resp_call *call)
{
    static const struct confirming with = {"punsubscribe", TOPIC_PATTERN};

    unsubscribe(call, &with);
}

/* ---- PUBLISH ---- */

void
resp_run_PUBLISH(struct resp_call *call)
{
    size_t receivers;
    enum mz_err err = topics_publish(call->session->service->topics,
                                     call->args[1], call->args[2], &receivers);

    if (err == MZ_OK)
        resp_put_integer(&call->out, (int64_t)receivers);
    else
        resp_refuse(call, err);
}

/* ---- PUBSUB ---- */

static void
put_names(struct resp_call *call, const struct buf *names, size_t count)
{
    const char *at = names->data;

    resp_begin_array(&call->out, count);
    for (size_t i = 0; i < count; i++) {
        size_t len;

        memcpy(&len, at, sizeof len);
        at += sizeof len;
        if (!resp_have_item_room(call, len))
            return;
        resp_put_bulk(&call->out, slice_of(at, len));
        at += len;
    }
}

static void
run_channels(struct resp_call *call)
{
    struct slice pattern = slice_of_string("*");
    struct buf names = {0};
    size_t count;

    if (call->count > 3) {
        int len = (int)call->args[1].len; /* it is the word "channels" */

        resp_printf_error(&call->out,
                          "ERR unknown subcommand or wrong number of arguments "
                          "for '%.*s'. Try PUBSUB HELP.",
                          len, call->args[1].data);
        return;
    }
    if (call->count == 3)
        pattern = call->args[2];
    count = topics_list(call->session->service->topics, pattern, &names);
    if (names.failed)
        resp_refuse(call, MZ_NO_MEMORY);
    else
        put_names(call, &names, count);
    buf_fini(&names);
}

static void
run_numsub(struct resp_call *call)
{
    struct topics *topics = call->session->service->topics;

    resp_begin_array(&call->out, 2 * (call->count - 2));
    for (size_t i = 2; i < call->count; i++) {
        if (!resp_have_item_room(call, call->args[i].len))
            return;
        resp_put_bulk(&call->out, call->args[i]);
        resp_put_integer(&call->out,
                         (int64_t)topics_listeners(topics, call->args[i]));
    }
}

static void
run_numpat(struct resp_call *call)
{
    resp_put_integer(
        &call->out,
        (int64_t)topics_count(call->session->service->topics, TOPIC_PATTERN));
}

static void
run_help(struct resp_call *call)
{
    static const char *const lines[] = {
        "CHANNELS [<pattern>]",
        "    Return the currently active channels matching a <pattern> "
        "(default: '*').",
        "NUMPAT",
        "    Return number of subscriptions to patterns.",
        "NUMSUB [<channel> ...]",
        "    Return the number of subscribers for the specified channels, "
        "excluding",
        "    pattern subscriptions(default: no channels).",
    };

    RESP_PUT_HELP(call, lines);
}

void
resp_run_PUBSUB(struct resp_call *call)
{
    static const struct resp_subcommand subcommands[] = {
        {"channels", -2, run_channels},
        {"help", 2, run_help},
        {"numpat", 2, run_numpat},
        {"numsub", -2, run_numsub},
    };

    RESP_RUN_SUBCOMMAND(call, subcommands);
}
