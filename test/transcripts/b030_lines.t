# PROTOCOL.md 1, the lines.
# "One request is one JSON object on one line, ended by LF."
> {"s":"ping"}
< "pong"
# "A CR before the LF ... ignored."
> {"s":"ping"}\r
< "pong"
> {"s":"ping"}\r\r
< "pong"
# "stray CRs and blanks before the `{`, are ignored."
> \r   \r{"s":"ping"}
< "pong"
> \t {"s":"ping"}
< "pong"
# Blanks behind the object and between its parts as well.
>   { "s" : "ping" , "p" : { } , "i" : 1 }   \r
<json {"i":1,"r":"pong"}
> {\t"s"\r:\t"set",\t"p":\r{ "k" :\t"a"\t, "v" : 5 } }\t
< ok
> {"s":"get","p":{"k":"a"}}
< 5
# "A blank line gets no answer."
>
> \r
> \x20\x20\x20
> \t
> \r\r \t \r
<none
> \x20
> {"s":"ping"}
> \x20
> {"s":"size"}
< "pong"
< 1
# "Anything after the object on its line: error bad_json."
> {"s":"ping"} x
<error bad_json
> {"s":"ping"},
<error bad_json
> {"s":"ping"}}
<error bad_json
> {"s":"ping"}{"s":"ping"}
<error bad_json
> {"s":"ping"} \x00
<error bad_json
> {"s":"ping"}
< "pong"
