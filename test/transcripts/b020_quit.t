# `quit`: ok, then the server closes.
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"quit"}
< ok
eof
connect B
> {"s":"quit","p":{},"i":1}
<json {"i":1,"r":true}
eof

# What is behind it on the connection is not served.
connect C
> {"s":"ping"}
> {"s":"quit"}
> {"s":"reset"}
< "pong"
< ok
eof
connect D
> {"s":"size"}
< 1
