#!/usr/bin/env bash
# can_fail.sh SOURCE_DIR COMPILER [FLAG...] - plants one fault at a time into a
# copy of the tree and wants the lint that is for it to fail and to name it.
set -euo pipefail
root=$1
shift
lint=$root/test/lint
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

failed=0
# planted LINT WORD [ARGUMENT...]: LINT fails on the copy and prints WORD.
planted() {
    local name=$1 word=$2 out
    shift 2
    if out=$(bash "$lint/$name.sh" "$copy" "$@" 2>&1); then
        echo "$name.sh does not see: $word" >&2
        failed=1
    elif ! grep -qF -- "$word" <<<"$out"; then
        echo "$name.sh fails without naming: $word" >&2
        failed=1
    fi
}
fresh() {
    rm -rf "${copy:?}"/*
    mkdir "$copy/test" "$copy/benchmarks"
    cp -r "$root/src" "$root/docs" "$root/README.md" "$copy"
    cp -r "$root/test/support" "$root/test/clients" "$copy/test"
}

fresh
echo '#include "wire/scan.h"' >>"$copy/src/store/store.c"
planted layers 'store may not include wire/scan.h'
fresh
mkdir "$copy/src/extra"
planted layers 'src/extra/ is not in the table'
fresh
echo '#include "table.h"' >>"$copy/src/store/store.c"
planted layers 'is not written as "layer/file"'
fresh
echo '#include <jansson.h>' >>"$copy/src/store/store.c"
planted layers 'jansson is for'
fresh
echo 'int x;' >"$copy/src/util.c"
planted layers 'src/util.c belongs into a layer'

fresh
printf '#pragma once\nvoid f(size_t n);\n' >"$copy/src/base/planted.h"
planted headers 'src/base/planted.h does not compile alone' "$@"
fresh
echo 'struct planted { int x; };' >"$copy/src/base/planted.h"
planted headers 'src/base/planted.h does not compile alone' "$@"

fresh
printf '\tint x;\n' >>"$copy/src/base/buf.c"
planted style 'a tab'
fresh
printf '/* %080d */\n' 0 >>"$copy/src/base/buf.h"
planted style 'wider than 80 columns'
fresh
printf 'int x; \n' >>"$copy/src/base/buf.c"
planted style 'blanks at the end'
fresh
echo 'int x;' >"$copy/src/base/planted.c"
planted style 'src/base/planted.c: the first line'

fresh
echo 'OPTION(x, "x-y", 0, SIZE, "1", 0, 0, "X", "x")' \
    >>"$copy/src/config/options.def"
planted docs 'README.md: no table has --x-y'
planted docs 'OPERATIONS.md: no table has --x-y'
fresh
sed -i 's/"9091"/"9092"/' "$copy/src/config/options.def"
planted docs 'the default of --port is not'
fresh
echo 'COMMAND(X, "planted", 0, 0, 0)' >>"$copy/src/wire/commands.def"
planted docs 'docs/PROTOCOL.md: no row of section 4'
fresh
sed -i 's/ACL CLUSTER/CLUSTER/; s/`client_ruby`/`client_rubi`/' \
    "$copy/docs/REDIS.md"
planted docs 'docs/REDIS.md: ACL is not in both'
planted docs 'docs/REDIS.md: there is no test client_rubi'
fresh
echo '[x](docs/NOWHERE.md#part)' >>"$copy/README.md"
planted docs 'README.md: docs/NOWHERE.md does not exist'
exit $failed
