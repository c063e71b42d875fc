# `hello` tells who is there and "the limits a client may want".
option max-value 12345
option max-request 1mb
option maxclients 77
> {"s":"hello"}
<part {"server":"memoizer","protocol":1,"max_value":12345,"max_request":1048576,"max_clients":77}
&~ .*"version":"[0-9]+[.][0-9]+[.][0-9]+".*
> {"s":"hello","p":{},"i":"h"}
<part {"i":"h","r":{"server":"memoizer","version":"*","protocol":1}}
