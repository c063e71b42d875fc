# `touch`: true, or false if missing. "`ttl:null` removes the expiry."
> {"s":"touch","p":{"k":"a","ttl":10}}
< false
> {"s":"get","p":{"k":"a"}}
< null
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"touch","p":{"k":"a","ttl":10}}
< true
> {"s":"ttl","p":{"k":"a"}}
< 10.000
> {"s":"touch","p":{"k":"a","ttl":null}}
< true
> {"s":"ttl","p":{"k":"a"}}
< -1
> {"s":"touch","p":{"k":"no","ttl":null}}
< false
> {"s":"touch","p":{"k":"a","ttl":2.5},"i":1}
<json {"i":1,"r":true}
> {"s":"touch","p":{"k":"no","ttl":2.5},"i":2}
<json {"i":2,"r":false}
> {"s":"ttl","p":{"k":"a"}}
< 2.500

# "Never copies or rewrites the value"; the version stays as well.
> {"s":"get","p":{"k":"a"},"i":3}
<~ [{]"i":3,"r":1,"ver":([0-9]+),"ttl":2[.]50*[}] => V
> {"s":"touch","p":{"k":"a","ttl":60}}
< true
> {"s":"get","p":{"k":"a"},"i":4}
<json {"i":4,"r":1,"ver":\{$V},"ttl":60}
