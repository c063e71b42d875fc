# "The first byte of a connection that is not CR, LF, blank or TAB picks the
# protocol for its lifetime."
# "0x16 (TLS) on a plain port is closed without an answer"
connect A
>. \x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\{\x00*500}
eof
connect A
>. \x16
eof
connect A
>. \r\n \t\x16
eof
# "`*` or an ASCII letter RESP"
connect B
> *1\r\n$4\r\nPING\r
< +PONG\r
> {"s":"ping"}
<~ -ERR .*\r
connect B
> PING\r
< +PONG\r
connect B
> z
<~ -ERR unknown command 'z', .*\r
> ping
< +PONG\r
connect B
> A{"s":"reset"}
<~ -ERR Protocol error: unbalanced quotes in request\r
eof
connect B
>. \r\n\t *1\r\n$4\r\nPING\r\n
< +PONG\r
> QUIT\r
< +OK\r
eof
# "everything else native"
connect C
> 12
<error bad_request
> {"s":"ping"}
< "pong"
connect C
> "x"
<error bad_request
connect C
> $4
<error bad_json
connect C
> +OK
<error bad_json
connect C
> \x00
<error bad_json
connect C
> \xff\xfe
<error bad_json
connect C
> \x15\x03
<error bad_json
connect C
> \x80
<error bad_json
connect C
> [1,2
<error bad_json
# Only the first byte decides: later lines may begin with anything but HTTP.
connect C
> \r
> \t \r
> {"s":"ping"}
< "pong"
> *1\r\n$4\r\nPING\r
<error bad_json
<error bad_json
<error bad_json
> \x16\x03\x01
<error bad_json
> PING
<error bad_json
> {"s":"ping"}
< "pong"
