# "TEXT is for people, one line, printable UTF-8, with the client's own words
# escaped and cut to 64 bytes."
> {"s":"\{x*65}"}
<~ error unknown_selector [^x]*x{1,64}[^x].*
> {"s":"\{x*5000}"}
<~ error unknown_selector [^x]*x{1,64}[^x].*
> {"s":"ping","\{y*5000}":1}
<~ error bad_request [^y]*y{1,64}[^y].*
> {"s":"get","p":{"k":"a","\{z*5000}":1}}
<~ error bad_request [^z]*z{1,64}[^z].*
# No control byte, quote or byte beyond ASCII of the client comes back raw.
> {"s":"a\\nb\\rc\\u0000d\\u007f\xc3\xa9\xf0\x9f\x98\x80"}
<~ error unknown_selector [ -~]+
> {"s":"ping","\\n\\u2028\xe2\x80\xa8":1}
<~ error bad_request [ -~]+
> {"s":"get","p":{"k":"a","\\u001b[31m":1}}
<~ error bad_request [ -~]+
> {"s":"\\u0085\xc2\x85"}
<~ error unknown_selector [ -~]+
> {"s":"\{\xc3\xa9*200}"}
<~ error unknown_selector [ -~]+
> {"s":"ping"\x01\x02\x7f\x1b]0;x\x07
<~ error bad_json [ -~]+
# "no JSON text and no other answer begins with `e`, so it can't be taken for a
# value": a value that looks like an error is in quotes.
> {"s":"set","p":{"k":"a","v":"error stale x"}}
< ok
> {"s":"get","p":{"k":"a"}}
< "error stale x"
