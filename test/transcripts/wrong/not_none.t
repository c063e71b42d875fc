# fails: not_none.t:3: not the same JSON
> {"s":"ping"}
<none
