# "Without `ttl` and `keep_ttl` the key never expires."
> {"s":"set","p":{"k":"a","v":1,"ttl":100}}
< ok
@. +40s
> {"s":"set","p":{"k":"a","v":2,"keep_ttl":true}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< 60.000
> {"s":"get","p":{"k":"a"}}
< 2
> {"s":"set","p":{"k":"a","v":3,"keep_ttl":true,"if":"present"},"i":1}
<json {"i":1,"r":true,"ver":"#"}
> {"s":"ttl","p":{"k":"a"}}
< 60.000

# A key that never expires goes on so; a new one never does.
> {"s":"set","p":{"k":"b","v":1}}
< ok
> {"s":"set","p":{"k":"b","v":2,"keep_ttl":true}}
< ok
> {"s":"ttl","p":{"k":"b"}}
< -1
> {"s":"set","p":{"k":"c","v":2,"keep_ttl":true}}
< ok
> {"s":"ttl","p":{"k":"c"}}
< -1

# An expired key has no lifetime to keep.
@. +60s
> {"s":"set","p":{"k":"a","v":4,"keep_ttl":true}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< -1

# "`keep_ttl:false` is the same as leaving it out."
> {"s":"set","p":{"k":"a","v":5,"ttl":10,"keep_ttl":false}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< 10.000
> {"s":"set","p":{"k":"a","v":6,"keep_ttl":false}}
< ok
> {"s":"ttl","p":{"k":"a"}}
< -1

# "`ttl` with `keep_ttl` is `error bad_request`", in both orders.
> {"s":"set","p":{"k":"a","v":7,"ttl":10,"keep_ttl":true}}
<error bad_request
> {"s":"set","p":{"keep_ttl":true,"ttl":10,"k":"a","v":7}}
<error bad_request
> {"s":"set","p":{"k":"a","v":7,"keep_ttl":1}}
<error bad_request ~ keep_ttl
> {"s":"set","p":{"k":"a","v":7,"keep_ttl":null}}
<error bad_request ~ keep_ttl
> {"s":"set","p":{"k":"a","v":7,"keep_ttl":"true"}}
<error bad_request ~ keep_ttl
> {"s":"get","p":{"k":"a"}}
< 6
