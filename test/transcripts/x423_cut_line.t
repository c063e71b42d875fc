# A line over max-request is cut behind max-request + 1 bytes. What the cut
# leaves must not be taken for the end of the line: it is no HTTP that happens
# to be cut behind " HTTP/1".
option max-request 1024
option max-value 100

> {"s":"get","p":{"k":"\{x*998} HTTP/1.1 200 OK"}}
<error too_large
> {"s":"ping"}
< "pong"

# Blanks before the first request of a connection count like those before any
# other, and places are told the same way.
connect B
>    {x
<error bad_json ~ byte 5
>    {x
<error bad_json ~ byte 5
connect C
> \{ *1013}{"s":"ping"}
<error too_large
> {"s":"ping"}
< "pong"
connect D
> \{ *1012}{"s":"ping"}
< "pong"
