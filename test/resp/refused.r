# What is not served is refused as Redis refuses what it does not know.
only memoizer
skip lower the names are told back
== unknown commands
needs -
> NOSUCH
< -ERR unknown command 'NOSUCH', with args beginning with: \r\n
> nosuch a "b c" ""
< -ERR unknown command 'nosuch', with args beginning with: 'a' 'b c' '' \r\n
> LPUSH l a
< -ERR unknown command 'LPUSH', with args beginning with: 'l' 'a' \r\n
> XADD s * f v
< -ERR unknown command 'XADD', with args beginning with: 's' '*' 'f' 'v' \r\n
> HSET h f v
< -ERR unknown command 'HSET', with args beginning with: 'h' 'f' 'v' \r\n
> SADD s a
< -ERR unknown command 'SADD', with args beginning with: 's' 'a' \r\n
> ZADD z 1 a
< -ERR unknown command 'ZADD', with args beginning with: 'z' '1' 'a' \r\n
> SETBIT b 1 1
< -ERR unknown command 'SETBIT', with args beginning with: 'b' '1' '1' \r\n
> PFADD p a
< -ERR unknown command 'PFADD', with args beginning with: 'p' 'a' \r\n
> SENTINEL masters
< -ERR unknown command 'SENTINEL', with args beginning with: 'masters' \r\n
> REPLICAOF no one
< -ERR unknown command 'REPLICAOF', with args beginning with: 'no' 'one' \r\n
> PSYNC ? -1
< -ERR unknown command 'PSYNC', with args beginning with: '?' '-1' \r\n
> MONITOR
< -ERR unknown command 'MONITOR', with args beginning with: \r\n
> DEBUG SLEEP 0
< -ERR unknown command 'DEBUG', with args beginning with: 'SLEEP' '0' \r\n
> SHUTDOWN
< -ERR unknown command 'SHUTDOWN', with args beginning with: \r\n
> MIGRATE h 1 k 0 1
< -ERR unknown command 'MIGRATE', with args beginning with: 'h' '1' 'k' '0' '1' \r\n
> DUMP k
< -ERR unknown command 'DUMP', with args beginning with: 'k' \r\n
> SWAPDB 0 1
< -ERR unknown command 'SWAPDB', with args beginning with: '0' '1' \r\n
> FUNCTION LIST
< -ERR unknown command 'FUNCTION', with args beginning with: 'LIST' \r\n
> PING
< +PONG\r\n
