# "A request line longer than `max-request` (the bytes before the LF count, a CR
# too) is answered, as soon as it is longer, by one error too_large, its
# remaining bytes up to the next LF are discarded without being stored, and the
# connection goes on."
option max-value 900
option max-request 1024
# 1,024 bytes, then one more, as blanks.
> {"s":"ping"}\{ *1012}
< "pong"
> {"s":"ping"}\{ *1013}
<error too_large
> {"s":"ping"}
< "pong"
# A CR counts.
> {"s":"ping"}\{ *1011}\r
< "pong"
> {"s":"ping"}\{ *1012}\r
<error too_large
# As soon as it is longer: without an LF.
>. {"s":"set","p":{"k":"a","v":"\{x*995}
<quiet
>. x
<error too_large
# What follows is discarded, requests in it included.
>. {"s":"ping"}
<quiet
>. \{y*5000}{"s":"reset"}
<quiet
> tail
> {"s":"ping"}
< "pong"
<none
# One error for each such line, in order with the others.
> {"s":"size","i":1}
> \{x*3000}
> {"s":"size","i":2}
> \{ *1025}
> {"s":"size","i":3}
> \{{*2000}
> {"s":"size","i":4}
<json {"i":1,"r":0}
<error too_large
<json {"i":2,"r":0}
<error too_large
<json {"i":3,"r":0}
<error too_large
<json {"i":4,"r":0}
# "and neither is [the `i`] of a line over `max-request`" echoed.
> {"i":7,"s":"set","p":{"k":"a","v":"\{x*1000}"}}
<error too_large
# The end of input ends a line as well.
connect B
>. {"s":"ping"}\{ *1013}
<error too_large
shut
eof
connect C
>. {"s":"ping"}\{ *1012}
<quiet
shut
< "pong"
eof
