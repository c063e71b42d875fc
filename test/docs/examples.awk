# examples.awk - writes the examples of a Markdown document into dir/NN.t; see
# play.sh. Each is preceded by as many empty lines as stand above it in the
# document, so that the runner's complaints name the document's lines.

function fault(line, what) {
    printf "%s:%d: %s\n", document, line, what >"/dev/stderr"
    failed = 1
}

# The ``` or ~~~ that text begins with, "" if there is none.
function fence_of(text) {
    sub(/^[ \t]+/, "", text)
    return match(text, /^(```+|~~~+)/) ? substr(text, 1, RLENGTH) : ""
}

function closes(text) {
    return index(fence_of(text), fence) == 1 && text ~ /^[ \t]*[`~]+[ \t]*$/
}

function is_request(text) {
    return text ~ /^[ \t]*[{].*"s"[ \t]*:/
}

function begin_example() {
    file = sprintf("%s/%02d.t", dir, ++examples)
    requests = 0
    for (i = 1; i <= begin; i++)
        print "" >file
}

function end_example() {
    if (requests == 0)
        fault(begin, "an example without a request")
    close(file)
}

function put_transcript(text) {
    sub("^" indent, "", text)
    if (text ~ /^>/)
        requests++
    print text >file
}

# Seconds left are what they are: any number will do for them.
function put_session(text) {
    gsub(/\\/, "&&", text)
    if (is_request(text)) {
        requests++
        print "> " text >file
    } else if (text ~ /^[{].*"ttl":[0-9]/) {
        gsub(/"ttl":[0-9.]+/, "\"ttl\":\"#\"", text)
        print "<json " text >file
    } else {
        print "< " text >file
    }
}

# Outside of blocks a request may stand in the middle of a line, as `code`.
!fence && fence_of($0) == "" {
    text = $0
    sub(/^[> \t]+/, "", text)
    if (is_request(text))
        fault(NR, "a request that no test plays: put it into a transcript block")
    next
}

!fence {
    fence = fence_of($0)
    begin = NR
    match($0, /^[ \t]*/)
    indent = substr($0, 1, RLENGTH)
    kind = substr($0, RLENGTH + length(fence) + 1)
    sub(/^[ \t]+/, "", kind)
    sub(/[ \t].*$/, "", kind)
    if (kind == "transcript")
        begin_example()
    next
}

closes($0) {
    if (kind == "transcript" || kind == "a session")
        end_example()
    fence = ""
    next
}

kind == "transcript" { put_transcript($0); next }

kind == "a session" { put_session($0); next }

NR == begin + 1 && /^\$ nc / {
    kind = "a session"
    begin_example()
    print "" >file
    next
}

/"s"[ \t]*:[ \t]*"/ {
    fault(NR, "a request that no test plays: call its block transcript")
}

END {
    if (fence)
        fault(begin, "a block without its end")
    exit failed
}
