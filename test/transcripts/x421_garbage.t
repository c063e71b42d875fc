# Bytes that nobody means, behind a first good request: one error a line, never
# a wrong answer, never a close.
> {"s":"ping"}
> {
> }
> {"
> {"s
> {"s"
> {"s":
> {"s":"
> {"s":"ping
> {"s":"ping"
> {"s":"ping",
> {"s":"ping","
> {"s":"ping",}
> {"s":"ping";}
> {"s" "ping"}
> {s:"ping"}
> {'s':'ping'}
> {"s":ping}
> {"s":"ping"}{
> {{"s":"ping"}}
> ["s":"ping"]
> \\
> \\u007b"s":"ping"}
> \xef\xbb\xbf{"s":"ping"}
> \x00{"s":"ping"}
> {"s":"ping"\x00}
> {"s":"pi\x00ng"}
> \x0b{"s":"ping"}
> \x0c{"s":"ping"}
> \xc2\xa0{"s":"ping"}
> {"s":"ping"\xff}
> {"s":"\xc3("}
> {"s":"\xe2\x82"}
> {"s":"\xf0\x9f\x98"}
> {"s":"\xed\xa0\x80"}
> {"s":"\\ud83d"}
> {"s":"\\u+123"}
> {"s":"\\"}
> {"s":"ping","i":1e}
> {"s":"ping","i":-}
> {"s":"ping","i":00}
> {"s":"ping","i":1 2}
> {"s":"ping","p":{"k":tru}}
> //comment
> #comment
> {"s":"ping"}#comment
> {"s":"size"}
< "pong"
repeat 45
<~ (error bad_json [ -~]+|[{]"i":(1|0|-)?.*"code":"bad_json".*)
end
< 0
