# Channels. `on B` is who publishes.
== subscribe and publish
> SUBSCRIBE ch
<2 *3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n
on B
> PUBLISH ch "hello\r\n\x00"
< :1\r\n
> PUBLISH nobody x
< :0\r\n
on A
<2 *3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$8\r\nhello\r\n\x00\r\n
<3 >3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$8\r\nhello\r\n\x00\r\n
> UNSUBSCRIBE ch
<2 *3\r\n$11\r\nunsubscribe\r\n$2\r\nch\r\n:0\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n$2\r\nch\r\n:0\r\n
> GET a
<2 $-1\r\n
<3 _\r\n
on B
> PUBLISH ch x
< :0\r\n
> PUBLISH ch
< -ERR wrong number of arguments for 'publish' command\r\n
> PUBLISH ch a b
< -ERR wrong number of arguments for 'publish' command\r\n
> SUBSCRIBE
< -ERR wrong number of arguments for 'subscribe' command\r\n
> PSUBSCRIBE
< -ERR wrong number of arguments for 'psubscribe' command\r\n

== two channels
> SUBSCRIBE a b
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n
> SUBSCRIBE a
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n
> UNSUBSCRIBE a nosuch
<2 *3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:1\r\n
<2 *3\r\n$11\r\nunsubscribe\r\n$6\r\nnosuch\r\n:1\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n$6\r\nnosuch\r\n:1\r\n
> UNSUBSCRIBE
<2 *3\r\n$11\r\nunsubscribe\r\n$1\r\nb\r\n:0\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n$1\r\nb\r\n:0\r\n

== without subscriptions
> UNSUBSCRIBE
<2 *3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n_\r\n:0\r\n
> PUNSUBSCRIBE
<2 *3\r\n$12\r\npunsubscribe\r\n$-1\r\n:0\r\n
<3 >3\r\n$12\r\npunsubscribe\r\n_\r\n:0\r\n
> UNSUBSCRIBE a
<2 *3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n
> PUNSUBSCRIBE a
<2 *3\r\n$12\r\npunsubscribe\r\n$1\r\na\r\n:0\r\n
<3 >3\r\n$12\r\npunsubscribe\r\n$1\r\na\r\n:0\r\n
> GET a
<2 $-1\r\n
<3 _\r\n

== patterns
> PSUBSCRIBE news.* n?ws.[a-b]
<2 *3\r\n$10\r\npsubscribe\r\n$6\r\nnews.*\r\n:1\r\n
<2 *3\r\n$10\r\npsubscribe\r\n$10\r\nn?ws.[a-b]\r\n:2\r\n
<3 >3\r\n$10\r\npsubscribe\r\n$6\r\nnews.*\r\n:1\r\n
<3 >3\r\n$10\r\npsubscribe\r\n$10\r\nn?ws.[a-b]\r\n:2\r\n
on B
> PUBLISH news.c 1
< :1\r\n
> PUBLISH news.a 2
< :2\r\n
on A
<2~ \*4\r\n\$8\r\npmessage\r\n\$6\r\nnews[.]\*\r\n\$6\r\nnews[.]c\r\n\$1\r\n1\r\n
<2~ \*4\r\n\$8\r\npmessage\r\n\$(6|10)\r\nn\S+\r\n\$6\r\nnews[.]a\r\n\$1\r\n2\r\n
<2~ \*4\r\n\$8\r\npmessage\r\n\$(6|10)\r\nn\S+\r\n\$6\r\nnews[.]a\r\n\$1\r\n2\r\n
<3~ >4\r\n\$8\r\npmessage\r\n\$6\r\nnews[.]\*\r\n\$6\r\nnews[.]c\r\n\$1\r\n1\r\n
<3~ >4\r\n\$8\r\npmessage\r\n\$(6|10)\r\nn\S+\r\n\$6\r\nnews[.]a\r\n\$1\r\n2\r\n
<3~ >4\r\n\$8\r\npmessage\r\n\$(6|10)\r\nn\S+\r\n\$6\r\nnews[.]a\r\n\$1\r\n2\r\n
> PUNSUBSCRIBE news.*
<2 *3\r\n$12\r\npunsubscribe\r\n$6\r\nnews.*\r\n:1\r\n
<3 >3\r\n$12\r\npunsubscribe\r\n$6\r\nnews.*\r\n:1\r\n
> PUNSUBSCRIBE
<2 *3\r\n$12\r\npunsubscribe\r\n$10\r\nn?ws.[a-b]\r\n:0\r\n
<3 >3\r\n$12\r\npunsubscribe\r\n$10\r\nn?ws.[a-b]\r\n:0\r\n

== channel and pattern count together
> SUBSCRIBE a
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
> PSUBSCRIBE a*
<2 *3\r\n$10\r\npsubscribe\r\n$2\r\na*\r\n:2\r\n
<3 >3\r\n$10\r\npsubscribe\r\n$2\r\na*\r\n:2\r\n
on B
> PUBLISH a x
< :2\r\n
on A
<2 *3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n
<2 *4\r\n$8\r\npmessage\r\n$2\r\na*\r\n$1\r\na\r\n$1\r\nx\r\n
<3 >3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n
<3 >4\r\n$8\r\npmessage\r\n$2\r\na*\r\n$1\r\na\r\n$1\r\nx\r\n

== what a subscriber may say
> SUBSCRIBE a
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
> PING
<2 *2\r\n$4\r\npong\r\n$0\r\n\r\n
<3 +PONG\r\n
> PING x
<2 *2\r\n$4\r\npong\r\n$1\r\nx\r\n
<3 $1\r\nx\r\n
> GET a
<2 -ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context\r\n
<3 _\r\n
> SET a 1
<2 -ERR Can't execute 'set': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context\r\n
<3 +OK\r\n
> NOSUCH
< -ERR unknown command 'NOSUCH', with args beginning with: \r\n
> GET
< -ERR wrong number of arguments for 'get' command\r\n
> PUBLISH b x
<2 -ERR Can't execute 'publish': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context\r\n
<3 :0\r\n
> MULTI
<2 -ERR Can't execute 'multi': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context\r\n
<3 +OK\r\n

== reset of a subscriber
> SUBSCRIBE a
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
> RESET
< +RESET\r\n
> GET a
< $-1\r\n
on B
> PUBLISH a x
< :0\r\n

== quit of a subscriber
> SUBSCRIBE a
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
> QUIT
< +OK\r\n
eof
on B
~> PUBLISH a x
< :0\r\n

== pubsub
> PUBSUB CHANNELS
< *0\r\n
> PUBSUB NUMPAT
< :0\r\n
> PUBSUB NUMSUB
< *0\r\n
> PUBSUB NUMSUB a b
< *4\r\n$1\r\na\r\n:0\r\n$1\r\nb\r\n:0\r\n
> PUBSUB NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try PUBSUB HELP.\r\n
> PUBSUB
< -ERR wrong number of arguments for 'pubsub' command\r\n
> PUBSUB CHANNELS a b
< -ERR unknown subcommand or wrong number of arguments for 'CHANNELS'. Try PUBSUB HELP.\r\n
on B
> SUBSCRIBE ch1
<2 *3\r\n$9\r\nsubscribe\r\n$3\r\nch1\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$3\r\nch1\r\n:1\r\n
> PSUBSCRIBE p*
<2 *3\r\n$10\r\npsubscribe\r\n$2\r\np*\r\n:2\r\n
<3 >3\r\n$10\r\npsubscribe\r\n$2\r\np*\r\n:2\r\n
on A
> PUBSUB CHANNELS
< *1\r\n$3\r\nch1\r\n
> PUBSUB CHANNELS ch*
< *1\r\n$3\r\nch1\r\n
> PUBSUB CHANNELS x*
< *0\r\n
> PUBSUB NUMSUB ch1 b
< *4\r\n$3\r\nch1\r\n:1\r\n$1\r\nb\r\n:0\r\n
> PUBSUB NUMPAT
< :1\r\n

== publish within multi
> SUBSCRIBE ch
<2 *3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n
on B
> MULTI
< +OK\r\n
> PUBLISH ch x
< +QUEUED\r\n
> EXEC
< *1\r\n:1\r\n
on A
<2 *3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$1\r\nx\r\n
<3 >3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$1\r\nx\r\n

== publish to oneself
> SUBSCRIBE a
<2 *3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
<3 >3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n
> UNSUBSCRIBE a
<2 *3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n
<3 >3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n
> PUBLISH a x
< :0\r\n
