# fails: answer_left.t:2: not the same JSON
> {"s":"ping"}
