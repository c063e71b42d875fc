# PROTOCOL.md section 4, `incr`: "adds an integer (default 1, negative allowed)
# to a value whose text is a JSON integer (missing counts as 0; `1.0` is none);
# the new number. `ttl` applies only when the key is created."
> {"s":"incr","p":{"k":"n"}}
< 1
> {"s":"incr","p":{"k":"n","by":41}}
< 42
> {"s":"incr","p":{"k":"n","by":-50}}
< -8
> {"s":"incr","p":{"k":"n","by":0}}
< -8
> {"s":"get","p":{"k":"n"}}
< -8
> {"s":"ttl","p":{"k":"n"}}
< -1
> {"s":"incr","p":{"k":"n","ttl":9}}
< -7
> {"s":"ttl","p":{"k":"n"}}
< -1

# ttl when the key is created, and only then
> {"s":"incr","p":{"k":"t","ttl":10}}
< 1
> {"s":"ttl","p":{"k":"t"}}
< 10.000
@ +4s
> {"s":"incr","p":{"k":"t","ttl":10}}
< 2
> {"s":"ttl","p":{"k":"t"}}
< 6.000
@ +6s
> {"s":"incr","p":{"k":"t"}}
< 1
> {"s":"ttl","p":{"k":"t"}}
< -1

# "Not an integer: `error not_integer`; out of 64 bits: `error overflow`;
# nothing changes"
> {"s":"set","p":{"k":"f","v":1.0}}
< ok
> {"s":"incr","p":{"k":"f"}}
<error not_integer
> {"s":"get","p":{"k":"f"}}
< 1.0
> {"s":"set","p":{"k":"f","v":"1"}}
< ok
> {"s":"incr","p":{"k":"f"}}
<error not_integer
> {"s":"set","p":{"k":"f","v":null}}
< ok
> {"s":"incr","p":{"k":"f"}}
<error not_integer
> {"s":"set","p":{"k":"f","v":9223372036854775808}}
< ok
> {"s":"incr","p":{"k":"f","by":-1}}
<error not_integer
> {"s":"set","p":{"k":"f","v":9223372036854775807}}
< ok
> {"s":"incr","p":{"k":"f"}}
<error overflow
> {"s":"get","p":{"k":"f"}}
< 9223372036854775807
> {"s":"incr","p":{"k":"f","by":-9223372036854775808}}
< -1
> {"s":"incr","p":{"k":"f","by":-9223372036854775808}}
<error overflow
> {"s":"get","p":{"k":"f"}}
< -1

# "An integer parameter is a JSON integer without fraction or exponent within
# 64 bits, else `error bad_request`."
> {"s":"incr","p":{"k":"n","by":1.0}}
<error bad_request
> {"s":"incr","p":{"k":"n","by":"1"}}
<error bad_request
> {"s":"incr","p":{"k":"n","by":9223372036854775808}}
<error bad_request
> {"s":"incr","p":{"k":"n","by":null}}
<error bad_request
> {"s":"incr","p":{}}
<error bad_request
> {"s":"incr","p":{"k":1}}
<error bad_key
> {"s":"incr","p":{"k":"n","if":1}}
<error bad_request
> {"s":"incr","p":{"k":"n","ttl":0}}
<error bad_ttl
> {"s":"get","p":{"k":"n"}}
< -7

# A write of a value answers with the new version beside the result.
> {"s":"set","p":{"k":"v","v":1},"i":1}
<json {"i":1,"r":true,"ver":"#"}
> {"s":"incr","p":{"k":"v"},"i":2}
<json {"i":2,"r":2,"ver":"#"}
