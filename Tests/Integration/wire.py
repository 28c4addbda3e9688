"""A peer of the daemon: JSON-RPC over its Unix socket, blocking, byte for byte under the test's control."""

from __future__ import annotations

import array
import base64
import itertools
import json
import os
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from Integration import contract, sentinels
from Support.daemon import Daemon

Json = Any

#: How long a test waits for something that must come; generous, for sanitizer builds on a busy machine.
PATIENCE = 40.0 if "WATCHWORD_SANITIZED" in os.environ else 15.0


def many(count: int) -> int:
    """So many that differ in nothing; a sanitizer, which finds faults of code, has seen all in a tenth."""
    return count // 10 if "WATCHWORD_SANITIZED" in os.environ else count


class RemoteError(Exception):
    """A request that was answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error.get('code')} {error.get('message')} {error.get('data')}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Json = error.get("data") or {}

    @property
    def kind(self) -> str:
        return str(self.data.get("kind"))


class Closed(Exception):
    """The daemon closed the connection while something was awaited."""


@dataclass
class Peer:
    """One connection. Replies and notifications are kept until a test asks for them."""

    path: Path
    framing: str = "line"
    checked: bool = True
    faults: list[str] = field(default_factory=list)
    received: bytearray = field(default_factory=bytearray)
    descriptors: list[int] = field(default_factory=list)
    replies: dict[Json, Json] = field(default_factory=dict)
    others: list[Json] = field(default_factory=list)
    notifications: list[Json] = field(default_factory=list)
    _methods: dict[Json, str] = field(default_factory=dict)
    _pending: bytearray = field(default_factory=bytearray)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    #: How much of what is pending has no separator in it.
    _searched: int = 0
    at_end: bool = False

    def __post_init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(str(self.path))

    # Sending

    def send_bytes(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        """Sends bytes as they are; descriptors travel with the first one."""
        self.socket.settimeout(PATIENCE)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
        sent = self.socket.sendmsg([data], rights) if descriptors else 0
        # Even to send nothing fails when the daemon has closed the connection.
        if sent < len(data):
            self.socket.sendall(data[sent:])

    def send(self, message: Json, descriptors: Sequence[int] = ()) -> None:
        """Frames one JSON value."""
        text = json.dumps(message, ensure_ascii=False).encode()
        if self.framing == "line":
            self.send_bytes(text + b"\n", descriptors)
        else:
            self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(text), text), descriptors)

    def request(self, method: str, params: Json = None, descriptors: Sequence[int] = ()) -> int:
        """Sends a request and returns its id."""
        identifier = next(self._ids)
        message = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params or {}}
        if descriptors:
            message["descriptors"] = len(descriptors)
        self._methods[identifier] = method
        self.send(message, descriptors)
        return identifier

    def notify(self, method: str, params: Json) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def half_close(self) -> None:
        """Says that nothing more will come from this side."""
        self.socket.shutdown(socket.SHUT_WR)

    # Receiving

    def result(self, identifier: Json, seconds: float = PATIENCE) -> Json:
        """Waits for the reply to a request; an error is raised."""
        self._pump(lambda: identifier in self.replies, seconds, f"reply to {identifier}")
        reply = self.replies.pop(identifier)
        if "error" in reply:
            raise RemoteError(reply["error"])
        return reply["result"]

    def call(self, method: str, params: Json = None, descriptors: Sequence[int] = ()) -> Json:
        return self.result(self.request(method, params, descriptors))

    def notification(
        self, method: str, where: Callable[[Json], bool] = lambda params: True, seconds: float = PATIENCE
    ) -> Json:
        """Waits for a notification that matches, takes it out, and returns its params."""

        def matching() -> Json:
            return next(
                (note for note in self.notifications if note["method"] == method and where(note["params"])),
                None,
            )

        self._pump(lambda: matching() is not None, seconds, method)
        found = matching()
        self.notifications.remove(found)
        return found["params"]

    def next_message(self, seconds: float = PATIENCE) -> Json:
        """Whatever comes next, unchecked: for tests of malformed messages."""
        self._pump(lambda: bool(self.others or self.replies or self.notifications), seconds, "a message")
        if self.others:
            return self.others.pop(0)
        if self.replies:
            return self.replies.pop(next(iter(self.replies)))
        return self.notifications.pop(0)

    def wait_for_end(self, seconds: float = PATIENCE) -> None:
        """Waits until the daemon closes the connection; what came before is kept."""
        self._pump(lambda: self.at_end, seconds, "the end of the connection")

    def _pump(self, done: Callable[[], bool], seconds: float, awaited: str) -> None:
        limit = time.monotonic() + seconds
        while not done():
            if self.at_end:
                raise Closed(f"the daemon closed the connection; awaited: {awaited}")
            left = limit - time.monotonic()
            if left <= 0:
                raise TimeoutError(
                    f"awaited in vain: {awaited}; notifications: "
                    f"{[note['method'] for note in self.notifications]}, replies: {self.replies}"
                )
            self._receive(left)

    def _receive(self, seconds: float) -> None:
        self.socket.settimeout(seconds)
        try:
            data, ancillary, _, _ = self.socket.recvmsg(1 << 18, socket.CMSG_SPACE(16 * 4))
        except TimeoutError:
            return
        except ConnectionError:
            data, ancillary = b"", []
        for level, kind, payload in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                numbers = array.array("i")
                numbers.frombytes(payload[: len(payload) - len(payload) % numbers.itemsize])
                self.descriptors.extend(numbers)
        if not data:
            self.at_end = True
        self.received += data
        self._pending += data
        while (text := self._next_frame()) is not None:
            self._sort(json.loads(text))

    def _next_frame(self) -> bytes | None:
        separator = b"\n" if self.framing == "line" else b"\r\n\r\n"
        end = self._pending.find(separator, self._searched)
        if end < 0:
            self._searched = max(0, len(self._pending) - len(separator) + 1)
            return None
        self._searched = 0
        begin = end + len(separator)
        if self.framing == "line":
            text, self._pending = bytes(self._pending[:end]), self._pending[begin:]
            return text
        size = int(self._pending[:end].split(b":")[1])
        if len(self._pending) < begin + size:
            return None
        text, self._pending = bytes(self._pending[begin : begin + size]), self._pending[begin + size :]
        return text

    def _sort(self, message: Json) -> None:
        known = isinstance(message, dict) and message.get("id") in self._methods
        if isinstance(message, dict) and "method" in message:
            self.notifications.append(message)
        elif known:
            self.replies[message["id"]] = message
        else:
            self.others.append(message)
        if self.checked and isinstance(message, dict):
            method = self._methods.get(message.get("id")) if known else None
            self.faults += contract.check(message, method) if known or "method" in message else []

    # What tests say all the time

    def open(self, name: str | None = None, **members: Json) -> str:
        """`session/open`; `tasks` and `session` are the delegate's lists."""
        params: dict[str, Json] = {"name": name} if name else {}
        lists = {key: members.pop(key) for key in ("tasks", "session") if key in members}
        if lists:
            params["delegate"] = lists
        return str(self.call("session/open", {**params, **members})["session"])

    def fetch(self, session: str, url: str, **members: Json) -> Json:
        return self.call("fetch", {"session": session, "url": url, **members})

    def metrics(self, session: str, url: str, **members: Json) -> Json:
        """Those of a fetch."""
        return self.fetch(session, url, metrics=True, **members)["metrics"]

    def start_fetch(self, session: str, url: str, **members: Json) -> int:
        return self.request("fetch", {"session": session, "url": url, **members})

    def challenge(self, seconds: float = PATIENCE) -> Json:
        """The next challenge that this connection is asked."""
        return self.notification("task/didReceiveChallenge", seconds=seconds)

    def answer(self, challenge: Json, credential: Json, disposition: str = "useCredential") -> Json:
        params = {"challenge": challenge["challenge"], "disposition": disposition, "credential": credential}
        return self.call("challenge/reply", params)

    def dispose(self, challenge: Json, disposition: str) -> Json:
        params = {"challenge": challenge["challenge"], "disposition": disposition}
        return self.call("challenge/reply", params)

    def counter(self, name: str) -> int:
        return int(self.call("status")["counters"].get(name, 0))

    def nothing_asked(self) -> None:
        """Nothing this connection has been told so far is an open question."""
        self.call("ping")
        asked = [note for note in self.notifications if note["method"].endswith("didReceiveChallenge")]
        assert not asked, f"asked without need: {asked}"

    def close(self) -> None:
        self.socket.close()
        while self.descriptors:
            os.close(self.descriptors.pop())

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def leaks(self) -> list[bytes]:
        return sentinels.traces_in(bytes(self.received))


def password(user: str, secret: str, persistence: str = "forSession", **members: Json) -> Json:
    return {"user": user, "password": secret, "persistence": persistence, **members}


def body_of(result: Json) -> bytes:
    """An inline body's bytes."""
    body = result["body"]
    return body["text"].encode() if "text" in body else base64.b64decode(body["base64"])


def kind_of(call: Callable[..., Json], *arguments: Json, **members: Json) -> str:
    """The kind of the error that the call must end with."""
    try:
        result = call(*arguments, **members)
    except RemoteError as error:
        return error.kind
    raise AssertionError(f"no error but {str(result)[:500]}")


def pause() -> None:
    """Between two questions of one that polls, so that the daemon and other tests have the processor."""
    time.sleep(0.01)


def wait_for_waiters(peer: Peer, challenge: Json, count: int) -> None:
    describe = {"challenge": challenge["challenge"]}
    while len(peer.call("challenge/describe", describe)["waiters"]) < count:
        pause()


def unanswered_for(peer: Peer, seconds: float, url: str) -> None:
    """A challenge that nobody answers ends after this time."""
    session = peer.open(tasks=["*"], configuration={"challenges": {"deadlineSeconds": seconds}})
    fetch = peer.start_fetch(session, url)
    peer.challenge()
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


def stop_all(daemons: Iterable[Daemon], peers: Iterable[Peer]) -> None:
    """Hangs up first: for ten seconds, a daemon that ends lets tasks wait for the answer of a peer."""
    for peer in peers:
        peer.close()
    for daemon in daemons:
        daemon.stop()
