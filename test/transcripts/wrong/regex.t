# fails: regex.t:3: the line does not match
> {"s":"ping"}
<~ "pon
