# Case B53: line breaks in the client's own words do not split an answer.
> {"s":"x\\r\\ny\\n{\\"a\\":1}","p":{}}
<error unknown_selector
> {"s":"get","p":"a\\nb"}
<error bad_request
> {"s":"size","p":{}}
< 0
<none
> {"s":"x\\u2028y\\u0085z","i":"l1\\nl2"}
<json {"i":"l1\\nl2","e":{"code":"unknown_selector","text":"*"}}
