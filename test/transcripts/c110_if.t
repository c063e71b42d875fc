# "`if` is one of "absent", "present", or a version: the write happens only if
# the condition holds, otherwise `error exists`, `error missing` (also for a
# version of a missing key) or `error stale`, and nothing changes."
> {"s":"set","p":{"k":"a","v":0,"if":"present"}}
<error missing
> {"s":"set","p":{"k":"a","v":0,"if":1}}
<error missing
> {"s":"has","p":{"k":"a"}}
< false
> {"s":"set","p":{"k":"a","v":1,"if":"absent"},"i":1}
<~ [{]"i":1,"r":true,"ver":([0-9]+)[}] => V
> {"s":"set","p":{"k":"a","v":2,"if":"absent"}}
<error exists
> {"s":"get","p":{"k":"a"},"i":2}
<json {"i":2,"r":1,"ver":\{$V},"ttl":null}
> {"s":"set","p":{"k":"a","v":3,"if":"present"},"i":3}
<~ [{]"i":3,"r":true,"ver":([0-9]+)[}] => W
> {"s":"set","p":{"k":"a","v":4,"if":\{$V}}}
<error stale
> {"s":"get","p":{"k":"a"}}
< 3
> {"s":"set","p":{"k":"a","v":5,"if":\{$W}},"i":4}
<~ [{]"i":4,"r":true,"ver":([0-9]+)[}] => X
> {"s":"set","p":{"k":"a","v":6,"if":\{$W}}}
<error stale
> {"s":"get","p":{"k":"a"},"i":5}
<json {"i":5,"r":5,"ver":\{$X},"ttl":null}

# A refused write leaves the lifetime as well.
> {"s":"touch","p":{"k":"a","ttl":50}}
< true
> {"s":"set","p":{"k":"a","v":7,"ttl":99,"if":"absent"}}
<error exists
> {"s":"set","p":{"k":"a","v":7,"if":\{$W}}}
<error stale
> {"s":"ttl","p":{"k":"a"}}
< 50.000

# The same on del.
> {"s":"del","p":{"k":"a","if":\{$W}}}
<error stale
> {"s":"del","p":{"k":"a","if":"absent"}}
<error exists
> {"s":"get","p":{"k":"a"}}
< 5
> {"s":"del","p":{"k":"a","if":\{$X}}}
< 1
> {"s":"del","p":{"k":"a","if":\{$X}}}
<error missing
> {"s":"del","p":{"k":"a","if":"present"}}
<error missing
> {"s":"del","p":{"k":"a"}}
< 0
> {"s":"set","p":{"k":"a","v":8}}
< ok
> {"s":"del","p":{"k":"a","if":"present"}}
< 1

# An expired key is missing.
> {"s":"set","p":{"k":"a","v":9,"ttl":1},"i":6}
<~ [{]"i":6,"r":true,"ver":([0-9]+)[}] => Y
@. +1s
> {"s":"set","p":{"k":"a","v":10,"if":"present"}}
<error missing
> {"s":"set","p":{"k":"a","v":10,"if":\{$Y}},"i":7}
<json {"i":7,"e":{"code":"missing","text":"*"},"ver":0}
> {"s":"del","p":{"k":"a","if":\{$Y}}}
<error missing
> {"s":"set","p":{"k":"a","v":10,"if":"absent"}}
< ok
> {"s":"get","p":{"k":"a"}}
< 10

# "a malformed `if`: error bad_request"
> {"s":"set","p":{"k":"a","v":1,"if":0}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":-1}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":1.0}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":1e0}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":"1"}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":""}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":"Absent"}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":"presents"}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":null}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":true}}
<error bad_request ~ if
> {"s":"set","p":{"k":"a","v":1,"if":["absent"]}}
<error bad_request ~ if
> {"s":"del","p":{"k":"a","if":{}}}
<error bad_request ~ if
> {"s":"get","p":{"k":"a"}}
< 10
