"""The fake daemon as the client's tests use it: one script for each connection."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path
from typing import Any, Callable

from Support.fake_daemon import METRICS, Message, Peer, ScriptedDaemon, a_challenge, a_result

Script = Callable[[Peer], None]


class EndingDaemon(ScriptedDaemon):
    """Listens no more when each script has its connection: it has not been restarted then."""

    def _accept(self) -> None:
        super()._accept()
        self._listener.shutdown(socket.SHUT_RDWR)


class FakeDaemon:
    """Listens on a socket of its own; a script's failure fails the test."""

    def __init__(self, *scripts: Script, hello: bool = True) -> None:
        self.scripts = [greeted(script) for script in scripts] if hello else list(scripts)

    def __enter__(self) -> str:
        self.directory = tempfile.TemporaryDirectory()
        self.daemon = EndingDaemon(Path(self.directory.name, "s.sock"), self.scripts)
        return str(self.daemon.path)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.daemon.stop()
        self.daemon.join()
        self.directory.cleanup()
        if self.daemon.failures and error is None:
            raise self.daemon.failures[0]


def greeted(script: Script) -> Script:
    """The script behind `initialize`."""

    def run(peer: Peer) -> None:
        peer.hello()
        script(peer)

    return run


def serve_fetches(peer: Peer) -> None:
    """Answers every fetch with its URL, and everything else with an empty object, until the end."""
    try:
        while True:
            request = peer.message()
            if request["method"] == "fetch":
                peer.reply(request, response(text=request["params"]["url"]))
            elif "id" in request:
                peer.reply(request, {})
    except (EOFError, OSError):
        pass


def response(status: int = 200, **body: Any) -> Message:
    """A fetch's result, with metrics."""
    return a_result(
        url="http://origin.test/path",
        status=status,
        headers=[["Content-Type", "text/plain; charset=utf-8"], ["Set-Cookie", "a=1"], ["set-cookie", "b=2"]],
        body=body or {"text": "body"},
        redirects=[{"status": 302, "from": "http://origin.test/", "to": "http://origin.test/path"}],
        metrics={**METRICS, "tlsSeconds": None, "reused": True, "exchanges": [EXCHANGE]},
    )


EXCHANGE = {
    "url": "http://origin.test/path",
    "status": 200,
    "protocol": "http/1.1",
    "reused": True,
    "totalSeconds": 0.1,
    "bytesSent": 10,
    "bytesReceived": 20,
}


def challenge(task: str | None, identifier: str = "c1-5b1e90d2", **members: Any) -> Message:
    """A Digest challenge as the protocol shows it."""
    parameters = {"realm": "staff", "qop": "auth", "nonce": "n"}
    return a_challenge(
        **{
            "challenge": identifier,
            "session": "private-1",
            "task": task,
            "space": {"authenticationMethod": "digest", "parameters": parameters},
            "offers": [{"authenticationMethod": "digest", "realm": "staff", "parameters": {}}],
            "unusableOffers": [{"scheme": "Hawk", "reason": "unknownMethod"}],
            "failureResponse": {"status": 401, "headers": [["WWW-Authenticate", "Digest …"]]},
            **members,
        }
    )
