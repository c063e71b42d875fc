#!/usr/bin/env bash
# Runs one fuzz target for FUZZ_SECONDS (60) seconds:
#   run.sh TARGET NEW_FINDS CORPUS...
# NEW_FINDS is a directory of the build for inputs that reach new code, and for
# the one that fails; the corpora and DICT, a file of words, are only read.
# FUZZ_ARGS are more arguments for libFuzzer, separated by blanks.
# FUZZ_SEED repeats a run on a fresh NEW_FINDS.
set -euo pipefail

target=$1
finds=$2
shift 2
name=$(basename "$target")
seconds=${FUZZ_SECONDS:-60}
seed=${FUZZ_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

echo "$name: seed $seed, budget $seconds s"
mkdir -p "$finds"
log=$finds.log
status=0
# The limit on memory counts what the address sanitizer holds back.
ASAN_OPTIONS=quarantine_size_mb=32${ASAN_OPTIONS:+:$ASAN_OPTIONS} \
    "$target" -seed="$seed" -max_total_time="$seconds" -max_len=1024 \
    -timeout=1 -rss_limit_mb=512 -print_final_stats=1 \
    -artifact_prefix="$finds-failed-" ${DICT:+-dict="$DICT"} \
    ${FUZZ_ARGS:-} "$finds" "$@" >"$log" 2>&1 || status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ "$status" != 0 ]; then
    tail -n 40 "$log"
    echo "$name: FAILED after ${runs:-?} runs, seed $seed, log $log"
    exit 1
fi
echo "$name: no failure in $runs runs, $seconds s, seed $seed"
