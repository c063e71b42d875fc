# Case B49 for values around 16,384 bytes, from where on they are sent without a
# copy: the bytes before and behind them keep their order.
> {"s":"set","p":{"k":"a","v":"\{a*16381}"}}
> {"s":"set","p":{"k":"b","v":"\{b*16382}"}}
> {"s":"set","p":{"k":"c","v":"\{c*16383}"}}
< ok
< ok
< ok
> {"s":"get","p":{"k":"b"},"i":1}
> {"s":"get","p":{"k":"a"},"i":2}
> {"s":"size"}
> {"s":"get","p":{"k":"c"},"i":3}
> {"s":"get","p":{"k":"b"}}
> {"s":"del","p":{"k":"b"}}
> {"s":"get","p":{"k":"b"}}
> {"s":"get","p":{"k":"c"}}
> {"s":"reset"}
> {"s":"ping"}
<json {"i":1,"r":"\{b*16382}","ver":"#","ttl":null}
<json {"i":2,"r":"\{a*16381}","ver":"#","ttl":null}
< 3
<json {"i":3,"r":"\{c*16383}","ver":"#","ttl":null}
< "\{b*16382}"
< 1
< null
< "\{c*16383}"
< ok
< "pong"
