# Case B25: a lifetime that is already past is an error, and nothing changes.
> {"s":"set","p":{"k":"b25","v":1}}
< ok
> {"s":"touch","p":{"k":"b25","ttl":-1}}
<error bad_ttl
> {"s":"set","p":{"k":"b25","v":2,"ttl":-1}}
<error bad_ttl
> {"s":"set","p":{"k":"b25","v":2,"ttl":0}}
<error bad_ttl
> {"s":"get","p":{"k":"b25"}}
< 1
> {"s":"ttl","p":{"k":"b25"}}
< -1
