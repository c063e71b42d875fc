# PROTOCOL.md 8: "A client of the original memoizer sends `get`, `set`, `size`,
# `reset` with CRLF, reads to LF and trims. It works unchanged."
> {"s":"reset","p":{}}\r
< ok
> {"s":"set","p":{"k":"name","v":"Ada"}}\r
< ok
> {"s":"get","p":{"k":"name","v":null}}\r
< "Ada"
> {"s":"size","p":{"k":null,"v":null}}\r
< 1
> {"s":"size","p":{}}\r
< 1
# The value with its text as sent, not sorted, not rounded.
> {"s":"set","p":{"k":"doc","v":{"z":1,"a":{"y":1.50,"b":[true,null]}}}}\r
< ok
> {"s":"get","p":{"k":"doc","v":null}}\r
< {"z":1,"a":{"y":1.50,"b":[true,null]}}
> {"s":"get","p":{"k":"none","v":null}}\r
< null
# "The one intended difference: ... memoizer answers `error ...` and goes on."
> {"s":"frobnicate","p":{}}\r
<error unknown_selector
> {"s":"get","p":{"k":"doc","v":null\r
<error bad_json
> {"s":"size","p":{}}\r
< 2
> \r
> \r
> {"s":"reset","p":{}}\r
< ok
> {"s":"size","p":{}}\r
< 0
