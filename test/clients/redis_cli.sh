#!/usr/bin/env bash
# redis-cli: commands in both protocols, --scan, --pipe, --bigkeys, --memkeys,
# --stat, --latency.
set -euo pipefail
. ./check.sh

cli() {
    redis-cli -p "$MEMOIZER_PORT" "$@"
}

want 'set' OK cli set greeting hello
want 'get' hello cli get greeting
want 'get in RESP3' hello cli -3 get greeting
want 'incr' 1 cli incr counter
want 'set with a life' OK cli set session:1 '{"user":7}' ex 1800
want 'ttl' 1800 cli ttl session:1
want 'raw binary' $'a\nb' cli --raw echo $'a\nb'
want 'another database' OK cli -n 3 set greeting other
want 'and back' hello cli get greeting
want 'mget' $'hello\n1' cli mget greeting counter
want 'no such key' '' cli get nosuch
want 'an error' 'ERR value is not an integer or out of range' \
    cli incr greeting
want 'repeat' $'2\n3\n4' cli -r 3 incr counter
has 'info' redis_version:7.2.4 cli info server
want 'config get' $'databases\n16' cli config get databases
want 'from standard input' $'OK\nb' bash -c \
    'printf "set from-stdin b\nget from-stdin\n" | redis-cli -p "$MEMOIZER_PORT"'

# 1,000 keys by --pipe, seen by --scan, --bigkeys and --memkeys.
for i in $(seq 1000); do
    printf '*3\r\n$3\r\nSET\r\n$%d\r\npipe:%d\r\n$5\r\nvalue\r\n' \
        $((5 + ${#i})) "$i"
done >"$folder/pipe"
pipe() {
    cli --pipe <"$folder/pipe"
}
has '--pipe' 'errors: 0, replies: 1000' pipe
scanned() {
    cli --scan --pattern 'pipe:*' | sort -u | wc -l
}
want '--scan' 1000 scanned
cli set big "$(head -c 5000 /dev/zero | tr '\0' x)" >/dev/null
has '--bigkeys' 'Biggest string found .*"big"' cli --bigkeys
has '--bigkeys counts' 'Sampled 1005 keys' cli --bigkeys
has '--memkeys' 'Biggest string found .*"big"' cli --memkeys

# These go on for ever: their first lines, then they are ended.
first_lines() { # first_lines COUNT COMMAND...
    local count=$1
    shift
    # head ends it by closing the pipe; stdbuf, as redis-cli prints to a pipe.
    { timeout 15 stdbuf -oL "$@" || true; } | head -n "$count"
}
has '--stat' '^1006 ' first_lines 3 redis-cli -p "$MEMOIZER_PORT" -i 0.05 --stat
has '--latency' '^[0-9]+ [0-9]+ [0-9.]+ [0-9]+$' \
    redis-cli -p "$MEMOIZER_PORT" --raw --latency -i 0.1
done_checking
