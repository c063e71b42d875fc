# Case B32: an expired key is counted for at most one second.
> {"s":"set","p":{"k":"b32a","v":1,"ttl":0.05}}
> {"s":"set","p":{"k":"b32b","v":1,"ttl":0.05}}
> {"s":"set","p":{"k":"b32c","v":1,"ttl":0.05}}
> {"s":"set","p":{"k":"b32d","v":1}}
< ok
< ok
< ok
< ok
@ +60ms
> {"s":"has","p":{"k":"b32a"}}
< false
@ +1040ms
> {"s":"size","p":{}}
< 1
> {"s":"stats"}
<part {"keys":1,"expires":0,"expired_keys":3}
