# Clients that vanish: in the middle of a line, with answers unread, by an RST.
connect A
> {"s":"set","p":{"k":"a","v":"\{x*20000}"}}
< ok
connect B
>. {"s":"set","p":{"k":"a","v":"half
reset
connect C
>. {"s":"reset"
<quiet
close
connect D
repeat 50
> {"s":"get","p":{"k":"a"}}
end
reset
connect E
repeat 50
> {"s":"get","p":{"k":"a"}}
end
close
connect F
reset
connect G
close
# Half a request of somebody who vanished was never run.
on A
> {"s":"size"}
< 1
> {"s":"get","p":{"k":"a"}}
< "\{x*20000}"
clients 2
> {"s":"ping"}
< "pong"
