#!/usr/bin/env bash
# can_fail.sh RUNNER DIR - play.sh must fail on each document in wrong/, and say
# what its first line promises: <!-- fails: MESSAGE -->. no_examples.sh must see
# that they have something to play.
set -euo pipefail
runner=$1
dir=$2
cd "$(dirname "${BASH_SOURCE[0]}")"

failed=0
count=0
for document in wrong/*.md; do
    count=$((count + 1))
    message=$(sed -n '1s/^<!-- fails: \(.*\) -->$/\1/p' "$document")
    if out=$(bash play.sh "$runner" "$document" "$dir" 2>&1); then
        echo "play.sh does not see what is wrong in $document" >&2
        failed=1
    elif [ -z "$message" ] || ! grep -qF -- "$message" <<<"$out"; then
        echo "play.sh fails without the message of $document: $out" >&2
        failed=1
    fi
    if [ "$document" != wrong/nothing.md ] && bash no_examples.sh \
        "$dir" "$document" >/dev/null 2>&1; then
        echo "no_examples.sh sees nothing in $document" >&2
        failed=1
    fi
done
echo "$count documents"
[ "$count" -gt 0 ] && exit $failed
