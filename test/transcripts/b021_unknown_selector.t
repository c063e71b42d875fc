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
> {"s":"auth","p":{"password":"x"}}
> {"s":"save"}
<error unknown_selector ~ auth
<error unknown_selector ~ save
> {"s":"ping"}
< "pong"
