# Case B04: a size limit is for a line, not for what waits in the buffer.
skip bytes three lines of 70 KB; small lines over the limit are in r_b04_small.t
> {"s":"set","p":{"k":"b04a","v":"\{x*70000}"}}
> {"s":"set","p":{"k":"b04b","v":"\{y*70000}"}}
> {"s":"set","p":{"k":"b04c","v":"\{z*70000}"}}
> {"s":"size","p":{}}
< ok
< ok
< ok
< 3
> {"s":"get","p":{"k":"b04a"}}
> {"s":"get","p":{"k":"b04b"}}
> {"s":"get","p":{"k":"b04c"}}
< "\{x*70000}"
< "\{y*70000}"
< "\{z*70000}"
