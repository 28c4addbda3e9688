"""A daemon made of a script: a function that reads requests from one connection and answers as a test wants."""

from __future__ import annotations

import array
import json
import os
import socket
import tempfile
import threading
from collections.abc import Sequence
from typing import Any, Callable

HELLO = {
    "name": "watchwordd",
    "version": "0.0.0-fake",
    "protocolVersion": "1",
    "capabilities": {"descriptors": True, "framings": ["line", "contentLength"]},
    "pid": 1,
    "uid": os.getuid(),
    "limits": {"messageBytes": 1048576},
}


class Peer:
    """The daemon's end of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.buffer = b""
        self.descriptors: list[int] = []

    def message(self) -> dict[str, Any]:
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
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def expect(self, method: str) -> dict[str, Any]:
        """The next message, which has to be this method."""
        message = self.message()
        assert message["method"] == method, message
        return message

    def raw(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        sent = self.connection.sendmsg([data], rights)
        if sent < len(data):  # the client may have gone as soon as it had all
            self.connection.sendall(data[sent:])

    def send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        if descriptors:
            message = {**message, "descriptors": len(descriptors)}
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n", descriptors)

    def reply(self, request: dict[str, Any], result: Any, descriptors: Sequence[int] = ()) -> None:
        self.send({"id": request["id"], "result": result}, descriptors)

    def fail(self, request: dict[str, Any], code: int, kind: str, message: str = "no", **data: Any) -> None:
        self.send({"id": request["id"], "error": {"code": code, "message": message, "data": {"kind": kind, **data}}})

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def hello(self) -> None:
        self.reply(self.expect("initialize"), HELLO)

    def open_session(self, identifier: str = "private-1") -> dict[str, Any]:
        request = self.expect("session/open")
        self.reply(request, {"session": request["params"].get("name", identifier), "created": True})
        return request

    def serve_fetches(self) -> None:
        """Answers every fetch with its URL, and everything else with an empty object, until the end."""
        try:
            while True:
                request = self.message()
                if request["method"] == "fetch":
                    self.reply(request, response(text=request["params"]["url"]))
                elif "id" in request:
                    self.reply(request, {})
        except (EOFError, OSError):
            pass


Script = Callable[[Peer], None]


class FakeDaemon:
    """Listens on a socket of its own and runs one script per connection; a script's failure fails the test."""

    def __init__(self, *scripts: Script, hello: bool = True) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.directory.name, "s.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(16)
        self.failures: list[BaseException] = []
        self.threads: list[threading.Thread] = []
        self.scripts = scripts
        self.say_hello = hello
        self.acceptor = threading.Thread(target=self._accept, daemon=True)

    def _accept(self) -> None:
        for script in self.scripts:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._run, args=(connection, script), daemon=True)
            self.threads.append(thread)
            thread.start()

    def _run(self, connection: socket.socket, script: Script) -> None:
        peer = Peer(connection)
        try:
            if self.say_hello:
                peer.hello()
            script(peer)
        except BaseException as failure:
            self.failures.append(failure)
        finally:
            for descriptor in peer.descriptors:
                os.close(descriptor)
            connection.close()

    def __enter__(self) -> str:
        self.acceptor.start()
        return self.path

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.acceptor.join(5)
        for thread in self.threads:
            thread.join(5)
            assert not thread.is_alive(), "the script did not end"
        self.listener.close()
        self.directory.cleanup()
        if self.failures and error is None:
            raise self.failures[0]


def response(status: int = 200, **body: Any) -> dict[str, Any]:
    """A fetch's result."""
    return {
        "task": "t1",
        "session": "default",
        "url": "http://origin.test/path",
        "status": status,
        "headers": [["Content-Type", "text/plain; charset=utf-8"], ["Set-Cookie", "a=1"], ["set-cookie", "b=2"]],
        "body": body or {"text": "body"},
        "redirects": [{"status": 302, "from": "http://origin.test/", "to": "http://origin.test/path"}],
        "metrics": {
            "nameLookupSeconds": 0.001,
            "connectSeconds": 0.002,
            "tlsSeconds": None,
            "challengeWaitSeconds": 0,
            "firstByteSeconds": 0.1,
            "totalSeconds": 0.2,
            "bytesSent": 10,
            "bytesReceived": 20,
            "protocol": "http/1.1",
            "reused": True,
            "exchanges": [
                {
                    "url": "http://origin.test/path",
                    "status": 200,
                    "protocol": "http/1.1",
                    "reused": True,
                    "authenticationMethod": None,
                    "totalSeconds": 0.1,
                    "bytesSent": 10,
                    "bytesReceived": 20,
                }
            ],
        },
    }


def challenge(task: str | None, identifier: str = "c1-5b1e90d2", **members: Any) -> dict[str, Any]:
    """A Digest challenge as the protocol shows it."""
    return {
        "challenge": identifier,
        "session": "private-1",
        "task": task,
        "url": "https://intranet.example/q3.csv",
        "origin": "https://intranet.example:443",
        "protectionSpace": {
            "protocol": "https",
            "host": "intranet.example",
            "port": 443,
            "realm": "staff",
            "authenticationMethod": "digest",
            "isProxy": False,
            "proxyType": None,
            "receivesCredentialSecurely": True,
            "parameters": {"realm": "staff", "qop": "auth", "nonce": "n"},
            "distinguishedNames": None,
            "serverTrust": None,
        },
        "offers": [{"authenticationMethod": "digest", "realm": "staff", "parameters": {}}],
        "proposedCredential": None,
        "previousFailureCount": 0,
        "failureResponse": {"status": 401, "headers": [["WWW-Authenticate", "Digest …"]]},
        "error": None,
        "waiters": [{"task": task or "t9", "pid": 4711, "uid": 1000, "executable": "/usr/bin/python3"}],
        "deadline": "2026-11-21T12:05:00Z",
        **members,
    }
