# SPDX-License-Identifier: MIT
#
# redis-py as Django, Flask and Celery use it: values, lives, pipelines with
# MULTI, WATCH with retries by two threads, scans, a lock, channels.
import os
import threading

import redis

PORT = int(os.environ["MEMOIZER_PORT"])


def connect(**more):
    return redis.Redis("127.0.0.1", PORT, socket_timeout=10, **more)


def wants_error(text, call):
    try:
        call()
    except redis.RedisError as e:
        assert text in str(e), f"{e!r}"
    else:
        raise AssertionError(f"no error: {text}")


def values(r):
    assert r.ping() is True
    assert r.set("session:a", b'{"user":7}\x00\xff', ex=1800) is True
    assert r.get("session:a") == b'{"user":7}\x00\xff'
    assert r.ttl("session:a") == 1800
    assert r.expire("session:a", 60) is True and r.ttl("session:a") == 60
    assert r.get("nosuch") is None and r.ttl("nosuch") == -2
    assert r.set("session:a", "x", nx=True) is None
    assert r.set("session:a", "new", xx=True, get=True).startswith(b"{")
    assert r.setex("b", 100, "v") is True and r.getdel("b") == b"v"
    assert r.getex("session:a", ex=30) == b"new" and r.persist("session:a")
    assert r.incr("n") == 1 and r.incrby("n", 41) == 42 and r.decr("n") == 41
    assert r.incrbyfloat("f", 0.5) == 0.5
    assert r.mset({"m1": 1, "m2": 2}) and r.mget("m1", "no", "m2") == [
        b"1", None, b"2"]
    assert r.exists("m1", "m2", "no") == 2 and r.type("m1") == b"string"
    assert r.rename("m1", "m3") and r.unlink("m3", "m2") == 2
    wants_error("not an integer", lambda: r.incr("session:a"))
    wants_error("no such key", lambda: r.rename("nosuch", "x"))
    wants_error("unknown command", lambda: r.execute_command("NOSUCH"))


def whole_databases(r):
    for i in range(500):
        r.set(f"scan:{i}", i)
    names = set(r.scan_iter("scan:*", count=50))
    assert len(names) == 500, len(names)
    assert len(r.keys("scan:1?")) == 10
    other = connect(db=1)
    assert other.dbsize() == 0 and other.set("x", 1)
    assert other.flushdb() and other.dbsize() == 0
    assert r.delete(*names) == 500


def tells_of_itself(r):
    info = r.info()
    assert info["redis_version"] == "7.2.4" and info["loading"] == 0
    assert info["db0"]["keys"] == r.dbsize()
    assert r.config_get("databases") == {"databases": "16"}
    assert r.client_setname("web") and r.client_getname() == "web"
    assert any(c["name"] == "web" for c in r.client_list())
    assert r.client_id() > 0 and len(r.time()) == 2
    assert r.command_count() > 50 and "get" in r.command()
    assert r.object("encoding", "n") in (b"int", "int", b"embstr")


def transactions(r):
    with r.pipeline() as pipe:
        assert pipe.set("t", 1).incr("t").get("t").execute() == [True, 2, b"2"]
        pipe.set("t", "x").incr("t").set("u", "y")
        wants_error("not an integer", pipe.execute)
    assert r.get("u") == b"y"
    r.set("watched", 0)

    def add():
        mine = connect()
        for _ in range(100):
            mine.transaction(
                lambda p: (lambda n: (p.multi(), p.set("watched", n + 1)))(
                    int(p.get("watched"))), "watched")

    threads = [threading.Thread(target=add) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert r.get("watched") == b"200", r.get("watched")


def channels(r):
    with r.pubsub() as p:
        p.subscribe("news")
        p.psubscribe("n*")
        kinds = [p.get_message(timeout=5)["type"] for _ in range(2)]
        assert kinds == ["subscribe", "psubscribe"], kinds
        assert r.publish("news", "hello") == 2
        got = [p.get_message(timeout=5) for _ in range(2)]
        assert [m["type"] for m in got] == ["message", "pmessage"]
        assert all(m["data"] == b"hello" for m in got)


def locks(r):
    """Lock.release is a script that memoizer knows without an engine."""
    try:
        lock = r.lock("lock", timeout=10)
        assert lock.acquire(blocking=False)
        assert not r.lock("lock", timeout=10).acquire(blocking=False)
        lock.release()
        assert r.get("lock") is None
    except redis.ResponseError as e:
        assert "unknown command" in str(e), e
        print(f"SKIPPED: locks: {e}")
        return 77
    return 0


r = connect()
values(r)
whole_databases(r)
tells_of_itself(r)
transactions(r)
channels(r)
status = locks(r)
print(f"redis-py {redis.__version__}: well")
raise SystemExit(status)
