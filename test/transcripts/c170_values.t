# "A value is any JSON text. It is stored as the bytes that were sent, without
# the blanks around it, and comes back as those bytes."
> {"s":"set","p":{"k":"a","v":1.10}}
> {"s":"get","p":{"k":"a"}}
< ok
< 1.10
> {"s":"set","p":{"k":"a","v":45232446983204764922041}}
> {"s":"get","p":{"k":"a"}}
< ok
< 45232446983204764922041
> {"s":"set","p":{"k":"a","v":{"b":1,"a":2,"b":3}}}
> {"s":"get","p":{"k":"a"}}
< ok
< {"b":1,"a":2,"b":3}
> {"s":"set","p":{"k":"a","v":   [ 1 , 2 ]   }}
> {"s":"get","p":{"k":"a"}}
< ok
< [ 1 , 2 ]
> {"s":"set","p":{"v":\r\t 7 \t\r,"k":"a"}}
> {"s":"get","p":{"k":"a"}}
< ok
< 7
> {"s":"set","p":{"k":"a","v":-0}}
> {"s":"get","p":{"k":"a"}}
< ok
< -0
> {"s":"set","p":{"k":"a","v":1E400}}
> {"s":"get","p":{"k":"a"}}
< ok
< 1E400
> {"s":"set","p":{"k":"a","v":"\\u00e9\\/\\b\\f\\n\\r\\t\\"\\\\ \\ud83d\\ude00 \xc3\xa9 \xf0\x9f\x98\x80 \x7f"}}
> {"s":"get","p":{"k":"a"}}
< ok
< "\\u00e9\\/\\b\\f\\n\\r\\t\\"\\\\ \\ud83d\\ude00 \xc3\xa9 \xf0\x9f\x98\x80 \x7f"

# "A raw CR or TAB between tokens is stored as a blank."
> {"s":"set","p":{"k":"a","v":{"a":\t1,\r"b":\r\t[2,\t3]}}}
> {"s":"get","p":{"k":"a"}}
< ok
< {"a": 1, "b":  [2, 3]}

# A raw control byte inside a string is no JSON.
> {"s":"set","p":{"k":"a","v":"x\ty"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"x\ry"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"x\x00y"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"x\x1fy"}}
<error bad_json

# "Bytes that are not UTF-8, and escapes of lone surrogates: error bad_json."
> {"s":"set","p":{"k":"a","v":"\xff"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\xc3"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\xc0\x80"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\xe0\x80\x80"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\xf5\x80\x80\x80"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\xf4\x90\x80\x80"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\xed\xa0\x80"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\x80"}}
<error bad_json
> {"s":"set","p":{"k":"\xff","v":1}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\\ud800"}}
<error bad_json
> {"s":"set","p":{"k":"a","v":"\\udc00\\ud800"}}
<error bad_json
> {"s":"set","p":{"k":"\\ud800","v":1}}
<error bad_json
> {"s":"get","p":{"k":"a"}}
< {"a": 1, "b":  [2, 3]}

# What is no JSON, in many ways.
> {"s":"set","p":{"k":"a","v":}}
> {"s":"set","p":{"k":"a","v":tru}}
> {"s":"set","p":{"k":"a","v":nul}}
> {"s":"set","p":{"k":"a","v":01}}
> {"s":"set","p":{"k":"a","v":-}}
> {"s":"set","p":{"k":"a","v":1.}}
> {"s":"set","p":{"k":"a","v":.1}}
> {"s":"set","p":{"k":"a","v":1e}}
> {"s":"set","p":{"k":"a","v":'x'}}
> {"s":"set","p":{"k":"a","v":"\\x41"}}
> {"s":"set","p":{"k":"a","v":"\\u12g4"}}
> {"s":"set","p":{"k":"a","v":"\\u12"}}
> {"s":"set","p":{"k":"a","v":[1,]}}
> {"s":"set","p":{"k":"a","v":[1 2]}}
> {"s":"set","p":{"k":"a","v":[,1]}}
> {"s":"set","p":{"k":"a","v":{"a":1,}}}
> {"s":"set","p":{"k":"a","v":{"a"}}}
> {"s":"set","p":{"k":"a","v":{a:1}}}
> {"s":"set","p":{"k":"a","v":{1:1}}}
> {"s":"set","p":{"k":"a","v":[}]}}
> {"s":"set","p":{"k":"a","v":"abc}}
> {"s":"set","p":{"k":"a","v":1/*x*/}}
> {"s":"set","p":{"k":"a","v":\xef\xbb\xbf1}}
> {"s":"set","p":{"k":"a","v":1\xc2\xa0}}
> {"s":"set","p":{"k":"a","v":1\x0b}}
repeat 25
<error bad_json
end
> {"s":"get","p":{"k":"a"}}
< {"a": 1, "b":  [2, 3]}
