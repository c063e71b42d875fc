# fails: too_early.t:3: an answer too early
> {"s":"ping"}
<quiet
< "pong"
