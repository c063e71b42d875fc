# A selector that is none: an error that names it, and the connection goes on.
> {"s":"nope"}
<error unknown_selector ~ nope
> {"s":"GET","p":{"k":"a"}}
<error unknown_selector ~ GET
> {"s":""}
<error unknown_selector
> {"s":"getx","p":{"k":"a"}}
<error unknown_selector
> {"s":"ge","p":{"k":"a"}}
<error unknown_selector
> {"s":"get\\u0000","p":{"k":"a"}}
<error unknown_selector
> {"s":"nope","p":{"whatever":[1,2]},"i":1}
<json {"i":1,"e":{"code":"unknown_selector","text":"*"}}

# An escaped name is the same name.
> {"s":"pi\\u006eg"}
< "pong"

# "Not served yet" (PROTOCOL.md 10).
> {"s":"mget","p":{"k":["a"]}}
> {"s":"scan"}
> {"s":"count"}
> {"s":"drop","p":{"prefix":"a"}}
> {"s":"lock","p":{"k":"a","ttl":1}}
> {"s":"unlock","p":{"k":"a","token":1}}
> {"s":"auth","p":{"password":"x"}}
> {"s":"save"}
<error unknown_selector ~ mget
<error unknown_selector ~ scan
<error unknown_selector ~ count
<error unknown_selector ~ drop
<error unknown_selector ~ lock
<error unknown_selector ~ unlock
<error unknown_selector ~ auth
<error unknown_selector ~ save
> {"s":"ping"}
< "pong"
