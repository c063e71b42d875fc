# SPDX-License-Identifier: MIT
#
# script.py - reads golden files (*.r) and the table of differences. README.md
# has the format.
import re


class Mistake(Exception):
    """The file cannot be read."""


class Step:
    """A command (or raw bytes, or the end) and the replies that it wants."""

    def __init__(self, kind, text, where):
        self.kind, self.text, self.where = kind, text, where
        self.wants = []  # of (protocols, is pattern, text)
        self.silent = False  # "<-": there is no reply

    def wanted(self, protocol):
        return [(pattern, text) for protocols, pattern, text in self.wants
                if protocol in protocols]


    def refused(self):
        """Wants to be told that there is no such command."""
        return any("-ERR unknown command" in want[2] for want in self.wants)


class Section:
    def __init__(self, name):
        self.name, self.steps = name, []
        self.needs, self.skips = None, {}

    def commands(self):
        """The names of the commands that it cannot be played without."""
        if self.needs is not None:
            return self.needs
        return {words(s.text, None)[0].decode().upper() for s in self.steps
                if s.kind in (">", "~>") and not s.refused()}


class Script:
    def __init__(self, path):
        self.path, self.name = path, path.rsplit("/", 1)[-1]
        self.options, self.skips, self.sections = [], {}, []
        self.protocols, self.servers = "23", ("memoizer", "redis")
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    self._line(line.rstrip("\n"), f"{self.name}:{number}")
                except (ValueError, IndexError) as e:
                    raise Mistake(f"{self.name}:{number}: {e}") from e

    def _line(self, line, where):
        word, _, rest = line.partition(" ")
        section = self.sections[-1] if self.sections else None
        if not line or line.startswith("#"):
            return
        if word == "==":
            self.sections.append(Section(rest))
        elif word == "skip":
            mode, _, reason = rest.partition(" ")
            (section or self).skips[mode] = reason
        elif section is None and word == "option":
            self.options.append(tuple(rest.split(" ")))
        elif section is None and word == "protocol":
            self.protocols = rest
        elif section is None and word == "only":
            self.servers = (rest,)
        elif section is None:
            raise ValueError(f"no section yet for {line!r}")
        elif word == "needs":
            section.needs = set(rest.split()) - {"-"}
        elif word in (">", "~>", ">=", "on", "eof"):
            section.steps.append(Step(word, rest, where))
        elif word == "<-":
            section.steps[-1].silent = True
        elif re.fullmatch("<[23]?~?", word):
            protocols = re.sub("[<~]", "", word) or "23"
            section.steps[-1].wants.append((protocols, "~" in word, rest))
        else:
            raise ValueError(f"what is {word!r}?")


ESCAPES = {"r": b"\r", "n": b"\n", "t": b"\t", "\\": b"\\", '"': b'"'}


def expand(text, values, quote=None):
    """Replaces \\{...}: \\{x*70000}, and \\{s+10} from values."""
    def one(found):
        inside = found[1]
        times = re.fullmatch(r"(.*)\*(\d+)", inside)
        if times:
            out = times[1] * int(times[2])
        else:
            name, plus = re.fullmatch(r"(\w+)([+-]\d+)?", inside).groups()
            out = str((values or {}).get(name, 0) + int(plus or 0))
        return quote(out) if quote else out
    return re.sub(r"\\\{(.*?)\}", one, text)


def unescape(text):
    out, at = [], 0
    while at < len(text):
        if text[at] != "\\":
            out.append(text[at].encode())
        elif text[at + 1] == "x":
            out.append(bytes([int(text[at + 2:at + 4], 16)]))
            at += 3
        elif text[at + 1] in ESCAPES:
            out.append(ESCAPES[text[at + 1]])
            at += 1
        else:
            raise ValueError(f"no such escape: {text[at:at + 2]!r}")
        at += 1
    return b"".join(out)


def words(text, values):
    """The words of a command line: blanks part them, "..." keeps blanks."""
    found = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', expand(text, values))
    return [unescape(quoted or bare) for quoted, bare in found]


def literal(text, values):
    return unescape(expand(text, values))


def matches(pattern, text, reply, values, any_case=False):
    """Whether a reply is this text, or as a whole fits this pattern."""
    if pattern:
        regex = expand(text, values, re.escape).encode()
        flags = re.IGNORECASE if any_case else 0
        return re.fullmatch(regex, reply, flags) is not None
    wanted = literal(text, values)
    return reply == wanted or (any_case and reply.lower() == wanted.lower())


def show(reply):
    """Bytes as a golden has them."""
    out = []
    for byte in reply:
        char = chr(byte)
        if char in "\r\n\t\\":
            out.append({"\r": "\\r", "\n": "\\n", "\t": "\\t",
                        "\\": "\\\\"}[char])
        elif 32 <= byte < 127:
            out.append(char)
        else:
            out.append(f"\\x{byte:02x}")
    return "".join(out)


class Difference:
    def __init__(self, file, protocols, command, where):
        self.file, self.protocols, self.command = file, protocols, command
        self.where, self.redis, self.memoizer = where, None, None
        self.reason, self.used = None, set()


def read_differences(path):
    """The rows by (file, protocol, command)."""
    rows, row = {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line, where = line.rstrip("\n"), f"differences.txt:{number}"
            head = re.fullmatch(r"(\S+[.]r) ([23]+) > (.*)", line)
            word, _, rest = line.partition(" ")
            rest = rest.lstrip()
            if not line or line.startswith("#"):
                continue
            if head:
                row = Difference(*head.groups(), where)
                for protocol in row.protocols:
                    key = (row.file, protocol, row.command)
                    if key in rows:
                        raise Mistake(f"{where}: stands there twice")
                    rows[key] = row
            elif row and word in ("redis", "redis~"):
                row.redis = (word.endswith("~"), rest)
            elif row and word in ("memoizer", "memoizer~"):
                row.memoizer = (word.endswith("~"), rest)
            elif row and word == "reason":
                row.reason = rest
            else:
                raise Mistake(f"{where}: what is {line!r}?")
    for row in rows.values():
        if not (row.redis and row.memoizer and row.reason):
            raise Mistake(f"{row.where}: wants redis, memoizer and reason")
    return rows
