# SPDX-License-Identifier: MIT
#
# servers.py - memoizer or redis-server as a child, for the tests with the
# Redis protocol. Ports are picked by the kernel; redis-server listens on a
# socket in a directory of its own. Waiting is for the line that says "ready",
# with a deadline. A child dies with the test.
import contextlib
import ctypes
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

DEADLINE_S = 20


def _die_with_parent():
    """Between fork and exec: SIGTERM when the test ends in any way."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def start(words, **more):
    """A child that does not see the MEMOIZER_ variables of the environment."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("MEMOIZER_")}
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, env=env, preexec_fn=_die_with_parent,
        **more)


def await_line(child, pattern):
    """Reads its standard output to the first match; returns the match."""
    deadline = time.monotonic() + DEADLINE_S
    got = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([child.stdout], [], [], left)[0]:
            raise AssertionError(f"no {pattern!r} in time, only {got!r}")
        piece = os.read(child.stdout.fileno(), 4096)
        if not piece:
            raise AssertionError(f"it ended, and said only {got!r}")
        got += piece
        found = re.search(pattern, got)
        if found:
            return found


def stop(child):
    """Ends it with SIGTERM; its exit status."""
    if child.poll() is None:
        child.terminate()
    try:
        return child.wait(DEADLINE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        raise AssertionError("it does not end after SIGTERM") from None
    finally:
        child.stdout.close()


class Server:
    """Where a server listens, and how to reach it."""

    def __init__(self, name, child, address):
        self.name, self.child, self.address = name, child, address

    @property
    def port(self):
        return self.address[1]

    def connect(self):
        if isinstance(self.address, str):
            s = socket.socket(socket.AF_UNIX)
        else:
            s = socket.socket()
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        s.settimeout(DEADLINE_S)
        s.connect(self.address)
        return s


@contextlib.contextmanager
def memoizer(program, *options):
    """A memoizer on 127.0.0.1 that must end with status 0."""
    child = start([program, "--bind", "127.0.0.1", "--port", "0", *options],
                  stdout=subprocess.PIPE)
    try:
        port = await_line(child, rb"listening on \S*?:(\d+)\s")[1]
        yield Server("memoizer", child, ("127.0.0.1", int(port)))
        assert child.poll() is None, f"it ended: status {child.returncode}"
    except BaseException:
        child.kill()
        stop(child)
        raise
    status = stop(child)
    assert status == 0, f"memoizer ended with status {status}"


@contextlib.contextmanager
def redis(program, *options):
    """A redis-server that keeps nothing on the disk."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "redis.sock")
    child = start([program, "--port", "0", "--unixsocket", path, "--save", "",
                   "--dir", folder, *options], stdout=subprocess.PIPE)
    try:
        await_line(child, rb"(?i)ready to accept connections")
        yield Server("redis", child, path)
    finally:
        stop(child)
        shutil.rmtree(folder, ignore_errors=True)


def redis_version(program):
    """'7.0.15', or None when there is no such program."""
    if not program or not shutil.which(program):
        return None
    said = subprocess.run([program, "--version"], capture_output=True,
                          text=True, check=True).stdout
    return re.search(r"v=(\S+)", said)[1]
