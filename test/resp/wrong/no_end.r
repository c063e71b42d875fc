# fails: no end, but
== an end that does not come
> PING
< +PONG\r\n
> PING
<-
eof
