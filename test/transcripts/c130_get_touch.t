# "`touch`: seconds; the key's remaining life becomes that, in the same step."
> {"s":"set","p":{"k":"a","v":1,"ttl":10},"i":1}
<~ .*"ver":([0-9]+)[}] => V
@ +9s
> {"s":"get","p":{"k":"a","touch":10}}
< 1
@ +9s
> {"s":"get","p":{"k":"a"}}
< 1
> {"s":"ttl","p":{"k":"a"}}
< 1.000
> {"s":"get","p":{"k":"a","touch":0.5},"i":2}
<json {"i":2,"r":1,"ver":\{$V},"ttl":0.5}
@ +500ms
> {"s":"get","p":{"k":"a","touch":10}}
< null
> {"s":"get","p":{"k":"a"}}
< null
> {"s":"size"}
< 0

# A missing key stays missing; one that never expires gets a life.
> {"s":"get","p":{"k":"no","touch":10},"i":3}
<json {"i":3,"r":null,"ver":0}
> {"s":"set","p":{"k":"b","v":2}}
< ok
> {"s":"get","p":{"k":"b","touch":7}}
< 2
> {"s":"ttl","p":{"k":"b"}}
< 7.000

# A time as any other; null is none.
> {"s":"get","p":{"k":"b","touch":0}}
<error bad_ttl
> {"s":"get","p":{"k":"b","touch":null}}
<error bad_ttl
> {"s":"get","p":{"k":"b","touch":"9"}}
<error bad_ttl
> {"s":"get","p":{"k":"b","touch":-1}}
<error bad_ttl
> {"s":"get","p":{"k":"b","touch":true}}
<error bad_ttl
> {"s":"ttl","p":{"k":"b"}}
< 7.000
