# PROTOCOL.md 5: "A version is a 64-bit integer that never repeats for a key,
# not even after delete and re-create. Every write of the value gives a new one;
# `touch` does not."
> {"s":"set","p":{"k":"a","v":1},"i":1}
<~ .*"ver":([1-9][0-9]*)[}] => V
> {"s":"set","p":{"k":"a","v":1},"i":2}
<~ .*"ver":([1-9][0-9]*)[}] => W
> {"s":"set","p":{"k":"a","v":2,"if":\{$V}}}
<error stale
> {"s":"touch","p":{"k":"a","ttl":100}}
< true
> {"s":"get","p":{"k":"a","touch":200}}
< 1
> {"s":"get","p":{"k":"a"},"i":3}
<json {"i":3,"r":1,"ver":\{$W},"ttl":200}
> {"s":"del","p":{"k":"a"}}
< 1
> {"s":"set","p":{"k":"a","v":1},"i":4}
<~ .*"ver":([1-9][0-9]*)[}] => X
> {"s":"set","p":{"k":"a","v":2,"if":\{$V}}}
<error stale
> {"s":"set","p":{"k":"a","v":2,"if":\{$W}}}
<error stale
# Nor after reset, or after its time is over.
> {"s":"reset"}
< ok
> {"s":"set","p":{"k":"a","v":1,"ttl":1}}
< ok
> {"s":"del","p":{"k":"a","if":\{$X}}}
<error stale
@ +1s
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"del","p":{"k":"a","if":\{$X}}}
<error stale
> {"s":"del","p":{"k":"a","if":\{$W}}}
<error stale
# keep_ttl and conditional writes are writes of the value.
> {"s":"set","p":{"k":"a","v":1,"keep_ttl":true,"if":"present"},"i":5}
<~ .*"ver":([1-9][0-9]*)[}] => Y
> {"s":"set","p":{"k":"a","v":1,"if":\{$Y}},"i":6}
<~ .*"ver":([1-9][0-9]*)[}] => Z
> {"s":"set","p":{"k":"a","v":1,"if":\{$Y}},"i":7}
<json {"i":7,"e":{"code":"stale","text":"*"},"ver":\{$Z}}
# Version of the other databases' key of that name is another.
> {"s":"select","p":{"db":1}}
< ok
> {"s":"set","p":{"k":"a","v":1,"if":\{$Z}},"i":8}
<json {"i":8,"e":{"code":"missing","text":"*"},"ver":0}
