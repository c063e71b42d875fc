#!/usr/bin/env bash
# no_examples.sh DIR DOCUMENT... - documents that no test plays have nothing to
# play: neither an example nor what could be taken for one.
set -euo pipefail
dir=$1
shift
here=$(dirname "${BASH_SOURCE[0]}")

failed=0
for document in "$@"; do
    rm -rf "$dir"
    mkdir -p "$dir"
    awk -v document="$document" -v dir="$dir" -f "$here/examples.awk" \
        "$document" || failed=1
    if [ -n "$(ls -A "$dir")" ]; then
        echo "$document: has examples, memoizer_doc_test() would play them" >&2
        failed=1
    fi
done
echo "$# documents"
exit $failed
