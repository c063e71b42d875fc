# Case B16: depth. A recursive parser ran out of stack.
skip bytes lines of 100 KB to 5 MB; c190_depth.t goes byte by byte
connect B
> {"s":"ping"}
< "pong"
connect A
> {"s":"set","p":{"k":"b16","v":\{[*100}\{]*100}}}
< ok
> {"s":"get","p":{"k":"b16","v":null}}
< \{[*100}\{]*100}
> {"s":"set","p":{"k":"b16","v":\{[*100000}\{]*100000}}}
<error too_deep
> {"s":"set","p":{"k":"b16","v":\{{"a":*100000}1\{}*100000}}}
<error too_deep
> {"s":"set","p":{"k":"b16","v":\{[*5000000}
<error too_deep
> {"s":"get","p":{"k":"b16","v":null}}
< \{[*100}\{]*100}
on B
> {"s":"ping"}
< "pong"
