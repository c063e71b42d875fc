# Case B10: short decimals stay as they are.
> {"s":"set","p":{"k":"b10","v":{"a":7.6,"b":1.1,"c":0.1,"d":22.4,"e":-0.3}}}
< ok
> {"s":"get","p":{"k":"b10","v":null}}
< {"a":7.6,"b":1.1,"c":0.1,"d":22.4,"e":-0.3}
> {"s":"merge","p":{"k":"b10","v":{"e":null}}}
< ok
> {"s":"get","p":{"k":"b10","v":null}}
< {"a":7.6,"b":1.1,"c":0.1,"d":22.4}
