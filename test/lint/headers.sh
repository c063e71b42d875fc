#!/usr/bin/env bash
# headers.sh SOURCE_DIR COMPILER [FLAG...] - every header compiles alone, and
# twice in a row. The flags are those of the build (CMakeLists.txt).
set -euo pipefail
root=$1
shift
cd "$root"

failed=0
count=0
while read -r header; do
    count=$((count + 1))
    printf '#include "%s"\n#include "%s"\n' "$root/$header" "$root/$header" |
        "$@" -fsyntax-only -Wall -Wextra -Werror -Isrc -Itest/support -x c - ||
        {
            echo "$header does not compile alone" >&2
            failed=1
        }
done < <(find src test/support -name '*.h' | sort)
echo "$count headers"
[ "$count" -gt 0 ] && exit $failed
