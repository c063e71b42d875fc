#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# runner.py - plays golden files against memoizer, and against redis-server
# where it is installed, and wants the bytes that they have. Where memoizer is
# meant to answer otherwise than Redis, differences.txt says so; any other
# difference is a failure, and so is a row of it that is not true.
#
# Ends with 0: all was played; 77: some sections were left out, since memoizer
# does not serve a command of theirs yet; 1: a failure.
import argparse
import os
import re
import sys
import time

import script
import servers
import talk

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77

# How a section is sent. Redis is only asked in the first way.
MODES = ("each", "pipeline", "bytes", "lower")


def in_lower_case(word):
    return word.lower() if re.fullmatch(rb"[A-Z][A-Z0-9]+", word) else word


class Player:
    """Plays one section on one server, in one protocol and mode."""

    def __init__(self, server, protocol, mode, judge):
        self.server, self.protocol, self.mode = server, protocol, mode
        self.judge, self.talks, self.now = judge, {}, None
        self.patience_s = 10
        seconds = int(time.time())
        self.values = {"s": seconds, "ms": seconds * 1000}

    def open(self, name):
        if name not in self.talks:
            opened = talk.Talk(self.server)
            if self.protocol == "3":
                reply = opened.ask("HELLO", "3")
                assert reply.startswith(b"%"), f"HELLO 3: {reply!r}"
            self.talks[name] = opened
        self.now = self.talks[name]

    def bytes_of(self, step):
        if step.kind == ">=":
            return script.literal(step.text, self.values)
        words = script.words(step.text, self.values)
        if self.mode == "lower":
            words = [in_lower_case(w) for w in words]
        return talk.encode(words)

    def batches(self, steps):
        """Steps that are sent before a reply is read."""
        batch = []
        for step in steps:
            plain = step.kind in (">", ">=")
            if batch and not (plain and self.mode == "pipeline"):
                yield batch
                batch = []
            batch.append(step)
            if not plain:
                yield batch
                batch = []
        if batch:
            yield batch

    def play(self, section):
        try:
            self.open("A")
            for step in section.steps:
                assert step.kind in ("on", "eof") or step.silent or \
                    step.wanted(self.protocol), f"{step.where}: no reply wanted"
            for batch in self.batches(section.steps):
                self.play_batch(batch)
            for name in self.talks:
                self.nothing_left(section, name)
        finally:
            for opened in self.talks.values():
                opened.close()

    def play_batch(self, batch):
        kind = batch[0].kind
        if kind == "on":
            self.open(batch[0].text)
        if kind == "eof":
            got = self.now.reply()
            assert got == b"", f"{batch[0].where}: no end, but {got!r}"
            self.now.close()
            for name in [n for n, t in self.talks.items() if t is self.now]:
                del self.talks[name]
        if kind == "~>":
            self.play_until(batch[0])
        if kind in (">", ">="):
            data = b"".join(self.bytes_of(s) for s in batch)
            if self.mode == "bytes":
                self.now.send_bytes(data)
            else:
                self.now.send(data)
        if kind != "~>":
            for step in batch:
                for want in step.wanted(self.protocol):
                    self.judge(self, step, want, self.reply_to(step))

    def reply_to(self, step):
        try:
            return self.now.reply()
        except AssertionError as e:
            raise AssertionError(f"{step.where}: {e}") from None

    def play_until(self, step):
        (want,) = step.wanted(self.protocol)

        def asked():
            self.now.send(self.bytes_of(step))
            return script.matches(*want, self.now.reply(), self.values)
        assert talk.until(self.patience_s, asked), \
            f"{step.where}: never {want[1]}"

    def nothing_left(self, section, name):
        """A ping is answered next: one reply a command, no more."""
        got = self.talks[name].ask("PING", "the end")
        assert got.endswith(b"the end\r\n") or \
            got.startswith((b"-NOAUTH", b"+QUEUED")), \
            f"connection {name} has one more reply: {script.show(got)}"


class Run:
    def __init__(self, golden, differences, served):
        self.golden, self.differences, self.served = golden, differences, served
        self.failures = {}  # text to the modes that it came in
        self.played, self.skipped, self.patience_s = 0, {}, 10

    def judge(self, player, step, want, reply):
        pattern, text = want
        key = (self.golden.name, player.protocol, step.text)
        row = self.differences.get(key)
        if row and row.redis == want:
            row.used.add(player.protocol)
            if player.server.name == "memoizer":
                pattern, text = row.memoizer
        # Errors tell names back as they came.
        loose = player.mode == "lower" and reply.startswith(b"-")
        if not script.matches(pattern, text, reply, player.values, loose):
            note = " (differences.txt)" if row and row.redis == want else ""
            failure = (f"{step.where}: {player.server.name}, "
                       f"RESP{player.protocol}: {step.kind} "
                       f"{step.text[:200]}\n"
                       f"  wanted {text[:400]}{note}\n"
                       f"  got    {script.show(reply)[:400]}")
            self.failures.setdefault(failure, []).append(player.mode)

    def left_out(self, section, mode):
        return mode in self.golden.skips or mode in section.skips

    def play(self, server, modes):
        for section in self.golden.sections:
            missing = section.commands() - self.served
            if server.name == "memoizer" and missing:
                self.skipped[section.name] = missing
                continue
            for mode in modes:
                if self.left_out(section, mode):
                    continue
                for protocol in self.golden.protocols:
                    empty(server)
                    player = Player(server, protocol, mode, self.judge)
                    player.patience_s = self.patience_s
                    self.play_one(player, section)

    def play_one(self, player, section):
        self.played += 1
        try:
            player.play(section)
        except AssertionError as e:
            failure = (f"{self.golden.name}: {player.server.name}, "
                       f"RESP{player.protocol}, {section.name}: {e}")
            self.failures.setdefault(failure, []).append(player.mode)


def empty(server):
    """Removes all keys: memoizer by its own protocol."""
    s = server.connect()
    if server.name == "redis":
        s.sendall(b"FLUSHALL\r\n")
        want = 1
    else:
        s.sendall(b"".join(b'{"s":"select","p":{"db":%d}}\n{"s":"reset"}\n' % db
                           for db in range(16)))
        want = 32
    got = b""
    while got.count(b"\n") < want:
        more = s.recv(4096)
        assert more, "the server closed while its keys were removed"
        got += more
    s.close()


def served_commands(path):
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r"^RESP_COMMAND\((\w+)", file.read(), re.M))


def words_of_options(golden, known):
    """Options as words; None: this memoizer has no such option yet."""
    if known is not None:
        for name, *_ in golden.options:
            if f"--{name} " not in known:
                return None
    return [w for name, *value in golden.options
            for w in (f"--{name}", *value)]


def record(golden, program):
    """Writes what Redis answers behind commands that want no reply yet."""
    heard = {}

    def keep(player, step, want, reply):
        heard.setdefault(step.where, {}).setdefault(
            player.protocol, []).append(script.show(reply))

    wanted = {}
    for section in golden.sections:
        for step in section.steps:
            if step.kind in (">", ">=") and \
                    not (step.wants or step.silent):
                step.wants = [("23", True, "")]
                wanted[step.where] = step
    with servers.redis(program, *words_of_options(golden, None)) as server:
        for section in golden.sections:
            for protocol in golden.protocols:
                empty(server)
                Player(server, protocol, "each", keep).play(section)
    with open(golden.path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    out = []
    for number, line in enumerate(lines, 1):
        out.append(line)
        said = heard.get(f"{golden.name}:{number}", {})
        if f"{golden.name}:{number}" in wanted:
            two, three = said.get("2"), said.get("3")
            if two == three or not two or not three:
                out += [f"< {r}" for r in two or three]
            else:
                out += [f"<2 {r}" for r in two] + [f"<3 {r}" for r in three]
    with open(golden.path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def check_table(differences, folder):
    """Every row of the table belongs to a step of a golden."""
    wanted = {}
    for name in os.listdir(folder):
        if name.endswith(".r"):
            for section in script.Script(os.path.join(folder, name)).sections:
                for step in section.steps:
                    for protocol in "23":
                        wanted.setdefault((name, protocol, step.text), []) \
                            .extend(step.wanted(protocol))
    faults = [f"{row.where}: no golden wants this of Redis"
              for key, row in differences.items()
              if row.redis not in wanted.get(key, ())]
    print("\n".join(faults) or f"{len(differences)} differences, all in use")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memoizer", help="the program")
    parser.add_argument("--redis", default="redis-server", help="the program")
    parser.add_argument("--commands", help="resp_commands.def")
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--patience", type=float, default=10,
                        help="seconds that an event may take")
    parser.add_argument("--record", action="store_true",
                        help="fill in what redis-server answers")
    parser.add_argument("--table", action="store_true",
                        help="check differences.txt only")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()

    differences = script.read_differences(f"{HERE}/differences.txt")
    if args.table:
        return check_table(differences, HERE)
    status = 0
    for path in args.files:
        golden = script.Script(path)
        if args.record:
            record(golden, args.redis)
        else:
            status = max(status, play(golden, differences, args),
                         key=(0, SKIPPED, 1).index)
    return status


def play(golden, differences, args):
    run = Run(golden, differences, served_commands(args.commands))
    run.patience_s = args.patience
    if "memoizer" in golden.servers:
        known = os.popen(f"'{args.memoizer}' --help").read()
        options = words_of_options(golden, known)
        if options is None:
            run.skipped["all"] = {f"--{name}" for name, *_ in golden.options}
        else:
            with servers.memoizer(args.memoizer, *options) as server:
                run.play(server, args.mode or MODES)
    if "redis" in golden.servers:
        version = servers.redis_version(args.redis)
        if not version or not version.startswith("7.0."):
            print(f"{golden.name}: NOT COMPARED with Redis: 7.0 is wanted, "
                  f"found {version or 'none'}")
        else:
            with servers.redis(args.redis,
                               *words_of_options(golden, None)) as server:
                run.play(server, ["each"])
    for failure, modes in list(run.failures.items())[:30]:
        print(f"FAILED {failure}\n  when sent as: {', '.join(modes)}")
    for name, missing in run.skipped.items():
        print(f"SKIPPED {golden.name}: {name}: not served yet: "
              f"{' '.join(sorted(missing))}")
    print(f"{golden.name}: {run.played} plays, {len(run.failures)} failures, "
          f"{len(run.skipped)} of {len(golden.sections)} sections skipped")
    if run.failures:
        return 1
    return SKIPPED if run.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
