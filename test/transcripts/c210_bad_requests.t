# PROTOCOL.md 2, malformed requests. "A line that is JSON but no object: error
# bad_request."
> []
<error bad_request
> 1
<error bad_request
> "ping"
<error bad_request
> null
<error bad_request
> true
<error bad_request
> [{"s":"ping"}]
<error bad_request
# "`s` is required."
> {}
<error bad_request ~ s
> {"p":{"k":"a"}}
<error bad_request ~ s
> {"s":5}
<error bad_request ~ s
> {"s":null}
<error bad_request ~ s
> {"s":["ping"]}
<error bad_request ~ s
# "A member that occurs twice in the request or in `p`, an unknown member, or an
# unknown parameter is error bad_request naming it."
> {"s":"ping","s":"ping"}
<error bad_request ~ s
> {"s":"size","p":{},"p":{}}
<error bad_request ~ p
> {"s":"ping","x":1}
<error bad_request ~ x
> {"s":"ping","S":"ping"}
<error bad_request ~ S
> {"s":"ping","":1}
<error bad_request
> {"s":"ping","wrong member":{"a":[1]}}
<error bad_request ~ wrong member
> {"s":"get","p":{"k":"a","zeta":1}}
<error bad_request ~ zeta
> {"s":"set","p":{"k":"a","v":1,"v":2}}
<error bad_request ~ v
> {"s":"set","p":{"k":"a","v":1,"\\u0076":2}}
<error bad_request ~ v
> {"s":"set","p":{"k":"a","v":1,"ttl":1,"ttl":1}}
<error bad_request ~ ttl
> {"s":"set","p":{"k":"a","v":1,"i":1}}
<error bad_request ~ i
> {"s":"set","p":{"k":"a","v":1},"ttl":5}
<error bad_request ~ ttl
> {"s":"ping","p":{"k":"a"}}
<error bad_request ~ k
> {"s":"reset","p":{"k":"a"}}
<error bad_request ~ k
> {"s":"get","p":{"k":"a","ttl":1}}
<error bad_request ~ ttl
> {"s":"get","p":{"k":"a","if":"present"}}
<error bad_request ~ if
> {"s":"has","p":{"k":"a","v":null}}
<error bad_request ~ v
> {"s":"del","p":{"k":"a","v":null}}
<error bad_request ~ v
> {"s":"touch","p":{"k":"a","ttl":1,"keep_ttl":false}}
<error bad_request ~ keep_ttl
> {"s":"select","p":{"db":1,"k":"a"}}
<error bad_request ~ k
# "except that `get` and `size` ignore `v` and `k` where they do not use them"
> {"s":"get","p":{"k":"a","v":null}}
< null
> {"s":"get","p":{"v":{"any":["thing"]},"k":"a"}}
< null
> {"s":"size","p":{"k":null,"v":null}}
< 0
> {"s":"size","p":{"k":5,"v":[]}}
< 0
> {"s":"size","p":{"x":1}}
<error bad_request ~ x
# "A required parameter that is missing"
> {"s":"get"}
<error bad_request ~ k
> {"s":"get","p":{}}
<error bad_request ~ k
> {"s":"get","p":{"v":null}}
<error bad_request ~ k
> {"s":"set","p":{"k":"a"}}
<error bad_request ~ v
> {"s":"set","p":{"v":1}}
<error bad_request ~ k
> {"s":"del","p":{}}
<error bad_request ~ k
> {"s":"has"}
<error bad_request ~ k
> {"s":"touch","p":{"k":"a"}}
<error bad_request ~ ttl
> {"s":"touch","p":{"ttl":1}}
<error bad_request ~ k
> {"s":"ttl","p":{}}
<error bad_request ~ k
> {"s":"select"}
<error bad_request ~ db
> {"s":"select","p":{}}
<error bad_request ~ db
# "a `p` that is no object"
> {"s":"get","p":"k"}
<error bad_request ~ p
> {"s":"ping","p":null}
<error bad_request ~ p
> {"s":"size","p":[]}
<error bad_request ~ p
> {"s":"reset","p":1}
<error bad_request ~ p
# "a `db` out of range"; "an integer parameter is a JSON integer without
# fraction or exponent within 64 bits, else error bad_request"
> {"s":"select","p":{"db":16}}
<error bad_request ~ db
> {"s":"select","p":{"db":-1}}
<error bad_request ~ db
> {"s":"select","p":{"db":1.0}}
<error bad_request ~ db
> {"s":"select","p":{"db":1e0}}
<error bad_request ~ db
> {"s":"select","p":{"db":"1"}}
<error bad_request ~ db
> {"s":"select","p":{"db":null}}
<error bad_request ~ db
> {"s":"select","p":{"db":18446744073709551616}}
<error bad_request ~ db
> {"s":"select","p":{"db":4294967296}}
<error bad_request ~ db
# "A refused request changes nothing."
> {"s":"size"}
< 0
# Escaped names of members are the same names.
> {"\\u0073":"set","\\u0070":{"\\u006b":"a","\\u0076":9}}
< ok
> {"s":"get","p":{"k":"a"}}
< 9
