"""A daemon that says what a test tells it to: for what the real one does rarely, late or never.

The tests of the command and of the Python client share it; the latter run on Python 3.9, too.
"""

from __future__ import annotations

import array
import itertools
import json
import os
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]

HELLO: Message = {
    "name": "watchwordd",
    "version": "0.0.0-fake",
    "protocolVersion": "1",
    "capabilities": {"descriptors": True, "framings": ["line", "contentLength"]},
    "pid": 1,
    "uid": os.getuid(),
    "limits": {"messageBytes": 1048576},
}

METRICS: Message = {
    "nameLookupSeconds": 0.001,
    "connectSeconds": 0.002,
    "tlsSeconds": 0,
    "challengeWaitSeconds": 0,
    "firstByteSeconds": 0.003,
    "totalSeconds": 0.004,
    "bytesSent": 100,
    "bytesReceived": 200,
    "protocol": "http/1.1",
    "reused": False,
    "exchanges": [],
}


class Peer:
    """The daemon's end of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.buffer = b""
        self.descriptors: list[int] = []

    def message(self) -> Message:
        """The next message; EOFError at the end."""
        while b"\n" not in self.buffer:
            data, ancillary, _, _ = self.connection.recvmsg(1 << 16, socket.CMSG_SPACE(64))
            for _, _, payload in ancillary:
                received = array.array("i")
                received.frombytes(payload)
                self.descriptors.extend(received)
            if not data:
                raise EOFError
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        message: Message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def expect(self, method: str) -> Message:
        """The next message, which has to be this method."""
        message = self.message()
        assert message["method"] == method, message
        return message

    def raw(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        rights = (
            [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        )
        sent = self.connection.sendmsg([data], rights)
        if sent < len(data):  # the client may have gone as soon as it had all
            self.connection.sendall(data[sent:])

    def send(self, message: Message, descriptors: Sequence[int] = ()) -> None:
        if descriptors:
            message = {**message, "descriptors": len(descriptors)}
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n", descriptors)

    def reply(self, request: Message, result: Any, descriptors: Sequence[int] = ()) -> None:
        self.send({"id": request["id"], "result": result}, descriptors)

    def refuse(self, request: Message, error: Message) -> None:
        self.send({"id": request["id"], "error": error})

    def fail(self, request: Message, code: int, kind: str, message: str = "no", **data: Any) -> None:
        self.refuse(request, {"code": code, "message": message, "data": {"kind": kind, **data}})

    def notify(self, method: str, params: Any = None, **members: Any) -> None:
        """`params` as they are, or an object of the members."""
        self.send({"method": method, "params": members if params is None else params})

    def hello(self) -> None:
        self.reply(self.expect("initialize"), HELLO)

    def open_session(self, identifier: str = "private-1") -> Message:
        request = self.expect("session/open")
        self.reply(request, {"session": request["params"].get("name", identifier), "created": True})
        return request

    def close_descriptors(self) -> None:
        for number in self.descriptors:
            os.close(number)
        self.descriptors.clear()


class ScriptedDaemon:
    """Listens at a path and runs a script for each connection; a script that fails fails the test."""

    def __init__(self, path: Path, scripts: Iterable[Callable[[Peer], None]]) -> None:
        self.path = path
        self.failures: list[BaseException] = []
        self._scripts = scripts
        self._threads: list[threading.Thread] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(16)
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def _accept(self) -> None:
        for script in self._scripts:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._run, args=(connection, script), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run(self, connection: socket.socket, script: Callable[[Peer], None]) -> None:
        peer = Peer(connection)
        try:
            script(peer)
        except BaseException as failure:
            self.failures.append(failure)
        finally:
            peer.close_descriptors()
            connection.close()

    def stop(self) -> None:
        # A thread that still accepts would take connections of the next daemon, which listens on this number.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()
        self._listener.close()
        self.path.unlink()

    def join(self) -> None:
        """Waits for the scripts to end."""
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive(), "the script did not end"


class RefusedError(Exception):
    """Answered as an error object."""

    def __init__(self, kind: str, code: int = 1000, message: str = "refused", **data: Any) -> None:
        super().__init__(kind)
        self.error = {"code": code, "message": message, "data": {"kind": kind, "retry": "never", **data}}


class Started:
    """The reply to `task/start`, and what happens once it has been said."""

    def __init__(self, go_on: Callable[[], None]) -> None:
        self.go_on = go_on


class Conversation:
    """A connection on which each method has its answer."""

    def __init__(self, peer: Peer, answers: dict[str, Answer]) -> None:
        self.peer = peer
        self.answers = answers
        self.notify = peer.notify

    def serve(self, heard: list[Message]) -> None:
        """Answers and notes every message until the client leaves."""
        try:
            while True:
                message = self.peer.message()
                heard.append(message)
                if "id" in message:
                    self.answer(message)
        except (EOFError, OSError):
            pass  # Some tests want the client to leave.

    def answer(self, message: Message) -> None:
        try:
            result = self.answers.get(message["method"], nothing)(self, message)
        except RefusedError as refused:
            self.peer.close_descriptors()
            self.peer.refuse(message, refused.error)
            return
        if isinstance(result, Started):
            self.peer.reply(message, {"task": "t1"})
            result.go_on()
        else:
            self.peer.reply(message, result)

    def ask(self, refusal: RefusedError | None = None, **challenge: Any) -> Message:
        """Raises a challenge and returns the parameters of the reply to it."""
        self.notify("task/didReceiveChallenge", a_challenge(**challenge))
        return self.hear_reply(refusal)

    def hear_reply(self, refusal: RefusedError | None = None) -> Message:
        """Accepts, or refuses, the reply to a challenge and returns its parameters."""
        while (reply := self.peer.message())["method"] != "challenge/reply":
            self.answer(reply)  # The delegate may look something up first.
        if refusal:
            self.peer.refuse(reply, refusal.error)
        else:
            self.peer.reply(reply, {"accepted": True})
        parameters: Message = reply["params"]
        return parameters

    def deliver(self, message: Message, body: bytes = b"", status: int = 200, **more: Any) -> Message:
        """Writes a body where the request wants it and returns the result of `fetch`."""
        parameters = message["params"]
        if message["method"] == "task/start":
            head = a_result(url=parameters["url"], status=status, **more)
            self.notify("task/didReceiveResponse", head)
        output = parameters.get("output", "auto")
        if isinstance(output, dict):
            number = self.peer.descriptors[output["descriptor"]]
            view = memoryview(body)
            while view:
                view = view[os.write(number, view) :]
        self.peer.close_descriptors()
        metrics = {"metrics": METRICS} if parameters.get("metrics") else {}
        return a_result(url=parameters["url"], status=status, body={"size": len(body)}, **metrics, **more)


Answer = Callable[[Conversation, Message], Any]


def nothing(conversation: Conversation, message: Message) -> Message:
    return {}


class FakeDaemon(ScriptedDaemon):
    """Answers by method, on any number of connections; what it heard is in `heard`."""

    def __init__(self, path: Path) -> None:
        self.heard: list[Message] = []
        self.answers: dict[str, Answer] = {
            "session/open": lambda conversation, message: {
                "session": message["params"].get("name", "p1-secret"),
                "created": False,
            },
            "session/list": lambda conversation, message: {"sessions": []},
            "challenge/reply": lambda conversation, message: {"accepted": True},
        }
        self.fetch(
            lambda conversation, message: conversation.deliver(
                message,
                self.body,
                self.status,
                headers=self.headers,
                **({"unusableOffers": self.unusable_offers} if self.unusable_offers else {}),
            )
        )
        self.body = b"hello\n"
        self.status = 200
        self.headers: list[list[str]] = [["Content-Type", "text/plain"]]
        self.unusable_offers: list[Message] = []
        super().__init__(path, itertools.repeat(self._converse))

    def _converse(self, peer: Peer) -> None:
        Conversation(peer, self.answers).serve(self.heard)

    def fetch(self, answer: Answer) -> None:
        """Answers `fetch` with the result of `answer`, and ends the tasks of `task/start` with it."""

        def finish(conversation: Conversation, message: Message) -> None:
            try:
                conversation.notify("task/didFinish", answer(conversation, message))
            except RefusedError as refused:
                conversation.notify("task/didFinish", task="t1", session="default", error=refused.error)
            finally:
                conversation.peer.close_descriptors()

        self.answers["fetch"] = answer
        self.answers["task/start"] = lambda conversation, message: Started(
            lambda: finish(conversation, message)
        )

    def parameters(self, method: str) -> Message:
        """Of the last request for the method; `fetch` is also a fetch that tells what happens."""
        methods = ("fetch", "task/start") if method == "fetch" else (method,)
        found: Message = [message for message in self.heard if message["method"] in methods][-1]["params"]
        return found


def a_result(**members: Any) -> Message:
    """Of a fetch that asked for nothing more."""
    return {
        "task": "t1",
        "session": "default",
        "status": 200,
        "headers": [["Content-Type", "text/plain"]],
        **members,
    }


def a_challenge(**members: Any) -> Message:
    """A Basic challenge; `space` has members of the protection space."""
    space = {
        "protocol": "https",
        "host": "intranet.example",
        "port": 443,
        "realm": "staff",
        "authenticationMethod": "basic",
        "isProxy": False,
        "proxyType": None,
        "receivesCredentialSecurely": True,
        "parameters": {},
        "distinguishedNames": None,
        "serverTrust": None,
        **members.pop("space", {}),
    }
    return {
        "challenge": "c1-0",
        "session": "default",
        "task": "t1",
        "url": "https://intranet.example/q3.csv",
        "origin": "https://intranet.example:443",
        "protectionSpace": space,
        "offers": [],
        "proposedCredential": None,
        "previousFailureCount": 0,
        "failureResponse": None,
        "error": None,
        "waiters": [{"task": "t1", "pid": 4711, "uid": os.getuid(), "executable": "/usr/bin/python3"}],
        "asked": [4711],
        "waitedSeconds": 90,
        "deadline": "2026-11-21T12:05:00Z",
        **members,
    }
