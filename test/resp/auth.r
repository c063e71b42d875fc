# A server with a password.
option requirepass secret
protocol 2
== before login
> GET a
< -NOAUTH Authentication required.\r\n
> SET a 1
< -NOAUTH Authentication required.\r\n
> NOSUCH
< -ERR unknown command 'NOSUCH', with args beginning with: \r\n
> GET
< -ERR wrong number of arguments for 'get' command\r\n
> HELLO
< -NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time\r\n
> HELLO 3
< -NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time\r\n
> HELLO 2 AUTH default wrong
< -WRONGPASS invalid username-password pair or user is disabled.\r\n
> HELLO 9
< -NOPROTO unsupported protocol version\r\n
> AUTH wrong
< -WRONGPASS invalid username-password pair or user is disabled.\r\n
> AUTH default wrong
< -WRONGPASS invalid username-password pair or user is disabled.\r\n
> AUTH other secret
< -WRONGPASS invalid username-password pair or user is disabled.\r\n
> PING
< -NOAUTH Authentication required.\r\n
> RESET
< +RESET\r\n
> AUTH secret
< +OK\r\n
> GET a
< $-1\r\n
> RESET
< +RESET\r\n
> GET a
< -NOAUTH Authentication required.\r\n
> AUTH default secret
< +OK\r\n
> GET a
< $-1\r\n
> RESET
< +RESET\r\n
> HELLO 3 AUTH default secret
<~ %7\r\n[\s\S]*
> GET a
< _\r\n

== quit before login
> QUIT
< +OK\r\n
eof

== ten words before login
needs AUTH PING
> PING a b c d e f g h i
< -NOAUTH Authentication required.\r\n
>= *11\r\n
< -ERR Protocol error: unauthenticated multibulk length\r\n
eof

== a long word before login
needs AUTH PING
>= *2\r\n$4\r\nPING\r\n$16385\r\n
< -ERR Protocol error: unauthenticated bulk length\r\n
eof
