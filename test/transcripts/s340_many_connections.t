# Twenty-six connections, each with its own database, ids and half lines, served
# side by side.
connect A
>. {"s":"set","p":{"k":"A","v":"A
connect B
>. {"s":"set","p":{"k":"B","v":"B
connect C
>. {"s":"set","p":{"k":"C","v":"C
connect D
>. {"s":"set","p":{"k":"D","v":"D
connect E
>. {"s":"set","p":{"k":"E","v":"E
connect F
>. {"s":"set","p":{"k":"F","v":"F
connect G
>. {"s":"set","p":{"k":"G","v":"G
connect H
>. {"s":"set","p":{"k":"H","v":"H
connect I
>. {"s":"set","p":{"k":"I","v":"I
connect J
>. {"s":"set","p":{"k":"J","v":"J
connect K
>. {"s":"set","p":{"k":"K","v":"K
connect L
>. {"s":"set","p":{"k":"L","v":"L
connect M
>. {"s":"set","p":{"k":"M","v":"M
connect N
>. {"s":"set","p":{"k":"N","v":"N
connect O
>. {"s":"set","p":{"k":"O","v":"O
connect P
>. {"s":"set","p":{"k":"P","v":"P
connect Q
>. {"s":"set","p":{"k":"Q","v":"Q
connect R
>. {"s":"set","p":{"k":"R","v":"R
connect S
>. {"s":"set","p":{"k":"S","v":"S
connect T
>. {"s":"set","p":{"k":"T","v":"T
connect U
>. {"s":"set","p":{"k":"U","v":"U
connect V
>. {"s":"set","p":{"k":"V","v":"V
connect W
>. {"s":"set","p":{"k":"W","v":"W
connect X
>. {"s":"set","p":{"k":"X","v":"X
connect Y
>. {"s":"set","p":{"k":"Y","v":"Y
connect Z
>. {"s":"set","p":{"k":"Z","v":"Z
on Z
<quiet
> "}}
< ok
on Y
<quiet
> "}}
< ok
on X
<quiet
> "}}
< ok
on W
<quiet
> "}}
< ok
on V
<quiet
> "}}
< ok
on U
<quiet
> "}}
< ok
on T
<quiet
> "}}
< ok
on S
<quiet
> "}}
< ok
on R
<quiet
> "}}
< ok
on Q
<quiet
> "}}
< ok
on P
<quiet
> "}}
< ok
on O
<quiet
> "}}
< ok
on N
<quiet
> "}}
< ok
on M
<quiet
> "}}
< ok
on L
<quiet
> "}}
< ok
on K
<quiet
> "}}
< ok
on J
<quiet
> "}}
< ok
on I
<quiet
> "}}
< ok
on H
<quiet
> "}}
< ok
on G
<quiet
> "}}
< ok
on F
<quiet
> "}}
< ok
on E
<quiet
> "}}
< ok
on D
<quiet
> "}}
< ok
on C
<quiet
> "}}
< ok
on B
<quiet
> "}}
< ok
on A
<quiet
> "}}
< ok
on A
> {"s":"size"}
< 26
> {"s":"get","p":{"k":"Q"}}
< "Q"
on M
> {"s":"size"}
< 26
> {"s":"get","p":{"k":"Q"}}
< "Q"
on Z
> {"s":"size"}
< 26
> {"s":"get","p":{"k":"Q"}}
< "Q"
