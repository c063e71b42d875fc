# Case B49: every answer whole, whatever its size. (The times are a matter of
# benchmarks.) 16,384 is where values are sent without a copy.
skip bytes values of up to 200 KB; r_b49_small.t goes byte by byte
> {"s":"set","p":{"k":"b49","v":7}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":1}
> {"s":"ping"}
repeat 20
< 7
end
<json {"i":1,"r":7,"ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":""}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":2}
> {"s":"ping"}
repeat 20
< ""
end
<json {"i":2,"r":"","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*1398}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":1400}
> {"s":"ping"}
repeat 20
< "\{v*1398}"
end
<json {"i":1400,"r":"\{v*1398}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*1498}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":1500}
> {"s":"ping"}
repeat 20
< "\{v*1498}"
end
<json {"i":1500,"r":"\{v*1498}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*15998}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":16000}
> {"s":"ping"}
repeat 20
< "\{v*15998}"
end
<json {"i":16000,"r":"\{v*15998}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*16381}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":16383}
> {"s":"ping"}
repeat 20
< "\{v*16381}"
end
<json {"i":16383,"r":"\{v*16381}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*16382}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":16384}
> {"s":"ping"}
repeat 20
< "\{v*16382}"
end
<json {"i":16384,"r":"\{v*16382}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*16383}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":16385}
> {"s":"ping"}
repeat 20
< "\{v*16383}"
end
<json {"i":16385,"r":"\{v*16383}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*64998}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":65000}
> {"s":"ping"}
repeat 20
< "\{v*64998}"
end
<json {"i":65000,"r":"\{v*64998}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*65533}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":65535}
> {"s":"ping"}
repeat 20
< "\{v*65533}"
end
<json {"i":65535,"r":"\{v*65533}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*65534}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":65536}
> {"s":"ping"}
repeat 20
< "\{v*65534}"
end
<json {"i":65536,"r":"\{v*65534}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*65998}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":66000}
> {"s":"ping"}
repeat 20
< "\{v*65998}"
end
<json {"i":66000,"r":"\{v*65998}","ver":"#","ttl":null}
< "pong"
> {"s":"set","p":{"k":"b49","v":"\{v*199998}"}}
< ok
repeat 20
> {"s":"get","p":{"k":"b49"}}
end
> {"s":"get","p":{"k":"b49"},"i":200000}
> {"s":"ping"}
repeat 20
< "\{v*199998}"
end
<json {"i":200000,"r":"\{v*199998}","ver":"#","ttl":null}
< "pong"
