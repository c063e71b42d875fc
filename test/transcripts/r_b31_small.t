# Case B31: no life after expiry, with a few keys.
repeat 50
> {"s":"set","p":{"k":"b31:\{$I}","v":1,"ttl":0.05}}
end
repeat 50
< ok
end
@ +80ms
repeat 50
> {"s":"touch","p":{"k":"b31:\{$I}","ttl":100}}
> {"s":"get","p":{"k":"b31:\{$I}"}}
end
repeat 50
< false
< null
end
> {"s":"size"}
< 0
