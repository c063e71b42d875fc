# "Exactly one answer line for every request line, in the order of the
# requests, ended by one LF. Requests may be pipelined without limit."
repeat 500
> {"s":"set","p":{"k":"k\{$I}","v":\{$I}}}
> {"s":"get","p":{"k":"k\{$I}"}}
> broken \{$I}
> {"s":"get","p":{"k":"k\{$I}"},"i":\{$I}}
>
end
repeat 500
< ok
< \{$I}
<error bad_json
<json {"i":\{$I},"r":\{$I},"ver":"#","ttl":null}
end
> {"s":"size"}
< 500
