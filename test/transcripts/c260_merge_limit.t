# "a result over `max-value`: `error too_large`", and nothing changes.
option max-request 2048
option max-value 100
> {"s":"set","p":{"k":"m","v":{"a":"\{x*70}"}}}
< ok
> {"s":"merge","p":{"k":"m","v":{"b":"\{y*70}"}}}
<error too_large
> {"s":"get","p":{"k":"m"}}
< {"a":"\{x*70}"}
> {"s":"merge","p":{"k":"m","v":{"a":null,"b":"\{y*70}"}}}
< ok
> {"s":"get","p":{"k":"m"}}
< {"b":"\{y*70}"}
