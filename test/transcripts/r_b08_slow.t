# Case B08 with the default max-request of 8,454,144 bytes.
skip bytes a line of 8 MiB
connect B
> {"s":"size"}
< 0
connect A
>. {"s":"set","p":{"k":"b08","v":"\{a*8454113}
<quiet
on B
> {"s":"size"}
< 0
on A
>. a
<error too_large
> \{a*1000000}
> {"s":"size"}
< 0
