# `stats`: one flat JSON object, and in it `ops`, counts by selector.
> {"s":"stats"}
<part {"uptime_s":0,"keys":0,"expires":0,"hits":0,"misses":0,"expired_keys":0,"evicted_keys":0,"clients":1,"rejected_clients":0,"memory_limit":0,"leases":0,"lease_waiters":0,"loading":0}
&part {"memory_used":"#","memory_rss":"#","ops":{"stats":1,"get":0}}

> {"s":"set","p":{"k":"a","v":1}}
> {"s":"set","p":{"k":"b","v":1,"ttl":10}}
> {"s":"set","p":{"k":"c","v":1,"ttl":20}}
> {"s":"get","p":{"k":"a"}}
> {"s":"get","p":{"k":"b"}}
> {"s":"get","p":{"k":"no"}}
> {"s":"nope"}
< ok
< ok
< ok
< 1
< 1
< null
<error unknown_selector
> {"s":"stats","i":1}
<part {"i":1,"r":{"keys":3,"expires":2,"hits":2,"misses":1,"ops":{"set":3,"get":3,"stats":2,"ping":0,"del":0}}}

# The counts are of the selected database.
> {"s":"select","p":{"db":3}}
< ok
> {"s":"stats"}
<part {"keys":0,"expires":0,"hits":2}
> {"s":"select","p":{"db":0}}
< ok

# What time removes is counted; the uptime follows the clock.
@ +10s
> {"s":"stats"}
<part {"keys":2,"expires":1,"expired_keys":1,"uptime_s":10}
> {"s":"reset"}
< ok
> {"s":"stats"}
<part {"keys":0,"expires":0,"expired_keys":1}

# A second client is seen, and is gone when it has left.
connect B
> {"s":"stats"}
<part {"clients":2}
close
clients 1
on A
> {"s":"stats"}
<part {"clients":1}
