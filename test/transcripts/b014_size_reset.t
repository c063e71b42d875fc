# `size` counts live keys, `reset` removes them; both need no `p`.
> {"s":"size"}
< 0
> {"s":"set","p":{"k":"a","v":1}}
> {"s":"set","p":{"k":"b","v":2}}
> {"s":"set","p":{"k":"a","v":3}}
> {"s":"size","p":{}}
< ok
< ok
< ok
< 2
> {"s":"size","i":1}
<json {"i":1,"r":2}
> {"s":"reset"}
< ok
> {"s":"size"}
< 0
> {"s":"get","p":{"k":"a"}}
< null

# "`ok` as true" in an envelope.
> {"s":"reset","p":{},"i":2}
<json {"i":2,"r":true}

# A key that was reset can be written again.
> {"s":"set","p":{"k":"a","v":4}}
< ok
> {"s":"size"}
< 1
