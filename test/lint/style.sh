#!/usr/bin/env bash
# style.sh SOURCE_DIR - what clang-format does not see: the licence line, tabs,
# width. The soft limits of CONTRIBUTING.md are printed and fail nothing.
set -euo pipefail
cd "$1"
export LC_ALL=C.UTF-8 # columns are characters

readarray -t files < <(find src test benchmarks -name '*.[ch]' | sort)
[ "${#files[@]}" -gt 0 ]

failed=0
none() { # none WHAT PATTERN: the pattern occurs nowhere
    if grep -nHP -- "$2" "${files[@]}" >&2; then
        echo "^ $1" >&2
        failed=1
    fi
}
none "a tab" '\t'
none "wider than 80 columns" '^.{81,}'
none "blanks at the end of a line" ' +$'

awk '
FNR == 1 { end_file(); file = FILENAME; begin = 0 }
FNR == 1 && $0 != "/* SPDX-License-Identifier: MIT" {
    print file ": the first line is not the licence\047s" > "/dev/stderr"
    failed = 1
}
{ lines = FNR }
/^[A-Za-z_].*\(/ { name = $0 }
/^{/ { begin = FNR }
/^}/ && begin {
    if (FNR - begin - 1 > 60)
        printf "soft limit: %s:%d: %s has %d lines\n", file, begin, name,
            FNR - begin - 1
    begin = 0
}
END { end_file(); exit failed }
function end_file() {
    if (file != "" && lines > (file ~ /\.h$/ ? 250 : 600))
        printf "soft limit: %s has %d lines\n", file, lines
}' "${files[@]}" || failed=1
echo "${#files[@]} files"
exit $failed
