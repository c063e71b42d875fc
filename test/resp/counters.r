# Counters.
== incr and decr
> INCR a
< :1\r\n
> INCR a
< :2\r\n
> INCRBY a 10
< :12\r\n
> DECR a
< :11\r\n
> DECRBY a 5
< :6\r\n
> GET a
< $1\r\n6\r\n
> DECR b
< :-1\r\n
> INCRBY a -3
< :3\r\n
> DECRBY a -3
< :6\r\n
> INCR
< -ERR wrong number of arguments for 'incr' command\r\n
> INCRBY a
< -ERR wrong number of arguments for 'incrby' command\r\n
> INCR a b
< -ERR wrong number of arguments for 'incr' command\r\n

== what is no integer
> SET a x
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> SET a 1.0
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> SET a " 1"
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> SET a ""
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> SET a 01
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> SET a +1
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> SET a -0
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n
> INCRBY b x
< -ERR value is not an integer or out of range\r\n
> INCRBY b 1.5
< -ERR value is not an integer or out of range\r\n
> INCRBY b ""
< -ERR value is not an integer or out of range\r\n
> INCRBY b 9223372036854775808
< -ERR value is not an integer or out of range\r\n
> DECRBY b x
< -ERR value is not an integer or out of range\r\n
> EXISTS b
< :0\r\n
> GET a
< $2\r\n-0\r\n

== overflow
> SET a 9223372036854775807
< +OK\r\n
> INCR a
< -ERR increment or decrement would overflow\r\n
> GET a
< $19\r\n9223372036854775807\r\n
> DECR a
< :9223372036854775806\r\n
> SET a -9223372036854775808
< +OK\r\n
> DECR a
< -ERR increment or decrement would overflow\r\n
> DECRBY a 9223372036854775807
< -ERR increment or decrement would overflow\r\n
> INCRBY a -1
< -ERR increment or decrement would overflow\r\n
> DECRBY b -9223372036854775808
< -ERR decrement would overflow\r\n
> SET a 1
< +OK\r\n
> INCRBY a 9223372036854775807
< -ERR increment or decrement would overflow\r\n
> SET a 9223372036854775808
< +OK\r\n
> INCR a
< -ERR value is not an integer or out of range\r\n

== a counter keeps its life
> SETEX a 100 5
< +OK\r\n
> INCR a
< :6\r\n
> TTL a
< :100\r\n
> INCRBYFLOAT a 1.5
< $3\r\n7.5\r\n
> TTL a
< :100\r\n

== incrbyfloat
> INCRBYFLOAT a 10.50
< $4\r\n10.5\r\n
> INCRBYFLOAT a 0.1
< $4\r\n10.6\r\n
> GET a
< $4\r\n10.6\r\n
> INCRBYFLOAT a -5
< $3\r\n5.6\r\n
> SET a 5.0e3
< +OK\r\n
> INCRBYFLOAT a 2.0e2
< $4\r\n5200\r\n
> SET a 3
< +OK\r\n
> INCRBYFLOAT a 0
< $1\r\n3\r\n
> INCRBYFLOAT a 1.0
< $1\r\n4\r\n
> GET a
< $1\r\n4\r\n
> INCRBYFLOAT a abc
< -ERR value is not a valid float\r\n
> INCRBYFLOAT a ""
< -ERR value is not a valid float\r\n
> INCRBYFLOAT a " 1"
< -ERR value is not a valid float\r\n
> INCRBYFLOAT a nan
< -ERR value is not a valid float\r\n
> INCRBYFLOAT a inf
< -ERR increment would produce NaN or Infinity\r\n
> INCRBYFLOAT a -inf
< -ERR increment would produce NaN or Infinity\r\n
> INCRBYFLOAT b 3.0000000000000001
< $18\r\n3.0000000000000001\r\n
> INCRBYFLOAT c 1e17
< $18\r\n100000000000000000\r\n
> INCRBYFLOAT d 0.1
< $3\r\n0.1\r\n
> INCRBYFLOAT d 0.2
< $3\r\n0.3\r\n
> SET e 1
< +OK\r\n
> INCRBYFLOAT e 1.7976931348623157e308
< $309\r\n179769313486231569995921046774104434048386446944329178485314420765176628523124396354701868608387085564428793419425520689308708363451136055357897278026477617073498977686288394835618163294045594434929537447290627480669417384648879122776218333598953852832103282504751611691208117720159985926376802466863339536384\r\n
> SET f x
< +OK\r\n
> INCRBYFLOAT f 1
< -ERR value is not a valid float\r\n
> GET f
< $1\r\nx\r\n
> INCRBYFLOAT g 0x10
< $2\r\n16\r\n
> INCRBYFLOAT h -0.5
< $4\r\n-0.5\r\n
> INCRBYFLOAT h 0.5
< $1\r\n0\r\n
> INCRBYFLOAT
< -ERR wrong number of arguments for 'incrbyfloat' command\r\n
> INCRBYFLOAT a
< -ERR wrong number of arguments for 'incrbyfloat' command\r\n
