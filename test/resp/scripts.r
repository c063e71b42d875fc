# The scripts of session stores: no script engine, the same answers.
== unlock by compare and delete
> SET lock me
< +OK\r\n
> EVAL "if redis.call(\"get\",KEYS[1]) == ARGV[1] then\n    return redis.call(\"del\",KEYS[1])\nelse\n    return 0\nend" 1 lock other
< :0\r\n
> EVAL "if redis.call(\"get\",KEYS[1]) == ARGV[1] then\n    return redis.call(\"del\",KEYS[1])\nelse\n    return 0\nend" 1 lock me
< :1\r\n
> EXISTS lock
< :0\r\n
> EVAL "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end" 1 lock me
< :0\r\n

== script load and evalsha
> SCRIPT EXISTS 0000000000000000000000000000000000000000
< *1\r\n:0\r\n
> EVALSHA 0000000000000000000000000000000000000000 0
< -NOSCRIPT No matching script. Please use EVAL.\r\n
> SCRIPT LOAD "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"
< $40\r\ne9f69f2beb755be68b5e456ee2ce9aadfbc4ebf4\r\n
> SET lock me
< +OK\r\n
> EVALSHA 5e4bec07d64df9d2a79d7c1ba4b8e63f1d7a8e7b 1 lock me
< -NOSCRIPT No matching script. Please use EVAL.\r\n
> SCRIPT NOSUCH
< -ERR unknown subcommand 'NOSUCH'. Try SCRIPT HELP.\r\n
> SCRIPT
< -ERR wrong number of arguments for 'script' command\r\n
> EVAL
< -ERR wrong number of arguments for 'eval' command\r\n
> EVALSHA x
< -ERR wrong number of arguments for 'evalsha' command\r\n
> EVALSHA x 0
< -NOSCRIPT No matching script. Please use EVAL.\r\n
> EVAL "return 1" x
< -ERR value is not an integer or out of range\r\n
> EVAL "return 1" -1
< -ERR Number of keys can't be negative\r\n
> EVAL "return 1" 1
< -ERR Number of keys can't be greater than number of args\r\n

== unknown evalsha within multi
> SET k v
< +OK\r\n
> MULTI
< +OK\r\n
> EVAL "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end" 1 k v
< +QUEUED\r\n
> EVALSHA 0000000000000000000000000000000000000000 0
< +QUEUED\r\n
> EXEC
< *2\r\n:1\r\n-NOSCRIPT No matching script. Please use EVAL.\r\n
