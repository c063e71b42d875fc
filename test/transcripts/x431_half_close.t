# A client that closes its sending side gets every answer that it asked for.
connect A
repeat 100
> {"s":"set","p":{"k":"k\{$I}","v":"\{v*100}"}}
> {"s":"get","p":{"k":"k\{$I}"}}
end
shut
repeat 100
< ok
< "\{v*100}"
end
eof
connect B
> {"s":"get","p":{"k":"k1"}}
> oops
>. {"s":"size"}
shut
< "\{v*100}"
<error bad_json
< 100
eof
connect C
> {"s":"quit"}
>. {"s":"reset"}
shut
< ok
eof
connect D
> {"s":"size"}
< 100
