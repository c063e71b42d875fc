# Case B05: a wrong number of arguments leaves nothing behind.
> {"s":"set"}
> {"s":"set","p":{"v":1}}
> {"s":"set","p":[]}
> {"s":"set","p":{"k":"b05"}}
> {"s":"set","p":{"k":5,"v":1}}
> {"s":"get","p":{"k":"b05","v":null,"x":{"s":"reset"}}}
> {"s":"get","p":{"k":"b05","v":null}}
> {"s":"size","p":{}}
<error bad_request
<error bad_request
<error bad_request
<error bad_request
<error bad_key
<error bad_request ~ x
< null
< 0
