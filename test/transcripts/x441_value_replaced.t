# A large value that is on its way out stays whole when it is replaced, deleted
# or expires before it was read.
skip bytes values of 100 KB
connect A
> {"s":"set","p":{"k":"v","v":"\{a*100000}","ttl":10}}
< ok
connect B
repeat 30
> {"s":"get","p":{"k":"v"}}
end
on A
> {"s":"set","p":{"k":"w","v":"\{b*100000}"}}
< ok
on B
repeat 30
< "\{a*100000}"
end
# In one pipeline each request sees what was before it.
> {"s":"get","p":{"k":"v"}}
> {"s":"set","p":{"k":"v","v":"\{c*100000}","ttl":10}}
> {"s":"get","p":{"k":"v"}}
> {"s":"del","p":{"k":"v"}}
> {"s":"get","p":{"k":"v"}}
> {"s":"get","p":{"k":"w"}}
> {"s":"reset"}
> {"s":"get","p":{"k":"w"}}
< "\{a*100000}"
< ok
< "\{c*100000}"
< 1
< null
< "\{b*100000}"
< ok
< null
