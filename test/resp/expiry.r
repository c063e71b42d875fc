# Lives of keys.
== expire and ttl
> SET a 1
< +OK\r\n
> TTL a
< :-1\r\n
> PTTL a
< :-1\r\n
> EXPIRETIME a
< :-1\r\n
> PEXPIRETIME a
< :-1\r\n
> EXPIRE a 100
< :1\r\n
> TTL a
< :100\r\n
> PTTL a
<~ :(100000|9\d{4})\r\n
> PERSIST a
< :1\r\n
> PERSIST a
< :0\r\n
> TTL a
< :-1\r\n
> PEXPIRE a 200000
< :1\r\n
> TTL a
< :200\r\n
> EXPIREAT a \{s+300}
< :1\r\n
> EXPIRETIME a
< :\{s+300}\r\n
> PEXPIREAT a \{ms+400123}
< :1\r\n
> PEXPIRETIME a
< :\{ms+400123}\r\n
> EXPIRETIME a
< :\{s+400}\r\n
> TTL nosuch
< :-2\r\n
> PTTL nosuch
< :-2\r\n
> EXPIRETIME nosuch
< :-2\r\n
> PEXPIRETIME nosuch
< :-2\r\n
> EXPIRE nosuch 10
< :0\r\n
> PEXPIRE nosuch 10
< :0\r\n
> EXPIREAT nosuch 10
< :0\r\n
> PEXPIREAT nosuch 10
< :0\r\n
> PERSIST nosuch
< :0\r\n

== expire deletes
> SET a 1
< +OK\r\n
> EXPIRE a 0
< :1\r\n
> EXISTS a
< :0\r\n
> SET a 1
< +OK\r\n
> EXPIRE a -1
< :1\r\n
> EXISTS a
< :0\r\n
> SET a 1
< +OK\r\n
> PEXPIRE a 0
< :1\r\n
> EXISTS a
< :0\r\n
> SET a 1
< +OK\r\n
> EXPIREAT a 1
< :1\r\n
> EXISTS a
< :0\r\n
> SET a 1
< +OK\r\n
> PEXPIREAT a 1
< :1\r\n
> GET a
<2 $-1\r\n
<3 _\r\n
> TTL a
< :-2\r\n

== nx
> SET a 1
< +OK\r\n
> EXPIRE a 100 NX
< :1\r\n
> EXPIRE a 200 NX
< :0\r\n
> TTL a
< :100\r\n
> EXPIRE nosuch 100 NX
< :0\r\n

== xx
> SET a 1
< +OK\r\n
> EXPIRE a 100 XX
< :0\r\n
> TTL a
< :-1\r\n
> EXPIRE a 100
< :1\r\n
> EXPIRE a 200 XX
< :1\r\n
> TTL a
< :200\r\n

== gt
> SET a 1
< +OK\r\n
> EXPIRE a 100 GT
< :0\r\n
> TTL a
< :-1\r\n
> EXPIRE a 100
< :1\r\n
> EXPIRE a 50 GT
< :0\r\n
> EXPIRE a 200 GT
< :1\r\n
> TTL a
< :200\r\n

== lt
> SET a 1
< +OK\r\n
> EXPIRE a 100 LT
< :1\r\n
> TTL a
< :100\r\n
> EXPIRE a 200 LT
< :0\r\n
> EXPIRE a 50 LT
< :1\r\n
> TTL a
< :50\r\n
> EXPIRE a -1 LT
< :1\r\n
> EXISTS a
< :0\r\n

== the other spellings with options
> SET a 1
< +OK\r\n
> PEXPIRE a 100000 XX
< :0\r\n
> PEXPIRE a 100000 NX
< :1\r\n
> PEXPIRE a 50000 GT
< :0\r\n
> EXPIREAT a \{s+900} LT
< :0\r\n
> EXPIREAT a \{s+900} GT
< :1\r\n
> PEXPIREAT a \{ms+800000} GT
< :0\r\n
> PEXPIREAT a \{ms+800000} LT
< :1\r\n
> PEXPIRETIME a
< :\{ms+800000}\r\n
> EXPIRE a 10 XX GT
< :0\r\n
> EXPIRE a 20 XX LT
< :1\r\n
> EXPIRE a 30 XX XX
< :1\r\n
> TTL a
< :30\r\n

== options that do not go together
> SET a 1
< +OK\r\n
> EXPIRE a 100 NX XX
< -ERR NX and XX, GT or LT options at the same time are not compatible\r\n
> EXPIRE a 100 NX GT
< -ERR NX and XX, GT or LT options at the same time are not compatible\r\n
> EXPIRE a 100 LT NX
< -ERR NX and XX, GT or LT options at the same time are not compatible\r\n
> EXPIRE a 100 GT LT
< -ERR GT and LT options at the same time are not compatible\r\n
> EXPIRE a 100 bad
< -ERR Unsupported option bad\r\n
> EXPIRE a 100 NX bad
< -ERR Unsupported option bad\r\n
> EXPIRE a
< -ERR wrong number of arguments for 'expire' command\r\n
> EXPIRE
< -ERR wrong number of arguments for 'expire' command\r\n
> TTL
< -ERR wrong number of arguments for 'ttl' command\r\n
> TTL a b
< -ERR wrong number of arguments for 'ttl' command\r\n
> TTL a
< :-1\r\n

== bad times
> SET a 1
< +OK\r\n
> EXPIRE a x
< -ERR value is not an integer or out of range\r\n
> EXPIRE a 1.5
< -ERR value is not an integer or out of range\r\n
> EXPIRE a ""
< -ERR value is not an integer or out of range\r\n
> EXPIRE a 9223372036854775807
< -ERR invalid expire time in 'expire' command\r\n
> EXPIRE a 9223372036854775
< -ERR invalid expire time in 'expire' command\r\n
> EXPIRE a -9223372036854775808
< -ERR invalid expire time in 'expire' command\r\n
> EXPIRE a 9223372036854775808
< -ERR value is not an integer or out of range\r\n
> PEXPIRE a 9223372036854775807
< -ERR invalid expire time in 'pexpire' command\r\n
> PEXPIRE a 9223372036854775000
< -ERR invalid expire time in 'pexpire' command\r\n
> EXPIREAT a 9223372036854775807
< -ERR invalid expire time in 'expireat' command\r\n
> EXPIREAT a x
< -ERR value is not an integer or out of range\r\n
> PEXPIREAT a x
< -ERR value is not an integer or out of range\r\n
> EXISTS a
< :1\r\n
> TTL a
< :-1\r\n

== rounding
> SET a 1 PX 10400
< +OK\r\n
> TTL a
< :10\r\n
> SET a 1 PX 9900
< +OK\r\n
> TTL a
< :10\r\n

== what keeps and what ends a life
> SETEX a 100 1
< +OK\r\n
> SET a 2
< +OK\r\n
> TTL a
< :-1\r\n
> SETEX a 100 1
< +OK\r\n
> GETSET a 3
< $1\r\n1\r\n
> TTL a
< :-1\r\n
> SETEX a 100 1
< +OK\r\n
> SETRANGE a 0 4
< :1\r\n
> TTL a
< :100\r\n
> RENAME a b
< +OK\r\n
> TTL b
< :100\r\n
> SET c 1
< +OK\r\n
> RENAME c b
< +OK\r\n
> TTL b
< :-1\r\n
