# Databases 0 to 15 are isolated from each other.
repeat 16
> {"s":"select","p":{"db":\{$I-1}}}
> {"s":"set","p":{"k":"same","v":\{$I}}}
> {"s":"set","p":{"k":"own\{$I}","v":true,"ttl":\{$I}}}
end
repeat 16
< ok
< ok
< ok
end
repeat 16
> {"s":"select","p":{"db":\{$I-1}}}
< ok
> {"s":"get","p":{"k":"same"}}
< \{$I}
> {"s":"ttl","p":{"k":"own\{$I}"}}
< \{$I}.000
> {"s":"has","p":{"k":"own\{$I+1}"}}
< false
> {"s":"size"}
< 2
end
# reset, del and time act on the selected one.
> {"s":"select","p":{"db":7}}
< ok
> {"s":"reset"}
< ok
> {"s":"size"}
< 0
> {"s":"select","p":{"db":8}}
< ok
> {"s":"size"}
< 2
> {"s":"del","p":{"k":"same"}}
< 1
> {"s":"select","p":{"db":9}}
< ok
> {"s":"get","p":{"k":"same"}}
< 10
@ +3s
> {"s":"select","p":{"db":2}}
< ok
> {"s":"size"}
< 1
> {"s":"select","p":{"db":3}}
< ok
> {"s":"size"}
< 2
