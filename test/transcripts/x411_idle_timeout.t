# "`timeout`: closes idle clients", without a word.
option timeout 300ms
connect A
eof
connect A
> {"s":"ping"}
< "pong"
eof
connect A
> \r
eof
