# Case B13: \u0000 in values and keys.
> {"s":"set","p":{"k":"b13","v":"a\\u0000b"}}
< ok
> {"s":"get","p":{"k":"b13","v":null}}
< "a\\u0000b"
> {"s":"set","p":{"k":"b13\\u0000x","v":2}}
< ok
> {"s":"get","p":{"k":"b13","v":null}}
< "a\\u0000b"
> {"s":"get","p":{"k":"b13\\u0000x","v":null}}
< 2
> {"s":"size","p":{}}
< 2
# Also in the name of a member of a value.
> {"s":"set","p":{"k":"b13","v":{"\\u0000":1,"\\u0000a":2}}}
< ok
> {"s":"get","p":{"k":"b13"}}
< {"\\u0000":1,"\\u0000a":2}
