# "`no_memory`: the limit is reached, or the system gave none." The request is
# refused, nothing changes, the connection goes on.
> {"s":"set","p":{"k":"a","v":"old","ttl":100},"i":1}
<~ .*"ver":([0-9]+)[}] => V
# Its line is there already when memory runs out; only the new entry is not to
# be had. (72 KiB let buffers be, but not the value.)
>. {"s":"set","p":{"k":"a","v":"\{x*80000}"}}
<quiet
alloc-limit 72kb
>. \n
<error no_memory
> {"s":"get","p":{"k":"a"},"i":2}
<json {"i":2,"r":"old","ver":\{$V},"ttl":100}
# Small ones are served all along.
> {"s":"set","p":{"k":"c","v":"\{x*100}"}}
< ok
> {"s":"size"}
< 2
# Enveloped, and for a key that is new.
alloc-limit off
>. {"i":3,"s":"set","p":{"k":"b","v":"\{x*80000}"}}
<quiet
alloc-limit 72kb
>. \n
<json {"i":3,"e":{"code":"no_memory","text":"*"}}
> {"s":"has","p":{"k":"b"}}
< false
> {"s":"del","p":{"k":"a"}}
< 1
# And when there is memory again, all is well.
alloc-limit off
> {"s":"set","p":{"k":"a","v":"\{x*80000}"}}
< ok
> {"s":"get","p":{"k":"a"}}
< "\{x*80000}"
> {"s":"size"}
< 2
