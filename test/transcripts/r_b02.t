# Case B02: several messages in one packet, the connection left open.
> {"s":"set","p":{"k":"b02","v":1}}
> {"s":"get","p":{"k":"b02","v":null}}
> {"s":"size","p":{}}
< ok
< 1
< 1
# One line without an inner LF gets exactly one answer.
> {"s":"size","p":{}}{"s":"size","p":{}}
<error bad_json
<none
