# fails: what is 'PING'
== a line that is no statement
PING
