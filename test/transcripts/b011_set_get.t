# `set` answers ok, `get` the value, or null.
> {"s":"get","p":{"k":"user:1"}}
< null
> {"s":"set","p":{"k":"user:1","v":{"name":"Ada","admin":false}}}
< ok
> {"s":"get","p":{"k":"user:1"}}
< {"name":"Ada","admin":false}

# A second set replaces.
> {"s":"set","p":{"k":"user:1","v":"gone"}}
< ok
> {"s":"get","p":{"k":"user:1"}}
< "gone"

# Other keys are other keys; upper and lower case differ.
> {"s":"get","p":{"k":"User:1"}}
< null
> {"s":"get","p":{"k":"user:"}}
< null

# Every kind of JSON text is a value.
> {"s":"set","p":{"k":"a","v":0}}
> {"s":"get","p":{"k":"a"}}
> {"s":"set","p":{"k":"a","v":true}}
> {"s":"get","p":{"k":"a"}}
> {"s":"set","p":{"k":"a","v":false}}
> {"s":"get","p":{"k":"a"}}
> {"s":"set","p":{"k":"a","v":null}}
> {"s":"get","p":{"k":"a"}}
> {"s":"set","p":{"k":"a","v":[]}}
> {"s":"get","p":{"k":"a"}}
> {"s":"set","p":{"k":"a","v":""}}
> {"s":"get","p":{"k":"a"}}
> {"s":"set","p":{"k":"a","v":-1.5e-7}}
> {"s":"get","p":{"k":"a"}}
< ok
< 0
< ok
< true
< ok
< false
< ok
< null
< ok
< []
< ok
< ""
< ok
< -1.5e-7
