# fails: missing_answer.t:4: the server has closed the connection
> {"s":"quit"}
< ok
< ok
