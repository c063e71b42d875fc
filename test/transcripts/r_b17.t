# Case B17: no decimal comma, no grouping of digits. (A test that starts the
# program sets the locale; here the numbers themselves.)
> {"s":"set","p":{"k":"b17","v":[1,2,1.5,{"a":1,"b":2.25}]}}
< ok
> {"s":"get","p":{"k":"b17","v":null}}
< [1,2,1.5,{"a":1,"b":2.25}]
> {"s":"set","p":{"k":"b17t","v":1,"ttl":100}}
< ok
> {"s":"ttl","p":{"k":"b17t"}}
< 100.000
repeat 1498
> {"s":"set","p":{"k":"b17:\{$I}","v":1}}
end
> {"s":"size","p":{}}
repeat 1498
< ok
end
< 1500
> {"s":"stats"}
<part {"keys":1500,"expires":1}
