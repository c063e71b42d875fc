# "`busy`: more clients than `maxclients`, then close (RESP's `-ERR max number of
# clients reached` if no byte has come yet)."
option maxclients 2
connect A
> {"s":"set","p":{"k":"a","v":1}}
< ok
connect B
> {"s":"ping"}
< "pong"
connect C
<~ -ERR max number of clients reached\r
eof
# Whether the server sees a byte in time is chance; the answer is one or the
# other, and then it closes.
connect C
> {"s":"reset"}
<~ (-ERR max number of clients reached\r|error busy [ -~]+)
eof
# The others are served all along, and a place that is left is free again.
on A
> {"s":"get","p":{"k":"a"}}
< 1
> {"s":"stats"}
<part {"clients":2,"rejected_clients":2}
on B
close
clients 1
connect D
> {"s":"get","p":{"k":"a"}}
< 1
