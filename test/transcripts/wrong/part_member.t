# fails: part_member.t:3: not an object with that
> {"s":"stats"}
<part {"ops":{"get":1}}
