# fails: json_member.t:3: not the same JSON
> {"s":"get","p":{"k":"a"},"i":1}
<json {"i":1,"r":null}
