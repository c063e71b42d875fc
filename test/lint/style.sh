#!/usr/bin/env bash
# style.sh SOURCE_DIR - what clang-format does not see: the licence line, tabs,
# width. The soft limits of CONTRIBUTING.md are printed and fail nothing.
set -euo pipefail
cd "$1"
export LC_ALL=C.UTF-8 # columns are characters

failed=0
none() { # none WHAT PATTERN FILE: the pattern occurs nowhere
    if grep -nHP -- "$2" "$3" >&2; then
        echo "^ $1" >&2
        failed=1
    fi
}

# "file:line: name has N lines" for functions of more than 60.
long_functions() {
    awk '
    /^[A-Za-z_].*\(/ { name = $0 }
    /^{/ { begin = FNR }
    /^}/ && begin {
        if (FNR - begin - 1 > 60)
            printf "%s:%d: %s has %d lines\n", FILENAME, begin, name,
                FNR - begin - 1
        begin = 0
    }' "$1"
}

count=0
while read -r file; do
    count=$((count + 1))
    none "a tab" '\t' "$file"
    none "wider than 80 columns" '^.{81,}' "$file"
    none "blanks at the end of a line" ' +$' "$file"
    [ "$(head -n 1 "$file")" = "/* SPDX-License-Identifier: MIT" ] || {
        echo "$file: the first line is not the licence's" >&2
        failed=1
    }
    limit=600
    [ "${file%.h}" = "$file" ] || limit=250
    lines=$(wc -l <"$file")
    [ "$lines" -le $limit ] || echo "soft limit: $file has $lines lines"
    long_functions "$file" | sed 's/^/soft limit: /'
done < <(find src test benchmarks -name '*.[ch]' | sort)
echo "$count files"
[ "$count" -gt 0 ] && exit $failed
