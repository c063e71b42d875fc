# SPDX-License-Identifier: MIT
#
# catalyst.py - Catalyst::Plugin::Session::Store::Redis in a Catalyst
# application (catalyst/) of two processes that share their visitors: login with
# a new id of the session, a counter, bytes, the lives of the keys, logout.
import contextlib
import http.cookiejar
import os
import subprocess
import sys
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "resp"))
import servers  # noqa: E402
import talk  # noqa: E402

PORT = int(os.environ["MEMOIZER_PORT"])
COOKIE = "shop_session"
EXPIRES_S = 1800
# More than the test may take: each life was set by it, and for this long.
TAKES_S = 90
BYTES = bytes(range(256)) * 400 + b"\0\r\n$-1\r\n"
TEXT = "käse, сыр, チーズ, 🧀\0\r\n".encode()

faults = []


def same(wanted, got, what):
    if wanted != got:
        faults.append(what)
        print(f"FAILED {what}: wanted {short(wanted)}, got {short(got)}")


def short(value):
    said = repr(value)
    return said if len(said) < 200 else f"{said[:200]}... ({len(value)})"


@contextlib.contextmanager
def workers(count):
    """The addresses of the application's processes."""
    # Not as MEMOIZER_..., which servers.start keeps from its children.
    os.environ["SHOP_REDIS"] = f"127.0.0.1:{PORT}"
    with contextlib.ExitStack() as stack:
        started = []
        for _ in range(count):
            started.append(servers.start(
                ["perl", os.path.join(HERE, "catalyst", "serve.pl")],
                stdout=subprocess.PIPE))
            stack.callback(servers.stop, started[-1])
        yield [servers.await_line(w, rb"(http://127\.0\.0\.1:\d+)\n")[1]
               .decode() for w in started]


class Visitor:
    def __init__(self):
        # A jar knows no ports: all workers get the cookie, as behind a proxy.
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(self.jar))

    def visit(self, worker, page, posted=None):
        request = urllib.request.Request(f"{worker}/{page}", posted)
        if posted is not None:
            request.add_header("Content-Type", "application/octet-stream")
        with self.opener.open(request, timeout=30) as answer:
            return answer.read()

    @property
    def session(self):
        found = [c.value for c in self.jar if c.name == COOKIE]
        return found[0] if found else None


def stranger(worker, session):
    """What one is told who has only an old cookie."""
    visitor = Visitor()
    visitor.opener.addheaders.append(("Cookie", f"{COOKIE}={session}"))
    return visitor.visit(worker, "whoami")


class Memoizer:
    """As a server that talk.Talk connects to."""
    connect = servers.Server("memoizer", None, ("127.0.0.1", PORT)).connect


def keys_of(session):
    return [f"session:{session}", f"expires:{session}"]


def lives(spy, session, what):
    for key in keys_of(session):
        said = spy.ask("TTL", key)
        life = int(said[1:])
        if not EXPIRES_S - TAKES_S < life <= EXPIRES_S:
            same(f"about {EXPIRES_S} s", said, f"{what}: the life of {key}")


def exist(spy, wanted, session, what):
    same(b":%d\r\n" % wanted, spy.ask("EXISTS", *keys_of(session)), what)


def nobody_yet(a, b, spy):
    visitor = Visitor()
    for worker in a, b:
        same(b"nobody", visitor.visit(worker, "whoami"), "without a session")
    same(None, visitor.session, "nobody's cookie")
    same(b":0\r\n", spy.ask("DBSIZE"), "nobody's keys")


def login(a, b, spy):
    """The session goes on under another id; the old one is over."""
    visitor = Visitor()
    same(b"%d" % len(BYTES), visitor.visit(a, "keep", BYTES), "keep")
    before = visitor.session
    exist(spy, 2, before, "the keys before login")
    lives(spy, before, "before login")
    same(b"welcome", visitor.visit(a, "login?user=ann"), "login")
    same(True, visitor.session not in (None, before), "login: another id")
    exist(spy, 0, before, "the old keys after login")
    exist(spy, 2, visitor.session, "the keys after login")
    lives(spy, visitor.session, "after login")
    for worker in a, b:
        same(b"ann", visitor.visit(worker, "whoami"), "after login")
        same(b"nobody", stranger(worker, before), "the cookie before login")
    return visitor


def values(a, b, visitor):
    same(BYTES, visitor.visit(b, "bytes"), "bytes from before login")
    same(b"%d" % len(TEXT), visitor.visit(b, "keep", TEXT), "keep")
    same(TEXT, visitor.visit(a, "bytes"), "UTF-8 as bytes")
    same(TEXT, visitor.visit(a, "text"), "UTF-8 as characters")
    same(list(range(1, 21)),
         [int(visitor.visit((a, b)[n % 2], "counter")) for n in range(20)],
         "the counter by turns")


def second(a, b, visitor):
    other = Visitor()
    same(b"1", other.visit(b, "counter"), "somebody else's counter")
    same(b"welcome", other.visit(b, "login?user=bob"), "second login")
    same(True, other.session != visitor.session, "somebody else's id")
    for worker in a, b:
        same(b"bob", other.visit(worker, "whoami"), "the second user")
        same(b"ann", visitor.visit(worker, "whoami"), "the first user")
    same(b"2", other.visit(a, "counter"), "somebody else's counter, kept")
    same(b"21", visitor.visit(a, "counter"), "the first counter, kept")
    return other


def logout(a, b, spy, visitor, other):
    session = visitor.session
    same(b"ann", stranger(a, session), "the cookie before logout")
    same(b"bye", visitor.visit(b, "logout"), "logout")
    exist(spy, 0, session, "the keys after logout")
    for worker in a, b:
        same(b"nobody", stranger(worker, session), "the cookie after logout")
        same(b"nobody", visitor.visit(worker, "whoami"), "after logout")
        same(b"bob", other.visit(worker, "whoami"), "who stays")
    exist(spy, 2, other.session, "the keys of who stays")
    lives(spy, other.session, "who stays")
    same(b":2\r\n", spy.ask("DBSIZE"), "nothing else is left")


spy = talk.Talk(Memoizer)
same(b"+OK\r\n", spy.ask("SELECT", "1"), "select")
with workers(2) as (a, b):
    nobody_yet(a, b, spy)
    ann = login(a, b, spy)
    values(a, b, ann)
    bob = second(a, b, ann)
    logout(a, b, spy, ann, bob)
if faults:
    sys.exit(1)
print("Catalyst's sessions: well")
