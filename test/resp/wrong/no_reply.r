# fails: no reply wanted
== a command without an expectation
> PING
