# fails: still_open.t:6: an answer before the end
option request-timeout 100ms
> {"s":"ping"}
< "pong"
>. {
eof
