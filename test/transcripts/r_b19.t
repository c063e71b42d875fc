# Case B19: doubled members. In a value they stay as sent; in a request they are
# refused, and the error names them.
> {"s":"set","p":{"k":"b19","v":{"r":["_admin"],"r":[]}}}
< ok
> {"s":"get","p":{"k":"b19","v":null}}
< {"r":["_admin"],"r":[]}
> {"s":"get","s":"reset","p":{"k":"b19","v":null}}
<error bad_request ~ s
> {"s":"set","p":{"k":"b19","k":"b19x","v":1}}
<error bad_request ~ k
> {"s":"get","p":{"k":"b19","v":null}}
< {"r":["_admin"],"r":[]}
> {"s":"get","p":{"k":"b19x","v":null}}
< null
