#!/usr/bin/env bash
# redis-benchmark: ends well, says nothing of errors, and has a figure for each
# test; with and without pipelining, in both protocols.
set -euo pipefail
. ./check.sh

bench() { # bench NAME OPTIONS...
    local name=$1 status=0
    shift
    redis-benchmark -p "$MEMOIZER_PORT" -t ping,set,get,incr,mset -n 2000 \
        -c 10 -q "$@" >"$folder/out" 2>&1 || status=$?
    want "$name: status" 0 echo "$status"
    tr '\r' '\n' <"$folder/out" >"$folder/lines"
    want "$name: errors" '' grep -iE 'error|warn|fail|unexpected' "$folder/lines"
    for test in PING_INLINE PING_MBULK SET GET INCR 'MSET \(10 keys\)'; do
        has "$name: $test" "^$test: [0-9.]+ requests per second" \
            cat "$folder/lines"
    done
}
bench plain
bench pipelined -P 16
bench RESP3 -3
bench random -P 16 -r 1000 -d 100
done_checking
