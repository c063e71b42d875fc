# PROTOCOL.md section 4, `merge`: JSON merge patch (RFC 7396); "a missing key, or
# a value that is no object, is an empty target as the RFC has it; keeps the TTL
# unless `ttl` is given; members that the patch does not touch keep their bytes".
> {"s":"merge","p":{"k":"m","v":{"a":1.10,"b":{"c":[1, 2]}}}}
< ok
> {"s":"get","p":{"k":"m"}}
< {"a":1.10,"b":{"c":[1, 2]}}
> {"s":"merge","p":{"k":"m","v":{"b":{"d":2},"e":45232446983204764922041}}}
< ok
> {"s":"get","p":{"k":"m"}}
< {"a":1.10,"b":{"c":[1, 2],"d":2},"e":45232446983204764922041}
> {"s":"merge","p":{"k":"m","v":{"a":null,"b":{"c":null}}}}
< ok
> {"s":"get","p":{"k":"m"}}
< {"b":{"d":2},"e":45232446983204764922041}

# The time to live stays unless one is given.
> {"s":"set","p":{"k":"t","v":{"a":1},"ttl":100}}
< ok
@ +10s
> {"s":"merge","p":{"k":"t","v":{"b":2}}}
< ok
> {"s":"ttl","p":{"k":"t"}}
< 90.000
> {"s":"merge","p":{"k":"t","v":{"b":3},"ttl":5}}
< ok
> {"s":"ttl","p":{"k":"t"}}
< 5.000
@ +5s
> {"s":"merge","p":{"k":"t","v":{"c":4}}}
< ok
> {"s":"get","p":{"k":"t"}}
< {"c":4}
> {"s":"ttl","p":{"k":"t"}}
< -1

# Conditions, checked in the same step.
> {"s":"merge","p":{"k":"t","v":{"c":5},"if":"absent"}}
<error exists
> {"s":"merge","p":{"k":"none","v":{"c":5},"if":"present"}}
<error missing
> {"s":"merge","p":{"k":"none","v":{"c":5},"if":3}}
<error missing
> {"s":"merge","p":{"k":"t","v":{"c":5},"if":999999}}
<error stale
> {"s":"get","p":{"k":"t"}}
< {"c":4}
> {"s":"merge","p":{"k":"none","v":{"c":{"x":null}},"if":"absent"},"i":7}
<json {"i":7,"r":true,"ver":"#"}
> {"s":"get","p":{"k":"none"}}
< {"c":{}}

> {"s":"merge","p":{"k":"t"}}
<error bad_request
> {"s":"merge","p":{"k":"t","v":1,"keep_ttl":true}}
<error bad_request
> {"s":"merge","p":{"k":"t","v":1,"ttl":-1}}
<error bad_ttl
