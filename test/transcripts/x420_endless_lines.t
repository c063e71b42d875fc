# Long lines of every kind at small limits; each costs one error, in place.
option max-value 200
option max-request 300
> {"s":"ping"}
> \{[*400}
> \{"*400}
> \{\xff*400}
> \{\x00*400}
> {"s":"ping","i":"\{i*300}"}
> {"s":"\{s*300}"}
> {"s":"get","p":{"k":"\{k*300}"}}
> {"s":"set","p":{"k":"a","v":"\{v*300}"}}
> {"s":"set","p":{"k":"a","v":\{9*300}}}
> {"s":"set","p":{"k":"a","v":"\{w*200}"}}
> \{\r*299}
> \{\r*300}
> \{\r*301}
> {"s":"size"}
< "pong"
repeat 9
<error too_large
end
<error too_large
<error too_large
< 0
# Many of them, one behind the other.
repeat 40
> \{x*301}\{$I}
> {"s":"ping","i":\{$I}}
end
repeat 40
<error too_large
<json {"i":\{$I},"r":"pong"}
end
