# Case B01: split messages. A server took every read for a whole message. (The
# pass `bytes` sends every transcript byte by byte; this one pauses as well.)
> {"s":"set","p":{"k":"b01","v":{"a":"\xc3\xa9","n":[1,2,3]}}}
< ok
>. {
<quiet
>. "s":"get",
<quiet
> "p":{"k":"b01","v":null}}
< {"a":"\xc3\xa9","n":[1,2,3]}
>. {"s":"set","p":{"k":"b01","v":"\xf0\x9f
<quiet
>. \x98
<quiet
> \x80"}}
< ok
> {"s":"get","p":{"k":"b01"}}
< "\xf0\x9f\x98\x80"
