# Case B62: bytes and characters.
> {"s":"set","p":{"k":"b62\\u00e9","v":1}}
< ok
> {"s":"get","p":{"k":"b62\xc3\xa9"}}
< 1
> {"s":"get","p":{"k":"b62\xe9"}}
<error bad_json
> {"s":"size","p":{}}
< 1
> {"s":"set","p":{"k":"b62","v":"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \xf0\x9f\x98\x80"}}
< ok
> {"s":"get","p":{"k":"b62"}}
< "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \xf0\x9f\x98\x80"
