# Malformed requests, one answer each, and the end. And what looks malformed
# and is not.
skip lower raw bytes
== inline commands
needs GET PING
>= PING\r\n
< +PONG\r\n
>= ping\n
< +PONG\r\n
>= PING hello\r\n
< $5\r\nhello\r\n
>= PING "a b\\x00\\n"\r\n
< $5\r\na b\x00\n\r\n
>= PING 'a b'\r\n
< $3\r\na b\r\n
>= \r\n\r\nGET  nosuch  \r\n
<2 $-1\r\n
<3 _\r\n
>=   PING   \r\n
< +PONG\r\n
>= PING ""\r\n
< $0\r\n\r\n

== empty requests
needs PING
>= *0\r\n*-1\r\n*1\r\n$4\r\nPING\r\n
< +PONG\r\n

== the end of redis-cli --pipe
needs PING ECHO
>= *1\r\n$4\r\nPING\r\n\r\n*2\r\n$4\r\nECHO\r\n$20\r\n\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\r\n
< +PONG\r\n
< $20\r\n\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\r\n

== bad multibulk length
needs -
>= *x\r\n
< -ERR Protocol error: invalid multibulk length\r\n
eof

== bad multibulk length after a good one
needs PING
>= *1\r\n$4\r\nPING\r\n*2147483648\r\n
< +PONG\r\n
< -ERR Protocol error: invalid multibulk length\r\n
eof

== bad bulk length
needs -
>= *1\r\n$x\r\n
< -ERR Protocol error: invalid bulk length\r\n
eof

== bulk length below zero
needs -
>= *1\r\n$-1\r\n
< -ERR Protocol error: invalid bulk length\r\n
eof

== a huge bulk length
needs -
>= *1\r\n$999999999999\r\n
< -ERR Protocol error: invalid bulk length\r\n
eof

== a huge number of words
needs -
>= *2147483648\r\n
< -ERR Protocol error: invalid multibulk length\r\n
eof

== no dollar
needs -
>= *1\r\nPING\r\n
< -ERR Protocol error: expected '$', got 'P'\r\n
eof

== no dollar but a colon
needs -
>= *2\r\n$3\r\nGET\r\n:1\r\n
< -ERR Protocol error: expected '$', got ':'\r\n
eof

== quotes that do not end
needs -
>= PING "abc\r\n
< -ERR Protocol error: unbalanced quotes in request\r\n
eof

== quotes that end too early
needs -
>= PING "abc"d\r\n
< -ERR Protocol error: unbalanced quotes in request\r\n
eof
