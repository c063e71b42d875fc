# Connections: the first words, names, the end.
== ping echo
> PING
< +PONG\r\n
> PING hello
< $5\r\nhello\r\n
> PING "a\r\nb\x00"
< $5\r\na\r\nb\x00\r\n
> PING a b
< -ERR wrong number of arguments for 'ping' command\r\n
> ECHO hello
< $5\r\nhello\r\n
> ECHO ""
< $0\r\n\r\n
> ECHO
< -ERR wrong number of arguments for 'echo' command\r\n
> ECHO a b
< -ERR wrong number of arguments for 'echo' command\r\n

== readonly readwrite
> READONLY x
< -ERR wrong number of arguments for 'readonly' command\r\n
> READWRITE x
< -ERR wrong number of arguments for 'readwrite' command\r\n

== auth without a password
> AUTH default anything
< +OK\r\n
> AUTH anything
< -ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?\r\n
> AUTH other anything
< -WRONGPASS invalid username-password pair or user is disabled.\r\n
> AUTH
< -ERR wrong number of arguments for 'auth' command\r\n
> AUTH a b c
< -ERR syntax error\r\n

== hello
> HELLO
<2~ \*14\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$\d\r\n7[.]\d+[.]\d+\r\n\$5\r\nproto\r\n:2\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
<3~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$\d\r\n7[.]\d+[.]\d+\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> HELLO 3
<~ %7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n\$7\r\nversion\r\n\$\d\r\n7[.]\d+[.]\d+\r\n\$5\r\nproto\r\n:3\r\n\$2\r\nid\r\n:[1-9]\d*\r\n\$4\r\nmode\r\n\$10\r\nstandalone\r\n\$4\r\nrole\r\n\$6\r\nmaster\r\n\$7\r\nmodules\r\n\*0\r\n
> GET nosuch
< _\r\n
> HELLO 2
<~ \*14\r\n[\s\S]*\$5\r\nproto\r\n:2\r\n[\s\S]*
> GET nosuch
< $-1\r\n
> HELLO 3 SETNAME me
<~ %7\r\n[\s\S]*
> CLIENT GETNAME
< $2\r\nme\r\n

== hello with faults
> HELLO 1
< -NOPROTO unsupported protocol version\r\n
> HELLO 4
< -NOPROTO unsupported protocol version\r\n
> HELLO 0
< -NOPROTO unsupported protocol version\r\n
> HELLO x
< -ERR Protocol version is not an integer or out of range\r\n
> HELLO 3 bad
< -ERR Syntax error in HELLO option 'bad'\r\n
> HELLO 3 AUTH default
< -ERR Syntax error in HELLO option 'AUTH'\r\n
> HELLO 3 SETNAME
< -ERR Syntax error in HELLO option 'SETNAME'\r\n
> HELLO 3 SETNAME "a b"
< -ERR Client names cannot contain spaces, newlines or special characters.\r\n
> HELLO 2 AUTH other pw
< -WRONGPASS invalid username-password pair or user is disabled.\r\n
> HELLO 4 AUTH default pw
< -NOPROTO unsupported protocol version\r\n
> GET nosuch
<2 $-1\r\n
<3 _\r\n

== hello auth setname
> HELLO 2 AUTH default pw SETNAME x
<~ \*14\r\n[\s\S]*
> HELLO 3 SETNAME y AUTH default pw
<~ %7\r\n[\s\S]*
> CLIENT GETNAME
< $1\r\ny\r\n

== client names
> CLIENT GETNAME
<2 $-1\r\n
<3 _\r\n
> CLIENT SETNAME a
< +OK\r\n
> CLIENT GETNAME
< $1\r\na\r\n
> CLIENT SETNAME ""
< +OK\r\n
> CLIENT GETNAME
<2 $-1\r\n
<3 _\r\n
> CLIENT SETNAME "a b"
< -ERR Client names cannot contain spaces, newlines or special characters.\r\n
> CLIENT SETNAME "a\n"
< -ERR Client names cannot contain spaces, newlines or special characters.\r\n
> CLIENT SETNAME
< -ERR wrong number of arguments for 'client|setname' command\r\n
> CLIENT GETNAME x
< -ERR wrong number of arguments for 'client|getname' command\r\n
> CLIENT
< -ERR wrong number of arguments for 'client' command\r\n
> CLIENT nosuch
< -ERR unknown subcommand 'nosuch'. Try CLIENT HELP.\r\n
> CLIENT NOSUCH a b
< -ERR unknown subcommand 'NOSUCH'. Try CLIENT HELP.\r\n

== client id
> CLIENT ID
<~ :[1-9]\d*\r\n
> CLIENT ID x
< -ERR wrong number of arguments for 'client|id' command\r\n
> CLIENT NO-EVICT on
< +OK\r\n
> CLIENT NO-EVICT off
< +OK\r\n
> CLIENT NO-EVICT bad
< -ERR syntax error\r\n
> CLIENT SETINFO LIB-NAME abc
< -ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n
> CLIENT SETINFO lib-ver 1.2.3
< -ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n
> CLIENT SETINFO lib-name "a b"
< -ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n
> CLIENT SETINFO bad x
< -ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n
> CLIENT SETINFO LIB-NAME
< -ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n
> CLIENT NO-TOUCH on
< -ERR unknown subcommand 'NO-TOUCH'. Try CLIENT HELP.\r\n
> CLIENT NO-TOUCH bad
< -ERR unknown subcommand 'NO-TOUCH'. Try CLIENT HELP.\r\n
> CLIENT MAINT_NOTIFICATIONS ON moving-endpoint-type none
< -ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.\r\n
> CLIENT CAPA redirect
< -ERR unknown subcommand 'CAPA'. Try CLIENT HELP.\r\n
> CLIENT TRACKING on
< +OK\r\n
> PING
< +PONG\r\n

== client info
> CLIENT INFO
<2~ \$\d+\r\nid=\d+ addr=\S+ laddr=\S+ fd=\d+ name= age=\d+ idle=\d+ flags=\S+ db=0 sub=0 psub=0 .*\n\r\n
<3~ =\d+\r\ntxt:id=\d+ addr=\S+ laddr=\S+ fd=\d+ name= age=\d+ idle=\d+ flags=\S+ db=0 sub=0 psub=0 .*\n\r\n
> CLIENT LIST
<2~ \$\d+\r\nid=\d+ addr=[\s\S]*\n\r\n
<3~ =\d+\r\ntxt:id=\d+ addr=[\s\S]*\n\r\n
> CLIENT LIST TYPE normal
<2~ \$\d+\r\nid=\d+ addr=[\s\S]*\n\r\n
<3~ =\d+\r\ntxt:id=\d+ addr=[\s\S]*\n\r\n
> CLIENT LIST TYPE bad
< -ERR Unknown client type 'bad'\r\n
> CLIENT LIST bad
< -ERR syntax error\r\n
> CLIENT LIST ID 999999999
<2 $0\r\n\r\n
<3 =4\r\ntxt:\r\n
> CLIENT LIST ID x
< -ERR Invalid client ID\r\n

== client kill
> CLIENT KILL 127.0.0.1:1
< -ERR No such client\r\n
> CLIENT KILL ID 999999999
< :0\r\n
> CLIENT KILL ID x
< -ERR client-id should be greater than 0\r\n
> CLIENT KILL TYPE bad
< -ERR Unknown client type 'bad'\r\n
> CLIENT KILL bad x
< -ERR syntax error\r\n
> CLIENT KILL
< -ERR wrong number of arguments for 'client|kill' command\r\n

== client reply off
> CLIENT REPLY ON
< +OK\r\n
> CLIENT REPLY bad
< -ERR syntax error\r\n
> CLIENT REPLY
< -ERR wrong number of arguments for 'client|reply' command\r\n
> PING
< +PONG\r\n

== replies that are left out
> CLIENT REPLY SKIP
<-
> SET a 1
<-
> GET a
< $1\r\n1\r\n
> CLIENT REPLY OFF
<-
> SET a 2
<-
> CLIENT REPLY SKIP
<-
> CLIENT REPLY ON
< +OK\r\n
> GET a
< $1\r\n2\r\n

== select
> SELECT 1
< +OK\r\n
> RESET
< +RESET\r\n
> CLIENT GETNAME
< $-1\r\n

== reset
> HELLO 3 SETNAME z
<~ %7\r\n[\s\S]*
> SELECT 1
< +OK\r\n
> RESET
< +RESET\r\n
> GET nosuch
< $-1\r\n
> CLIENT GETNAME
< $-1\r\n
> SET a 1
< +OK\r\n
> SELECT 0
< +OK\r\n
> GET a
< $1\r\n1\r\n
> RESET x
< -ERR wrong number of arguments for 'reset' command\r\n

== quit
> SET a 1
< +OK\r\n
> QUIT
< +OK\r\n
eof
on B
> GET a
< $1\r\n1\r\n
> QUIT x y
< +OK\r\n
eof
