# Not one byte of answer before the last byte of a request, whatever the place
# where it is cut.
>. {
<quiet
>. "s":"set","p":{"k":"a","v":"caf\xc3
<quiet
>. \xa9"}}
<quiet
>. \n
< ok
>. {"s":"get","p":{"k":"a"}}\n{"s":"si
< "caf\xc3\xa9"
<quiet
>. ze"}
<quiet
>. \r
<quiet
>. \n
< 1
# "Undecided bytes may arrive one at a time with any pause": blanks first.
connect B
>. \r
<quiet
>.  \n\t
<quiet
>. {
<quiet
> "s":"size"}
< 1
