# `has`: true or false, also for a stored null.
> {"s":"has","p":{"k":"a"}}
< false
> {"s":"set","p":{"k":"a","v":null}}
< ok
> {"s":"has","p":{"k":"a"}}
< true
> {"s":"has","p":{"k":"a"},"i":1}
<json {"i":1,"r":true}
> {"s":"has","p":{"k":"b"},"i":2}
<json {"i":2,"r":false}
> {"s":"del","p":{"k":"a"}}
< 1
> {"s":"has","p":{"k":"a"}}
< false
