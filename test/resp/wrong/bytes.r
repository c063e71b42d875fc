# fails: wanted .WRONG
== a reply that is not there
> PING
< +WRONG\r\n
