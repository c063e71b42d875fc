# What tells of the server.
== command
> COMMAND COUNT
<~ :\d+\r\n
> COMMAND INFO nosuch
<2 *1\r\n$-1\r\n
<3 *1\r\n_\r\n
> COMMAND INFO get
<2~ \*1\r\n\*10\r\n\$3\r\nget\r\n:2\r\n\*\d\r\n[\s\S]*
<3~ \*1\r\n\*10\r\n\$3\r\nget\r\n:2\r\n~\d\r\n[\s\S]*
> COMMAND INFO get nosuch
<~ \*2\r\n\*10\r\n\$3\r\nget\r\n:2\r\n[\s\S]*(\$-1|_)\r\n
> COMMAND DOCS nosuch
<2 *0\r\n
<3 %0\r\n
> COMMAND DOCS get
<2~ \*2\r\n\$3\r\nget\r\n\*\d+\r\n[\s\S]*
<3~ %1\r\n\$3\r\nget\r\n%\d+\r\n[\s\S]*
> COMMAND LIST FILTERBY PATTERN getde*
< *1\r\n$6\r\ngetdel\r\n
> COMMAND LIST FILTERBY PATTERN nosuch*
< *0\r\n
> COMMAND LIST FILTERBY bad x
< -ERR syntax error\r\n
> COMMAND LIST
<~ \*\d+\r\n(\$\d+\r\n\S+\r\n)+
> COMMAND
<~ \*\d+\r\n\*10\r\n[\s\S]*
> COMMAND GETKEYS MSET a b c d
< *2\r\n$1\r\na\r\n$1\r\nc\r\n
> COMMAND GETKEYS GET k
< *1\r\n$1\r\nk\r\n
> COMMAND GETKEYS PING
< -ERR wrong number of arguments for 'command|getkeys' command\r\n
> COMMAND GETKEYS nosuch
< -ERR wrong number of arguments for 'command|getkeys' command\r\n
> COMMAND GETKEYS PING x
< -ERR The command has no key arguments\r\n
> COMMAND GETKEYS nosuch x
< -ERR Invalid command specified\r\n
> COMMAND GETKEYS GET
< -ERR wrong number of arguments for 'command|getkeys' command\r\n
> COMMAND NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try COMMAND HELP.\r\n
> COMMAND COUNT x
< -ERR wrong number of arguments for 'command|count' command\r\n

== info
> INFO server
<2~ \$\d+\r\n# Server\r\n(\w+:.*\r\n)*redis_version:7[.]\d+[.]\d+\r\n(\w+:.*\r\n)*redis_mode:standalone\r\n[\s\S]*
<3~ =\d+\r\ntxt:# Server\r\n(\w+:.*\r\n)*redis_version:7[.]\d+[.]\d+\r\n(\w+:.*\r\n)*redis_mode:standalone\r\n[\s\S]*
> INFO SERVER
<~ [\s\S]*\r\nredis_version:7[.]\d+[.]\d+\r\n[\s\S]*
> INFO
<~ [\s\S]*\r\nredis_version:7[.]\d+[.]\d+\r\n[\s\S]*# Keyspace\r\n[\s\S]*
> INFO all
<~ [\s\S]*\r\nredis_version:7[.]\d+[.]\d+\r\n[\s\S]*# Commandstats\r\n[\s\S]*cmdstat_info:calls=\d+,usec=\d+,usec_per_call=\d+[.]\d+[\s\S]*
> INFO everything
<~ [\s\S]*\r\nredis_version:7[.]\d+[.]\d+\r\n[\s\S]*
> INFO server clients
<~ (?=[\s\S]*# Clients\r\n)[\s\S]*# Server\r\n(\w+:.*\r\n)*redis_version:7[.]\d+[.]\d+\r\n[\s\S]*
> INFO nosuch
<2 $0\r\n\r\n
<3 =4\r\ntxt:\r\n
> INFO memory
<~ [\s\S]*# Memory\r\nused_memory:\d+\r\nused_memory_human:\S+\r\nused_memory_rss:\d+\r\n[\s\S]*\r\nmaxmemory:\d+\r\n[\s\S]*\r\nmaxmemory_policy:noeviction\r\n[\s\S]*
> INFO replication
<~ [\s\S]*# Replication\r\nrole:master\r\nconnected_slaves:0\r\n[\s\S]*
> INFO persistence
<~ [\s\S]*\r\nloading:0\r\n[\s\S]*\r\nrdb_bgsave_in_progress:0\r\n[\s\S]*\r\naof_enabled:0\r\n[\s\S]*
> INFO stats
<~ [\s\S]*\r\ntotal_connections_received:\d+\r\ntotal_commands_processed:\d+\r\n[\s\S]*expired_keys:\d+\r\n[\s\S]*keyspace_hits:\d+\r\n[\s\S]*
> INFO cluster
<~ [\s\S]*# Cluster\r\ncluster_enabled:0\r\n\r\n
> INFO keyspace
<2 $12\r\n# Keyspace\r\n\r\n
<3 =16\r\ntxt:# Keyspace\r\n\r\n
> SET a 1 EX 100
< +OK\r\n
> SET b 1
< +OK\r\n
> INFO keyspace
<2~ \$\d+\r\n# Keyspace\r\ndb0:keys=2,expires=1,avg_ttl=\d+\r\n\r\n
<3~ =\d+\r\ntxt:# Keyspace\r\ndb0:keys=2,expires=1,avg_ttl=\d+\r\n\r\n
> INFO clients
<~ [\s\S]*# Clients\r\nconnected_clients:\d+\r\n[\s\S]*maxclients:\d+\r\n[\s\S]*blocked_clients:0\r\n[\s\S]*

== config get
> CONFIG GET databases
<2 *2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
<3 %1\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
> CONFIG GET save
<2 *2\r\n$4\r\nsave\r\n$0\r\n\r\n
<3 %1\r\n$4\r\nsave\r\n$0\r\n\r\n
> CONFIG GET appendonly
<2 *2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n
<3 %1\r\n$10\r\nappendonly\r\n$2\r\nno\r\n
> CONFIG GET timeout
<2 *2\r\n$7\r\ntimeout\r\n$1\r\n0\r\n
<3 %1\r\n$7\r\ntimeout\r\n$1\r\n0\r\n
> CONFIG GET maxmemory
<2 *2\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n
<3 %1\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n
> CONFIG GET maxmemory-policy
<2 *2\r\n$16\r\nmaxmemory-policy\r\n$10\r\nnoeviction\r\n
<3 %1\r\n$16\r\nmaxmemory-policy\r\n$10\r\nnoeviction\r\n
> CONFIG GET maxclients
<2 *2\r\n$10\r\nmaxclients\r\n$5\r\n10000\r\n
<3 %1\r\n$10\r\nmaxclients\r\n$5\r\n10000\r\n
> CONFIG GET notify-keyspace-events
<2 *2\r\n$22\r\nnotify-keyspace-events\r\n$0\r\n\r\n
<3 %1\r\n$22\r\nnotify-keyspace-events\r\n$0\r\n\r\n
> CONFIG GET replica-read-only
<2 *2\r\n$17\r\nreplica-read-only\r\n$3\r\nyes\r\n
<3 %1\r\n$17\r\nreplica-read-only\r\n$3\r\nyes\r\n
> CONFIG GET slave-read-only
<2 *2\r\n$15\r\nslave-read-only\r\n$3\r\nyes\r\n
<3 %1\r\n$15\r\nslave-read-only\r\n$3\r\nyes\r\n
> CONFIG GET tcp-keepalive
<2 *2\r\n$13\r\ntcp-keepalive\r\n$3\r\n300\r\n
<3 %1\r\n$13\r\ntcp-keepalive\r\n$3\r\n300\r\n
> CONFIG GET nosuch
<2 *0\r\n
<3 %0\r\n
> CONFIG GET databases save
<~ (\*4|%2)\r\n(\$9\r\ndatabases\r\n\$2\r\n16\r\n|\$4\r\nsave\r\n\$0\r\n\r\n){2}
> CONFIG GET d?tabase[r-t]
<2 *2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
<3 %1\r\n$9\r\ndatabases\r\n$2\r\n16\r\n
> CONFIG GET requirepass
<2 *2\r\n$11\r\nrequirepass\r\n$0\r\n\r\n
<3 %1\r\n$11\r\nrequirepass\r\n$0\r\n\r\n
> CONFIG GET port
<~ (\*2|%1)\r\n\$4\r\nport\r\n\$\d\r\n\d+\r\n
> CONFIG GET *
<2~ \*\d*[02468]\r\n(\$\d+\r\n[\s\S]*?\r\n)+
<3~ %\d+\r\n(\$\d+\r\n[\s\S]*?\r\n)+
> CONFIG GET
< -ERR wrong number of arguments for 'config|get' command\r\n
> CONFIG NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try CONFIG HELP.\r\n
> CONFIG
< -ERR wrong number of arguments for 'config' command\r\n

== a name comes back as it was spelt
skip lower the reply has the spelling
> CONFIG GET DATABASES
<2 *2\r\n$9\r\nDATABASES\r\n$2\r\n16\r\n
<3 %1\r\n$9\r\nDATABASES\r\n$2\r\n16\r\n

== config set
> CONFIG SET nosuch 1
< -ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'\r\n
> CONFIG SET timeout
< -ERR wrong number of arguments for 'config|set' command\r\n
> CONFIG SET timeout x
< -ERR CONFIG SET failed (possibly related to argument 'timeout') - argument couldn't be parsed into an integer\r\n
> CONFIG SET dir /tmp
< -ERR CONFIG SET failed (possibly related to argument 'dir') - can't set protected config\r\n
> CONFIG SET databases 3
< -ERR CONFIG SET failed (possibly related to argument 'databases') - can't set immutable config\r\n
> CONFIG RESETSTAT
< +OK\r\n
> CONFIG REWRITE
< -ERR The server is running without a config file\r\n
> CONFIG RESETSTAT x
< -ERR wrong number of arguments for 'config|resetstat' command\r\n

== config set of keyspace events
skip lower the letters have a case
> CONFIG SET notify-keyspace-events Egx
< +OK\r\n
> CONFIG GET notify-keyspace-events
<2 *2\r\n$22\r\nnotify-keyspace-events\r\n$3\r\ngxE\r\n
<3 %1\r\n$22\r\nnotify-keyspace-events\r\n$3\r\ngxE\r\n
> CONFIG SET notify-keyspace-events KEA
< +OK\r\n
> CONFIG GET notify-keyspace-events
<2 *2\r\n$22\r\nnotify-keyspace-events\r\n$3\r\nAKE\r\n
<3 %1\r\n$22\r\nnotify-keyspace-events\r\n$3\r\nAKE\r\n
> CONFIG SET notify-keyspace-events bad
< -ERR CONFIG SET failed (possibly related to argument 'notify-keyspace-events') - Invalid event class character. Use 'Ag$lshzxeKEtmdn'.\r\n
> CONFIG SET notify-keyspace-events ""
< +OK\r\n
> CONFIG GET notify-keyspace-events
<2 *2\r\n$22\r\nnotify-keyspace-events\r\n$0\r\n\r\n
<3 %1\r\n$22\r\nnotify-keyspace-events\r\n$0\r\n\r\n

== time
> TIME
<~ \*2\r\n\$10\r\n\d{10}\r\n\$\d{1,6}\r\n\d{1,6}\r\n
> TIME x
< -ERR wrong number of arguments for 'time' command\r\n

== object
> SET a 1
< +OK\r\n
> SET b text
< +OK\r\n
> SET c \{x*100}
< +OK\r\n
> OBJECT ENCODING a
< $3\r\nint\r\n
> OBJECT ENCODING b
< $6\r\nembstr\r\n
> OBJECT ENCODING c
< $3\r\nraw\r\n
> OBJECT ENCODING nosuch
<2 $-1\r\n
<3 _\r\n
> OBJECT IDLETIME a
<~ :\d+\r\n
> OBJECT IDLETIME nosuch
<2 $-1\r\n
<3 _\r\n
> OBJECT REFCOUNT b
< :1\r\n
> OBJECT REFCOUNT nosuch
<2 $-1\r\n
<3 _\r\n
> OBJECT FREQ a
< -ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.\r\n
> OBJECT FREQ nosuch
<2 $-1\r\n
<3 _\r\n
> OBJECT NOSUCH a
< -ERR unknown subcommand 'NOSUCH'. Try OBJECT HELP.\r\n
> OBJECT ENCODING
< -ERR wrong number of arguments for 'object|encoding' command\r\n
> OBJECT
< -ERR wrong number of arguments for 'object' command\r\n

== memory
> SET a 1
< +OK\r\n
> MEMORY USAGE a
<~ :\d+\r\n
> MEMORY USAGE a SAMPLES 0
<~ :\d+\r\n
> MEMORY USAGE nosuch
<2 $-1\r\n
<3 _\r\n
> MEMORY USAGE a bad
< -ERR syntax error\r\n
> MEMORY USAGE a SAMPLES x
< -ERR value is not an integer or out of range\r\n
> MEMORY USAGE a SAMPLES -1
< -ERR syntax error\r\n
> MEMORY USAGE
< -ERR wrong number of arguments for 'memory|usage' command\r\n
> MEMORY NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try MEMORY HELP.\r\n
> MEMORY
< -ERR wrong number of arguments for 'memory' command\r\n

== slowlog
> SLOWLOG RESET
< +OK\r\n
> SLOWLOG LEN
< :0\r\n
> SLOWLOG GET
< *0\r\n
> SLOWLOG GET 1
< *0\r\n
> SLOWLOG GET -1
< *0\r\n
> SLOWLOG GET x
< -ERR count should be greater than or equal to -1\r\n
> SLOWLOG GET -2
< -ERR count should be greater than or equal to -1\r\n
> SLOWLOG NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try SLOWLOG HELP.\r\n
> SLOWLOG
< -ERR wrong number of arguments for 'slowlog' command\r\n

== latency
> LATENCY LATEST
< *0\r\n
> LATENCY HISTORY command
< *0\r\n
> LATENCY RESET
< :0\r\n
> LATENCY RESET command
< :0\r\n
> LATENCY HISTOGRAM nosuch
<2 *0\r\n
<3 %0\r\n
> LATENCY NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try LATENCY HELP.\r\n
> LATENCY
< -ERR wrong number of arguments for 'latency' command\r\n

== module wait and others
> MODULE LIST
< *0\r\n
> MODULE NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try MODULE HELP.\r\n
> WAIT 0 0
< :0\r\n
> WAIT 0 100
< :0\r\n
> WAIT x 0
< -ERR value is not an integer or out of range\r\n
> WAIT 0 x
< -ERR timeout is not an integer or out of range\r\n
> WAIT 0 -1
< -ERR timeout is negative\r\n
> WAIT 0
< -ERR wrong number of arguments for 'wait' command\r\n
> LASTSAVE
<~ :\d+\r\n

== cluster
> CLUSTER NODES
< -ERR This instance has cluster support disabled\r\n
> CLUSTER INFO
< -ERR This instance has cluster support disabled\r\n
> CLUSTER SLOTS
< -ERR This instance has cluster support disabled\r\n
> CLUSTER
< -ERR wrong number of arguments for 'cluster' command\r\n

== acl
> ACL WHOAMI
< $7\r\ndefault\r\n
> ACL CAT nosuch
< -ERR Unknown category 'nosuch'\r\n
> ACL USERS
< *1\r\n$7\r\ndefault\r\n
> ACL LIST
<~ \*1\r\n\$\d+\r\nuser default on nopass .*\r\n
> ACL CAT
<~ \*\d+\r\n(\$\d+\r\n\w+\r\n)+
> ACL NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try ACL HELP.\r\n
> ACL
< -ERR wrong number of arguments for 'acl' command\r\n

== help
> CLIENT HELP
<~ \*\d+\r\n(\+.*\r\n)+
> CONFIG HELP
<~ \*\d+\r\n(\+.*\r\n)+
> COMMAND HELP
<~ \*\d+\r\n(\+.*\r\n)+
> OBJECT HELP
<~ \*\d+\r\n(\+.*\r\n)+
> MEMORY HELP
<~ \*\d+\r\n(\+.*\r\n)+
> SLOWLOG HELP
<~ \*\d+\r\n(\+.*\r\n)+
> LATENCY HELP
<~ \*\d+\r\n(\+.*\r\n)+
