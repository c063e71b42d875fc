skip bytes lines of 64 KiB; the other keys are in c160_keys.t
# Keys of 0, 250, 251, 65,535 and 65,536 bytes.
> {"s":"set","p":{"k":"\{k*250}","v":250}}
< ok
> {"s":"set","p":{"k":"\{k*251}","v":251}}
< ok
> {"s":"set","p":{"k":"\{k*65534}","v":65534}}
< ok
> {"s":"set","p":{"k":"\{k*65535}","v":65535}}
< ok
# "or a longer one, is error bad_key"
> {"s":"set","p":{"k":"\{k*65536}","v":65536}}
<error bad_key
> {"s":"get","p":{"k":"\{k*65536}"}}
<error bad_key
> {"s":"del","p":{"k":["a","\{k*65536}"]}}
<error bad_key
> {"s":"get","p":{"k":"\{k*250}"}}
< 250
> {"s":"get","p":{"k":"\{k*251}"}}
< 251
> {"s":"get","p":{"k":"\{k*65534}"}}
< 65534
> {"s":"get","p":{"k":"\{k*65535}"}}
< 65535
> {"s":"size"}
< 4

# Bytes count, neither characters nor the letters of an escape.
> {"s":"set","p":{"k":"\{\xc3\xa9*32767}x","v":1}}
< ok
> {"s":"set","p":{"k":"\{\xc3\xa9*32768}","v":1}}
<error bad_key
> {"s":"set","p":{"k":"\{\\u0041*10000}","v":2}}
< ok
> {"s":"get","p":{"k":"\{A*10000}"}}
< 2
> {"s":"del","p":{"k":["\{k*65535}","\{k*65534}","\{A*10000}"]}}
< 3
