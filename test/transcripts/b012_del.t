# `del`: 1 or 0.
> {"s":"del","p":{"k":"a"}}
< 0
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"del","p":{"k":"a"}}
< 1
> {"s":"get","p":{"k":"a"}}
< null
> {"s":"del","p":{"k":"a"}}
< 0

# "`del` has none": no version beside r.
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"del","p":{"k":"a"},"i":1}
<json {"i":1,"r":1}
> {"s":"del","p":{"k":"a"},"i":2}
<json {"i":2,"r":0}
