# fails: another_answer.t:3: another answer .pass blocks, connection A.
> {"s":"ping"}
< "ping"
