# Sourced by the tests in shell: compares what a command prints, counts what is
# wrong, goes on. Ends with the number of faults.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0
checks=0

fault() {
    echo "FAILED $1: wanted '$2', got '$3'" >&2
    faults=$((faults + 1))
}
# want WHAT OUTPUT COMMAND...: it prints exactly this.
want() {
    local what=$1 wanted=$2 got
    shift 2
    got=$("$@" 2>&1) || true
    checks=$((checks + 1))
    [ "$got" = "$wanted" ] || fault "$what" "$wanted" "$got"
}
# has WHAT REGEX COMMAND...: a line of its output matches.
has() {
    local what=$1 wanted=$2 got
    shift 2
    got=$("$@" 2>&1) || true
    checks=$((checks + 1))
    grep -qE -- "$wanted" <<<"$got" || fault "$what" "$wanted" "$got"
}
done_checking() {
    echo "$checks checks, $faults faults"
    [ "$faults" -eq 0 ]
}
