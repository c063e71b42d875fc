# Case B08: a line without end. One answer as soon as it is too long; "what
# follows up to the next newline is discarded; if none comes, the connection is
# cut at the request timeout", without a second answer.
option max-value 100
option max-request 200
option request-timeout 500ms
connect A
connect B
> {"s":"size"}
< 0
on A
>. {"s":"set","p":{"k":"b08","v":"\{a*171}
<error too_large
>. \{a*300}
on B
> {"s":"size"}
< 0
on A
eof
on B
> {"s":"size"}
< 0
