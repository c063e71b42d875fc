# SPDX-License-Identifier: MIT
#
# talk.py - a connection with the Redis protocol that keeps every byte. It
# knows where a reply ends, in RESP2 and RESP3, and nothing of what replies
# mean.
import time


def encode(words):
    """A command as clients send it."""
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        parts.append(b"$%d\r\n%b\r\n" % (len(word), word))
    return b"".join(parts)


def reply_end(data, at=0):
    """The place behind the reply that begins at `at`; None: not all is here."""
    todo = 1
    while todo:
        line_end = data.find(b"\r\n", at)
        if line_end < 0:
            return None
        kind, head = data[at:at + 1], data[at + 1:line_end]
        at = line_end + 2
        todo -= 1
        if kind in b"$=!" and kind:
            if int(head) >= 0:
                at += int(head) + 2
                if at > len(data):
                    return None
        elif kind in b"*~>" and kind:
            todo += max(int(head), 0)
        elif kind in b"%|" and kind:
            # An attribute stands in front of the reply that it belongs to.
            todo += 2 * int(head) + (kind == b"|")
        elif kind not in b"+-:_,#(" or not kind:
            raise AssertionError(f"no reply begins with {kind!r}: {data!r}")
    return at


class Talk:
    def __init__(self, server):
        self.socket = server.connect()
        self.data = b""

    def send(self, data):
        self.socket.sendall(data)

    def send_bytes(self, data):
        """One byte a send; of much data only the beginning."""
        for i in range(min(len(data), 3000)):
            self.socket.sendall(data[i:i + 1])
        self.socket.sendall(data[3000:])

    def reply(self):
        """The bytes of the next reply; b"" at the end of the connection."""
        while True:
            end = reply_end(self.data)
            if end is not None:
                got, self.data = self.data[:end], self.data[end:]
                return got
            try:
                more = self.socket.recv(1 << 16)
            except ConnectionResetError:
                more = b""
            except TimeoutError:
                raise AssertionError(
                    f"no reply in time, only {self.data!r}") from None
            if not more:
                if self.data:
                    raise AssertionError(f"half a reply: {self.data!r}")
                return b""
            self.data += more

    def ask(self, *words):
        self.send(encode([w.encode() if isinstance(w, str) else w
                          for w in words]))
        return self.reply()

    def close(self):
        self.socket.close()


def until(seconds, question):
    """Asks again until it is true; False when the time is over."""
    deadline = time.monotonic() + seconds
    while not question():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True
