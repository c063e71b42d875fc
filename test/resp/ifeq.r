# Compare and set, compare and delete: newer than Redis 7.
only memoizer
== set ifeq
> SET a 1
< +OK\r\n
> SET a 2 IFEQ 1
< +OK\r\n
> SET a 3 IFEQ 1
<2 $-1\r\n
<3 _\r\n
> SET nosuch 1 IFEQ 1
<2 $-1\r\n
<3 _\r\n
> EXISTS nosuch
< :0\r\n
> SET a 3 EX 100 IFEQ 2
< +OK\r\n
> TTL a
< :100\r\n
> SET a 4 IFEQ 3 KEEPTTL
< +OK\r\n
> TTL a
< :100\r\n
> SET a 5 IFEQ 4 GET
< $1\r\n4\r\n
> SET a 6 IFEQ x GET
< $1\r\n5\r\n
> GET a
< $1\r\n5\r\n
> SET a 6 IFEQ 5 NX
< -ERR syntax error\r\n
> SET a 6 IFEQ
< -ERR syntax error\r\n

== delex
> SET a 1
< +OK\r\n
> DELEX a IFEQ 2
< :0\r\n
> DELEX a IFEQ 1
< :1\r\n
> DELEX a IFEQ 1
< :0\r\n
> SET a 1
< +OK\r\n
> DELEX a
< :1\r\n
> DELEX a
< :0\r\n
> DELEX
< -ERR wrong number of arguments for 'delex' command\r\n
