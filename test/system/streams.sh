#!/bin/sh
# What the program prints must not get lost in silence: streams.sh MEMOIZER
set -u
memoizer=$1
failed=0

# expect STATUS WHAT: the status of the last command.
expect() {
    got=$?
    [ "$got" -eq "$1" ] && return
    echo "$2: status $got, expected $1"
    failed=1
}

for words in --help --version '--bench 1'; do
    # shellcheck disable=SC2086 # a list of words
    "$memoizer" $words >/dev/null
    expect 0 "$words"
    # shellcheck disable=SC2086
    said=$("$memoizer" $words 2>&1 >/dev/full)
    expect 1 "$words to a full device"
    case $said in
    "memoizer: cannot write to stdout: "*) ;;
    *)
        echo "$words to a full device said: $said"
        failed=1
        ;;
    esac
    # shellcheck disable=SC2086 # closed: /dev/null takes its place
    "$memoizer" $words >&- 2>&- <&-
    expect 0 "$words without any stream"
done
exit "$failed"
