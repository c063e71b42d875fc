# "At end of input a last line without LF is served if it is complete JSON."
>. {"s":"ping"}
shut
< "pong"
eof
connect B
> {"s":"set","p":{"k":"a","v":1}}
>. {"s":"get","p":{"k":"a"},"i":1}
shut
< ok
<json {"i":1,"r":1,"ver":"#","ttl":null}
eof
connect C
>. {"s":"ping"}\r
shut
< "pong"
eof

# PROTOCOL.md 11: "A last line that is not complete JSON is answered with error
# bad_json when the client closes its sending side".
connect D
>. {"s":"set","p":{"k":"a","v":2
shut
<error bad_json
eof
connect E
>. {"s":"get","p":{"k":"a"}}
shut
< 1
eof

# Blanks are no line.
connect F
>.   \r
shut
eof
connect G
shut
eof
connect H
> {"s":"ping"}
>.  \t
shut
< "pong"
eof
