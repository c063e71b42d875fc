# A client that sends for long before it reads gets everything in order; others
# are served meanwhile. (60 MB of answers to 600 KB of requests.)
skip bytes half a megabyte of requests
connect A
> {"s":"set","p":{"k":"big","v":"\{x*20000}"}}
< ok
connect B
repeat 3000
> {"s":"get","p":{"k":"big"}}
end
> {"s":"size"}
connect C
> {"s":"ping"}
< "pong"
on B
repeat 3000
< "\{x*20000}"
end
< 1
