# Case B68: compare and set. Tokens are neither wrapped nor cut to 32 bits.
> {"s":"set","p":{"k":"b68","v":1.0},"i":1}
<~ [{]"i":1,"r":true,"ver":([0-9]+)[}] => V
> {"s":"set","p":{"k":"b68","v":2,"if":-1}}
<error bad_request
> {"s":"set","p":{"k":"b68","v":2,"if":0}}
<error bad_request
> {"s":"set","p":{"k":"b68","v":2,"if":1.5}}
<error bad_request
> {"s":"set","p":{"k":"b68","v":2,"if":"\{$V}"}}
<error bad_request
> {"s":"set","p":{"k":"b68","v":2,"if":-18446744073709551615}}
<error bad_request
> {"s":"set","p":{"k":"b68","v":2,"if":18446744073709551616}}
<~ error (bad_request|stale) .+
> {"s":"set","p":{"k":"b68","v":2,"if":\{$V+1}}}
<error stale
> {"s":"set","p":{"k":"b68","v":2,"if":\{$V+4294967296}}}
<error stale
> {"s":"set","p":{"k":"b68","v":2,"if":\{$V+9223372036854775808}}}
<~ error (bad_request|stale) .+
> {"s":"get","p":{"k":"b68"}}
< 1.0
> {"s":"set","p":{"k":"b68","v":3,"if":\{$V}}}
< ok
> {"s":"set","p":{"k":"b68","v":4,"if":\{$V}}}
<error stale
> {"s":"set","p":{"k":"b68no","v":4,"if":"present"}}
<error missing
> {"s":"get","p":{"k":"b68"}}
< 3
