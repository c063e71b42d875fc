# "A value nested deeper than 128 levels (the request around it does not
# count): error too_deep."
> {"s":"set","p":{"k":"a","v":\{[*128}\{]*128}}}
< ok
> {"s":"get","p":{"k":"a"}}
< \{[*128}\{]*128}
> {"s":"set","p":{"k":"b","v":\{[*129}\{]*129}}}
<error too_deep
> {"s":"set","p":{"k":"b","v":\{{"a":*128}1\{}*128}}}
< ok
> {"s":"set","p":{"k":"c","v":\{{"a":*129}1\{}*129}}}
<error too_deep
> {"s":"set","p":{"k":"c","v":\{[{"a":*64}1\{}]*64}}}
< ok
> {"s":"set","p":{"k":"d","v":[\{[{"a":*64}1\{}]*64}]}}
<error too_deep
# As soon as it is too deep, whatever follows on the line.
> {"s":"set","p":{"k":"d","v":\{[*129}
<error too_deep
> {"s":"set","p":{"k":"d","v":\{[*20000}
<error too_deep
> {"i":1,"s":"set","p":{"k":"d","v":\{[*129}\{]*129}}}
<json {"i":1,"e":{"code":"too_deep","text":"*"}}
# Many brackets side by side are not deep.
> {"s":"set","p":{"k":"d","v":[\{[],*2000}[]]}}
< ok
> {"s":"size"}
< 4
