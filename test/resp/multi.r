# Transactions.
== multi exec
> MULTI
< +OK\r\n
> SET a 1
< +QUEUED\r\n
> GET a
< +QUEUED\r\n
> INCR a
< +QUEUED\r\n
> GET nosuch
< +QUEUED\r\n
> EXEC
<2 *4\r\n+OK\r\n$1\r\n1\r\n:2\r\n$-1\r\n
<3 *4\r\n+OK\r\n$1\r\n1\r\n:2\r\n_\r\n
> GET a
< $1\r\n2\r\n
> MULTI
< +OK\r\n
> EXEC
< *0\r\n
> MULTI
< +OK\r\n
> PING
< +QUEUED\r\n
> ECHO x
< +QUEUED\r\n
> SELECT 1
< +QUEUED\r\n
> SET a one
< +QUEUED\r\n
> EXEC
< *4\r\n+PONG\r\n$1\r\nx\r\n+OK\r\n+OK\r\n
> GET a
< $3\r\none\r\n
> SELECT 0
< +OK\r\n
> GET a
< $1\r\n2\r\n

== discard
> SET a 1
< +OK\r\n
> MULTI
< +OK\r\n
> SET a 2
< +QUEUED\r\n
> DISCARD
< +OK\r\n
> GET a
< $1\r\n1\r\n
> DISCARD
< -ERR DISCARD without MULTI\r\n
> EXEC
< -ERR EXEC without MULTI\r\n
> EXEC x
< -EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command\r\n
> DISCARD x
< -ERR wrong number of arguments for 'discard' command\r\n
> MULTI x
< -ERR wrong number of arguments for 'multi' command\r\n

== nested
> MULTI
< +OK\r\n
> MULTI
< -ERR MULTI calls can not be nested\r\n
> SET a 1
< +QUEUED\r\n
> EXEC
< *1\r\n+OK\r\n
> GET a
< $1\r\n1\r\n

== a fault while queueing
> MULTI
< +OK\r\n
> NOSUCH a
< -ERR unknown command 'NOSUCH', with args beginning with: 'a' \r\n
> SET a 1
< +QUEUED\r\n
> EXEC
< -EXECABORT Transaction discarded because of previous errors.\r\n
> GET a
<2 $-1\r\n
<3 _\r\n
> MULTI
< +OK\r\n
> GET
< -ERR wrong number of arguments for 'get' command\r\n
> EXEC
< -EXECABORT Transaction discarded because of previous errors.\r\n
> MULTI
< +OK\r\n
> SET b 1
< +QUEUED\r\n
> EXEC
< *1\r\n+OK\r\n

== a fault while running
> MULTI
< +OK\r\n
> SET a x
< +QUEUED\r\n
> INCR a
< +QUEUED\r\n
> SET b y
< +QUEUED\r\n
> EXEC
< *3\r\n+OK\r\n-ERR value is not an integer or out of range\r\n+OK\r\n
> MGET a b
< *2\r\n$1\r\nx\r\n$1\r\ny\r\n

== watch
> SET a 1
< +OK\r\n
> WATCH a
< +OK\r\n
> MULTI
< +OK\r\n
> SET a 2
< +QUEUED\r\n
> EXEC
< *1\r\n+OK\r\n
> WATCH a
< +OK\r\n
> SET a 3
< +OK\r\n
> MULTI
< +OK\r\n
> SET a 4
< +QUEUED\r\n
> EXEC
<2 *-1\r\n
<3 _\r\n
> GET a
< $1\r\n3\r\n
> MULTI
< +OK\r\n
> SET a 5
< +QUEUED\r\n
> EXEC
< *1\r\n+OK\r\n
> WATCH a
< +OK\r\n
> SET a 6
< +OK\r\n
> UNWATCH
< +OK\r\n
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
< *1\r\n$1\r\n6\r\n
> WATCH
< -ERR wrong number of arguments for 'watch' command\r\n
> UNWATCH x
< -ERR wrong number of arguments for 'unwatch' command\r\n
> MULTI
< +OK\r\n
> WATCH a
< -ERR WATCH inside MULTI is not allowed\r\n
> UNWATCH
< +QUEUED\r\n
> EXEC
< *1\r\n+OK\r\n
> UNWATCH
< +OK\r\n

== watch of two
> SET a 1
< +OK\r\n
> WATCH a nosuch
< +OK\r\n
on B
> SET nosuch 1
< +OK\r\n
on A
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
<2 *-1\r\n
<3 _\r\n
> WATCH a
< +OK\r\n
on B
> GET a
< $1\r\n1\r\n
> EXPIRE a 100
< :1\r\n
on A
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> exec
<2 *-1\r\n
<3 _\r\n
> WATCH nosuch2
< +OK\r\n
on B
> SET other 1
< +OK\r\n
> DEL nosuch2
< :0\r\n
on A
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
< *1\r\n$1\r\n1\r\n
> WATCH a
< +OK\r\n
on B
> FLUSHALL
< +OK\r\n
on A
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
<2 *-1\r\n
<3 _\r\n

== watch and discard
> SET a 1
< +OK\r\n
> WATCH a
< +OK\r\n
> SET a 2
< +OK\r\n
> MULTI
< +OK\r\n
> DISCARD
< +OK\r\n
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
< *1\r\n$1\r\n2\r\n

== watch in another database
> SET a 1
< +OK\r\n
> WATCH a
< +OK\r\n
> SELECT 1
< +OK\r\n
> SET a one
< +OK\r\n
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
< *1\r\n$3\r\none\r\n
> SELECT 0
< +OK\r\n
> GET a
< $1\r\n1\r\n

== a watched key that expires
> SET a 1 PX 40
< +OK\r\n
> WATCH a
< +OK\r\n
on B
~> EXISTS a
< :0\r\n
on A
> MULTI
< +OK\r\n
> PING
< +QUEUED\r\n
> EXEC
<2 *-1\r\n
<3 _\r\n

== reset within multi
> MULTI
< +OK\r\n
> SET a 1
< +QUEUED\r\n
> RESET
< +RESET\r\n
> EXEC
< -ERR EXEC without MULTI\r\n
> GET a
< $-1\r\n
> WATCH a
< +OK\r\n
> SET a 2
< +OK\r\n
> RESET
< +RESET\r\n
> MULTI
< +OK\r\n
> GET a
< +QUEUED\r\n
> EXEC
< *1\r\n$1\r\n2\r\n

== quit within multi
> MULTI
< +OK\r\n
> SET a 1
< +QUEUED\r\n
> QUIT
< +OK\r\n
eof
on B
> GET a
<2 $-1\r\n
<3 _\r\n

== hello within multi
> MULTI
< +OK\r\n
> HELLO 2
< +QUEUED\r\n
> EXEC
<~ \*1\r\n\*14\r\n\$6\r\nserver\r\n[\s\S]*\$5\r\nproto\r\n:2\r\n[\s\S]*

== what watches sees a rename
> SET a 1
< +OK\r\n
> WATCH b
< +OK\r\n
on B
> RENAME a b
< +OK\r\n
on A
> MULTI
< +OK\r\n
> GET b
< +QUEUED\r\n
> EXEC
<2 *-1\r\n
<3 _\r\n

== many keys within multi
> MULTI
< +OK\r\n
> MSET a 1 b 2 c 3
< +QUEUED\r\n
> MGET a b c nosuch
< +QUEUED\r\n
> DEL a b c
< +QUEUED\r\n
> EXISTS a b c
< +QUEUED\r\n
> EXEC
<2 *4\r\n+OK\r\n*4\r\n$1\r\n1\r\n$1\r\n2\r\n$1\r\n3\r\n$-1\r\n:3\r\n:0\r\n
<3 *4\r\n+OK\r\n*4\r\n$1\r\n1\r\n$1\r\n2\r\n$1\r\n3\r\n_\r\n:3\r\n:0\r\n
> DBSIZE
< :0\r\n
