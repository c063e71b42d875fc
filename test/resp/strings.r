# Values: SET and its options, and the older spellings.
== set and get
> SET a 1
< +OK\r\n
> GET a
< $1\r\n1\r\n
> GET nosuch
<2 $-1\r\n
<3 _\r\n
> SET a "x y\r\n\x00\xff{"
< +OK\r\n
> GET a
< $8\r\nx y\r\n\x00\xff{\r\n
> SET "" empty
< +OK\r\n
> GET ""
< $5\r\nempty\r\n
> SET e ""
< +OK\r\n
> GET e
< $0\r\n\r\n
> SET a
< -ERR wrong number of arguments for 'set' command\r\n
> SET a b c
< -ERR syntax error\r\n
> GET
< -ERR wrong number of arguments for 'get' command\r\n
> GET a b
< -ERR wrong number of arguments for 'get' command\r\n

== set nx and xx
> SET a 1 XX
<2 $-1\r\n
<3 _\r\n
> SET a 1 NX
< +OK\r\n
> SET a 2 NX
<2 $-1\r\n
<3 _\r\n
> GET a
< $1\r\n1\r\n
> SET a 3 XX
< +OK\r\n
> GET a
< $1\r\n3\r\n
> SET a 4 NX XX
< -ERR syntax error\r\n
> SET a 4 XX NX
< -ERR syntax error\r\n
> GET a
< $1\r\n3\r\n

== set get
> SET a 1 GET
<2 $-1\r\n
<3 _\r\n
> SET a 2 GET
< $1\r\n1\r\n
> SET a 3 NX GET
< $1\r\n2\r\n
> GET a
< $1\r\n2\r\n
> SET b 1 NX GET
<2 $-1\r\n
<3 _\r\n
> GET b
< $1\r\n1\r\n
> SET c 1 XX GET
<2 $-1\r\n
<3 _\r\n
> EXISTS c
< :0\r\n
> SET a 4 GET EX 100 XX
< $1\r\n2\r\n
> TTL a
< :100\r\n

== set with a life
> SET a 1 EX 100
< +OK\r\n
> TTL a
< :100\r\n
> SET a 1 PX 100000
< +OK\r\n
> TTL a
< :100\r\n
> SET a 1 EXAT \{s+100}
< +OK\r\n
> EXPIRETIME a
< :\{s+100}\r\n
> SET a 1 PXAT \{ms+100123}
< +OK\r\n
> PEXPIRETIME a
< :\{ms+100123}\r\n
> SET a 2 KEEPTTL
< +OK\r\n
> PEXPIRETIME a
< :\{ms+100123}\r\n
> SET a 3
< +OK\r\n
> TTL a
< :-1\r\n
> SET a 1 NX EX 100
<2 $-1\r\n
<3 _\r\n
> SET a 1 EX 100 XX
< +OK\r\n
> TTL a
< :100\r\n
> SET a 1 XX PX 50000 GET
< $1\r\n1\r\n
> TTL a
< :50\r\n

== set with a bad life
> SET a 1 EX 0
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 EX -1
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 PX 0
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 EX
< -ERR syntax error\r\n
> SET a 1 EX abc
< -ERR value is not an integer or out of range\r\n
> SET a 1 EX 1.5
< -ERR value is not an integer or out of range\r\n
> SET a 1 EX 9223372036854775807
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 EX 9223372036854775
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 PX 9223372036854775807
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 PX 9223372036854775808
< -ERR value is not an integer or out of range\r\n
> SET a 1 EXAT 0
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 EXAT 9223372036854775807
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 PXAT -5
< -ERR invalid expire time in 'set' command\r\n
> SET a 1 EX 10 PX 10
< -ERR syntax error\r\n
> SET a 1 EX 10 KEEPTTL
< -ERR syntax error\r\n
> SET a 1 KEEPTTL EX 10
< -ERR syntax error\r\n
> SET a 1 EX 10 EX 10
< +OK\r\n
> EXISTS a
< :1\r\n

== set into the past
> SET a 1
< +OK\r\n
> SET a 2 EXAT 1
< +OK\r\n
> GET a
<2 $-1\r\n
<3 _\r\n
> SET b 2 PXAT 1
< +OK\r\n
> EXISTS b
< :0\r\n
# An expired key may be counted for a second.
~> DBSIZE
< :0\r\n

== gone after its life
> SET a 1 PX 30
< +OK\r\n
~> EXISTS a
< :0\r\n
> GET a
<2 $-1\r\n
<3 _\r\n
> TTL a
< :-2\r\n
> SET b 1 PX 30
< +OK\r\n
> SET b 2
< +OK\r\n
> PERSIST b
< :0\r\n
> GET b
< $1\r\n2\r\n

== setex psetex setnx getset
> SETEX a 100 v
< +OK\r\n
> TTL a
< :100\r\n
> GET a
< $1\r\nv\r\n
> SETEX a 0 v
< -ERR invalid expire time in 'setex' command\r\n
> SETEX a -1 v
< -ERR invalid expire time in 'setex' command\r\n
> SETEX a abc v
< -ERR value is not an integer or out of range\r\n
> SETEX a 9223372036854775807 v
< -ERR invalid expire time in 'setex' command\r\n
> SETEX a 100
< -ERR wrong number of arguments for 'setex' command\r\n
> PSETEX a 100000 w
< +OK\r\n
> TTL a
< :100\r\n
> GET a
< $1\r\nw\r\n
> PSETEX a 0 w
< -ERR invalid expire time in 'psetex' command\r\n
> PSETEX a 9223372036854775807 w
< -ERR invalid expire time in 'psetex' command\r\n
> SETNX a x
< :0\r\n
> SETNX b x
< :1\r\n
> GET b
< $1\r\nx\r\n
> GETSET b y
< $1\r\nx\r\n
> GETSET nosuch y
<2 $-1\r\n
<3 _\r\n
> GET nosuch
< $1\r\ny\r\n
> SETEX b 100 z
< +OK\r\n
> GETSET b q
< $1\r\nz\r\n
> TTL b
< :-1\r\n

== getex
> SET a 1
< +OK\r\n
> GETEX a
< $1\r\n1\r\n
> TTL a
< :-1\r\n
> GETEX a EX 100
< $1\r\n1\r\n
> TTL a
< :100\r\n
> GETEX a PX 50000
< $1\r\n1\r\n
> TTL a
< :50\r\n
> GETEX a EXAT \{s+200}
< $1\r\n1\r\n
> EXPIRETIME a
< :\{s+200}\r\n
> GETEX a PXAT \{ms+300000}
< $1\r\n1\r\n
> PEXPIRETIME a
< :\{ms+300000}\r\n
> GETEX a PERSIST
< $1\r\n1\r\n
> TTL a
< :-1\r\n
> GETEX nosuch EX 10
<2 $-1\r\n
<3 _\r\n
> GETEX nosuch
<2 $-1\r\n
<3 _\r\n
> GETEX a EX 0
< -ERR invalid expire time in 'getex' command\r\n
> GETEX a EX -1
< -ERR invalid expire time in 'getex' command\r\n
> GETEX a EX abc
< -ERR value is not an integer or out of range\r\n
> GETEX a EX
< -ERR syntax error\r\n
> GETEX a EX 10 PERSIST
< -ERR syntax error\r\n
> GETEX a PERSIST EX 10
< -ERR syntax error\r\n
> GETEX a EX 10 PX 10
< -ERR syntax error\r\n
> GETEX a KEEPTTL
< -ERR syntax error\r\n
> GETEX a bad
< -ERR syntax error\r\n
> GETEX a EXAT 1
< $1\r\n1\r\n
> EXISTS a
< :0\r\n

== getdel
> SET a 1
< +OK\r\n
> GETDEL a
< $1\r\n1\r\n
> GETDEL a
<2 $-1\r\n
<3 _\r\n
> EXISTS a
< :0\r\n
> GETDEL
< -ERR wrong number of arguments for 'getdel' command\r\n
> GETDEL a b
< -ERR wrong number of arguments for 'getdel' command\r\n

== mget mset msetnx
> MSET a 1 b 2
< +OK\r\n
> MGET a b
< *2\r\n$1\r\n1\r\n$1\r\n2\r\n
> MGET a nosuch b
<2 *3\r\n$1\r\n1\r\n$-1\r\n$1\r\n2\r\n
<3 *3\r\n$1\r\n1\r\n_\r\n$1\r\n2\r\n
> MGET nosuch
<2 *1\r\n$-1\r\n
<3 *1\r\n_\r\n
> MGET a a a
< *3\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n1\r\n
> MSET a
< -ERR wrong number of arguments for 'mset' command\r\n
> MSET a 1 b
< -ERR wrong number of arguments for 'mset' command\r\n
> MSET
< -ERR wrong number of arguments for 'mset' command\r\n
> MGET
< -ERR wrong number of arguments for 'mget' command\r\n
> MSET a 3 a 4
< +OK\r\n
> GET a
< $1\r\n4\r\n
> MSETNX c 1 d 2
< :1\r\n
> MSETNX d 3 e 4
< :0\r\n
> MGET c d e
<2 *3\r\n$1\r\n1\r\n$1\r\n2\r\n$-1\r\n
<3 *3\r\n$1\r\n1\r\n$1\r\n2\r\n_\r\n
> MSETNX a
< -ERR wrong number of arguments for 'msetnx' command\r\n
> MSETNX a 1 b
< -ERR wrong number of arguments for 'msetnx' command\r\n
> SETEX a 100 1
< +OK\r\n
> MSET a 2
< +OK\r\n
> TTL a
< :-1\r\n
> MSETNX x 1 x 2
< :1\r\n
> GET x
< $1\r\n2\r\n

== append strlen
> APPEND a hello
< :5\r\n
> APPEND a " world"
< :11\r\n
> GET a
< $11\r\nhello world\r\n
> STRLEN a
< :11\r\n
> STRLEN nosuch
< :0\r\n
> APPEND e ""
< :0\r\n
> EXISTS e
< :1\r\n
> GET e
< $0\r\n\r\n
> SETEX a 100 x
< +OK\r\n
> APPEND a y
< :2\r\n
> TTL a
< :100\r\n
> APPEND a
< -ERR wrong number of arguments for 'append' command\r\n
> STRLEN
< -ERR wrong number of arguments for 'strlen' command\r\n

== getrange substr setrange
> SET a "Hello World"
< +OK\r\n
> GETRANGE a 0 4
< $5\r\nHello\r\n
> GETRANGE a -5 -1
< $5\r\nWorld\r\n
> GETRANGE a 0 -1
< $11\r\nHello World\r\n
> GETRANGE a 5 3
< $0\r\n\r\n
> GETRANGE a 0 100
< $11\r\nHello World\r\n
> GETRANGE a -100 2
< $3\r\nHel\r\n
> GETRANGE a 50 60
< $0\r\n\r\n
> GETRANGE a -1 -5
< $0\r\n\r\n
> GETRANGE nosuch 0 -1
< $0\r\n\r\n
> GETRANGE a x 1
< -ERR value is not an integer or out of range\r\n
> GETRANGE a 0
< -ERR wrong number of arguments for 'getrange' command\r\n
> GETRANGE a 0 9223372036854775808
< -ERR value is not an integer or out of range\r\n
> SUBSTR a 0 4
< $5\r\nHello\r\n
> SETRANGE a 6 redis
< :11\r\n
> GET a
< $11\r\nHello redis\r\n
> SETRANGE b 3 x
< :4\r\n
> GET b
< $4\r\n\x00\x00\x00x\r\n
> SETRANGE c 0 ""
< :0\r\n
> EXISTS c
< :0\r\n
> SETRANGE a 0 ""
< :11\r\n
> SETRANGE a -1 x
< -ERR offset is out of range\r\n
> SETRANGE a x y
< -ERR value is not an integer or out of range\r\n
> SETRANGE a 9223372036854775807 x
< -ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n
> SETEX d 100 abc
< +OK\r\n
> SETRANGE d 1 X
< :3\r\n
> TTL d
< :100\r\n
> GET d
< $3\r\naXc\r\n

== long keys and values
> SET \{k*60000} \{v*100000}
< +OK\r\n
> STRLEN \{k*60000}
< :100000\r\n
> GETRANGE \{k*60000} 99998 -1
< $2\r\nvv\r\n
> EXISTS \{k*60000}
< :1\r\n
> DEL \{k*60000}
< :1\r\n

== a key that is too long
> SET \{k*65536} v
< +OK\r\n
> PING
< +PONG\r\n
