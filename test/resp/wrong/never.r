# fails: never :7
== an event that does not come
~> EXISTS nosuch
< :7\r\n
