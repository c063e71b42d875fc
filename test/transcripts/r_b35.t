# Case B35, the part with a plain key: free only your own lock.
> {"s":"set","p":{"k":"b35k","v":"A","ttl":0.05,"if":"absent"},"i":1}
<~ .*"ver":([0-9]+)[,}].* => V
@. +80ms
> {"s":"set","p":{"k":"b35k","v":"B","ttl":2,"if":"absent"},"i":2}
<~ .*"ver":([0-9]+)[,}].* => W
> {"s":"set","p":{"k":"b35k","v":"C","ttl":2,"if":"absent"}}
<error exists
> {"s":"del","p":{"k":"b35k","if":\{$V}},"i":3}
<json {"i":3,"e":{"code":"stale","text":"*"},"ver":\{$W}}
> {"s":"get","p":{"k":"b35k"}}
< "B"
> {"s":"del","p":{"k":"b35k","if":\{$W}},"i":4}
<json {"i":4,"r":1}
