# "k may be an array of keys (then no `if`): how many were removed"
> {"s":"set","p":{"k":"a","v":1}}
> {"s":"set","p":{"k":"b","v":1}}
> {"s":"set","p":{"k":"c","v":1}}
> {"s":"set","p":{"k":"d\\u0000\xc3\xa9","v":1,"ttl":5}}
< ok
< ok
< ok
< ok
> {"s":"del","p":{"k":["a","no","b"]}}
< 2
> {"s":"size"}
< 2
# "an empty array removes 0"
> {"s":"del","p":{"k":[]}}
< 0
# "counts a key that is named twice once"
> {"s":"del","p":{"k":["c","c","c"]},"i":1}
<json {"i":1,"r":1}
> {"s":"del","p":{"k":[ "d\\u0000\\u00e9" , "" ]}}
< 1
> {"s":"size"}
< 0
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"del","p":{"k":["a"],"if":"present"}}
<error bad_request ~ if
> {"s":"del","p":{"k":["a"],"if":1}}
<error bad_request ~ if
> {"s":"del","p":{"k":["a",1]}}
<error bad_key
> {"s":"del","p":{"k":["a",["a"]]}}
<error bad_key
> {"s":"del","p":{"k":["a",null]}}
<error bad_key
> {"s":"del","p":{"k":["a",]}}
<error bad_json
> {"s":"has","p":{"k":"a"}}
< true
# An expired key was not there.
> {"s":"touch","p":{"k":"a","ttl":1}}
< true
@. +1s
> {"s":"del","p":{"k":["a"]}}
< 0
# Many at once.
repeat 300
> {"s":"set","p":{"k":"k\{$I}","v":1}}
end
> {"s":"del","p":{"k":[\{"k1","x",*2000}"k2","k300"]}}
> {"s":"size"}
repeat 300
< ok
end
< 3
< 297
