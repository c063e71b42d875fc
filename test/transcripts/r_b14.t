# Case B14: halves of surrogate pairs. (Every answer of every transcript is held
# to be UTF-8.)
> {"s":"set","p":{"k":"b14","v":"\\ud83d\\ude00"}}
< ok
> {"s":"get","p":{"k":"b14","v":null}}
< "\\ud83d\\ude00"
> {"s":"set","p":{"k":"b14","v":"\\ud800"}}
<error bad_json
> {"s":"set","p":{"k":"b14","v":"\\udc00"}}
<error bad_json
> {"s":"set","p":{"k":"b14","v":"\\ud800\\u0041"}}
<error bad_json
> {"s":"set","p":{"k":"b14","v":"\\ud83d\\ud83d\\ude00"}}
<error bad_json
> {"s":"set","p":{"k":"b14","v":"\xed\xb0\x80"}}
<error bad_json
> {"s":"get","p":{"k":"b14","v":null}}
< "\\ud83d\\ude00"
