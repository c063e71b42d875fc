# Case S01, native part: keys over 250 bytes, with blanks and escapes, are
# stored and told apart. (0 to 65,536 bytes: c161_long_keys.t)
> {"s":"set","p":{"k":"","v":0}}
> {"s":"set","p":{"k":"\{k*251}","v":1}}
> {"s":"set","p":{"k":"\{k*300}","v":2}}
> {"s":"set","p":{"k":"a b","v":3}}
> {"s":"set","p":{"k":"a\\tb","v":4}}
> {"s":"set","p":{"k":"a\\nb","v":5}}
> {"s":"set","p":{"k":"a\\"b","v":6}}
> {"s":"set","p":{"k":"ab","v":7}}
repeat 8
< ok
end
> {"s":"get","p":{"k":""}}
> {"s":"get","p":{"k":"\{k*251}"}}
> {"s":"get","p":{"k":"\{k*300}"}}
> {"s":"get","p":{"k":"a b"}}
> {"s":"get","p":{"k":"a\\tb"}}
> {"s":"get","p":{"k":"a\\nb"}}
> {"s":"get","p":{"k":"a\\"b"}}
> {"s":"get","p":{"k":"ab"}}
repeat 8
< \{$I-1}
end
> {"s":"size"}
< 8
