# `ping` answers "pong"; the first conversation of all.
> {"s":"ping"}
< "pong"

# `p` may be left out where no parameter is required; it may be empty.
> {"s":"ping","p":{}}
< "pong"

# "`i` is optional; its presence asks for enveloped answers."
> {"s":"ping","i":7}
<json {"i":7,"r":"pong"}
> {"s":"ping","i":"seven"}
<json {"i":"seven","r":"pong"}

# Nothing else comes.
<none
