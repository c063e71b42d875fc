# The default limits at their edges: a value of 8 MiB, a line of 8 MiB + 64 KiB.
skip bytes lines of 8 MiB
> {"s":"set","p":{"k":"a","v":"\{x*8388606}"}}
< ok
> {"s":"get","p":{"k":"a"}}
< "\{x*8388606}"
> {"s":"set","p":{"k":"a","v":"\{y*8388607}"}}
<error too_large
> {"s":"set","p":{"k":"a","v":\{ *30000}1\{ *8424113}}}
< ok
> {"s":"get","p":{"k":"a"}}
< 1
> {"s":"ping"}\{ *8454132}
< "pong"
> {"s":"ping"}\{ *8454133}
<error too_large
> {"s":"ping"}
< "pong"
