#!/usr/bin/env bash
# coverage.sh BUILD_DIR - what the tests that ran in BUILD_DIR (configured with
# MEMOIZER_COVERAGE) covered of src: a line a file and the totals. Fails below
# 90 % of the lines of src, or 90 % of the branches of src/wire or src/store.
#
# The branches of must() are left out: the one that aborts cannot be taken.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
case "$("$compiler" --version | head -n 1)" in
*clang*) gcov="llvm-cov gcov" ;;
*) gcov=gcov ;;
esac

report=$(mktemp)
trap 'rm -f "$report"' EXIT
gcovr --root . --filter 'src/' --gcov-executable "$gcov" \
    --exclude-unreachable-branches \
    --exclude-branches-by-pattern '.*\bmust\(.*' \
    --csv "$report" "$build" >/dev/null

# filename,line_total,line_covered,line_percent,branch_total,branch_covered,...
awk -F, '
function percent(covered, total) { return total ? 100 * covered / total : 100 }
function show(name, lt, lc, bt, bc) {
    printf "%-32s %5d / %5d  %5.1f %%   %5d / %5d  %5.1f %%\n", name,
        lc, lt, percent(lc, lt), bc, bt, percent(bc, bt)
}
function want(name, what, covered, total) {
    if (total == 0) {
        printf "%s: nothing was measured\n", name
        failed = 1
    } else if (percent(covered, total) < 90) {
        printf "%s: %.1f %% of the %s, 90 %% are wanted\n", name,
            percent(covered, total), what
        failed = 1
    }
}
NR == 1 { printf "%-32s %23s   %23s\n", "", "lines", "branches"; next }
{
    show($1, $2, $3, $5, $6)
    split($1, path, "/")
    layer = path[1] "/" path[2]
    if (!(layer in lt))
        order[++layers] = layer
    lt[layer] += $2; lc[layer] += $3; bt[layer] += $5; bc[layer] += $6
    all_lt += $2; all_lc += $3; all_bt += $5; all_bc += $6
}
END {
    print ""
    for (i = 1; i <= layers; i++) {
        layer = order[i]
        show(layer, lt[layer], lc[layer], bt[layer], bc[layer])
    }
    show("src", all_lt, all_lc, all_bt, all_bc)
    want("src", "lines", all_lc, all_lt)
    want("src/wire", "branches", bc["src/wire"], bt["src/wire"])
    want("src/store", "branches", bc["src/store"], bt["src/store"])
    exit failed
}' "$report"
