# scan, count and drop by prefix.
> {"s":"scan"}
< {"keys":[],"next":null}
> {"s":"count"}
< 0
> {"s":"count","p":{"prefix":"sess:"}}
< 0
> {"s":"drop","p":{"prefix":"sess:"}}
< 0

> {"s":"set","p":{"k":"sess:1","v":1}}
< ok
> {"s":"set","p":{"k":"cart:1","v":1}}
< ok
> {"s":"scan","p":{"prefix":"sess:"}}
< {"keys":["sess:1"],"next":null}
> {"s":"scan","p":{"prefix":"sess:1"}}
< {"keys":["sess:1"],"next":null}
> {"s":"scan","p":{"prefix":"sess:12"}}
< {"keys":[],"next":null}
> {"i":1,"s":"scan","p":{"prefix":"cart"}}
< {"i":1,"r":{"keys":["cart:1"],"next":null}}
> {"s":"count"}
< 2
> {"s":"count","p":{"prefix":""}}
< 2
> {"i":2,"s":"count","p":{"prefix":"sess:"}}
< {"i":2,"r":1}
> {"i":3,"s":"drop","p":{"prefix":"sess:"}}
< {"i":3,"r":1}
> {"s":"has","p":{"k":"sess:1"}}
< false
> {"s":"has","p":{"k":"cart:1"}}
< true
> {"s":"drop","p":{"prefix":""}}
< 1
> {"s":"size"}
< 0

# Pages: one key at a time, the place carried from one connection to another.
> {"s":"set","p":{"k":"a","v":1}}
< ok
> {"s":"set","p":{"k":"b","v":1}}
< ok
> {"s":"set","p":{"k":"c","v":1}}
< ok
> {"s":"scan","p":{"count":1}}
<~ [{]"keys":[[]"([abc])"],"next":"([0-9]+)"[}] => F N
connect B
> {"s":"scan","p":{"after":"\{$N}","count":1}}
<~ [{]"keys":[[]"([abc])"],"next":"([0-9]+)"[}] => S M
on A
> {"s":"scan","p":{"count":10000,"after":"\{$M}"}}
<~ [{]"keys":[[]"([abc])"],"next":null[}] => T
> {"s":"del","p":{"k":["\{$F}","\{$S}","\{$T}"]}}
< 3

# Names come back as JSON strings, whatever is in them.
> {"s":"set","p":{"k":"q\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007fü€😀","v":1}}
< ok
> {"s":"scan"}
< {"keys":["q\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7fü€😀"],"next":null}
> {"s":"drop","p":{"prefix":"q\\"\\\\/\\b\\f"}}
< 1
> {"s":"set","p":{"k":"","v":1}}
< ok
> {"s":"set","p":{"k":"\\u0000","v":1}}
< ok
> {"s":"scan","p":{"prefix":"\\u0000"}}
< {"keys":["\\u0000"],"next":null}
> {"s":"drop","p":{"prefix":""}}
< 2

# The database is the selected one.
> {"s":"set","p":{"k":"x","v":1}}
< ok
> {"s":"select","p":{"db":3}}
< ok
> {"s":"set","p":{"k":"x","v":1}}
< ok
> {"s":"set","p":{"k":"y","v":1}}
< ok
> {"s":"count","p":{"prefix":"x"}}
< 1
> {"s":"drop","p":{"prefix":""}}
< 2
> {"s":"select","p":{"db":0}}
< ok
> {"s":"scan"}
< {"keys":["x"],"next":null}

# What has expired is neither named nor counted nor dropped.
> {"s":"touch","p":{"k":"x","ttl":1}}
< true
> {"s":"count"}
< 1
@. +1s
> {"s":"count","p":{"prefix":"x"}}
< 0
> {"s":"scan"}
< {"keys":[],"next":null}
> {"s":"count"}
< 0
> {"s":"drop","p":{"prefix":"x"}}
< 0

# Faults: nothing changes.
> {"s":"set","p":{"k":"x","v":1}}
< ok
> {"s":"scan","p":{"after":"nonsense"}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":""}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":"0"}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":"-1"}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":"9007199254740992"}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":"18446744073709551615"}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":null}}
<error bad_request ~ "after"
> {"s":"scan","p":{"after":12}}
<error bad_request ~ "after"
> {"s":"scan","p":{"count":0}}
<error bad_request ~ "count"
> {"s":"scan","p":{"count":10001}}
<error bad_request ~ "count"
> {"s":"scan","p":{"count":"5"}}
<error bad_request ~ "count"
> {"s":"scan","p":{"count":5.0}}
<error bad_request ~ "count"
> {"s":"scan","p":{"prefix":7}}
<error bad_request ~ "prefix"
> {"s":"count","p":{"prefix":null}}
<error bad_request ~ "prefix"
> {"s":"count","p":{"k":"x"}}
<error bad_request ~ "k"
> {"s":"drop"}
<error bad_request ~ "prefix"
> {"s":"drop","p":{"prefix":["x"]}}
<error bad_request ~ "prefix"
> {"s":"count"}
< 1
