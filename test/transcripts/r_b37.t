# Case B37 (a): a thousand pairs in one send are answered strictly in order.
repeat 1000
> {"s":"set","p":{"k":"b37","v":\{$I}}}
> {"s":"get","p":{"k":"b37"}}
end
repeat 1000
< ok
< \{$I}
end
