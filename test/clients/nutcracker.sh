#!/usr/bin/env bash
# twemproxy in front of three memoizers: keys are spread over all of them, and
# commands with many keys are put together again. MEMOIZER_PORTS has the ports.
set -euo pipefail
. ./check.sh
read -r first second third <<<"$MEMOIZER_PORTS"

# It listens on a socket, so that no port has to be found for it.
cat >"$folder/conf.yml" <<CONF
sessions:
  listen: $folder/proxy 0600
  hash: md5
  distribution: ketama
  redis: true
  redis_db: 2
  timeout: 10000
  servers:
    - 127.0.0.1:$first:1 one
    - 127.0.0.1:$second:1 two
    - 127.0.0.1:$third:1 three
CONF
# It wants a port for statistics, by number: on an address of its own.
address=127.$(($$ / 62500 % 250 + 1)).$(($$ / 250 % 250)).$(($$ % 250 + 1))
nutcracker -c "$folder/conf.yml" -a "$address" -s 22222 -o "$folder/log" &
proxy=$!
trap 'kill $proxy; wait $proxy || true; rm -rf "$folder"' EXIT
deadline=$((SECONDS + 15))
until [ "$(redis-cli -s "$folder/proxy" ping 2>/dev/null)" = PONG ]; do
    if [ $SECONDS -gt $deadline ] || ! kill -0 $proxy; then
        cat "$folder/log"
        exit 1
    fi
done

cli() {
    redis-cli -s "$folder/proxy" "$@"
}
for i in $(seq 300); do
    echo "set session:$i value:$i ex 1800"
done >"$folder/sets"
set_all() {
    cli <"$folder/sets" | sort | uniq -c | tr -d ' '
}
want 'three hundred sets' 300OK set_all
want 'get' value:77 cli get session:77
want 'ttl' 1800 cli ttl session:77
want 'mget over all' $'value:1\nvalue:2\n\nvalue:3\nvalue:4\nvalue:5' \
    cli mget session:1 session:2 nosuch session:3 session:4 session:5
want 'mset' OK cli mset a 1 b 2 c 3 d 4
want 'del over all' 4 cli del a b c d nosuch
want 'setnx' 0 cli setnx session:1 x
want 'incr' 1 cli incr counter
want 'append' 3 cli append text abc
want 'getrange' bc cli getrange text 1 2
want 'expire' 1 cli expire text 10
want 'persist' 1 cli persist text
want 'type' string cli type text
want 'getdel' abc cli getdel text
want 'an error' 'ERR value is not an integer or out of range' \
    cli incr session:1
total=0
for port in $MEMOIZER_PORTS; do
    count=$(redis-cli -p "$port" -n 2 dbsize)
    has "share of $port" '^[0-9]{2,}$' echo "$count"
    total=$((total + count))
done
want 'keys of all three' 301 echo "$total"
done_checking
