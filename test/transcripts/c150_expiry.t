# PROTOCOL.md 5: "A key is never readable at or after its deadline and never
# gone before it."
> {"s":"set","p":{"k":"a","v":"alive","ttl":10}}
< ok
@ +9999ms
> {"s":"get","p":{"k":"a"}}
< "alive"
> {"s":"has","p":{"k":"a"}}
< true
> {"s":"ttl","p":{"k":"a"}}
< 0.001
> {"s":"size"}
< 1
# Also while the sweeper has not come by yet, whoever asks first.
@. +1ms
> {"s":"get","p":{"k":"a"}}
< null
> {"s":"has","p":{"k":"a"}}
< false
> {"s":"ttl","p":{"k":"a"}}
< null
> {"s":"touch","p":{"k":"a","ttl":100}}
< false
> {"s":"del","p":{"k":"a"}}
< 0
> {"s":"get","p":{"k":"a"},"i":1}
<json {"i":1,"r":null,"ver":0}

# "number of live keys: an expired key is counted for at most one second"
> {"s":"set","p":{"k":"b","v":1,"ttl":1}}
> {"s":"set","p":{"k":"c","v":1,"ttl":2}}
> {"s":"set","p":{"k":"d","v":1}}
> {"s":"size"}
< ok
< ok
< ok
< 3
@ +1s
@ +1s
> {"s":"size"}
< 1
> {"s":"get","p":{"k":"d"}}
< 1
> {"s":"get","p":{"k":"c"}}
< null

# A write before the deadline starts anew; one behind it makes a new key.
> {"s":"set","p":{"k":"e","v":1,"ttl":5}}
< ok
@ +4999ms
> {"s":"set","p":{"k":"e","v":2,"ttl":5}}
< ok
@ +4999ms
> {"s":"get","p":{"k":"e"}}
< 2
@ +1ms
> {"s":"set","p":{"k":"e","v":3,"if":"present"}}
<error missing
> {"s":"set","p":{"k":"e","v":4,"ttl":1,"if":"absent"}}
< ok
> {"s":"ttl","p":{"k":"e"}}
< 1.000
@ +1h
> {"s":"size"}
< 1
# Much later, what never expires is still there.
@ +500000h
> {"s":"get","p":{"k":"d"}}
< 1

# Each request sees an expired key as missing before it was swept out.
repeat 9
> {"s":"set","p":{"k":"x\{$I}","v":1,"ttl":5}}
end
repeat 9
< ok
end
@. +5s
> {"s":"has","p":{"k":"x1"}}
< false
> {"s":"ttl","p":{"k":"x2"}}
< null
> {"s":"touch","p":{"k":"x3","ttl":100}}
< false
> {"s":"touch","p":{"k":"x3","ttl":null}}
< false
> {"s":"get","p":{"k":"x4","touch":100},"i":1}
<json {"i":1,"r":null,"ver":0}
> {"s":"del","p":{"k":"x5"}}
< 0
> {"s":"del","p":{"k":["x5","x6"]}}
< 0
> {"s":"del","p":{"k":"x6","if":"present"}}
<error missing
> {"s":"set","p":{"k":"x7","v":2,"if":"present"},"i":2}
<json {"i":2,"e":{"code":"missing","text":"*"},"ver":0}
> {"s":"set","p":{"k":"x8","v":2,"if":"absent"}}
< ok
> {"s":"set","p":{"k":"x9","v":2,"keep_ttl":true}}
< ok
> {"s":"ttl","p":{"k":"x9"}}
< -1
@ +1ms
> {"s":"size"}
< 3
> {"s":"get","p":{"k":"x8"}}
< 2
