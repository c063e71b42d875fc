# Case B04 with small limits: each line is below max-request, all together are
# far above it.
option max-value 500
option max-request 600
repeat 20
> {"s":"set","p":{"k":"b04\{$I}","v":"\{x*498}"}}
end
> {"s":"size"}
repeat 20
< ok
end
< 20
repeat 20
> {"s":"get","p":{"k":"b04\{$I}"}}
end
repeat 20
< "\{x*498}"
end
