# mget: the values in the order of the keys.
> {"s":"set","p":{"k":"a","v":{"n":1.10}}}
< ok
> {"s":"set","p":{"k":"b","v":null}}
< ok
> {"s":"set","p":{"k":"c","v":"text"}}
< ok

> {"s":"mget","p":{"k":["a","b","c"]}}
< [{"n":1.10},null,"text"]

# A missing key is null like a stored null; a key may come twice.
> {"s":"mget","p":{"k":["nobody","c","c","nobody"]}}
< [null,"text","text",null]
> {"s":"mget","p":{"k":["nobody"]}}
< [null]
> {"s":"mget","p":{"k":[]}}
< []
> {"s":"mget","p":{"k":[""]}}
< [null]

# Enveloped: the array is the result. No version, there are many.
> {"i":7,"s":"mget","p":{"k":["b","a"]}}
< {"i":7,"r":[null,{"n":1.10}]}
> {"i":"x","s":"mget","p":{"k":[]}}
< {"i":"x","r":[]}

# Keys with escapes, and blanks anywhere.
> {"s":"set","p":{"k":"\\u0000\\n","v":1}}
< ok
> {"s":"mget","p":{"k": [ "\\u0000\\u000a" , "\\u0061" ] }}
< [1,{"n":1.10}]

# An expired key is missing.
> {"s":"set","p":{"k":"short","v":1,"ttl":5}}
< ok
> {"s":"mget","p":{"k":["short","c"]}}
< [1,"text"]
@. +5s
> {"s":"mget","p":{"k":["short","c"]}}
< [null,"text"]

# Hits and misses are counted key by key.
> {"s":"stats"}
<part {"hits":12,"misses":5}

# Faults.
> {"s":"mget","p":{"k":"a"}}
<error bad_request ~ not an array
> {"s":"mget","p":{"k":7}}
<error bad_request ~ not an array
> {"s":"mget"}
<error bad_request ~ "k"
> {"s":"mget","p":{"k":["a",1]}}
<error bad_key
> {"s":"mget","p":{"k":["a",["b"]]}}
<error bad_key
> {"s":"mget","p":{"k":["a"],"touch":5}}
<error bad_request ~ "touch"
> {"s":"get","p":{"k":["a"]}}
<error bad_key
