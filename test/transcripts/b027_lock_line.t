# Standing in line for a lease.

# Answers do not wait for a lease that is asked for behind them.
connect A
> {"s":"lock","p":{"k":"l","ttl":1000}}
<~ ([0-9]+) => T
connect B
> {"s":"set","p":{"k":"x","v":1}}
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
> {"s":"get","p":{"k":"x"}}
< ok
waiters 1
<quiet

# A client that goes leaves the line at once, and is never served.
connect C
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
waiters 2
connect D
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
waiters 3
on C
close
waiters 2
connect C
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
waiters 3
reset
waiters 2

# One that has ended its side with nothing behind is as good as gone: the lease
# would be over as soon as it had it.
connect C
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
waiters 3
shut
< null
eof
waiters 2

# One that has ended its side behind more requests wants their answers.
connect E
>. {"s":"lock","p":{"k":"n","ttl":1000,"wait":1000}}\n{"s":"get","p":{"k":"x"}}\n
<~ [0-9]+
< 1
connect F
>. {"s":"lock","p":{"k":"n","ttl":1000,"wait":1000}}\n{"s":"get","p":{"k":"x"}}\n
waiters 3
shut
<quiet
waiters 3
on E
close
on F
<~ [0-9]+
< 1
eof
waiters 2

# ... unless what is behind is blank.
connect E
>. {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}\n\n \r\n
waiters 3
shut
< null
eof
waiters 2

# A reset ends it all, requests behind it or not.
connect E
>. {"s":"lock","p":{"k":"o","ttl":1000}}\n{"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}\n{"s":"ping"}\n
<~ [0-9]+
waiters 3
reset
waiters 2
connect E
> {"s":"lock","p":{"k":"o","ttl":1000,"wait":1000}}
<~ [0-9]+
close

# First come, first served.
on A
> {"s":"unlock","p":{"k":"l","token":\{$T}}}
< true
on B
<~ ([0-9]+) => U
< 1
on D
<quiet
on B
> {"s":"unlock","p":{"k":"l","token":\{$U}}}
< true
on D
<~ ([0-9]+) => V

# A lease that was asked for, and got, by one that closes with it: it goes on.
on A
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
waiters 1
on D
reset
on A
<~ ([0-9]+) => W
> {"s":"stats"}
<part {"leases":1,"lease_waiters":0}

# Who holds one lease and waits for another gives both up by going.
connect B
> {"s":"lock","p":{"k":"m","ttl":1000}}
<~ [0-9]+
> {"s":"lock","p":{"k":"l","ttl":1000,"wait":1000}}
waiters 1
connect D
> {"s":"lock","p":{"k":"m","ttl":1000,"wait":1000}}
waiters 2
on B
close
on D
<~ [0-9]+
waiters 0

# `quit` lets go of what is held.
> {"s":"quit"}
< ok
eof
on A
> {"s":"lock","p":{"k":"m","ttl":1000,"wait":1000}}
<~ [0-9]+
