# fails: wanted -ERR unknown subcommand 'SETINFO'
skip lower the name is told back
== a difference that the table does not have for this file
> CLIENT SETINFO LIB-NAME abc
< -ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n
