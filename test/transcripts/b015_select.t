# `select`: 0 to 15; "a new connection starts in 0".
> {"s":"set","p":{"k":"a","v":"zero"}}
< ok
> {"s":"select","p":{"db":15}}
< ok
> {"s":"get","p":{"k":"a"}}
< null
> {"s":"set","p":{"k":"a","v":"fifteen"}}
< ok
> {"s":"select","p":{"db":0},"i":1}
<json {"i":1,"r":true}
> {"s":"get","p":{"k":"a"}}
< "zero"
connect B
> {"s":"get","p":{"k":"a"}}
< "zero"
> {"s":"select","p":{"db":15}}
< ok
> {"s":"get","p":{"k":"a"}}
< "fifteen"

# Each connection has its own.
on A
> {"s":"get","p":{"k":"a"}}
< "zero"
