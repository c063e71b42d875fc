# What clients send when they connect, word for word. Each is sent command by
# command, in one segment, and byte by byte; each command gets one reply.
only memoizer
protocol 2
skip lower the words are those of the clients

== node-redis 6
> HELLO 3 SETNAME app
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> SELECT 1
< +OK\r\n
> CLIENT SETINFO LIB-VER 6.2.1
< +OK\r\n
> CLIENT SETINFO LIB-NAME node-redis
< +OK\r\n
> CLIENT MAINT_NOTIFICATIONS ON moving-endpoint-type internal-ip
< -ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.\r\n
> PING
< +PONG\r\n

== node-redis 6 with READONLY and tracking
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> READONLY
< +OK\r\n
> CLIENT TRACKING ON
< -ERR unknown subcommand 'TRACKING'. Try CLIENT HELP.\r\n
> GET nosuch
< _\r\n

== node-redis 6 in RESP2
> CLIENT SETNAME app
< +OK\r\n
> SELECT 1
< +OK\r\n
> CLIENT SETINFO LIB-VER 6.2.1
< +OK\r\n
> CLIENT SETINFO LIB-NAME node-redis
< +OK\r\n
> PING
< +PONG\r\n

== ioredis 6
> hello 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> select 2
< +OK\r\n
> client setname me
< +OK\r\n
> client SETINFO LIB-VER 6.0.0
< +OK\r\n
> client SETINFO LIB-NAME ioredis
< +OK\r\n
> info
<~ =\d+\r\n(txt:)?# Server\r\n[\s\S]*\r\nloading:0\r\n[\s\S]*

== ioredis 6 with readonly
> hello 3 AUTH default pw
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> readonly
< +OK\r\n
> info
<~ =\d+\r\n(txt:)?# Server\r\n[\s\S]*\r\nloading:0\r\n[\s\S]*

== predis 3
> HELLO 2 SETNAME predis
<~ \*14\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:2\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> CLIENT SETINFO LIB-NAME predis
< +OK\r\n
> CLIENT SETINFO LIB-VER 3.6.0
< +OK\r\n
> SELECT 3
< +OK\r\n

== predis 3 in RESP3
> HELLO 3 AUTH default pw SETNAME predis
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> CLIENT SETINFO LIB-NAME predis
< +OK\r\n
> CLIENT SETINFO LIB-VER 3.6.0
< +OK\r\n
> SELECT 3
< +OK\r\n

== phpredis
> AUTH default pw
< +OK\r\n
> SELECT 1
< +OK\r\n
> ECHO phpredis:1234
< $13\r\nphpredis:1234\r\n

== phpredis with a password that nobody asked for
> AUTH pw
< -ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?\r\n
> SELECT 1
< +OK\r\n

== Perl Redis and Redis::Fast
> CLIENT SETNAME worker
< +OK\r\n
> SELECT 1
< +OK\r\n
> PING
< +PONG\r\n
> QUIT
< +OK\r\n
eof

== redis-py 8
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> CLIENT MAINT_NOTIFICATIONS ON moving-endpoint-type internal-ip
< -ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.\r\n
> CLIENT SETNAME app
< +OK\r\n
> CLIENT SETINFO LIB-NAME redis-py
< +OK\r\n
> CLIENT SETINFO LIB-VER 8.0.0
< +OK\r\n
> SELECT 1
< +OK\r\n
> PING
< +PONG\r\n

== redis-py in RESP2
> AUTH default pw
< +OK\r\n
> CLIENT SETNAME app
< +OK\r\n
> CLIENT SETINFO LIB-NAME redis-py
< +OK\r\n
> CLIENT SETINFO LIB-VER 8.0.0
< +OK\r\n
> SELECT 1
< +OK\r\n

== redis-client and redis-rb
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> SELECT 1
< +OK\r\n
> CLIENT SETINFO LIB-NAME redis-client
< +OK\r\n
> CLIENT SETINFO LIB-VER 0.26.0
< +OK\r\n
> CLIENT SETNAME app
< +OK\r\n

== redis-client and redis-rb in RESP2
> AUTH default pw
< +OK\r\n
> SELECT 1
< +OK\r\n
> CLIENT SETINFO LIB-NAME redis-client
< +OK\r\n
> CLIENT SETINFO LIB-VER 0.26.0
< +OK\r\n

== Lettuce
> HELLO 3 SETNAME spring
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> SELECT 1
< +OK\r\n
> READONLY
< +OK\r\n
> CLIENT SETINFO lib-name Lettuce
< +OK\r\n
> CLIENT SETINFO lib-ver 7.0.0.RELEASE/e4c2c5e
< +OK\r\n
> CLIENT MAINT_NOTIFICATIONS on moving-endpoint-type internal-ip
< -ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.\r\n

== Lettuce falling back
> PING
< +PONG\r\n
> CLIENT SETNAME spring
< +OK\r\n

== Jedis
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> CLIENT SETNAME jedis
< +OK\r\n
> CLIENT SETINFO LIB-NAME jedis
< +OK\r\n
> CLIENT SETINFO LIB-VER 7.0.0
< +OK\r\n
> SELECT 1
< +OK\r\n

== Jedis falling back
> AUTH default pw
< +OK\r\n
> HELLO 2
<~ \*14\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:2\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> GET nosuch
< $-1\r\n

== Redisson
> AUTH default pw
< +OK\r\n
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> SELECT 1
< +OK\r\n
> CLIENT SETNAME redisson
< +OK\r\n
> CLIENT CAPA redirect
< -ERR unknown subcommand 'CAPA'. Try CLIENT HELP.\r\n
> PING
< +PONG\r\n

== go-redis 9
> hello 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> select 1
< +OK\r\n
> readonly
< +OK\r\n
> client setname scs
< +OK\r\n
> client maint_notifications on moving-endpoint-type internal-ip
< -ERR unknown subcommand 'maint_notifications'. Try CLIENT HELP.\r\n
> client setinfo LIB-NAME go-redis(,go1.25)
< +OK\r\n
> client setinfo LIB-VER 9.17.0
< +OK\r\n

== go-redis 9 with a password
> hello 3 auth default pw setname scs
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> get nosuch
< _\r\n

== redigo
> AUTH default pw
< +OK\r\n
> CLIENT SETNAME redigo
< +OK\r\n
> SELECT 1
< +OK\r\n

== redigo giving a connection back within MULTI
> MULTI
< +OK\r\n
> DISCARD
< +OK\r\n
> ECHO sentinel
< $8\r\nsentinel\r\n

== redigo giving a connection back that watches
> WATCH a
< +OK\r\n
> UNWATCH
< +OK\r\n
> PING
< +PONG\r\n

== redigo giving a connection back that subscribes
> SUBSCRIBE ch
< *3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n
> UNSUBSCRIBE
< *3\r\n$11\r\nunsubscribe\r\n$2\r\nch\r\n:0\r\n
> PUNSUBSCRIBE
< *3\r\n$12\r\npunsubscribe\r\n$-1\r\n:0\r\n
> ECHO sentinel
< $8\r\nsentinel\r\n

== SE.Redis 3
> AUTH default pw
< +OK\r\n
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> CLIENT SETNAME web-1
< +OK\r\n
> CLIENT SETINFO lib-name SE.Redis
< +OK\r\n
> CLIENT SETINFO lib-ver 3.0.0
< +OK\r\n
> CLIENT ID
<~ :[1-9]\d*\r\n
> CONFIG GET timeout
< %1\r\n$7\r\ntimeout\r\n$1\r\n0\r\n
> CONFIG GET replica-read-only
< %1\r\n$17\r\nreplica-read-only\r\n$3\r\nyes\r\n
> CONFIG GET databases
< %1\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
> SENTINEL MASTERS
< -ERR unknown command 'SENTINEL', with args beginning with: 'MASTERS' \r\n
> INFO replication
<~ [=$]\d+\r\n(txt:)?# Replication\r\nrole:master\r\n[\s\S]*
> INFO server
<~ [=$]\d+\r\n(txt:)?# Server\r\n[\s\S]*redis_version:7[.]2[.]4\r\n[\s\S]*
> CLUSTER NODES
< -ERR This instance has cluster support disabled\r\n
> GET __Booksleeve_TieBreak
< _\r\n
> ECHO "\x01\xff\x00\x0d\x0a\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
< $16\r\n\x01\xff\x00\x0d\x0a\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\r\n
> SUBSCRIBE __Booksleeve_MasterChanged
< >3\r\n$9\r\nsubscribe\r\n$26\r\n__Booksleeve_MasterChanged\r\n:1\r\n
> PING
< +PONG\r\n

== SE.Redis 3 in RESP2
> AUTH default pw
< +OK\r\n
> CLIENT SETNAME web-1
< +OK\r\n
> CLIENT SETINFO lib-name SE.Redis
< +OK\r\n
> CLIENT SETINFO lib-ver 3.0.0
< +OK\r\n
> CLIENT ID
<~ :[1-9]\d*\r\n
> CONFIG GET timeout
< *2\r\n$7\r\ntimeout\r\n$1\r\n0\r\n
> CONFIG GET replica-read-only
< *2\r\n$17\r\nreplica-read-only\r\n$3\r\nyes\r\n
> CONFIG GET databases
< *2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
> SENTINEL MASTERS
< -ERR unknown command 'SENTINEL', with args beginning with: 'MASTERS' \r\n
> INFO replication
<~ [=$]\d+\r\n(txt:)?# Replication\r\nrole:master\r\n[\s\S]*
> INFO server
<~ [=$]\d+\r\n(txt:)?# Server\r\n[\s\S]*redis_version:7[.]2[.]4\r\n[\s\S]*
> CLUSTER NODES
< -ERR This instance has cluster support disabled\r\n
> GET __Booksleeve_TieBreak
< $-1\r\n
> ECHO "\x01\xff\x00\x0d\x0a\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
< $16\r\n\x01\xff\x00\x0d\x0a\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\r\n

== SE.Redis 3, the connection that subscribes in RESP2
> AUTH default pw
< +OK\r\n
> CLIENT SETNAME web-1
< +OK\r\n
> SUBSCRIBE __Booksleeve_MasterChanged
< *3\r\n$9\r\nsubscribe\r\n$26\r\n__Booksleeve_MasterChanged\r\n:1\r\n
> PING
< *2\r\n$4\r\npong\r\n$0\r\n\r\n

== SE.Redis 3 with a password that is wrong
> CLIENT ID
<~ :[1-9]\d*\r\n
> AUTH bad
< -ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?\r\n
> PING
< +PONG\r\n

== lua-resty-redis
> AUTH default pw
< +OK\r\n
> SELECT 1
< +OK\r\n
> SET a 1 EX 100
< +OK\r\n
> GET a
< $1\r\n1\r\n

== redis-cli
> AUTH default pw
< +OK\r\n
> SELECT 1
< +OK\r\n
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> COMMAND DOCS
<~ %\d+\r\n\$\d+\r\n[\s\S]*
> INFO SERVER
<~ =\d+\r\ntxt:# Server\r\n[\s\S]*redis_version:7[.]2[.]4\r\n[\s\S]*
> COMMAND
<~ \*\d+\r\n\*\d+\r\n[\s\S]*

== redis-benchmark, the first connection
> CONFIG GET save
< *2\r\n$4\r\nsave\r\n$0\r\n\r\n
> CONFIG GET appendonly
< *2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n

== redis-benchmark, a client
needs PING
> SELECT 0
< +OK\r\n
>= PING\r\n
< +PONG\r\n
> PING
< +PONG\r\n

== redis-benchmark -3
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> CLIENT TRACKING on
< -ERR unknown subcommand 'TRACKING'. Try CLIENT HELP.\r\n
> PING
< +PONG\r\n

== memtier
> AUTH default pw
< +OK\r\n
> SELECT 1
< +OK\r\n
> HELLO 2
<~ \*14\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:2\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> SET memtier-1 x
< +OK\r\n
> WAIT 0 100
< :0\r\n

== memtier in RESP3
> SELECT 1
< +OK\r\n
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> GET memtier-1
< _\r\n

== twemproxy
> AUTH default pw
< +OK\r\n
> SELECT 1
< +OK\r\n
> MSET a 1 b 2
< +OK\r\n
> MGET a nosuch b
< *3\r\n$1\r\n1\r\n$-1\r\n$1\r\n2\r\n
> DEL a b
< :2\r\n

== HAProxy
needs PING
>= *1\r\n$4\r\nPING\r\n
< +PONG\r\n

== redis_exporter
> CLIENT SETNAME redis_exporter
< +OK\r\n
> INFO ALL
<~ \$\d+\r\n# Server\r\n[\s\S]*cmdstat_client[\s\S]*
> CONFIG GET *
<~ \*\d*[02468]\r\n[\s\S]*\$9\r\ndatabases\r\n\$2\r\n16\r\n[\s\S]*
> LATENCY LATEST
< *0\r\n
> LATENCY HISTOGRAM
<~ \*0\r\n
> SLOWLOG LEN
< :0\r\n
> SLOWLOG GET 1
< *0\r\n
> COMMAND INFO COMMANDLOG
< *1\r\n$-1\r\n
> CLIENT LIST
<~ \$\d+\r\nid=[\s\S]*name=redis_exporter [\s\S]*

== RedisInsight
> INFO
<~ \$\d+\r\n(txt:)?# Server\r\n[\s\S]*\r\nloading:0\r\n[\s\S]*
> MODULE LIST
< *0\r\n
> CONFIG GET databases
< *2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
> CLIENT LIST
<~ \$\d+\r\nid=[\s\S]*
> DBSIZE
< :0\r\n
> SCAN 0 COUNT 200
< *2\r\n$1\r\n0\r\n*0\r\n
> MEMORY USAGE nosuch SAMPLES 0
< $-1\r\n
> TTL nosuch
< :-2\r\n
> HELLO
<~ \*14\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$5\r\n7[.]2[.]4\r\n\$5\r\nproto\r\n:2\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
