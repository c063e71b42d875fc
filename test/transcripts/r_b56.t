# Case B56: HTTP is closed without an answer, before any later byte is looked
# at.
connect A
> {"s":"set","p":{"k":"b56","v":1}}
< ok
connect B
> POST / HTTP/1.1\r\nHost: 127.0.0.1:9091\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> GET / HTTP/1.1\r\nHost: 127.0.0.1:9091\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> PUT / HTTP/1.1\r\nHost: 127.0.0.1:9091\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1:9091\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> DELETE / HTTP/1.1\r\nHost: 127.0.0.1:9091\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> Host: x\r\n\r\n{"s":"reset","p":{}}
eof
connect B
> hOsT: x\n{"s":"reset","p":{}}
eof
connect B
> post / x\n{"s":"reset","p":{}}
eof
# The body in a second send.
connect B
> POST / HTTP/1.1\r\nHost: x\r\n\r
eof
connect B
> GET /x HTTP/1.0\n{"s":"reset","p":{}}
eof
# Behind a good request: that is answered, then EOF.
connect B
> {"s":"size","p":{}}\nPOST / HTTP/1.1\r\n\r\n{"s":"reset","p":{}}
< 1
eof
connect B
> {"s":"size","p":{}}\nGET / HTTP/1.1\r\n\r\n{"s":"reset","p":{}}
< 1
eof
connect B
> {"s":"size","p":{}}\nHOST: x\r\n{"s":"reset","p":{}}
< 1
eof
connect B
> {"s":"size","p":{}}\n  Post x\r\n{"s":"reset","p":{}}
< 1
eof
connect B
> {"s":"size","p":{}}\n{"s":"size"} HTTP/2\n{"s":"reset","p":{}}
< 1
eof
# A native first byte before the line.
connect B
> [1] HTTP/1.1\n{"s":"reset","p":{}}
eof
# What only looks alike is answered, and the connection goes on.
connect B
> {"s":"size","p":{}}
> POSTAL
> Hostess: x
> HTTP
> {"s":"has","p":{"k":" HTTP/1.1"}}
> {"s":"has","p":{"k":"POST / HTTP/1.1"}}
< 1
<error bad_json
<error bad_json
<error bad_json
< false
< false
on A
> {"s":"get","p":{"k":"b56"}}
< 1
