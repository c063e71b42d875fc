#!/usr/bin/env bash
# play.sh RUNNER DOCUMENT DIR - plays every example of a Markdown document
# against a fresh server each, with the transcript_runner RUNNER. The examples
# are written into DIR.
#
# Which blocks are examples (examples.awk):
#   ```transcript            in the language of test/transcripts/README.md
#   a block that opens       a session as it looks in a terminal: lines that
#   with "$ nc "             begin with { and have "s" are sent, the others
#                            come back
# Any other line that could be taken for a request is a fault: no example may
# go without a test. So is a document without an example.
set -euo pipefail
runner=$1
document=$2
dir=$3
here=$(dirname "${BASH_SOURCE[0]}")

rm -rf "$dir"
mkdir -p "$dir"
failed=0
awk -v document="$document" -v dir="$dir" -f "$here/examples.awk" \
    "$document" || failed=1

count=0
for example in "$dir"/*.t; do
    [ -e "$example" ] || continue
    count=$((count + 1))
    # An example has its lines where the document has them.
    "$runner" "$example" 2>&1 | sed "s|^$example:|$document:|" || failed=1
done
echo "$document: $count examples"
[ "$count" -gt 0 ] && exit $failed
