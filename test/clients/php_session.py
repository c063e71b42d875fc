# SPDX-License-Identifier: MIT
#
# php_session.py - phpredis's session handler with locking, in PHP's own web
# server with two workers: login, counter, logout; and two requests of one
# visitor at once, of which none is lost.
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "resp"))
import servers  # noqa: E402
import talk  # noqa: E402

PORT = os.environ["MEMOIZER_PORT"]
SETTINGS = {
    "session.save_handler": "redis",
    "session.save_path": f"tcp://127.0.0.1:{PORT}?timeout=10&database=1",
    "session.gc_maxlifetime": "1800",
    "redis.session.locking_enabled": "1",
    "redis.session.lock_expire": "60",
    "redis.session.lock_wait_time": "20000",
    "redis.session.lock_retries": "1000",
    "session.lazy_write": "0",
}


@contextlib.contextmanager
def php():
    words = ["php"]
    for name, value in SETTINGS.items():
        words += ["-d", f'{name}="{value}"']
    os.environ["PHP_CLI_SERVER_WORKERS"] = "3"
    child = servers.start(
        words + ["-S", "127.0.0.1:0", os.path.join(HERE, "php", "index.php")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=False)
    try:
        found = servers.await_line(child, rb"http://127\.0\.0\.1:(\d+)\D")
        yield f"http://127.0.0.1:{int(found[1])}"
    finally:
        servers.stop(child)


class Memoizer:
    """As a server that talk.Talk connects to."""
    @staticmethod
    def connect():
        import socket
        return socket.create_connection(("127.0.0.1", int(PORT)), 20)


def visit(url, cookie=None):
    request = urllib.request.Request(url)
    if cookie:
        request.add_header("Cookie", cookie)
    with urllib.request.urlopen(request, timeout=30) as answer:
        found = re.search("PHPSESSID=[^;]+",
                          answer.headers.get("Set-Cookie") or "")
        return answer.read().decode(), found and found[0]


def same(wanted, got, what):
    assert wanted == got, f"{what}: wanted {wanted!r}, got {got!r}"


def one_after_another(base, spy):
    body, cookie = visit(f"{base}/add")
    same("1", body, "first visit")
    same("2", visit(f"{base}/add", cookie)[0], "second visit")
    same('{"n":2,"binary":"000d0aff"}', visit(f"{base}/show", cookie)[0],
         "what is kept")
    same("1", visit(f"{base}/add")[0], "somebody else")
    key = "PHPREDIS_SESSION:" + cookie.partition("=")[2]
    same(b":1\r\n", spy.ask("EXISTS", key), "the key")
    life = spy.ask("TTL", key)
    assert life in (b":1800\r\n", b":1799\r\n"), life
    same(b":0\r\n", spy.ask("EXISTS", key + "_LOCK"), "the lock is free")
    same("bye", visit(f"{base}/logout", cookie)[0], "logout")
    same(b":0\r\n", spy.ask("EXISTS", key), "the key after logout")


def at_once(base, spy, folder):
    """The first request stands inside of its session until the second, which
    must wait for the lock, has begun to ask for it."""
    cookie = visit(f"{base}/add")[1]
    key = "PHPREDIS_SESSION:" + cookie.partition("=")[2]
    gate = os.path.join(folder, "gate")
    bodies = []
    threads = [threading.Thread(target=lambda: bodies.append(
        visit(f"{base}/add?gate={gate}", cookie)[0])) for _ in range(2)]
    threads[0].start()
    assert talk.until(20, lambda: os.path.exists(gate + ".inside"))
    same(b":1\r\n", spy.ask("EXISTS", key + "_LOCK"), "locked")
    asked = commands(spy)
    threads[1].start()
    # It asks every 20 ms: some SETs more, and nobody got in.
    assert talk.until(20, lambda: commands(spy) > asked + 60)
    same([], bodies, "nobody is through")
    with open(gate, "w", encoding="utf-8"):
        pass
    for thread in threads:
        thread.join(30)
    same(["2", "3"], sorted(bodies), "two requests at once")
    same('{"n":3,"binary":"000d0aff"}', visit(f"{base}/show", cookie)[0],
         "nothing lost")
    same(b":0\r\n", spy.ask("EXISTS", key + "_LOCK"), "the lock is free")


def commands(spy):
    said = spy.ask("INFO", "stats").decode()
    return int(re.search(r"total_commands_processed:(\d+)", said)[1])


spy = talk.Talk(Memoizer)
same(b"+OK\r\n", spy.ask("SELECT", "1"), "select")
scripts = not spy.ask("EVALSHA", "x", "0").startswith(b"-ERR unknown command")
if not scripts:
    SETTINGS["redis.session.locking_enabled"] = "0"
with php() as base, tempfile.TemporaryDirectory() as folder:
    one_after_another(base, spy)
    if not scripts:
        print("SKIPPED: locking: EVAL is not served yet")
        sys.exit(77)
    at_once(base, spy, folder)
print("phpredis session handler: well")
