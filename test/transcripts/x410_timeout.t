# "`timeout`: a request was begun and did not arrive whole in time, then close."
option request-timeout 200ms
# Who is idle between two requests is not meant.
connect A
> {"s":"ping"}
< "pong"
connect B
>. {"s":"pi
<error timeout
eof
connect B
> {"s":"ping"}
>. {
< "pong"
<error timeout
eof
connect B
>. {"i":1,"s":"set","p":{"k":"a","v":1}}
<error timeout
eof
# A protocol that was begun is not waited for either.
connect B
>. PING
<~ -ERR [ -~]+\r
eof
connect B
>. POST / HT
eof
on A
> {"s":"size"}
< 0
