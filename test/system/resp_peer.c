/* SPDX-License-Identifier: MIT
 *
 * resp_peer.c - see resp_peer.h.
 */
#include "resp_peer.h"

#include "talk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
peer_connect(struct peer *p, uint16_t port)
{
    *p = (struct peer){0};
    client_connect(&p->client, port);
}

void
peer_close(struct peer *p)
{
    client_close(&p->client);
    buf_fini(&p->reply);
}

void
peer_reset(struct peer *p)
{
    client_reset(&p->client);
    buf_fini(&p->reply);
}

void
peer_say(struct peer *p, ...)
{
    struct buf words = {0}, command = {0};
    const char *word;
    int count = 0;
    va_list list;

    va_start(list, p);
    while ((word = va_arg(list, const char *)) != NULL) {
        buf_printf(&words, "$%zu\r\n%s\r\n", strlen(word), word);
        count++;
    }
    va_end(list);
    buf_printf(&command, "*%d\r\n", count);
    buf_put_slice(&command, buf_slice(&words));
    if (command.failed || words.failed)
        talk_fail("no memory for a command");
    client_send(&p->client, command.data, command.len);
    buf_fini(&command);
    buf_fini(&words);
}

/* Appends a line without its CR; false at the end. */
static bool
add_line(struct peer *p)
{
    struct slice line;

    if (!client_line(&p->client, &line))
        return false;
    if (line.len == 0 || line.data[line.len - 1] != '\r')
        talk_fail("a line without CR");
    if (p->reply.len > 0)
        buf_put_char(&p->reply, ' ');
    buf_put(&p->reply, line.data, line.len - 1);
    return true;
}

/* One value, with what is in it. */
static bool
add_value(struct peer *p)
{
    const size_t at = p->reply.len + (p->reply.len > 0);
    char head[32] = "";
    long n;

    if (!add_line(p))
        return false;
    memcpy(head, p->reply.data + at,
           p->reply.len - at < 31 ? p->reply.len - at : 31);
    n = strtol(head + 1, NULL, 10);
    if (head[0] == '$' || head[0] == '=')
        return n < 0 || add_line(p);
    if (head[0] == '%')
        n *= 2;
    else if (head[0] != '*' && head[0] != '>' && head[0] != '~')
        return true;
    while (n-- > 0) {
        if (!add_value(p))
            return false;
    }
    return true;
}

const char *
peer_hear(struct peer *p)
{
    p->reply.len = 0;
    if (!add_value(p))
        return NULL;
    buf_put_char(&p->reply, '\0');
    if (p->reply.failed)
        talk_fail("no memory for a reply");
    return p->reply.data;
}

void
peer_expect(struct peer *p, const char *want)
{
    const char *reply = peer_hear(p);

    if (reply == NULL)
        talk_fail("the end instead of \"%s\"", want);
    if (strcmp(reply, want) != 0)
        talk_fail("\"%s\" instead of \"%s\"", reply, want);
}
