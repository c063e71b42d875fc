# Two workers change one session with read, compare, write: no change is lost.
connect A
connect B
on A
> {"s":"set","p":{"k":"cart","v":["a"],"ttl":60}}
< ok
> {"s":"get","p":{"k":"cart"},"i":1}
<~ .*"ver":([0-9]+)[,}].* => V
on B
> {"s":"get","p":{"k":"cart"},"i":1}
<json {"i":1,"r":["a"],"ver":\{$V},"ttl":60}
> {"s":"set","p":{"k":"cart","v":["a","b"],"keep_ttl":true,"if":\{$V}}}
< ok
on A
> {"s":"set","p":{"k":"cart","v":["a","c"],"keep_ttl":true,"if":\{$V}},"i":2}
<~ .*"code":"stale".*"ver":([0-9]+).* => W
> {"s":"get","p":{"k":"cart"},"i":3}
<json {"i":3,"r":["a","b"],"ver":\{$W},"ttl":60}
> {"s":"set","p":{"k":"cart","v":["a","b","c"],"keep_ttl":true,"if":\{$W}}}
< ok
on B
> {"s":"get","p":{"k":"cart"},"i":4}
<part {"r":["a","b","c"],"ttl":60}
