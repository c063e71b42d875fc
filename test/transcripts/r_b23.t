# Case B23: lifetimes of more than 30 days, and of more than 32 bits.
> {"s":"set","p":{"k":"b23","v":1,"ttl":2678400}}
< ok
> {"s":"ttl","p":{"k":"b23"}}
< 2678400.000
> {"s":"set","p":{"k":"b23","v":2,"ttl":2592001}}
< ok
> {"s":"ttl","p":{"k":"b23"}}
< 2592001.000
> {"s":"set","p":{"k":"b23","v":3,"ttl":3000000000}}
< ok
> {"s":"ttl","p":{"k":"b23"}}
< 3000000000.000
> {"s":"get","p":{"k":"b23"}}
< 3
# And they end when they should, not after the low 32 bits of it.
> {"s":"set","p":{"k":"b23","v":4,"ttl":4294968}}
< ok
@ +1193h
> {"s":"get","p":{"k":"b23"}}
< 4
> {"s":"ttl","p":{"k":"b23"}}
< 168.000
@ +168s
> {"s":"get","p":{"k":"b23"}}
< null
