# PROTOCOL.md 3, enveloped answers.
# `{"i":7,"r":{"a":1},"ver":12,"ttl":1799.25}`  get of a key: its version,
# seconds left (null: never expires)
> {"s":"set","p":{"k":"a","v":{"a":1},"ttl":1800},"i":6}
<~ [{]"i":6,"r":true,"ver":([0-9]+)[}] => V
@ +750ms
> {"s":"get","p":{"k":"a"},"i":7}
<json {"i":7,"r":{"a":1},"ver":\{$V},"ttl":1799.25}
> {"s":"set","p":{"k":"a","v":{"a":1}}}
< ok
> {"s":"get","p":{"k":"a"},"i":7}
<json {"i":7,"r":{"a":1},"ver":"#","ttl":null}

# `{"i":7,"r":null,"ver":0}`  get of a missing key (a stored null has ver > 0)
> {"s":"get","p":{"k":"no"},"i":7}
<json {"i":7,"r":null,"ver":0}
> {"s":"set","p":{"k":"nil","v":null}}
< ok
> {"s":"get","p":{"k":"nil"},"i":7}
<json {"i":7,"r":null,"ver":"#","ttl":null}
&~ .*"ver":[1-9][0-9]*[,}].*

# The value in the envelope is the bytes that were sent.
> {"s":"set","p":{"k":"a","v":[1.10, 2e+05,"\\u00e9\\/",45232446983204764922041]}}
< ok
> {"s":"get","p":{"k":"a"},"i":1}
<~ .*"r":\\[1[.]10, 2e[+]05,"\\\\u00e9\\\\/",45232446983204764922041\\][,}].*

# "`i` is optional: a JSON string or integer"; it comes back as it was.
> {"s":"ping","i":0}
<json {"i":0,"r":"pong"}
> {"s":"ping","i":-12}
<json {"i":-12,"r":"pong"}
> {"s":"ping","i":9007199254740993}
<~ .*"i":9007199254740993[,}].*
> {"s":"ping","i":9223372036854775807}
<~ .*"i":9223372036854775807[,}].*
> {"s":"ping","i":""}
<json {"i":"","r":"pong"}
> {"s":"ping","i":"a\\"b\\\\c\\u0000\\n\\ud83d\\ude00 \xc3\xa9"}
<json {"i":"a\\"b\\\\c\\u0000\\n\\ud83d\\ude00 \xc3\xa9","r":"pong"}
> {"s":"ping","i":"\{x*5000}"}
< {"i":"\{x*5000}","r":"pong"}

# Anything else is none, and the error cannot be enveloped.
> {"s":"ping","i":null}
<error bad_request
> {"s":"ping","i":1.5}
<error bad_request
> {"s":"ping","i":1e3}
<error bad_request
> {"s":"ping","i":true}
<error bad_request
> {"s":"ping","i":[1]}
<error bad_request
> {"s":"ping","i":{"a":1}}
<error bad_request

# "Member order is free."
> {"i":1,"p":{"v":[],"k":"b"},"s":"set"}
<json {"i":1,"r":true,"ver":"#"}
> {"p":{"k":"b"},"i":2,"s":"get"}
<json {"i":2,"r":[],"ver":"#","ttl":null}
> {"p":{"k":"b"},"s":"get"}
< []

# "Writes of a value answer with the new `ver` beside `r`; `del` has none."
> {"s":"set","p":{"k":"c","v":1},"i":1}
<json {"i":1,"r":true,"ver":"#"}
> {"s":"touch","p":{"k":"c","ttl":9},"i":2}
<json {"i":2,"r":true}
> {"s":"has","p":{"k":"c"},"i":3}
<json {"i":3,"r":true}
> {"s":"ttl","p":{"k":"c"},"i":4}
<json {"i":4,"r":9}
> {"s":"del","p":{"k":"c"},"i":5}
<json {"i":5,"r":1}
> {"s":"size","i":6}
<json {"i":6,"r":3}
> {"s":"select","p":{"db":0},"i":7}
<json {"i":7,"r":true}
> {"s":"reset","i":8}
<json {"i":8,"r":true}
