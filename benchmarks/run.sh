#!/usr/bin/env bash
# run.sh BUILD_DIR - measures, and writes benchmarks/RESULTS.md.
#
# Every figure of that file comes from this run. QUICK=1 leaves out the part
# with ten million keys, which takes 13 GB of memory and some minutes.
# RESULTS=FILE writes to another file.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
[ $# -eq 1 ] || {
    echo "usage: benchmarks/run.sh BUILD_DIR" >&2
    exit 1
}
build=$(cd "$1" && pwd)
quick=${QUICK:-0}
results=${RESULTS:-$here/RESULTS.md}
payload=$(cat "$root/test/data/sample.json")
bench_runs=10
inproc_rounds=9

# What the original's README publishes for --bench 10000.
original_insert_ms=14.473349
original_read_ms=10.014888
original_url=https://github.com/sebastianconcept/memoizer

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

say() { echo "bench: $*" >&2; }

# figure NAME: a member of the JSON that the programs printed, or nothing.
figure() { sed -n "s/^ *\"$1\": \([-0-9.]*\),\{0,1\}\$/\1/p" "$work"/*.json; }

# calc EXPRESSION [FORMAT]
calc() { awk "BEGIN { printf \"${2:-%.2f}\", $1 }"; }

# round VALUE: three digits at least, as the programs print.
round() {
    awk -v v="$1" 'BEGIN { printf v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v }'
}

# spread NAME: "median [min-max]".
spread() {
    echo "$(round "$(figure "$1")") [$(round "$(figure "$1_min")")-$(round "$(figure "$1_max")")]"
}

# verdict MEASURED least|most TARGET
verdict() {
    awk -v m="$1" -v how="$2" -v t="$3" \
        'BEGIN { print (how == "least" ? m >= t : m <= t) ? "met" : "**missed**" }'
}

# sorted_at FILE WHICH: of the numbers in it the median, least or most.
sorted_at() {
    sort -n "$1" | awk -v which="$2" '
        { n[NR] = $1 }
        END {
            if (which == "min") print n[1]
            else if (which == "max") print n[NR]
            else if (NR % 2) print n[(NR + 1) / 2]
            else print (n[NR / 2] + n[NR / 2 + 1]) / 2
        }'
}

# ---- measuring ----

run_bench() {
    local i
    for i in $(seq $bench_runs); do
        say "memoizer --bench 10000, $i of $bench_runs"
        "$build/memoizer" --bench 10000 --payload "$payload" >"$work/bench.txt"
        sed -n 's/^It took \([0-9.]*\)ms to perform 10000 insertions$/\1/p' \
            "$work/bench.txt" >>"$work/insert_ms"
        sed -n 's/^It took \([0-9.]*\)ms to perform 10000 reads$/\1/p' \
            "$work/bench.txt" >>"$work/read_ms"
    done
    [ "$(wc -l <"$work/insert_ms")" -eq $bench_runs ] &&
        [ "$(wc -l <"$work/read_ms")" -eq $bench_runs ]
}

inproc_sizes="--keys 1000000"
[ "$quick" = 1 ] || inproc_sizes="$inproc_sizes --keys 10000000"
service_rounds=9
service_sizes="--keys 10000 --keys 1000000"
scan_files="test/data/sample.json benchmarks/session_1k.json benchmarks/session_2k.json"

measure() {
    run_bench
    say "inproc $inproc_sizes"
    # shellcheck disable=SC2086 # words on purpose
    "$build/benchmarks/inproc" --json --rounds $inproc_rounds $inproc_sizes \
        >"$work/inproc.json" 2>"$work/inproc.txt"
    cat "$work/inproc.txt" >&2
    say "service_cost $service_sizes"
    # shellcheck disable=SC2086
    "$build/benchmarks/service_cost" --json --rounds $service_rounds \
        $service_sizes >"$work/service.json" 2>"$work/service.txt"
    cat "$work/service.txt" >&2
    say "scan_speed"
    # shellcheck disable=SC2086
    "$build/benchmarks/scan_speed" --json $scan_files \
        >"$work/scan.json" 2>"$work/scan.txt"
    cat "$work/scan.txt" >&2
}

# steal_percent BEFORE AFTER: of the time between two copies of /proc/stat, what
# the host gave to other machines.
steal_percent() {
    awk 'NR == FNR && $1 == "cpu" { for (i = 2; i <= 9; i++) a[i] = $i; next }
        $1 == "cpu" {
            for (i = 2; i <= 9; i++) sum += $i - a[i]
            printf "%.2f", sum ? 100 * ($9 - a[9]) / sum : 0
        }' "$1" "$2"
}

# ---- the page ----

machine() {
    local model mib version compiler
    model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    mib=$(awk '/^MemTotal/ { printf "%.0f", $2 / 1024 }' /proc/meminfo)
    version=$("$build/memoizer" --version)
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
    cat <<END
| | |
|---|---|
| date | $(date -u +%Y-%m-%d) |
| program | $version, $(basename "$compiler") $("$compiler" -dumpfullversion -dumpversion), $(sed -n 's/^CMAKE_BUILD_TYPE:[^=]*=//p' "$build/CMakeCache.txt") build |
| processor | ${model:-unknown}, $(grep -c ^processor /proc/cpuinfo) of them |
| memory | $mib MiB |
| kernel | $(uname -srm) |
| transparent huge pages | $(sed -n 's/.*\[\(.*\)\].*/\1/p' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || echo unknown) |
| load before, after | $load_before, $load_after |
| time stolen by the host | $steal % |
END
}

# Says so when others used the machine as well.
busy_note() {
    awk -v load="$load_before" 'BEGIN {
        if (load > 0.5)
            print "\nThe machine was not idle: times are longer and spread " \
                "wider than they need to be.\n"
    }'
}

bench_row() { # bench_row WHAT FILE PUBLISHED
    local median
    median=$(sorted_at "$2" median)
    echo "| 10000 $1 | $(calc "$median" %.3f) ms [$(calc "$(sorted_at "$2" min)" %.3f)-$(calc "$(sorted_at "$2" max)" %.3f)] | $3 ms, as published | $(calc "$3 / $median") times as fast | $(verdict "$median" most "$3") |"
}

bench_part() {
    cat <<END
## \`--bench\`, against the original

\`build/memoizer --bench 10000 --payload "\$(cat test/data/sample.json)"\`, $bench_runs runs, median [min-max].
The original's figures are those of its [README]($original_url), from its author's machine: the ratio says little about two programs and more about two machines.
Target: not slower.

| | measured | original | ratio | |
|---|---|---|---|---|
END
    bench_row insertions "$work/insert_ms" $original_insert_ms
    bench_row reads "$work/read_ms" $original_read_ms
    cat <<END

The last of these runs printed:

\`\`\`text
$(cat "$work/bench.txt")
\`\`\`
END
}

inproc_size() { # inproc_size NAME WORDS
    if [ -z "$(figure "inproc_$1_get_1t_ns")" ]; then
        printf '\n### %s keys\n\nNot measured in this run.\n' "$2"
        return
    fi
    cat <<END

### $2 keys

| ns an operation | 1 thread | 2 threads | scaling |
|---|---|---|---|
| copy of 500 bytes from a random place | $(spread "inproc_$1_copy_1t_ns") | $(spread "inproc_$1_copy_2t_ns") | $(spread "inproc_$1_copy_scaling") |
| get | $(spread "inproc_$1_get_1t_ns") | $(spread "inproc_$1_get_2t_ns") | $(spread "inproc_$1_get_scaling") |
| set | $(spread "inproc_$1_set_1t_ns") | $(spread "inproc_$1_set_2t_ns") | $(spread "inproc_$1_set_scaling") |

| | measured | target | |
|---|---|---|---|
| a get, in copies | $(spread "inproc_$1_get_of_copy") | at most 1.6 | $(verdict "$(figure "inproc_$1_get_of_copy")" most 1.6) |
| a set, in copies | $(spread "inproc_$1_set_of_copy") | at most 2.5 | $(verdict "$(figure "inproc_$1_set_of_copy")" most 2.5) |
| gets with two threads, of those with one | $(spread "inproc_$1_get_scaling") | at least 1.70 | $(verdict "$(figure "inproc_$1_get_scaling")" least 1.7) |
| overhead of an entry, by resident memory | $(calc "$(figure "inproc_$1_overhead_rss")" %.1f) bytes | at most 48 | $(verdict "$(figure "inproc_$1_overhead_rss")" most 48) |
| overhead of an entry, by the store's own count | $(calc "$(figure "inproc_$1_overhead_totals")" %.1f) bytes | at most 48 | $(verdict "$(figure "inproc_$1_overhead_totals")" most 48) |
END
}

inproc_part() {
    cat <<END

## Inside the process

\`build/benchmarks/inproc --rounds $inproc_rounds $inproc_sizes\`, interleaved rounds, median [min-max].
Keys of 36 bytes that are read from memory, values of 500. A get copies the value out, a set puts a new value over the old one.
The copy is what no store can do without: 500 bytes from a random place of a block as large as the store.
Overhead is what an entry takes beside its key and its value, tables and allocator included.
END
    inproc_size 1m "One million"
    inproc_size 10m "Ten million"
}

service_row() { # service_row SIZE NAME THREADS WORDS
    local base=service_$1_$2_${3}t
    echo "| $4 | $3 | $(spread "${base}_ns") | $(spread "${base}_in_gets") | $(us "${base}_p50_ns") | $(us "${base}_p99_ns") | $(us "${base}_p999_ns") | $([ "$3" = 1 ] || spread "service_$1_$2_scaling") |"
}

service_rows() { # service_rows SIZE NAME WORDS
    service_row "$1" "$2" 1 "$3"
    service_row "$1" "$2" 2 "$3"
}

# us NAME: a figure of nanoseconds in microseconds.
us() { calc "$(figure "$1") / 1000" %.2f; }

merge_target() { # merge_target SIZE NAME WORDS
    local us
    us=$(us "service_$1_$2_1t_ns")
    echo "| $3 | $us us [$(us "service_$1_$2_1t_ns_min")-$(us "service_$1_$2_1t_ns_max")] | at most 12 us | $(verdict "$us" most 12) |"
}

service_size() { # service_size SIZE WORDS
    cat <<END

### $2 sessions

| request | threads | ns a request | in gets, a key | p50 us | p99 us | p99.9 us | scaling |
|---|---|---|---|---|---|---|---|
END
    service_rows "$1" get "get"
    service_rows "$1" set "set"
    service_rows "$1" merge_replace "merge, a member replaced"
    service_rows "$1" merge_toggle "merge, a member added or removed"
    service_rows "$1" merge_shared "merge, all into one session"
    service_rows "$1" incr "incr"
    service_rows "$1" mget "mget of 50 keys"
    service_rows "$1" del "del"
    cat <<END

An \`mget\` of 50 keys is $(calc "$(figure "service_$1_mget_1t_ns") / 50" %.0f) ns a key with one thread and $(calc "$(figure "service_$1_mget_2t_ns") / 50" %.0f) with two.

| | measured | target | |
|---|---|---|---|
END
    merge_target "$1" merge_replace "merge, a member replaced, 1 thread"
    merge_target "$1" merge_toggle "merge, a member added or removed, 1 thread"
}

service_part() {
    cat <<END

## Through the service

\`build/benchmarks/service_cost --rounds $service_rounds $service_sizes\`, interleaved rounds, median [min-max].
What a request costs without the socket and without the parsing of the request: from the decoded command through \`service_run\`
and the native protocol's encoder into an outbox, which is emptied at once. A client waits longer than that by the network and both.

Sessions are JSON of 500 bytes without a lifetime, under keys of 36 bytes that come in no order of the store. A \`set\` puts a session over one that is there,
a \`merge\` changes a single member, an \`incr\` counts up a number of its own, a \`del\` takes away a session that is there; whoever puts it back is not timed.
Two threads work on different keys, but for the row where all merge into one and the same session.
ns a request is the whole time by all requests, so two threads side by side halve it; scaling is how much more two do than one.
The percentiles are of one more turn, in which the clock is read between requests: each has about 30 ns of that in it.
END
    service_size 10k "Ten thousand"
    service_size 1m "One million"
}

scan_row() { # scan_row NAME WORDS
    echo "| $2, $(calc "$(figure "scan_$1_bytes")" %.0f) bytes | $(spread "scan_$1_mbs") | $(spread "scan_$1_jansson_mbs") | $(spread "scan_$1_ratio") | at least 15 | $(verdict "$(figure "scan_$1_ratio")" least 15) |"
}

scan_part() {
    cat <<END

## Judging JSON

\`build/benchmarks/scan_speed $scan_files\`, interleaved rounds, median [min-max].
Both say of a text whether it is valid JSON. jansson also builds a tree and gives it back, which is what the scanner is there to avoid.

| text | scanner MB/s | jansson MB/s | ratio | target | |
|---|---|---|---|---|---|
END
    scan_row sample "the README's record"
    scan_row session_1k "a session"
    scan_row session_2k "a session"
}

page() {
    cat <<END
# Results

Written by \`benchmarks/run.sh\`; \`make bench\` writes it again. Every figure is from the run that is described here.
Rows that miss their target say so.

$(machine)
$(busy_note)

END
    bench_part
    inproc_part
    service_part
    scan_part
}

load_before=$(cut -d ' ' -f 1 /proc/loadavg)
cp /proc/stat "$work/stat_before"
measure
cp /proc/stat "$work/stat_after"
load_after=$(cut -d ' ' -f 1 /proc/loadavg)
steal=$(steal_percent "$work/stat_before" "$work/stat_after")
page >"$work/RESULTS.md"
mv "$work/RESULTS.md" "$results"
say "wrote $results"
