# "the key is the bytes of its decoded UTF-8, up to 65,535 of them"
> {"s":"set","p":{"k":"","v":"empty"}}
< ok
> {"s":"get","p":{"k":""}}
< "empty"
> {"s":"has","p":{"k":" "}}
< false

# "`\\u0000` may occur in one."
> {"s":"set","p":{"k":"a\\u0000b","v":1}}
< ok
> {"s":"get","p":{"k":"a"}}
< null
> {"s":"get","p":{"k":"a\\u0000c"}}
< null
> {"s":"set","p":{"k":"\\u0000","v":2}}
< ok
> {"s":"get","p":{"k":"a\\u0000b"}}
< 1
> {"s":"get","p":{"k":"\\u0000"}}
< 2
> {"s":"get","p":{"k":"\\u0000\\u0000"}}
< null

# An escape and the byte that it stands for are one key.
> {"s":"set","p":{"k":"A/\\"\\\\\xc3\xa9\xf0\x9f\x98\x80","v":3}}
< ok
> {"s":"get","p":{"k":"\\u0041\\/\\u0022\\u005c\\u00E9\\ud83d\\uDE00"}}
< 3
# Half a character raw and half as an escape are none.
> {"s":"del","p":{"k":["A/\\"\\\\\xc3\\u00a9"]}}
<error bad_json
> {"s":"set","p":{"k":"tab\\tlf\\ncr\\rff\\fbs\\b","v":4}}
< ok
> {"s":"get","p":{"k":"tab\\u0009lf\\u000acr\\u000Dff\\u000cbs\\u0008"}}
< 4
# No normalisation: e with an accent and e followed by an accent are two.
> {"s":"set","p":{"k":"e\\u0301","v":5}}
< ok
> {"s":"get","p":{"k":"\\u00e9"}}
< null
> {"s":"size"}
< 6

# "A key of another JSON type: error bad_key."
> {"s":"get","p":{"k":5}}
<error bad_key
> {"s":"get","p":{"k":null}}
<error bad_key
> {"s":"get","p":{"k":true}}
<error bad_key
> {"s":"get","p":{"k":["a"]}}
<error bad_key
> {"s":"get","p":{"k":{"a":1}}}
<error bad_key
> {"s":"set","p":{"k":1.5,"v":1}}
<error bad_key
> {"s":"set","p":{"k":["a"],"v":1}}
<error bad_key
> {"s":"has","p":{"k":1}}
<error bad_key
> {"s":"touch","p":{"k":1,"ttl":1}}
<error bad_key
> {"s":"ttl","p":{"k":false}}
<error bad_key
> {"s":"del","p":{"k":1}}
<error bad_key
> {"s":"del","p":{"k":{}}}
<error bad_key
> {"s":"size"}
< 6
