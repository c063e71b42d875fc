# fails: escape.t:2: an unknown escape
> {"s":"\u0000"}
