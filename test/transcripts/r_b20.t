# Case B20: a stored null is not a missing key.
> {"s":"set","p":{"k":"b20","v":null}}
< ok
> {"s":"get","p":{"k":"b20","v":null}}
< null
> {"s":"size","p":{}}
< 1
> {"s":"get","p":{"k":"b20no","v":null}}
< null
> {"s":"has","p":{"k":"b20"}}
< true
> {"s":"has","p":{"k":"b20no"}}
< false
> {"s":"get","p":{"k":"b20"},"i":1}
<json {"i":1,"r":null,"ver":"#","ttl":null}
&~ .*"ver":[1-9][0-9]*[,}].*
> {"s":"get","p":{"k":"b20no"},"i":2}
<json {"i":2,"r":null,"ver":0}
