#!/usr/bin/env bash
# layers.sh SOURCE_DIR - a folder of src/ includes only what the table under
# "Layers" in docs/DESIGN.md lets it include. The table is read, not repeated:
#   | `config` | job | base | read on |
set -euo pipefail
cd "$1"

failed=0
fault() {
    echo "$1" >&2
    failed=1
}

# "config base" for each row; main.c may include everything and has no row here.
arrows=$(awk -F'|' '
    /^## / { inside = ($0 == "## Layers") }
    inside && $2 ~ /^ *`[a-z]+` *$/ {
        gsub(/[` ]/, "", $2); gsub(/,/, " ", $4); print $2, $4
    }' docs/DESIGN.md)
[ -n "$arrows" ] || fault "docs/DESIGN.md: no table of layers"

for folder in src/*/; do
    layer=$(basename "$folder")
    if ! allowed=$(grep -E "^$layer( |\$)" <<<"$arrows"); then
        fault "$folder is not in the table of docs/DESIGN.md"
        continue
    fi
    # allowed begins with the layer itself
    grep -rnE '^ *# *include *"' "$folder" --include='*.[ch]' |
        awk -v layer="$layer" -v allowed=" $allowed " '
        {
            split($0, quoted, "\"")
            path = quoted[2]
            place = $0
            sub(/: *#.*/, "", place)
            first = path
            sub(/\/.*/, "", first)
            if (path !~ /\//) {
                print place ": \"" path "\" is not written as \"layer/file\""
                failed = 1
            }
            if (index(allowed, " " first " ") == 0) {
                print place ": " layer " may not include " path
                failed = 1
            }
        }
        END { exit failed }' >&2 || failed=1
done

# The tree library stays where JSON is.
while IFS=: read -r file line _; do
    case "$file" in
    src/wire/* | src/service/*) ;;
    *) fault "$file:$line: jansson is for wire and service" ;;
    esac
done < <(grep -rnE '^ *# *include *<jansson' src || true)

# So far only scripts need it, for their SHA1.
while IFS=: read -r file line _; do
    case "$file" in
    src/service/*) ;;
    *) fault "$file:$line: openssl is for service" ;;
    esac
done < <(grep -rnE '^ *# *include *<openssl' src || true)

for file in src/*.[ch]; do
    [ "$file" = src/main.c ] || fault "$file belongs into a layer"
done
exit $failed
