# PROTOCOL.md 11, "Order of faults": "Malformed JSON anywhere in the line comes
# first, then the envelope, the selector, the shape of `p`, unknown or doubled
# parameters, missing ones, and at last their values in the order `k v ttl
# keep_ttl if touch db`. One error is told, the first."
> {"s":"nope","x":1,"p":5,"v":}
<error bad_json
> {"s":"nope","x":1,"p":5}
<error bad_request ~ x
> {"s":"nope","p":5}
<error unknown_selector
> {"s":"get","p":5}
<error bad_request ~ p
> {"s":"set","p":{"k":5,"zeta":1}}
<error bad_request ~ zeta
> {"s":"set","p":{"k":5,"k":6}}
<error bad_request ~ k
> {"s":"set","p":{"k":5,"ttl":0}}
<error bad_request ~ v
> {"s":"set","p":{"if":0,"keep_ttl":5,"ttl":0,"v":1,"k":5}}
<error bad_key
> {"s":"set","p":{"if":0,"keep_ttl":5,"ttl":0,"v":1,"k":"a"}}
<error bad_ttl
> {"s":"set","p":{"if":0,"keep_ttl":5,"ttl":1,"v":1,"k":"a"}}
<error bad_request ~ keep_ttl
> {"s":"set","p":{"if":0,"ttl":1,"v":1,"k":"a"}}
<error bad_request ~ if
> {"s":"get","p":{"touch":0,"k":5}}
<error bad_key
> {"s":"size"}
< 0
