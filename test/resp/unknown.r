# What neither server knows.
skip lower the names are told back
== unknown commands
needs -
> NOSUCH
< -ERR unknown command 'NOSUCH', with args beginning with: \r\n
> nosuch a "b c" ""
< -ERR unknown command 'nosuch', with args beginning with: 'a' 'b c' '' \r\n
> nosuch \{x*200} y
< -ERR unknown command 'nosuch', with args beginning with: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' \r\n
> nosuch a b c \{x*200} y
< -ERR unknown command 'nosuch', with args beginning with: 'a' 'b' 'c' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' \r\n
> \{n*200}
< -ERR unknown command 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn', with args beginning with: \r\n
> \{n*200} a
< -ERR unknown command 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn', with args beginning with: 'a' \r\n
> "no such" a
< -ERR unknown command 'no such', with args beginning with: 'a' \r\n
> "a\r\nb" "c\r\nd"
< -ERR unknown command 'a  b', with args beginning with: 'c  d' \r\n
> ""
< -ERR unknown command '', with args beginning with: \r\n
> nosuch "a\x00b"
< -ERR unknown command 'nosuch', with args beginning with: 'a' \r\n
> SENTINEL masters
< -ERR unknown command 'SENTINEL', with args beginning with: 'masters' \r\n
> PING
< +PONG\r\n
