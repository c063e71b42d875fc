# A session from login to logout, through two web workers.
option timeout 0
connect A
connect B
on A
# Login: a fresh id, refused if somebody has it.
> {"s":"set","p":{"k":"sess:8c1f","v":{"user":17,"cart":[]},"ttl":1800,"if":"absent"}}
< ok
# Each request of that user reads it and prolongs it, wherever it lands.
@ +60s
on B
> {"s":"get","p":{"k":"sess:8c1f","touch":1800}}
< {"user":17,"cart":[]}
@ +1799s
on A
> {"s":"get","p":{"k":"sess:8c1f","touch":1800},"i":"r1"}
<~ .*"ver":([0-9]+)[,}].* => V
&part {"i":"r1","r":{"user":17,"cart":[]},"ttl":1800}
# A write that keeps the life that is left.
@ +10s
> {"s":"set","p":{"k":"sess:8c1f","v":{"user":17,"cart":["book"]},"keep_ttl":true,"if":\{$V}},"i":"r2"}
<~ .*"ver":([0-9]+)[,}].* => W
on B
> {"s":"get","p":{"k":"sess:8c1f"},"i":"r3"}
<json {"i":"r3","r":{"user":17,"cart":["book"]},"ver":\{$W},"ttl":1790}
# Logout, and nobody brings it back.
> {"s":"del","p":{"k":"sess:8c1f"}}
< 1
on A
> {"s":"set","p":{"k":"sess:8c1f","v":{"user":17},"keep_ttl":true,"if":"present"}}
<error missing
> {"s":"touch","p":{"k":"sess:8c1f","ttl":1800}}
< false
> {"s":"size"}
< 0
