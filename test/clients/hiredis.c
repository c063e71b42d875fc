/* SPDX-License-Identifier: MIT
 *
 * hiredis.c - the C client that many others are built on: commands, binary
 * arguments, a pipeline, replies of every kind. The server's port is in the
 * environment, MEMOIZER_PORT.
 */
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPELINED 10000

static redisContext *context;

static void
fail(const char *what, const char *got)
{
    fprintf(stderr, "FAILED %s: %s\n", what, got != NULL ? got : "no reply");
    exit(1);
}

/* The reply is of this type and, unless text is NULL, has this text. */
static void
check(redisReply *reply, const char *what, int type, const char *text)
{
    if (reply == NULL)
        fail(what, context->errstr);
    if (reply->type != type)
        fail(what, reply->str);
    if (text != NULL &&
        (reply->len != strlen(text) || strcmp(reply->str, text) != 0))
        fail(what, reply->str);
    freeReplyObject(reply);
}

static void
check_integer(redisReply *reply, const char *what, long long n)
{
    if (reply == NULL || reply->type != REDIS_REPLY_INTEGER ||
        reply->integer != n)
        fail(what, reply != NULL ? reply->str : NULL);
    freeReplyObject(reply);
}

static void
binary(void)
{
    const char value[] = {'a', 0, '\r', '\n', (char)0xff};
    redisReply *reply;

    check(redisCommand(context, "SET %b %b", "k\0k", (size_t)3, value,
                       sizeof value),
          "set", REDIS_REPLY_STATUS, "OK");
    reply = redisCommand(context, "GET %b", "k\0k", (size_t)3);
    if (reply == NULL || reply->type != REDIS_REPLY_STRING ||
        reply->len != sizeof value || memcmp(reply->str, value, reply->len))
        fail("get", NULL);
    freeReplyObject(reply);
}

static void
pipeline(void)
{
    void *reply;

    for (int i = 0; i < PIPELINED; i++)
        if (redisAppendCommand(context, "INCR counter") != REDIS_OK)
            fail("append", context->errstr);
    for (int i = 1; i <= PIPELINED; i++) {
        if (redisGetReply(context, &reply) != REDIS_OK)
            fail("pipelined", context->errstr);
        check_integer(reply, "pipelined", i);
    }
}

static void
arrays(void)
{
    redisReply *reply = redisCommand(context, "MGET counter nosuch");

    if (reply == NULL || reply->type != REDIS_REPLY_ARRAY ||
        reply->elements != 2 || strcmp(reply->element[0]->str, "10000") != 0 ||
        reply->element[1]->type != REDIS_REPLY_NIL)
        fail("mget", NULL);
    freeReplyObject(reply);
    check(redisCommand(context, "MULTI"), "multi", REDIS_REPLY_STATUS, "OK");
    check(redisCommand(context, "INCR counter"), "queued", REDIS_REPLY_STATUS,
          "QUEUED");
    check(redisCommand(context, "EXEC"), "exec", REDIS_REPLY_ARRAY, NULL);
}

int
main(void)
{
    const char *port = getenv("MEMOIZER_PORT");
    struct timeval deadline = {10, 0};

    if (port == NULL)
        return 2;
    context = redisConnectWithTimeout("127.0.0.1", atoi(port), deadline);
    if (context == NULL || context->err)
        fail("connect", context != NULL ? context->errstr : NULL);
    redisSetTimeout(context, deadline);
    check(redisCommand(context, "PING"), "ping", REDIS_REPLY_STATUS, "PONG");
    check(redisCommand(context, "GET nosuch"), "missing", REDIS_REPLY_NIL,
          NULL);
    check(redisCommand(context, "NOSUCH"), "unknown", REDIS_REPLY_ERROR,
          "ERR unknown command 'NOSUCH', with args beginning with: ");
    binary();
    pipeline();
    arrays();
    check(redisCommand(context, "SET s v EX %d", 100), "set ex",
          REDIS_REPLY_STATUS, "OK");
    check_integer(redisCommand(context, "TTL s"), "ttl", 100);
    redisFree(context);
    printf("hiredis %d.%d.%d: well\n", HIREDIS_MAJOR, HIREDIS_MINOR,
           HIREDIS_PATCH);
    return 0;
}
