# Case B07: one bad line must not cost the others. The original memoizer left
# the connection without a word.
> {"s":"set","p":{"k":"b07","v":1}}
> not json
> {"s":"nope","p":{}}
>
> {"s":"get","p":{"k":"b07","v":null}}
< ok
<error bad_json
<error unknown_selector
< 1
<none
# The same with CRLF.
> {"s":"set","p":{"k":"b07","v":2}}\r
> not json\r
> {"s":"nope","p":{}}\r
> \r
> {"s":"get","p":{"k":"b07","v":null}}\r
< ok
<error bad_json
<error unknown_selector
< 2
<none
