# Case B31: no life after expiry, with many keys at once.
skip bytes 10,000 keys; r_b31_small.t goes byte by byte
repeat 10000
> {"s":"set","p":{"k":"b31:\{$I}","v":1,"ttl":0.05}}
end
repeat 10000
< ok
end
@ +80ms
repeat 10000
> {"s":"touch","p":{"k":"b31:\{$I}","ttl":100}}
> {"s":"get","p":{"k":"b31:\{$I}"}}
end
repeat 10000
< false
< null
end
> {"s":"size"}
< 0
