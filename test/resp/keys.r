# Keys, databases, scans.
== del exists unlink touch
> MSET a 1 b 2 c 3 d 4 e 5
< +OK\r\n
> EXISTS a
< :1\r\n
> EXISTS a b nosuch a
< :3\r\n
> DEL a nosuch b
< :2\r\n
> DEL a
< :0\r\n
> UNLINK c c
< :1\r\n
> TOUCH d e nosuch
< :2\r\n
> TOUCH nosuch
< :0\r\n
> EXISTS a b c d e
< :2\r\n
> DEL
< -ERR wrong number of arguments for 'del' command\r\n
> EXISTS
< -ERR wrong number of arguments for 'exists' command\r\n
> UNLINK
< -ERR wrong number of arguments for 'unlink' command\r\n
> TOUCH
< -ERR wrong number of arguments for 'touch' command\r\n

== type
> SET a 1
< +OK\r\n
> TYPE a
< +string\r\n
> TYPE nosuch
< +none\r\n
> SET "" v
< +OK\r\n
> TYPE ""
< +string\r\n
> TYPE
< -ERR wrong number of arguments for 'type' command\r\n
> TYPE a b
< -ERR wrong number of arguments for 'type' command\r\n

== rename
> SET a 1
< +OK\r\n
> RENAME a b
< +OK\r\n
> EXISTS a
< :0\r\n
> GET b
< $1\r\n1\r\n
> RENAME nosuch c
< -ERR no such key\r\n
> RENAME b b
< +OK\r\n
> GET b
< $1\r\n1\r\n
> RENAME nosuch nosuch
< -ERR no such key\r\n
> SET c 2
< +OK\r\n
> RENAME b c
< +OK\r\n
> GET c
< $1\r\n1\r\n
> RENAMENX nosuch x
< -ERR no such key\r\n
> RENAMENX c d
< :1\r\n
> SET e 1
< +OK\r\n
> RENAMENX d e
< :0\r\n
> MGET d e
< *2\r\n$1\r\n1\r\n$1\r\n1\r\n
> RENAMENX d d
< :0\r\n
> RENAME a
< -ERR wrong number of arguments for 'rename' command\r\n
> RENAMENX a b c
< -ERR wrong number of arguments for 'renamenx' command\r\n

== randomkey and dbsize
> RANDOMKEY
<2 $-1\r\n
<3 _\r\n
> DBSIZE
< :0\r\n
> SET a 1
< +OK\r\n
> RANDOMKEY
< $1\r\na\r\n
> DBSIZE
< :1\r\n
> SET b 1
< +OK\r\n
> DBSIZE
< :2\r\n
> RANDOMKEY
<~ \$1\r\n[ab]\r\n
> RANDOMKEY x
< -ERR wrong number of arguments for 'randomkey' command\r\n
> DBSIZE x
< -ERR wrong number of arguments for 'dbsize' command\r\n

== keys
> KEYS *
< *0\r\n
> MSET hello 1 hallo 2
< +OK\r\n
> KEYS h?llo
<~ \*2\r\n(\$5\r\nhello\r\n\$5\r\nhallo\r\n|\$5\r\nhallo\r\n\$5\r\nhello\r\n)
> KEYS h[a-b]llo
< *1\r\n$5\r\nhallo\r\n
> KEYS h[^e]llo
< *1\r\n$5\r\nhallo\r\n
> KEYS he*
< *1\r\n$5\r\nhello\r\n
> KEYS *llo
<~ \*2\r\n(\$5\r\nh[ea]llo\r\n){2}
> KEYS hello
< *1\r\n$5\r\nhello\r\n
> KEYS x*
< *0\r\n
> KEYS h[ae]llo
<~ \*2\r\n(\$5\r\nh[ea]llo\r\n){2}
> SET "a*b" 1
< +OK\r\n
> KEYS "a\\*b"
< *1\r\n$3\r\na*b\r\n
> KEYS "a\\*c"
< *0\r\n
> KEYS h[e
< *0\r\n
> KEYS H*
< *0\r\n
> KEYS h[e-a]llo
<~ \*2\r\n(\$5\r\nh[ea]llo\r\n){2}
> KEYS [
< *0\r\n
> KEYS ""
< *0\r\n
> KEYS
< -ERR wrong number of arguments for 'keys' command\r\n
> KEYS a b
< -ERR wrong number of arguments for 'keys' command\r\n

== scan
> SCAN 0
< *2\r\n$1\r\n0\r\n*0\r\n
> SET user:1 a
< +OK\r\n
> SCAN 0
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN 0 MATCH user:*
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN 0 MATCH user:* COUNT 100
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN 0 COUNT 100 MATCH user:*
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN 0 COUNT 1000 TYPE string
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN 0 TYPE hash
< *2\r\n$1\r\n0\r\n*0\r\n
> SCAN 0 TYPE STRING MATCH *1
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN 0 MATCH x*
< *2\r\n$1\r\n0\r\n*0\r\n
> SCAN 0 COUNT 0
< -ERR syntax error\r\n
> SCAN 0 COUNT -1
< -ERR syntax error\r\n
> SCAN 0 COUNT x
< -ERR value is not an integer or out of range\r\n
> SCAN 0 COUNT
< -ERR syntax error\r\n
> SCAN 0 MATCH
< -ERR syntax error\r\n
> SCAN 0 bad
< -ERR syntax error\r\n
> SCAN 0 bad 1
< -ERR syntax error\r\n
> SCAN x
< -ERR invalid cursor\r\n
> SCAN ""
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n
> SCAN -1
<~ \*2\r\n\$1\r\n0\r\n\*(0|1\r\n\$6\r\nuser:1)\r\n
> SCAN 1.5
< -ERR invalid cursor\r\n
> SCAN 99999999999999999999999
< -ERR invalid cursor\r\n
> SCAN
< -ERR wrong number of arguments for 'scan' command\r\n
> SCAN 0 COUNT 2147483648
< *2\r\n$1\r\n0\r\n*1\r\n$6\r\nuser:1\r\n

== select
> SET a zero
< +OK\r\n
> SELECT 1
< +OK\r\n
> GET a
<2 $-1\r\n
<3 _\r\n
> SET a one
< +OK\r\n
> SELECT 0
< +OK\r\n
> GET a
< $4\r\nzero\r\n
> SELECT 15
< +OK\r\n
> DBSIZE
< :0\r\n
> SELECT 16
< -ERR DB index is out of range\r\n
> SELECT -1
< -ERR DB index is out of range\r\n
> SELECT x
< -ERR value is not an integer or out of range\r\n
> SELECT 9999999999999999999
< -ERR value is not an integer or out of range\r\n
> SELECT
< -ERR wrong number of arguments for 'select' command\r\n
> SELECT 1 2
< -ERR wrong number of arguments for 'select' command\r\n
> SELECT 1
< +OK\r\n
> GET a
< $3\r\none\r\n
on B
> GET a
< $4\r\nzero\r\n

== flushdb and flushall
> SET a 1
< +OK\r\n
> SELECT 1
< +OK\r\n
> SET a 1
< +OK\r\n
> SELECT 0
< +OK\r\n
> FLUSHDB
< +OK\r\n
> DBSIZE
< :0\r\n
> SELECT 1
< +OK\r\n
> DBSIZE
< :1\r\n
> FLUSHALL
< +OK\r\n
> DBSIZE
< :0\r\n
> FLUSHDB ASYNC
< +OK\r\n
> FLUSHDB SYNC
< +OK\r\n
> FLUSHALL ASYNC
< +OK\r\n
> FLUSHALL SYNC
< +OK\r\n
> FLUSHDB bad
< -ERR syntax error\r\n
> FLUSHDB ASYNC x
< -ERR syntax error\r\n
> FLUSHALL bad
< -ERR syntax error\r\n

== fifty names
> MSET k1 v k2 v k3 v k4 v k5 v k6 v k7 v k8 v k9 v k10 v
< +OK\r\n
> MGET k1 k2 k3 k4 k5 k6 k7 k8 k9 k10 k11
<2 *11\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$-1\r\n
<3 *11\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n$1\r\nv\r\n_\r\n
> DEL k1 k2 k3 k4 k5 k6 k7 k8 k9 k10 k11
< :10\r\n
