#!/usr/bin/env bash
# docs.sh SOURCE_DIR - the documents say what the tables of the source say:
# every option with its default, every selector; and relative links lead
# somewhere.
set -euo pipefail
cd "$1"

failed=0
fault() {
    echo "$1" >&2
    failed=1
}

# row FILE NAME [DEFAULT]: a row of a table has --NAME, and `DEFAULT` in it.
row() {
    local found
    if ! found=$(grep -sE "^\|.*--$2([^a-z-]|\$)" "$1"); then
        fault "$1: no table has --$2"
    elif [ $# -gt 2 ] && ! grep -qF "\`$3\`" <<<"$found"; then
        fault "$1: the default of --$2 is not \`$3\`"
    fi
}

options=$(sed -nE 's/^OPTION\([a-z_]+, *"([^"]*)", *[^,]*, *[A-Z]+, *"([^"]*)".*/\1 \2/p' \
    src/config/options.def)
actions=$(sed -nE 's/^ACTION\([A-Z_]+, *"([^"]*)".*/\1/p' src/config/actions.def)
selectors=$(sed -nE 's/^COMMAND\([A-Z]+, *"([^"]*)".*/\1/p' src/wire/commands.def)
[ "$(wc -l <<<"$options")" -eq "$(grep -c '^OPTION(' src/config/options.def)" ] ||
    fault "src/config/options.def has rows that this test cannot read"
[ "$(wc -l <<<"$actions")" -eq "$(grep -c '^ACTION(' src/config/actions.def)" ] ||
    fault "src/config/actions.def has rows that this test cannot read"
[ "$(wc -l <<<"$selectors")" -eq "$(grep -c '^COMMAND(' src/wire/commands.def)" ] ||
    fault "src/wire/commands.def has rows that this test cannot read"

for file in README.md docs/OPERATIONS.md; do
    while read -r name default; do
        row "$file" "$name" "$default"
    done <<<"$options"
    while read -r name; do
        row "$file" "$name"
    done <<<"$actions"
done
while read -r selector; do
    grep -qF "| \`$selector\` |" docs/PROTOCOL.md ||
        fault "docs/PROTOCOL.md: no row of section 4 has \`$selector\`"
done <<<"$selectors"

# docs/REDIS.md lists the commands in the tables of its section, each once, and
# its clients with the name of their test.
commands=$(sed -nE 's/^RESP_COMMAND\(([A-Z_]+),.*/\1/p' \
    src/service/resp_commands.def | sort)
listed=$(sed -n '/^## Commands/,/^###/p' docs/REDIS.md |
    sed -nE 's/^\|[^|]*\| `([A-Z_ ]+)` \|$/\1/p' | tr ' ' '\n' | sort)
while read -r command; do
    fault "docs/REDIS.md: $command is not in both its list and the table"
done < <(comm -3 <(echo "$commands") <(echo "$listed") | tr -d '\t')
while read -r name; do
    grep -qE "memoizer_client_test\($name( |\$)|^foreach\(name .*\<${name#node_}\>" \
        test/clients/CMakeLists.txt ||
        fault "docs/REDIS.md: there is no test client_$name"
done < <(grep -oE '`client_[a-z_]+`' docs/REDIS.md | tr -d '`' |
    sed 's/^client_//' | grep -v '^redis$\|^ioredis$')

while IFS=: read -r file link; do
    target=${link#](}
    target=${target%)}
    target=${target%%#*}
    case "$target" in
    '' | http://* | https://* | mailto:*) continue ;;
    esac
    [ -e "$(dirname "$file")/$target" ] || fault "$file: $target does not exist"
done < <(find . \( -name .git -o -name 'build*' \) -prune -o -name '*.md' \
    -exec grep -oHE '\]\([^) ]+\)' {} +)
exit $failed
