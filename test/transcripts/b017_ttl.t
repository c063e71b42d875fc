# `ttl`: "seconds left with three decimals; -1 never expires; null missing".
> {"s":"ttl","p":{"k":"a"}}
< null
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< -1
> {"s":"set","p":{"k":"a","v":1,"ttl":1800}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< 1800.000
@ +750ms
> {"s":"ttl","p":{"k":"a"}}
< 1799.250
> {"s":"ttl","p":{"k":"a"},"i":1}
<json {"i":1,"r":1799.25}
> {"s":"ttl","p":{"k":"no"},"i":2}
<json {"i":2,"r":null}
> {"s":"get","p":{"k":"a"},"i":3}
<json {"i":3,"r":1,"ver":"#","ttl":1799.25}

# "Without `ttl` and `keep_ttl` the key never expires."
> {"s":"set","p":{"k":"a","v":2}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< -1
> {"s":"ttl","p":{"k":"a"},"i":4}
<json {"i":4,"r":-1}
