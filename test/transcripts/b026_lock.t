# lock and unlock.
> {"s":"lock","p":{"k":"l","ttl":10}}
<~ ([0-9]+) => T
> {"i":1,"s":"lock","p":{"k":"l","ttl":10}}
< {"i":1,"r":null}
> {"s":"lock","p":{"k":"l","ttl":10,"wait":0}}
< null
> {"s":"lock","p":{"k":"l","ttl":10,"wait":0.0}}
< null
> {"s":"stats"}
<part {"leases":1,"lease_waiters":0}

# Only the holder's token ends it, and only once.
> {"s":"unlock","p":{"k":"l","token":1}}
< false
> {"s":"unlock","p":{"k":"l","token":-1}}
< false
> {"s":"unlock","p":{"k":"other","token":\{$T}}}
< false
> {"s":"unlock","p":{"k":"l","token":\{$T}}}
< true
> {"s":"unlock","p":{"k":"l","token":\{$T}}}
< false
> {"s":"stats"}
<part {"leases":0}

# Tokens rise, whatever the lease.
> {"s":"lock","p":{"k":"m","ttl":10}}
< \{$T+1}
> {"i":2,"s":"lock","p":{"k":"l","ttl":10}}
<~ [{]"i":2,"r":([0-9]+)[}] => U
> {"i":3,"s":"unlock","p":{"k":"l","token":\{$U}}}
< {"i":3,"r":true}

# Who waits is served when the holder gives it back: on another connection.
connect B
> {"s":"lock","p":{"k":"m","ttl":10,"wait":60}}
waiters 1
<quiet
on A
> {"s":"unlock","p":{"k":"m","token":\{$T+1}}}
< true
on B
<~ ([0-9]+) => V
> {"s":"unlock","p":{"k":"m","token":\{$V}}}
< true

# ... when its time is over, to the millisecond.
on A
> {"s":"lock","p":{"k":"m","ttl":10}}
<~ [0-9]+
on B
> {"s":"lock","p":{"k":"m","ttl":10,"wait":60}}
waiters 1
@ +9999ms
waiters 1
<quiet
@ +1ms
<~ ([0-9]+) => W
> {"s":"unlock","p":{"k":"m","token":\{$W}}}
< true

# ... or when its connection closes.
on A
> {"s":"lock","p":{"k":"m","ttl":10}}
<~ [0-9]+
on B
> {"s":"lock","p":{"k":"m","ttl":10,"wait":60}}
waiters 1
on A
close
on B
<~ ([0-9]+) => X
> {"s":"unlock","p":{"k":"m","token":\{$X}}}
< true

# A wait that is over gets null.
connect A
> {"s":"lock","p":{"k":"m","ttl":100}}
<~ [0-9]+
on B
> {"i":9,"s":"lock","p":{"k":"m","ttl":10,"wait":2.5}}
waiters 1
@ +2499ms
waiters 1
@ +1ms
< {"i":9,"r":null}

# The holder that asks again waits like anybody.
on A
> {"s":"lock","p":{"k":"m","ttl":10,"wait":1}}
waiters 1
@ +1s
< null

# Leases are no keys, and each database has its own.
> {"s":"has","p":{"k":"m"}}
< false
> {"s":"size"}
< 0
> {"s":"reset"}
< ok
> {"s":"drop","p":{"prefix":""}}
< 0
> {"s":"lock","p":{"k":"m","ttl":10}}
< null
> {"s":"select","p":{"db":1}}
< ok
> {"s":"lock","p":{"k":"m","ttl":10}}
<~ [0-9]+

# Faults.
> {"s":"lock","p":{"k":"m"}}
<error bad_request ~ "ttl"
> {"s":"lock","p":{"k":"m","ttl":0}}
<error bad_ttl ~ "ttl"
> {"s":"lock","p":{"k":"m","ttl":null}}
<error bad_ttl ~ "ttl"
> {"s":"lock","p":{"k":"m","ttl":1,"wait":-1}}
<error bad_ttl ~ "wait"
> {"s":"lock","p":{"k":"m","ttl":1,"wait":"5"}}
<error bad_ttl ~ "wait"
> {"s":"lock","p":{"k":"m","ttl":1,"wait":null}}
<error bad_ttl ~ "wait"
> {"s":"lock","p":{"k":"m","ttl":1,"wait":315360000000.0001}}
<error bad_ttl ~ "wait"
> {"s":"lock","p":{"k":["m"],"ttl":1}}
<error bad_key
> {"s":"unlock","p":{"k":"m"}}
<error bad_request ~ "token"
> {"s":"unlock","p":{"k":"m","token":"1"}}
<error bad_request ~ "token"
> {"s":"unlock","p":{"k":"m","token":1.0}}
<error bad_request ~ "token"
> {"s":"unlock","p":{"k":"m","token":9223372036854775808}}
<error bad_request ~ "token"
