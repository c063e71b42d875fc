# PROTOCOL.md 3: `{"i":7,"e":{"code":"stale","text":"version is 13"},"ver":13}`
> {"s":"set","p":{"k":"a","v":1},"i":1}
<~ .*"ver":([0-9]+)[}] => V
> {"s":"set","p":{"k":"a","v":2,"if":\{$V+1}},"i":7}
<json {"i":7,"e":{"code":"stale","text":"*"},"ver":\{$V}}
> {"s":"set","p":{"k":"a","v":2,"if":"absent"},"i":7}
<json {"i":7,"e":{"code":"exists","text":"*"},"ver":\{$V}}
# "(0: missing)"
> {"s":"set","p":{"k":"no","v":2,"if":"present"},"i":7}
<json {"i":7,"e":{"code":"missing","text":"*"},"ver":0}
> {"s":"set","p":{"k":"no","v":2,"if":1},"i":7}
<json {"i":7,"e":{"code":"missing","text":"*"},"ver":0}
> {"s":"del","p":{"k":"a","if":\{$V+1}},"i":7}
<json {"i":7,"e":{"code":"stale","text":"*"},"ver":\{$V}}
> {"s":"del","p":{"k":"no","if":"present"},"i":7}
<json {"i":7,"e":{"code":"missing","text":"*"},"ver":0}

# Without a condition that failed there is no "ver".
> {"s":"get","p":{"k":5},"i":"x"}
<json {"i":"x","e":{"code":"bad_key","text":"*"}}
> {"s":"set","p":{"k":"a","v":2,"ttl":0},"i":"x"}
<json {"i":"x","e":{"code":"bad_ttl","text":"*"}}
> {"s":"set","p":{"k":"a"},"i":"x"}
<json {"i":"x","e":{"code":"bad_request","text":"*"}}
> {"s":"nope","i":"x"}
<json {"i":"x","e":{"code":"unknown_selector","text":"*"}}

# The words of the client are safe inside the envelope's text.
> {"s":"a\\"b\\\\c\\n\xc3\xa9","i":3}
<json {"i":3,"e":{"code":"unknown_selector","text":"*"}}

# "An error is enveloped if the line's `i` could be read, else plain." It
# counts as read when the scanner had passed it before the fault (11).
> {"i":7,"s":"get","p":{
<json {"i":7,"e":{"code":"bad_json","text":"*"}}
> {"s":"get","p":{,"i":7}
<error bad_json
> {"i":7,"s":"ping"} x
<json {"i":7,"e":{"code":"bad_json","text":"*"}}
> {"i":
<error bad_json
> {"i":7
<json {"i":7,"e":{"code":"bad_json","text":"*"}}
# "A doubled or malformed `i` is never echoed."
> {"i":7,"i":8,"s":"ping"}
<error bad_request ~ i
> {"i":7,"s":"ping","i":7}
<error bad_request ~ i
> {"i":[7],"s":"ping"}
<error bad_request

# A fault of the request itself comes with the `i` behind it, too.
> {"s":"ping","x":1,"i":7}
<json {"i":7,"e":{"code":"bad_request","text":"*"}}
> {"p":5,"s":"ping","i":7}
<json {"i":7,"e":{"code":"bad_request","text":"*"}}

# Nothing has changed.
> {"s":"get","p":{"k":"a"},"i":1}
<json {"i":1,"r":1,"ver":\{$V},"ttl":null}
> {"s":"size"}
< 1
