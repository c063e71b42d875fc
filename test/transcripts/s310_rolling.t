# Rolling sessions: who comes back in time stays, who does not is gone, and the
# counts tell it.
repeat 20
> {"s":"set","p":{"k":"s\{$I}","v":{"n":\{$I}},"ttl":30}}
end
repeat 20
< ok
end
@ +20s
repeat 10
> {"s":"touch","p":{"k":"s\{$I}","ttl":30}}
end
repeat 10
< true
end
@ +10s
> {"s":"size"}
< 10
> {"s":"get","p":{"k":"s10"}}
< {"n":10}
> {"s":"get","p":{"k":"s11"}}
< null
> {"s":"stats"}
<part {"keys":10,"expires":10,"expired_keys":10}
@ +19999ms
> {"s":"ttl","p":{"k":"s1"}}
< 0.001
@ +1ms
> {"s":"size"}
< 0
> {"s":"stats"}
<part {"keys":0,"expires":0,"expired_keys":20}
