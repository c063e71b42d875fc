# fails: has one more reply
== a reply that nothing wants
> PING
<-
