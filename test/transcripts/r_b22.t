# Case B22: a huge lifetime wrapped into the past.
> {"s":"set","p":{"k":"b22","v":1}}
< ok
> {"s":"touch","p":{"k":"b22","ttl":9223372036854775807}}
<error bad_ttl
> {"s":"touch","p":{"k":"b22","ttl":10000000000000000}}
<error bad_ttl
> {"s":"set","p":{"k":"b22","v":2,"ttl":10000000000000000}}
<error bad_ttl
> {"s":"get","p":{"k":"b22"}}
< 1
> {"s":"ttl","p":{"k":"b22"}}
< -1
# At the largest that is allowed nothing wraps, now or later.
> {"s":"touch","p":{"k":"b22","ttl":315360000000}}
< true
@ +1h
> {"s":"touch","p":{"k":"b22","ttl":315360000000}}
< true
> {"s":"ttl","p":{"k":"b22"}}
< 315360000000.000
> {"s":"get","p":{"k":"b22"}}
< 1
