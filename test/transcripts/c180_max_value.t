# "Largest value: `max-value`." The bytes of its text count, without the blanks
# around it.
option max-value 1000
option max-request 8kb
> {"s":"set","p":{"k":"a","v":"\{x*998}"}}
< ok
> {"s":"get","p":{"k":"a"}}
< "\{x*998}"
> {"s":"set","p":{"k":"a","v":"\{y*999}"}}
<error too_large
> {"s":"get","p":{"k":"a"}}
< "\{x*998}"
> {"s":"set","p":{"k":"a","v":"\{y*999}"},"i":1}
<json {"i":1,"e":{"code":"too_large","text":"*"}}
> {"s":"set","p":{"k":"a","v":\{ *500}"\{z*998}"\{ *500}}}
< ok
> {"s":"get","p":{"k":"a"}}
< "\{z*998}"
> {"s":"set","p":{"k":"b","v":[\{1,*499}1]}}
<error too_large
> {"s":"set","p":{"k":"b","v":[\{1,*498}1]}}
< ok
# Raw bytes count, not characters; escapes count as written.
> {"s":"set","p":{"k":"b","v":"\{\xc3\xa9*499}"}}
< ok
> {"s":"set","p":{"k":"b","v":"\{\xc3\xa9*500}"}}
<error too_large
> {"s":"set","p":{"k":"b","v":"\{\\u0041*166}xx"}}
< ok
> {"s":"set","p":{"k":"b","v":"\{\\u0041*166}xxx"}}
<error too_large
> {"s":"size"}
< 2
