#!/usr/bin/env bash
# service_cost.sh PROGRAM - a small run prints every row, and figures that can
# be true: least <= median <= most, percentiles that rise, none zero.
set -euo pipefail
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" --json --rounds 3 --sessions 200 --keys 100 --keys 1000 \
    >"$work/json" 2>"$work/table"

failed=0
fault() {
    echo "$1" >&2
    failed=1
}

# figure NAME: its value, or nothing.
figure() { sed -n "s/^  \"$1\": \([0-9.]*\),\{0,1\}\$/\1/p" "$work/json"; }

# rising NAME...: figures above zero, none below the one before.
rising() {
    local values=() name
    for name in "$@"; do values+=("$(figure "$name")"); done
    awk -v values="${values[*]}" -v count=$# 'BEGIN {
        n = split(values, v, " ")
        for (i = 1; i <= n; i++) if (v[i] <= 0 || v[i] < v[i - 1]) exit 1
        exit n != count
    }' || fault "$*: ${values[*]}"
}

for size in 100 1k; do
    for row in get set merge_replace merge_toggle merge_shared incr mget del; do
        base=service_${size}_$row
        for t in 1t 2t; do
            for what in ns in_gets; do
                name=${base}_${t}_$what
                rising "${name}_min" "$name" "${name}_max"
            done
            rising "${base}_${t}_p50_ns" "${base}_${t}_p99_ns" \
                "${base}_${t}_p999_ns"
        done
        rising "${base}_scaling_min" "${base}_scaling" "${base}_scaling_max"
    done
done
# 8 rows and 2 sizes, of 2 * (2 * 3 + 3) + 3 figures each, and nothing else.
[ "$(grep -c '^  "' "$work/json")" -eq $((8 * 2 * 21)) ] ||
    fault "not the figures that were looked for"
for title in get set "merge, a member replaced" \
    "merge, a member added or removed" "merge, all into one session" incr \
    "mget of 50 keys" del; do
    [ "$(grep -cE "^$title +[12] " "$work/table")" -eq 4 ] ||
        fault "the table has not four lines of: $title"
done
for wrong in "--keys 99" "--keys x" "--rounds 0" "--rounds" "--nothing"; do
    # shellcheck disable=SC2086 # words on purpose
    if "$1" $wrong >/dev/null 2>&1; then fault "taken: $wrong"; fi
done
exit $failed
