#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# run.py [--servers N] [--env NAME=VALUE] [--need WHAT: COMMAND] MEMOIZER -- COMMAND...
#
# Runs a real client against the built program: starts memoizer on a port that
# the kernel picks, and COMMAND with MEMOIZER_PORT (and MEMOIZER_PORTS, when
# there are several servers). The test passes when COMMAND ends with 0 in time
# and the servers end well. When a command of --need fails the client is not
# there: says "SKIPPED" with the reason and ends with 77.
import argparse
import contextlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "resp"))
import servers  # noqa: E402

DEADLINE_S = 60  # generous: a busy machine, sanitizers


def missing(needs):
    for need in needs:
        what, _, command = need.partition(": ")
        tried = subprocess.run(["sh", "-c", command], capture_output=True,
                               check=False, cwd=HERE)
        if tried.returncode:
            return f"{what} ({command}: status {tried.returncode})"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--need", action="append", default=[])
    parser.add_argument("memoizer")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()

    lacks = missing(args.need)
    if lacks:
        print(f"SKIPPED: it needs {lacks}")
        return 77
    with contextlib.ExitStack() as stack:
        started = [stack.enter_context(servers.memoizer(args.memoizer))
                   for _ in range(args.servers)]
        ports = [str(s.port) for s in started]
        env = dict(os.environ, MEMOIZER_PORT=ports[0],
                   MEMOIZER_PORTS=" ".join(ports))
        # A group of its own, so that what it starts ends with it.
        child = subprocess.Popen(args.command, env=env, cwd=HERE,
                                 start_new_session=True)
        try:
            status = child.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            print(f"FAILED: not done after {DEADLINE_S} s")
            status = 1
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, 9)
            child.wait()
    return 0 if status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
